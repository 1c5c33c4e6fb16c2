//! The table itself, and the macro that turns its rows into [`Issue`].
//!
//! A row's id is also the name of its document `issues/<id>.md`, which is included at compile time:
//! a row without a document does not compile. Ids are stable for ever, because baselines,
//! suppressions and other people's scripts contain them.

use std::fmt;

/// How bad it is when the error happens, in the three levels that SARIF knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing, wrong only by intent: unreachable code.
    Note,
    /// The program goes on, poorer: memory or a descriptor is lost.
    Warning,
    /// The program crashes, hangs, or goes on with corrupted memory.
    Error,
}

impl Severity {
    /// The word used in output, which is also SARIF's `level`.
    pub fn id(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// Whether `indict run` can report an issue yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The id is reserved and documented; no engine reports it yet.
    Planned,
    /// Reported, and held to the promises of its document.
    Stable,
}

impl Status {
    /// The word used in output.
    pub fn id(self) -> &'static str {
        match self {
            Status::Planned => "planned",
            Status::Stable => "stable",
        }
    }
}

/// Everything the table says about one issue.
struct Row {
    id: &'static str,
    severity: Severity,
    cwe: u16,
    status: Status,
    latent: bool,
    summary: &'static str,
    doc: &'static str,
}

macro_rules! issues {
    ($($name:ident {
        id: $id:literal, severity: $severity:ident, cwe: $cwe:literal,
        status: $status:ident, latent: $latent:literal, summary: $summary:literal $(,)?
    },)+) => {
        /// A kind of error: a small copyable id; its row in the table is reached by the methods.
        ///
        /// The order of the variants is the order of the table and of every listing.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Issue {
            $(#[doc = concat!("`", $id, "`: ", $summary, ".")] $name,)+
        }

        impl Issue {
            /// All issues, in the order of the table.
            pub const ALL: &'static [Issue] = &[$(Issue::$name),+];

            const ROWS: &'static [Row] = &[$(Row {
                id: $id,
                severity: Severity::$severity,
                cwe: $cwe,
                status: Status::$status,
                latent: $latent,
                summary: $summary,
                doc: include_str!(concat!("../issues/", $id, ".md")),
            }),+];
        }
    };
}

issues! {
    NullDeref {
        id: "null-deref", severity: Error, cwe: 476, status: Stable, latent: true,
        summary: "a null pointer is dereferenced",
    },
    UseAfterFree {
        id: "use-after-free", severity: Error, cwe: 416, status: Stable, latent: true,
        summary: "memory is used after it was freed",
    },
    DoubleFree {
        id: "double-free", severity: Error, cwe: 415, status: Stable, latent: true,
        summary: "memory is freed a second time",
    },
    InvalidFree {
        id: "invalid-free", severity: Error, cwe: 763, status: Stable, latent: true,
        summary: "a pointer is freed that its deallocator must not be given",
    },
    MemoryLeak {
        id: "memory-leak", severity: Warning, cwe: 401, status: Stable, latent: true,
        summary: "allocated memory becomes unreachable without being freed",
    },
    ResourceLeak {
        id: "resource-leak", severity: Warning, cwe: 772, status: Planned, latent: true,
        summary: "an open file, descriptor or similar resource is never closed",
    },
    UninitRead {
        id: "uninit-read", severity: Error, cwe: 908, status: Stable, latent: true,
        summary: "a value is used that was never written",
    },
    OutOfBounds {
        id: "out-of-bounds", severity: Error, cwe: 119, status: Stable, latent: true,
        summary: "memory outside of the object is accessed",
    },
    UseAfterScope {
        id: "use-after-scope", severity: Error, cwe: 825, status: Stable, latent: true,
        summary: "a local variable is used after its scope has ended",
    },
    DivByZero {
        id: "div-by-zero", severity: Error, cwe: 369, status: Stable, latent: true,
        summary: "an integer is divided by zero",
    },
    AssertFailure {
        id: "assert-failure", severity: Error, cwe: 617, status: Stable, latent: true,
        summary: "an assertion fails",
    },
    DoubleLock {
        id: "double-lock", severity: Error, cwe: 764, status: Planned, latent: true,
        summary: "a lock is acquired that is already held",
    },
    DoubleUnlock {
        id: "double-unlock", severity: Error, cwe: 765, status: Planned, latent: true,
        summary: "a lock is released that is not held",
    },
    LockLeak {
        id: "lock-leak", severity: Error, cwe: 667, status: Planned, latent: true,
        summary: "a lock is still held on some ways out of the function that took it",
    },
    Typestate {
        id: "typestate", severity: Error, cwe: 666, status: Planned, latent: true,
        summary: "an operation is applied to an object in a state that forbids it",
    },
    Endless {
        id: "endless", severity: Error, cwe: 835, status: Stable, latent: false,
        summary: "a loop never ends",
    },
    DeadCode {
        id: "dead-code", severity: Note, cwe: 561, status: Stable, latent: false,
        summary: "no execution reaches this code",
    },
}

impl Issue {
    /// The issue with that id, if there is one.
    pub fn from_id(id: &str) -> Option<Issue> {
        Issue::ALL.iter().copied().find(|issue| issue.id() == id)
    }

    /// The stable kebab-case name, as in `--only` and in the JSON field `kind`.
    pub fn id(self) -> &'static str {
        self.row().id
    }

    /// How bad it is.
    pub fn severity(self) -> Severity {
        self.row().severity
    }

    /// The number of the closest entry in the Common Weakness Enumeration.
    pub fn cwe(self) -> u16 {
        self.row().cwe
    }

    /// Whether some engine reports it yet.
    pub fn status(self) -> Status {
        self.row().status
    }

    /// Whether it can depend on the caller. Endless loops and dead code are facts about all executions,
    /// so they never can.
    pub fn can_be_latent(self) -> bool {
        self.row().latent
    }

    /// Whether it is reported only to those who ask for it by name: it is no error.
    pub fn is_on_request(self) -> bool {
        self == Issue::DeadCode
    }

    /// Whether something is lost that was acquired. Leaks are reported also where they are latent (Le et al., §2.3).
    pub fn is_leak(self) -> bool {
        matches!(self, Issue::MemoryLeak | Issue::ResourceLeak)
    }

    /// One sentence without capital and full stop, such as "memory is freed a second time".
    pub fn summary(self) -> &'static str {
        self.row().summary
    }

    /// The whole document, in Markdown.
    pub fn doc(self) -> &'static str {
        self.row().doc
    }

    fn row(self) -> &'static Row {
        &Issue::ROWS[self as usize]
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}
