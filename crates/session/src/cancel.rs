//! The wish that work stops.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A wish that work stops. All copies are one: whoever has one can wish, and whoever works looks at it
/// between two pieces of work.
///
/// A wish cannot be taken back; further work gets a `Cancel` of its own.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    wanted: Arc<AtomicBool>,
}

impl Cancel {
    /// Wishes that the work stops. It does so soon, not at once: what is begun is brought to an end.
    pub fn cancel(&self) {
        self.wanted.store(true, Ordering::Relaxed);
    }

    /// Whether somebody wishes so.
    pub fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    /// An error if somebody wishes so.
    pub(crate) fn check(&self) -> Result<(), Interrupted> {
        if self.is_wanted() { Err(Interrupted) } else { Ok(()) }
    }
}

/// The work was not finished because somebody wished that it stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted; what was compiled so far is kept")
    }
}

impl Error for Interrupted {}
