//! Variables: what a condition is about.

use base::{Symbol, define_id};
use serde::{Deserialize, Serialize};

use crate::value::Width;

define_id! {
    /// A variable of an arena.
    pub struct VarId = "x";
}

/// A value that nothing is known about, but where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Var {
    /// Its bits.
    pub width: Width,
    /// Where its value comes from.
    pub origin: Origin,
    /// How the user knows it: `flag`, `p->len`. In the arena's interner; not unique.
    pub name: Symbol,
}

/// Where the value of a variable comes from, and so who chooses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Origin {
    /// A parameter of the function.
    Parameter,
    /// What memory that the caller can reach, or a global, contains when the function begins.
    InitialMemory,
    /// What a function answers that the caller passes.
    Callback,
    /// Whether or what an allocation returns.
    Allocation,
    /// What code that we do not know returns or leaves in a variable.
    UnknownCall,
    /// What memory of code that we do not know contains.
    UnknownMemory,
    /// Memory that was never written.
    Uninit,
    /// Data from outside: files, network, time.
    Input,
    /// Something that the program computes and the engine does not follow: what a loop leaves that was cut short, what code of the project returns that no triple
    /// covers, content at an unknown index. Nobody chooses it, so nothing may rest on it.
    NotFollowed,
}

impl Origin {
    /// All there are.
    const ALL: [Origin; 9] = [
        Origin::Parameter,
        Origin::InitialMemory,
        Origin::Callback,
        Origin::Allocation,
        Origin::UnknownCall,
        Origin::UnknownMemory,
        Origin::Uninit,
        Origin::Input,
        Origin::NotFollowed,
    ];

    /// Whether a caller of the function can choose the value.
    pub fn is_observable(self) -> bool {
        self.is_given() || self == Origin::Callback
    }

    /// Whether the value is there when the function begins: what is behind it is the caller's memory.
    pub fn is_given(self) -> bool {
        matches!(self, Origin::Parameter | Origin::InitialMemory)
    }

    /// Whether code that is not known here made the value.
    pub fn is_foreign(self) -> bool {
        matches!(self, Origin::UnknownCall | Origin::UnknownMemory | Origin::Callback)
    }

    /// Whether the value is that of unknown code or of the world outside, or was not followed.
    pub fn is_unknown(self) -> bool {
        self.is_foreign() || matches!(self, Origin::Input | Origin::NotFollowed)
    }

    /// Whether something outside of the function chooses the value while it runs.
    pub fn is_chosen(self) -> bool {
        self.is_foreign() || matches!(self, Origin::Allocation | Origin::Input)
    }
}

/// Some origins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origins(u16);

impl Origins {
    pub(crate) fn of(origin: Origin) -> Origins {
        Origins(1 << origin as u8)
    }

    pub(crate) fn and(self, others: Origins) -> Origins {
        Origins(self.0 | others.0)
    }

    /// Whether one of them is meant.
    pub(crate) fn any(self, is_meant: impl Fn(Origin) -> bool) -> bool {
        Origin::ALL.into_iter().any(|origin| self.0 & Origins::of(origin).0 != 0 && is_meant(origin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_chooses_parameters_memory_and_what_it_passes() {
        let observable = Origin::ALL.into_iter().filter(|it| it.is_observable());
        assert!(observable.eq([Origin::Parameter, Origin::InitialMemory, Origin::Callback]));
    }

    #[test]
    fn origins_are_told_apart() {
        for (at, origin) in Origin::ALL.into_iter().enumerate() {
            assert_eq!(origin as usize, at, "the list should have the order of the type");
            let others = Origin::ALL.into_iter().filter(|it| *it != origin);
            let others = others.fold(Origins::default(), |all, it| all.and(Origins::of(it)));
            assert!(!others.any(|it| it == origin));
            assert!(others.and(Origins::of(origin)).any(|it| it == origin));
        }
    }
}
