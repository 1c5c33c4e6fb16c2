//! The project as an engine sees it: keys that mean the same everywhere, questions, and a recorder of them.
//!
//! Judgment: no engine, and nothing that an engine leaves, knows a number that means something in one run
//! only.
//! Source: the design, §10. No paper.
//! Not covered: which function or variable a key stands for; that is known where the project is (`session`).
//!
//! Reading order: [`keys`], [`sites`] (places in a function), [`ask`] (questions), [`digest`], [`recorder`].

pub mod ask;
pub mod digest;
pub mod keys;
pub mod recorder;
pub mod sites;

pub use ask::{Callers, FamilyInfo, GlobalInfo, Knowledge, Specialization, Symbol, Targets, World};
pub use digest::{Digest, Digested};
pub use keys::{FamilyKey, FnKey, GlobalKey, Namesakes, UnitKey};
pub use recorder::{Question, Recorder, Trace};
pub use sites::{Site, Sites};
