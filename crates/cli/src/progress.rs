//! What a person in front of a terminal sees of long work; in a pipe or a file there is nothing of it.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Units done, how many per second, and the one that was done last.
const TEMPLATE: &str = "{spinner} {pos}/{len} units {bar:20} {per_sec} {wide_msg}";

/// Redraw also while nothing happens: the clock shows that we are alive.
const PULSE: Duration = Duration::from_millis(200);

/// The progress of work on many units.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Of so many units.
    pub(crate) fn of(units: usize) -> Progress {
        if !std::io::stderr().is_terminal() {
            return Progress { bar: ProgressBar::hidden() };
        }
        let bar = ProgressBar::with_draw_target(Some(units as u64), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template(TEMPLATE);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(PULSE);
        Progress { bar }
    }

    /// Says what is being worked on.
    pub(crate) fn current(&self, file: &str) {
        self.bar.set_message(file.to_owned());
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        self.bar.inc(1);
    }

    /// Writes something else to the terminal meanwhile.
    pub(crate) fn aside(&self, action: impl FnOnce()) {
        self.bar.suspend(action);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
