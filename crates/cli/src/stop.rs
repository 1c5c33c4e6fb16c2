//! The user's wish to stop: Ctrl-C, or a polite signal.
//!
//! The first one is noted and obeyed at the next unit of work, so that what is done so far can be kept; the second one ends the
//! process at once. Nothing is lost either way: all files are written aside and renamed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

/// The exit status of a process that Ctrl-C ended, as shells count it.
pub(crate) const INTERRUPTED: u8 = 130;

static WANTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Begins to listen. If the system does not allow that, signals end the process as they always do.
pub(crate) fn listen() {
    let wanted = WANTED.get_or_init(Arc::default);
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // In this order: the second signal finds the flag set.
        let ends = flag::register_conditional_shutdown(signal, INTERRUPTED.into(), Arc::clone(wanted));
        let _ = ends.and_then(|_| flag::register(signal, Arc::clone(wanted)));
    }
}

/// Whether the user wants to stop.
pub(crate) fn is_wanted() -> bool {
    WANTED.get().is_some_and(|wanted| wanted.load(Ordering::Relaxed))
}

/// The work was not finished because the user wanted to stop.
#[derive(Debug)]
pub(crate) struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted; what was compiled so far is kept")
    }
}

impl std::error::Error for Interrupted {}
