//! Work on several threads whose results arrive in the order of the items.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

/// Stack of a worker: application of triples and rendering of terms are bounded, but by generous bounds.
const STACK_BYTES: usize = 64 << 20;

/// Applies `work` to all items on at most `jobs` threads, and hands the results to `sink` in the order of the items.
///
/// No further item is begun when `stop` says so.
pub(super) fn in_order<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    stop: fn() -> bool,
    work: impl Fn(&T) -> R + Sync,
    mut sink: impl FnMut(R),
) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            let (next, work, sender) = (&next, &work, sender.clone());
            let worker = move || {
                while !stop()
                    && let index = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(item) = items.get(index)
                {
                    // The receiver is gone only if `sink` panicked, and then the result does not matter.
                    let _ = sender.send((index, work(item)));
                }
            };
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            builder.spawn_scoped(scope, worker).expect("invariant: the machine has room for another thread");
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
    });
}
