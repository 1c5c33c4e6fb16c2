//! Typed ids, arenas, the string interner, budgets, and text that is safe to print: what every room needs and
//! no word of our field.
//!
//! Nothing here does IO or can fail.

mod count;
pub mod id;
pub mod intern;
pub mod limits;
pub mod visible;

pub use count::counted;
pub use id::{Id, IdVec};
pub use intern::{Interner, Symbol};
#[doc(hidden)]
pub use serde; // for `define_id!`
