//! The payload of `doomed`: what always holds of a call.
//!
//! Judgment: a contract over-approximates all executions of a function that come back. It is never what some
//! execution does.
//! Source: Hoenicke et al., FM 2009, §7 (calls beyond the depth of inlining have trivial contracts); the
//! design, §8. Departure: the contracts say which memory may be written, whether the function comes back, and
//! whether its result can be null.

use serde::{Deserialize, Serialize};

/// What always holds of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Contract {
    /// Some execution may come back.
    pub returns: bool,
    /// The first result is not null.
    pub nonnull: bool,
    /// Memory of others that may be written.
    pub writes: Writes,
    /// The last that it does, whichever way it returns, is to call unknown code: if that does not come back, this does not either. The contract says that it does; but nothing that rests on it is
    /// told if the caller does nothing behind the call, either.
    pub may_end: bool,
    /// Some execution may end the program in it, normally, by code that is known. Unknown code is supposed to come back.
    pub exits: bool,
}

/// Memory that may be written, but for that of local variables whose address nobody has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Writes {
    /// What these parameters point to, one bit each; 0: nothing.
    Through(u32),
    /// Anything.
    Anything,
}

impl Writes {
    /// What either may write.
    pub fn and(self, other: Writes) -> Writes {
        match (self, other) {
            (Writes::Through(a), Writes::Through(b)) => Writes::Through(a | b),
            _ => Writes::Anything,
        }
    }
}

impl Contract {
    /// Nothing is known.
    pub const UNKNOWN: Contract =
        Contract { returns: true, nonnull: false, writes: Writes::Anything, may_end: true, exits: false };

    /// Nothing is known of code of the project: a function that is looked at while its own callers are, or that is too much for us.
    pub const NOT_LOOKED_AT: Contract = Contract { exits: true, ..Contract::UNKNOWN };

    /// What holds if one of two functions is called.
    pub fn or(self, other: Contract) -> Contract {
        Contract {
            returns: self.returns || other.returns,
            nonnull: self.nonnull && other.nonnull,
            writes: self.writes.and(other.writes),
            may_end: self.may_end || other.may_end,
            exits: self.exits || other.exits,
        }
    }
}
