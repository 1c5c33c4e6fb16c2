//! Loop-free forms of a body, and dominators of them.
//!
//! Reading order: [`copies`] (what the form is, and its law), [`builder`] (how it is made), [`order`] (who
//! comes before whom on all ways).
//!
//! Source: Hoenicke, Leino, Podelski, Schäf, Wies, *It's doomed; we can prove it*, FM 2009, §5 (loop-free
//! programs) and §7 (first, arbitrary and last iteration). Departures are listed in [`copies`].
//! Not covered: a given number of rounds; bodies whose control flow is not reducible, of which there is no
//! form.

mod copies;

mod builder;
mod order;

pub use copies::{Copies, Dest, Node, Way};
pub use order::Order;
