//! Terms: the language in which every engine states when something happens.
//!
//! A term is a bit-vector of 1 to 128 bits; a truth value is a bit-vector of one bit, so `and`, `or` and
//! `not` are the same operations on conditions and on integers. Terms live in an arena ([`Terms`]), one per
//! function, in which equal terms are one: equality of ids is equality of terms. They are rewritten while
//! they are built, never later.
//!
//! Division by zero and oversized shifts have the meaning that SMT-LIB gives them (`x / 0` has all bits set,
//! `x % 0` is `x`, a shift by too much leaves nothing but copies of the sign): terms are total. That C leaves
//! such operations undefined is the business of the engines, which ask before they build.
//!
//! Source: SATURN (Xie, Aiken 2007) §2.1, Fig. 2; the operations are those of LLVM's integer instructions and
//! intrinsics.

mod arena;
mod build;
mod eval;
mod facts;
mod guard;
mod import;
mod kept;
mod node;
mod print;
#[doc(hidden)]
pub mod soak;
mod value;
mod var;
mod walk;
mod wire;

pub use arena::{TermId, Terms};
pub use build::{Linear, Monomial};
pub use eval::Assignment;
#[doc(hidden)]
pub use facts::soak as facts_soak;
pub use facts::{Answer, Facts, Range};
pub use guard::{Edge, Guard, Guards};
pub use import::{Import, Room};
pub use node::{Binary, Extend, Node, Unary};
pub use print::{ParseError, Shown, parse};
pub use value::{WIDEST, Width, mask, signed};
pub use var::{Origin, Var, VarId};
pub use walk::{Substitution, Walk};
