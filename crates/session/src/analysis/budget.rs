//! What is kept for the whole run, in bytes: the code, the summaries and the findings.
//!
//! Law: whether a component of the call graph is analyzed depends on nothing but what those leave that stand
//! [`limits::RUN_LAG`] or more before it in the schedule. So the same functions are given up for any number
//! of threads; who is further ahead waits, because what it is allowed is not known yet.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use base::limits;

/// The budget of a run.
pub(super) struct Budget {
    limit: usize,
    lag: usize,
    taken: Mutex<Taken>,
    changed: Condvar,
}

#[derive(Default)]
struct Taken {
    /// The components before this one are done.
    done: usize,
    /// What they left, with the code.
    bytes: usize,
    /// What later ones left that are done already.
    early: BTreeMap<usize, usize>,
    /// The first number at which it was too much.
    spent_at: Option<usize>,
}

impl Budget {
    /// Of which the code takes a part.
    pub(super) fn new(limit: usize, code: usize) -> Budget {
        let mut taken = Taken { bytes: code, ..Taken::default() };
        taken.spent_at = (code > limit).then_some(0);
        Budget { limit, lag: limits::RUN_LAG, taken: Mutex::new(taken), changed: Condvar::new() }
    }

    /// Whether the component of that number may be analyzed. All before it must have been begun.
    pub(super) fn allows(&self, number: usize) -> bool {
        let mut taken = self.lock();
        let Some(needed) = number.checked_sub(self.lag) else { return taken.spent_at != Some(0) };
        while taken.done < needed && taken.spent_at.is_none() {
            taken = self.changed.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
        taken.spent_at.is_none_or(|at| at > needed)
    }

    /// Notes what the component of that number leaves.
    pub(super) fn note(&self, number: usize, bytes: usize) {
        let mut guard = self.lock();
        let taken = &mut *guard;
        taken.early.insert(number, bytes);
        while let Some(bytes) = taken.early.remove(&taken.done) {
            taken.bytes += bytes;
            taken.done += 1;
            if taken.bytes > self.limit {
                taken.spent_at.get_or_insert(taken.done);
            }
        }
        drop(guard);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_same_components_are_given_up_for_any_number_of_threads() {
        for jobs in [1, 2, 5] {
            let budget = Budget { lag: 3, ..Budget::new(100, 10) };
            let next = AtomicUsize::new(0);
            let allowed: Mutex<Vec<usize>> = Mutex::new(Vec::new());
            std::thread::scope(|scope| {
                for _ in 0..jobs {
                    scope.spawn(|| {
                        loop {
                            let number = next.fetch_add(1, Ordering::Relaxed);
                            if number >= 40 {
                                break;
                            }
                            let is_allowed = budget.allows(number);
                            std::thread::sleep(Duration::from_micros((40 - number as u64) % 7 * 50));
                            if is_allowed {
                                allowed.lock().unwrap().push(number);
                            }
                            budget.note(number, if is_allowed { 9 } else { 0 });
                        }
                    });
                }
            });
            let mut allowed = allowed.into_inner().unwrap();
            allowed.sort_unstable();
            // Eleven leave 99 bytes, with the code 109; three more were allowed meanwhile.
            assert_eq!(allowed, (0..14).collect::<Vec<usize>>(), "{jobs} threads");
        }
    }

    #[test]
    fn code_that_is_too_large_leaves_nothing() {
        assert!(!Budget::new(100, 101).allows(0));
        assert!(Budget::new(100, 100).allows(0));
    }
}
