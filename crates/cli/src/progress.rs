//! What a person in front of a terminal sees of long work; in a pipe or a file there is nothing of it.

use std::io::IsTerminal;
use std::time::Duration;

use base::visible;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Redraw also while nothing happens: the clock shows that we are alive.
const PULSE: Duration = Duration::from_millis(200);

/// The progress of work on many things.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Of work on so many `things`, such as units.
    pub(crate) fn of(things: &str, count: usize) -> Progress {
        if !std::io::stderr().is_terminal() {
            return Progress { bar: ProgressBar::hidden() };
        }
        let bar = ProgressBar::with_draw_target(Some(count as u64), ProgressDrawTarget::stderr());
        // Things done, how many per second, and what there is to say of the last one.
        let template = format!("{{spinner}} {{pos}}/{{len}} {things} {{bar:20}} {{per_sec}} {{wide_msg}}");
        let style = ProgressStyle::with_template(&template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(PULSE);
        Progress { bar }
    }

    /// Says what is being worked on, or what came of it. The bar writes to the terminal itself, so that this is part of the door (see
    /// [`output`](crate::output)).
    pub(crate) fn say(&self, message: String) {
        self.bar.set_message(visible::line(&message));
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        self.bar.inc(1);
    }

    /// So many are done.
    pub(crate) fn reach(&self, done: usize) {
        self.bar.set_position(done as u64);
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
