//! Concrete execution of the IR: the oracle that all engines are tested against.

pub mod int;
pub mod options;
pub mod report;
pub mod value;
pub mod words;

pub use options::{AllocPolicy, Options, UnknownPolicy, VolatilePolicy};
pub use report::{BlockInfo, Budget, Bug, Event, EventKind, Fault, Outcome, Place, Run, UnknownCall};
pub use value::{BlockRef, Value};
