//! Symbolic heaps: blocks of bytes with symbolic content, presumptions, path conditions, and triples over
//! them.
//!
//! Judgment: a [`State`] is the `(m, q)` of Pulse-X: the *presumption* `m` that was abduced so far and the
//! *heap* `q` now, both under one path condition. A [`Spec`] is a triple `[pre] code [exit: post]`;
//! [`apply()`] finds `m` and `f` with `p * m ⊣ pre * f` and makes `post * f` of it.
//! Source: Le et al., *Finding Real Bugs in Big Programs with Incorrectness Logic*, OOPSLA 2022, §§3, 4.1
//! (Eval, BiabDiscover), Figs 3, 5; Raad et al., *Local Reasoning about the Presence of Bugs*, CAV 2020, Fig.
//! 5 (negative heaps).
//! Departures: (1) a heap cell of the papers is a *block* of bytes here: a base address, a size, and cells at
//! byte offsets, so that structures, unions and casts need no rules of their own; (2) values are bit-vectors;
//! (3) an abduced block remembers its first access, from which the error triples of Fig. 3 for that access
//! (`X = nil`, `X ↦̸`) are read off when a summary is made.
//!
//! Reading order: [`block`], [`bytes`](mod@bytes) (cells of any width), [`path`](mod@path), [`state`],
//! [`arena`] (what terms mean), [`outside`] (what must be asked), [`contents`], [`give`],
//! [`locate`](mod@locate), [`access`](mod@access) (the one rule), [`spec`], [`apply`](mod@apply).

pub mod access;
pub mod apply;
pub mod arena;
pub mod block;
pub mod bytes;
mod contents;
mod give;
pub mod locate;
pub mod outside;
pub mod path;
mod plan;
pub mod site;
pub mod spec;
pub mod state;

pub use access::{Bounds, Fault, Frees, Span, Unfreeable, Wanted, Way, Went, access, access_again};
pub use apply::{Applied, Imported, Refused, Stuck, Undefined, apply};
pub use arena::{Arena, Machine, Source};
pub use block::{Block, BlockId, Cell, Content, Epoch, Kind, Place, Status};
pub use contents::{Bytes, UNWRITTEN};
pub use locate::{Located, locate, settle};
pub use outside::{Dependence, Image, Outside, Symbol, Symbols};
pub use path::{Condition, Path};
pub use plan::Plan;
pub use site::{Calls, Made, Seen, Site, Trail, Via, ViaId, Vias};
pub use spec::{Choice, Exit, Spec, VarRole};
pub use state::{Access, AccessKind, Given, PreBlock, State, Written, agreed_value};

use std::sync::Arc;

/// The part of the bytes of something shared that falls to each of those who hold it.
fn share<T>(shared: &Arc<T>, bytes: usize) -> usize {
    bytes / Arc::strong_count(shared)
}
