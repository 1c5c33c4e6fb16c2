//! Work on several threads whose results arrive in the order of the items.
//!
//! The output of the tool must not depend on the number of threads, so nothing that they do is visible before
//! its turn.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use base::limits;
use rustix::time::{ClockId, clock_gettime};

/// Applies `work` to all items on at most `jobs` threads, and hands the results to `sink` in the order of the
/// items.
///
/// No further item is begun when `stop` says so. The error is that of a thread that could not be started.
pub fn in_order<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    stop: impl Fn() -> bool + Sync,
    work: impl Fn(&T) -> R + Sync,
    mut sink: impl FnMut(R),
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for _ in 0..jobs.max(1).min(items.len()) {
            let (next, work, stop, sender) = (&next, &work, &stop, sender.clone());
            let worker = move || {
                while !stop()
                    && let Some((index, item)) = take(next, items)
                {
                    // The receiver is gone only if `sink` panicked, and then the result does not matter.
                    let _ = sender.send((index, work(item)));
                }
            };
            let builder = thread::Builder::new().stack_size(limits::STACK_BYTES);
            builder.spawn_scoped(scope, worker)?;
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut turn = 0;
        for (index, result) in receiver {
            early.insert(index, result);
            while let Some(result) = early.remove(&turn) {
                sink(result);
                turn += 1;
            }
        }
        Ok(())
    })
}

/// Processor time of this thread: what work on a busy machine is measured by.
pub fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn take<'t, T>(next: &AtomicUsize, items: &'t [T]) -> Option<(usize, &'t T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, items.get(index)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_arrive_in_order_for_any_number_of_threads() {
        let items: Vec<u64> = (0..200).collect();
        for jobs in [1, 2, 7, 1000] {
            let mut seen = Vec::new();
            let slow_first = |item: &u64| {
                thread::sleep(std::time::Duration::from_micros((200 - item) % 17 * 20));
                item * 2
            };
            in_order(&items, jobs, || false, slow_first, |result| seen.push(result)).unwrap();
            assert_eq!(seen, items.iter().map(|item| item * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn who_wants_to_stop_waits_for_nothing_but_what_is_begun() {
        let items: Vec<usize> = (0..1000).collect();
        let begun = AtomicUsize::new(0);
        let enough = || begun.load(Ordering::Relaxed) >= 10;
        let count = |_: &usize| begun.fetch_add(1, Ordering::Relaxed);
        in_order(&items, 2, enough, count, |_| ()).unwrap();
        assert!((10..=11).contains(&begun.into_inner()));
    }

    #[test]
    fn a_thread_that_sleeps_costs_no_processor_time() {
        let started = thread_cpu();
        thread::sleep(Duration::from_millis(30));
        assert!(thread_cpu() - started < Duration::from_millis(20));
    }

    #[test]
    fn nothing_to_do_is_done() {
        in_order(&[], 4, || false, |item: &u8| *item, |_| panic!("there is no item")).unwrap();
    }
}
