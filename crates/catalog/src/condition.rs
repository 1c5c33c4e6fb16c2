//! When something happens, as data: in C for programs, and in words for people. `conditions` makes it;
//! `report` says it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A conjunction; empty if it always holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Condition {
    /// All of these hold.
    pub all: Vec<Clause>,
}

/// A part of a condition. Texts are C expressions over the names of the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Clause {
    /// An expression is true.
    Holds(String),
    /// A pointer is null.
    Null(String),
    /// A pointer is not null.
    NotNull(String),
    /// A value is at least the first and at most the second number.
    Between(String, String, String),
    /// A pointer leads to memory that exists. `passed`: the caller passes it himself, it is not only reached from there.
    Valid {
        /// The pointer.
        pointer: String,
        /// Whether it is a parameter.
        passed: bool,
    },
    /// Two pointers lead to different objects.
    Apart(String, String),
    /// One of these holds.
    Any(Vec<Condition>),
    /// It cannot hold.
    Never,
}

impl Condition {
    /// It always holds.
    pub fn always() -> Condition {
        Condition::default()
    }

    /// Only this holds.
    pub fn of(clause: Clause) -> Condition {
        Condition { all: vec![clause] }
    }

    /// Whether it always holds.
    pub fn is_always(&self) -> bool {
        self.all.is_empty()
    }

    /// Bytes, about.
    pub fn bytes(&self) -> usize {
        self.all.iter().map(Clause::bytes).sum()
    }
}

impl Clause {
    fn bytes(&self) -> usize {
        size_of::<Clause>()
            + match self {
                Clause::Holds(text) | Clause::Null(text) | Clause::NotNull(text) => text.len(),
                Clause::Between(value, low, high) => value.len() + low.len() + high.len(),
                Clause::Valid { pointer, passed: _ } => pointer.len(),
                Clause::Apart(first, second) => first.len() + second.len(),
                Clause::Any(any) => any.iter().map(Condition::bytes).sum(),
                Clause::Never => 0,
            }
    }

    /// Whether it needs parentheses beside others of a conjunction, or of a disjunction.
    fn is_joined(&self) -> bool {
        matches!(self, Clause::Any(any) if any.len() > 1)
    }
}

/// As a C expression: `true` if it always holds.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.all.is_empty() {
            return f.write_str("true");
        }
        for (at, clause) in self.all.iter().enumerate() {
            let is_enclosed = clause.is_joined() && self.all.len() > 1;
            let (open, close) = if is_enclosed { ("(", ")") } else { ("", "") };
            let and = if at > 0 { " && " } else { "" };
            write!(f, "{and}{open}{clause}{close}")?;
        }
        Ok(())
    }
}

/// As a C expression.
impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Clause::Holds(text) => f.write_str(text),
            Clause::Null(pointer) => write!(f, "{pointer} == 0"),
            Clause::NotNull(pointer) => write!(f, "{pointer} != 0"),
            Clause::Between(value, low, high) => write!(f, "{value} >= {low} && {value} <= {high}"),
            Clause::Valid { pointer, passed: _ } => write!(f, "valid({pointer})"),
            Clause::Apart(first, second) => write!(f, "{first} != {second}"),
            Clause::Never => f.write_str("false"),
            Clause::Any(any) => {
                for (at, condition) in any.iter().enumerate() {
                    let or = if at > 0 { " || " } else { "" };
                    let is_enclosed = condition.all.len() > 1 && any.len() > 1;
                    let (open, close) = if is_enclosed { ("(", ")") } else { ("", "") };
                    write!(f, "{or}{open}{condition}{close}")?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_c_expressions() {
        let holds = |text: &str| Clause::Holds(text.to_owned());
        let null = Clause::Null("p".to_owned());
        let between = Clause::Between("n".to_owned(), "1".to_owned(), "7".to_owned());
        assert_eq!(Condition::always().to_string(), "true");
        assert_eq!(
            Condition { all: vec![null.clone(), between.clone()] }.to_string(),
            "p == 0 && n >= 1 && n <= 7"
        );
        let both = Condition { all: vec![holds("a < b"), holds("c")] };
        let any = Clause::Any(vec![both, Condition::of(null)]);
        assert_eq!(Condition::of(any.clone()).to_string(), "(a < b && c) || p == 0");
        assert_eq!(Condition { all: vec![holds("d"), any] }.to_string(), "d && ((a < b && c) || p == 0)");
    }
}
