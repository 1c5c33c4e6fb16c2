//! How a session and its face talk while work is under way: events go up, and the wish to stop comes down.
//!
//! Events come in one order for any number of threads, but for [`Event::At`], which says what a thread is
//! busy with. [`Event::Notice`] is what people must see; everything else is for progress bars, and may be
//! ignored.

use crate::cancel::Cancel;
use crate::notice::Notice;

/// Something that happens while a session works.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// Work on so many things begins. There is one phase at a time.
    Begun {
        /// What is done.
        phase: Phase,
        /// On how many things.
        total: usize,
    },
    /// A thread begins with a unit, by its name for people.
    At(&'e str),
    /// The next unit is done.
    UnitDone,
    /// More functions are done.
    FunctionsDone {
        /// How many, from the beginning.
        done: usize,
        /// What was found so far.
        findings: usize,
    },
    /// The work that was begun last ended, well or not.
    Ended(Phase),
    /// Something that the user should know, and that is in no result.
    Notice(&'e Notice),
}

/// Work on many things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Units are compiled and read.
    Units,
    /// Functions are analyzed.
    Functions,
}

/// Who listens to a session, and may stop it.
pub struct Watch<'w> {
    cancel: Cancel,
    hear: Box<dyn Fn(Event<'_>) + Send + Sync + 'w>,
}

impl<'w> Watch<'w> {
    /// `hear` is called from several threads; work waits for it.
    pub fn new(cancel: Cancel, hear: impl Fn(Event<'_>) + Send + Sync + 'w) -> Watch<'w> {
        Watch { cancel, hear: Box::new(hear) }
    }

    /// Nobody listens, and nobody stops the work.
    pub fn nobody() -> Watch<'static> {
        Watch::new(Cancel::default(), |_| {})
    }

    /// The wish to stop.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    pub(crate) fn tell(&self, event: Event<'_>) {
        (self.hear)(event);
    }

    pub(crate) fn notice(&self, notice: &Notice) {
        self.tell(Event::Notice(notice));
    }

    /// Begins a phase, which ends when the result is dropped.
    pub(crate) fn begin(&self, phase: Phase, total: usize) -> Begun<'_, 'w> {
        self.tell(Event::Begun { phase, total });
        Begun { watch: self, phase }
    }
}

/// A phase that has begun.
pub(crate) struct Begun<'b, 'w> {
    watch: &'b Watch<'w>,
    phase: Phase,
}

impl Drop for Begun<'_, '_> {
    fn drop(&mut self) {
        self.watch.tell(Event::Ended(self.phase));
    }
}
