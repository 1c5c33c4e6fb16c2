//! What a person in front of a terminal sees of long work; in a pipe or a file there is nothing of it but
//! what people must know.

use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base::{counted, visible};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use session::{Cancel, Event, Phase, Watch};

use crate::output;

/// Redraw also while nothing happens: the clock shows that we are alive.
const PULSE: Duration = Duration::from_millis(200);

/// Shows what a session does, and lets it be stopped.
pub(crate) fn watch(cancel: Cancel) -> Watch<'static> {
    let progress = Progress { bar: Mutex::new(ProgressBar::hidden()) };
    Watch::new(cancel, move |event| progress.show(event))
}

/// The progress of work on many things.
struct Progress {
    /// Hidden while there is no such work.
    bar: Mutex<ProgressBar>,
}

impl Progress {
    fn show(&self, event: Event<'_>) {
        let mut bar = self.bar();
        match event {
            Event::Begun { phase, total } => *bar = begin(phase, total),
            Event::Ended(_) => {
                bar.finish_and_clear();
                *bar = ProgressBar::hidden();
            }
            Event::Notice(notice) => bar.suspend(|| output::complain(&notice.to_string())),
            Event::At(unit) => say(&bar, unit),
            Event::UnitDone => bar.inc(1),
            Event::FunctionsDone { done, findings } => {
                bar.set_position(done as u64);
                say(&bar, &counted(findings, "finding"));
            }
        }
    }

    fn bar(&self) -> MutexGuard<'_, ProgressBar> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A bar for work on so many things.
fn begin(phase: Phase, total: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let things = match phase {
        Phase::Units => "units",
        Phase::Functions => "functions",
    };
    let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr());
    // Things done, how many per second, and what there is to say of the last one.
    let template = format!("{{spinner}} {{pos}}/{{len}} {things} {{bar:20}} {{per_sec}} {{wide_msg}}");
    let style = ProgressStyle::with_template(&template);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(PULSE);
    bar
}

/// Says what is being worked on, or what came of it. The bar writes to the terminal itself, so that this is
/// part of the door (see [`output`]).
fn say(bar: &ProgressBar, message: &str) {
    bar.set_message(visible::line(message));
}
