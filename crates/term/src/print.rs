//! Terms as C expressions over the names of the source, for messages; and back, for tests.
//!
//! The text is what a C programmer would write: `flag != 0 && p->len < 16u`, `a - b`, `(uint8_t)x`, with the
//! parentheses that C's precedence asks for. Read back through the methods that build terms, it is the term
//! again. What C says with types, the text has to say in another way, since a term has a width, but no sign:
//!
//! * `<`, `<=`, `>`, `>=`, `/`, `%` and `>>` are signed, unless one operand is a number with `u` (`x < 16u`)
//!   or the left one is marked `(unsigned)`, whatever its width.
//! * A number has the width of the other operand. Where there is none it is cast: `concat((uint8_t)1, x)`.
//! * `(uintN_t)` extends with zeros, `(intN_t)` with the sign, both cut off; any `N` from 1 to 128. Beside a
//!   wider operand a cast is promoted: `n == (int8_t)n`.
//! * `concat(a, b)` puts bits together; `popcount`, `clz`, `ctz` count them, the latter two giving the width
//!   for 0.
//! * Conditions have one bit: `true`, `false`, `&&`, `||`, `!`; `!=` on conditions is exclusive or. Read from
//!   text, other operands of these count as `!= 0`.
//! * Of variables with one name the second is `x'2`, the third `x'3`, in the order in which they were made. A
//!   name that is not an expression like `*p` or `a->b[3].c` stands in backquotes.
//!
//! Not covered: a text longer than [`limits::TERM_TEXT`] or nested deeper than [`limits::TERM_NESTING`] ends
//! in `...` and cannot be read back.

mod expression;
mod name;
mod parse;
mod scan;
mod sum;
mod view;

pub use parse::parse;
pub use scan::ParseError;

use std::fmt;

use base::limits;

use crate::arena::{TermId, Terms};
use expression::{Expression, Level};

/// A term to be printed; see [`Terms::show`].
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    terms: &'a Terms,
    term: TermId,
}

impl Terms {
    /// The term as a C expression.
    pub fn show(&self, term: TermId) -> Shown<'_> {
        Shown { terms: self, term }
    }

    /// All of these conditions, joined by `&&`; empty if there are none.
    pub fn show_all(&self, conditions: &[TermId]) -> String {
        let needed = if conditions.len() > 1 { Level::And } else { Level::Ternary };
        let shown: Vec<String> = conditions.iter().map(|&it| self.text(it, needed)).collect();
        shown.join(" && ")
    }

    fn text(&self, term: TermId, needed: Level) -> String {
        let mut writer = Writer { terms: self, text: String::new(), depth: 0 };
        writer.write(&view::alone(self, term), needed);
        writer.text
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.terms.text(self.term, Level::Ternary))
    }
}

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

struct Writer<'a> {
    terms: &'a Terms,
    text: String,
    depth: u32,
}

impl Writer<'_> {
    /// Writes an expression where one of at least that level is needed, in parentheses if it is of a lower one.
    fn write(&mut self, expression: &Expression, needed: Level) {
        if self.depth >= limits::TERM_NESTING || self.text.len() >= limits::TERM_TEXT {
            self.text.push_str("...");
            return;
        }
        if let Expression::Term(term) = expression {
            return self.write(&view::view(self.terms, *term), needed);
        }
        self.depth += 1;
        let enclosed = expression.level() < needed;
        if enclosed {
            self.text.push('(');
        }
        self.write_open(expression);
        if enclosed {
            self.text.push(')');
        }
        self.depth -= 1;
    }

    fn write_open(&mut self, expression: &Expression) {
        match expression {
            Expression::Term(_) => self.write(expression, Level::Ternary),
            Expression::Text(text) => self.text.push_str(text),
            Expression::Prefix(operator, operand) => {
                self.text.push_str(operator);
                self.write(operand, Level::Prefix);
            }
            Expression::Infix(operator, left, right) => {
                let level = operator.level();
                self.write(left, operator.left());
                self.text.push(' ');
                self.text.push_str(operator.text());
                self.text.push(' ');
                self.write(right, level.above());
            }
            Expression::Call(function, arguments) => {
                self.text.push_str(function);
                self.text.push('(');
                for (index, argument) in arguments.iter().enumerate() {
                    if index > 0 {
                        self.text.push_str(", ");
                    }
                    self.write(argument, Level::Ternary);
                }
                self.text.push(')');
            }
            Expression::Ternary(condition, yes, no) => {
                self.write(condition, Level::Or);
                self.text.push_str(" ? ");
                self.write(yes, Level::Ternary);
                self.text.push_str(" : ");
                self.write(no, Level::Ternary);
            }
        }
    }
}
