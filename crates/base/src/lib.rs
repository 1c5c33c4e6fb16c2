//! Typed ids, arenas, the string interner and budgets: what every room needs and no word of our field.
//!
//! Nothing here does IO or can fail.

pub mod id;
pub mod intern;
pub mod limits;

pub use id::{Id, IdVec};
pub use intern::{Interner, Symbol};
