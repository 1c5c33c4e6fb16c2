//! Who makes an error happen, and how we know.
//!
//! Source: the design, §1 (three questions about every error).

use std::fmt;

/// Where the value comes from that makes the operation wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The program itself: a constant null, a block that it freed, a wrong size.
    Program,
    /// The environment: an allocation or a system call that fails, input.
    Environment,
    /// Whoever calls: what is passed is wrong.
    Caller,
    /// Code without body or model.
    Unknown,
}

/// How we know of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// The interpreter ran the project's own code into this very error.
    Executed,
    /// The path is exact.
    Proved,
    /// It rests on a value that the analysis lost.
    Suspected,
}

macro_rules! words {
    ($name:ident { $($variant:ident = $word:literal),+ }) => {
        impl $name {
            /// All of them, in their order.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The word used in output.
            pub fn id(self) -> &'static str {
                match self {
                    $($name::$variant => $word),+
                }
            }

            /// The one with that word, if there is one.
            pub fn from_id(id: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|it| it.id() == id)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.id())
            }
        }
    };
}

words! { Cause { Program = "program", Environment = "environment", Caller = "caller", Unknown = "unknown" } }
words! { Evidence { Executed = "executed", Proved = "proved", Suspected = "suspected" } }

/// What becomes of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fate {
    /// It is part of every report.
    Shown,
    /// It is counted, and shown to who asks for latent errors.
    OnRequest,
    /// The same; callers judge it, too.
    LeftToCallers,
    /// Nothing is said of it.
    Forgotten,
}
