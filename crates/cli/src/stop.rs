//! The user's wish to stop: Ctrl-C, or a polite signal.
//!
//! The first one is noted and obeyed at the next unit of work, so that what is done so far can be kept. Work
//! that has no such place soon (one large function, a reader that does not read) is ended from outside:
//! within a second this process is gone, and all that it started. The second signal does that at once.
//! Nothing is lost either way: all files are written aside and renamed.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use session::{Cancel, Interrupted};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

/// How long the work may take to come to a place where it can stop.
const PATIENCE: Duration = Duration::from_millis(600);

/// How long processes that we started may take to end when they are killed, and how long we clean up.
const LAST: Duration = Duration::from_millis(100);

/// The first signal; 0 if there was none. It says how this process ends.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Begins to listen; the work stops when the user wants it. If the system does not allow that, signals end
/// the process as they always do.
pub(crate) fn listen() -> Cancel {
    let cancel = Cancel::default();
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return cancel };
    let handle = signals.handle();
    let wish = cancel.clone();
    let listener = move || {
        let mut signals = signals.forever();
        let Some(first) = signals.next() else { return };
        SIGNAL.store(first, Ordering::Relaxed);
        wish.cancel();
        // Without a thread for it there is no patience.
        let impatient = thread::Builder::new().spawn(|| {
            thread::sleep(PATIENCE);
            end();
        });
        if impatient.is_ok() {
            signals.next();
        }
        end();
    };
    if thread::Builder::new().spawn(listener).is_err() {
        handle.close();
    }
    cancel
}

/// The exit status of a process that the user stopped, as shells count it.
pub(crate) fn status() -> u8 {
    let signal = match SIGNAL.load(Ordering::Relaxed) {
        0 => SIGINT,
        signal => signal,
    };
    128 + signal as u8
}

/// Ends this process and all that it started, wherever they are.
fn end() {
    static ENDS: AtomicBool = AtomicBool::new(false);
    if ENDS.swap(true, Ordering::Relaxed) {
        // Somebody else is at it.
        return thread::sleep(Duration::MAX);
    }
    let (sender, receiver) = channel();
    let clean = move || {
        session::abandon(LAST);
        let _ = sender.send(());
        // The last, because it may be that nobody reads.
        let _ = io::stderr().write_all(format!("indict: {Interrupted}\n").as_bytes());
        let _ = sender.send(());
    };
    if thread::Builder::new().spawn(clean).is_ok() {
        let _ = receiver.recv_timeout(2 * LAST);
        let _ = receiver.recv_timeout(LAST / 2);
    }
    low_level::exit(i32::from(status()));
}
