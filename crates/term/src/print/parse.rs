//! Reading the text of a term.
//!
//! First comes a tree in which widths are known where the text says them; then terms are built from the top
//! down, since a number has the width of its neighbor.

use super::expression::{Level, Operator};
use super::name::as_type;
use super::scan::{ParseError, Scanner};
use crate::arena::{TermId, Terms};
use crate::value::{WIDEST, Width, mask};
use base::limits;

/// The term that a text means, over variables that are declared; the text is like that of [`Terms::show`].
pub fn parse(terms: &mut Terms, text: &str, declared: &[TermId]) -> Result<TermId, ParseError> {
    let mut parser = Parser { scanner: Scanner::new(terms, text, declared), terms, depth: 0 };
    let tree = parser.expression(Level::Ternary)?;
    if !parser.scanner.at_end() {
        return Err(parser.scanner.error("an operator or the end should be here"));
    }
    let width = parser.known_width(&tree, &tree)?;
    parser.build(&tree, width)
}

struct Tree {
    kind: Kind,
    /// The number of bits, if the text says it.
    width: Option<Width>,
    position: usize,
}

enum Kind {
    Number { value: u128, unsigned: bool },
    Leaf(TermId),
    Prefix(Prefix, Box<Tree>),
    Cast { signed: bool, operand: Box<Tree> },
    Unsigned(Box<Tree>),
    Infix(Operator, Box<Tree>, Box<Tree>),
    Concat(Box<Tree>, Box<Tree>),
    Count(fn(&mut Terms, TermId) -> TermId, Box<Tree>),
    Ternary(Box<Tree>, Box<Tree>, Box<Tree>),
}

#[derive(Clone, Copy)]
enum Prefix {
    Not,
    Complement,
    Minus,
}

struct Parser<'a> {
    scanner: Scanner<'a>,
    terms: &'a mut Terms,
    depth: u32,
}

/// From text to trees.
impl Parser<'_> {
    /// An expression of at least that level.
    fn expression(&mut self, level: Level) -> Result<Tree, ParseError> {
        self.depth += 1;
        if self.depth > 4 * limits::TERM_NESTING {
            return Err(self.scanner.error("the text should be nested less deeply"));
        }
        let tree = self.climb(level);
        self.depth -= 1;
        tree
    }

    fn climb(&mut self, level: Level) -> Result<Tree, ParseError> {
        let mut left = self.prefixed()?;
        while let Some((operator, length)) = self.scanner.operator() {
            if operator.level() < level {
                return Ok(left);
            }
            let position = self.scanner.position();
            self.scanner.skip(length);
            let right = self.expression(operator.level().above())?;
            let width = match operator.level() {
                Level::Or | Level::And | Level::Equality | Level::Relation => Some(1),
                _ => left.width.max(right.width),
            };
            left = Tree { kind: Kind::Infix(operator, Box::new(left), Box::new(right)), width, position };
        }
        if level == Level::Ternary && self.scanner.take("?") {
            let position = self.scanner.position();
            let yes = self.expression(Level::Ternary)?;
            self.expect(":")?;
            let no = self.expression(Level::Ternary)?;
            let width = yes.width.or(no.width);
            left = Tree { kind: Kind::Ternary(Box::new(left), Box::new(yes), Box::new(no)), width, position };
        }
        Ok(left)
    }

    fn prefixed(&mut self) -> Result<Tree, ParseError> {
        // A name may begin with `*` or `&`, so names are tried first.
        if let Some(term) = self.scanner.variable() {
            return Ok(self.leaf(term));
        }
        let position = self.scanner.position();
        for (sign, prefix) in [("!", Prefix::Not), ("~", Prefix::Complement), ("-", Prefix::Minus)] {
            if self.scanner.take(sign) {
                let operand = self.expression(Level::Prefix)?;
                let width = if matches!(prefix, Prefix::Not) { Some(1) } else { operand.width };
                return Ok(Tree { kind: Kind::Prefix(prefix, Box::new(operand)), width, position });
            }
        }
        if self.scanner.take("(") {
            return self.enclosed();
        }
        self.word()
    }

    /// What follows a parenthesis: a cast, a mark, or an expression.
    fn enclosed(&mut self) -> Result<Tree, ParseError> {
        let position = self.scanner.position();
        let word = self.scanner.word().unwrap_or_default();
        let kind = as_type(word);
        if (kind.is_some() || word == "unsigned") && self.scanner.take(")") {
            let operand = Box::new(self.expression(Level::Prefix)?);
            return Ok(match kind {
                Some((signed, width)) => {
                    Tree { kind: Kind::Cast { signed, operand }, width: Some(width), position }
                }
                None => Tree { width: operand.width, kind: Kind::Unsigned(operand), position },
            });
        }
        self.scanner.back_to(position);
        let tree = self.expression(Level::Ternary)?;
        self.expect(")")?;
        Ok(tree)
    }

    /// A number, a truth value or a function.
    fn word(&mut self) -> Result<Tree, ParseError> {
        let position = self.scanner.position();
        let word = self.scanner.word().unwrap_or_default();
        let count: fn(&mut Terms, TermId) -> TermId = match word {
            "true" | "false" => {
                let term = self.terms.constant(1, u128::from(word == "true"));
                return Ok(self.leaf(term));
            }
            "concat" => {
                self.expect("(")?;
                let front = self.expression(Level::Ternary)?;
                self.expect(",")?;
                let back = self.expression(Level::Ternary)?;
                self.expect(")")?;
                let width = front.width.zip(back.width).map(|(front, back)| front + back);
                return Ok(Tree { kind: Kind::Concat(Box::new(front), Box::new(back)), width, position });
            }
            "popcount" => Terms::popcount,
            "clz" => Terms::leading_zeros,
            "ctz" => Terms::trailing_zeros,
            _ => return self.number(word, position),
        };
        self.expect("(")?;
        let operand = self.expression(Level::Ternary)?;
        self.expect(")")?;
        Ok(Tree { width: operand.width, kind: Kind::Count(count, Box::new(operand)), position })
    }

    fn number(&mut self, word: &str, position: usize) -> Result<Tree, ParseError> {
        let digits = word.trim_end_matches('u');
        let value = match digits.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16),
            None => digits.parse(),
        };
        match value {
            Ok(value) => {
                let unsigned = digits.len() < word.len();
                Ok(Tree { kind: Kind::Number { value, unsigned }, width: None, position })
            }
            Err(_) => {
                self.scanner.back_to(position);
                Err(self.scanner.error("a declared variable, a number or an expression should be here"))
            }
        }
    }

    fn leaf(&self, term: TermId) -> Tree {
        Tree {
            kind: Kind::Leaf(term),
            width: Some(self.terms.width(term)),
            position: self.scanner.position(),
        }
    }

    fn expect(&mut self, sign: &str) -> Result<(), ParseError> {
        match self.scanner.take(sign) {
            true => Ok(()),
            false => Err(self.scanner.error(format!("`{sign}` should be here"))),
        }
    }
}

/// From trees to terms.
impl Parser<'_> {
    /// The term of a tree, which should have that width.
    fn build(&mut self, tree: &Tree, width: Width) -> Result<TermId, ParseError> {
        if let Some(found) = tree.width
            && found != width
        {
            return self.promoted(tree, found, width);
        }
        match &tree.kind {
            Kind::Number { value, .. } if *value <= mask(width) => Ok(self.terms.constant(width, *value)),
            Kind::Number { .. } => Err(error(tree, format!("the number should fit {width} bits"))),
            Kind::Leaf(term) => Ok(*term),
            Kind::Prefix(Prefix::Not, operand) => {
                let condition = self.condition(operand)?;
                Ok(self.terms.not(condition))
            }
            Kind::Prefix(prefix, operand) => {
                let operand = self.build(operand, width)?;
                Ok(match prefix {
                    Prefix::Minus => self.terms.neg(operand),
                    _ => self.terms.not(operand),
                })
            }
            Kind::Cast { signed, operand } => self.cast(*signed, operand, width),
            Kind::Unsigned(operand) => self.build(operand, width),
            Kind::Infix(operator, left, right) => self.infix(*operator, left, right, width),
            Kind::Concat(front, back) => {
                let front_width = self.known_width(front, front)?;
                let back_width = self.known_width(back, back)?;
                if front_width + back_width > WIDEST {
                    return Err(error(tree, "the result should have at most 128 bits".to_owned()));
                }
                let front = self.build(front, front_width)?;
                let back = self.build(back, back_width)?;
                Ok(self.terms.concat(front, back))
            }
            Kind::Count(count, operand) => {
                let operand = self.build(operand, width)?;
                Ok(count(self.terms, operand))
            }
            Kind::Ternary(condition, yes, no) => {
                let condition = self.condition(condition)?;
                let yes = self.build(yes, width)?;
                let no = self.build(no, width)?;
                Ok(self.terms.ite(condition, yes, no))
            }
        }
    }

    /// The term of a tree that has another width than is needed: a narrower cast is promoted, as in C.
    fn promoted(&mut self, tree: &Tree, found: Width, width: Width) -> Result<TermId, ParseError> {
        match &tree.kind {
            Kind::Unsigned(operand) => self.promoted(operand, found, width),
            Kind::Cast { signed, operand } if found < width => {
                let term = self.cast(*signed, operand, found)?;
                Ok(if *signed { self.terms.sext(term, width) } else { self.terms.zext(term, width) })
            }
            _ => Err(error(tree, format!("{width} bits are needed here, not {found}"))),
        }
    }

    fn cast(&mut self, signed: bool, operand: &Tree, width: Width) -> Result<TermId, ParseError> {
        // A number takes the width of the cast.
        let from = operand.width.unwrap_or(width);
        let operand = self.build(operand, from)?;
        Ok(match signed {
            _ if from >= width => self.terms.trunc(operand, width),
            true => self.terms.sext(operand, width),
            false => self.terms.zext(operand, width),
        })
    }

    /// The tree as a condition: what has more than one bit is compared with 0.
    fn condition(&mut self, tree: &Tree) -> Result<TermId, ParseError> {
        let width = self.known_width(tree, tree)?;
        let term = self.build(tree, width)?;
        Ok(if width == 1 { term } else { self.terms.nonzero(term) })
    }

    fn infix(
        &mut self,
        operator: Operator,
        left: &Tree,
        right: &Tree,
        width: Width,
    ) -> Result<TermId, ParseError> {
        if let Operator::And | Operator::Or = operator {
            let left = self.condition(left)?;
            let right = self.condition(right)?;
            return Ok(if operator == Operator::And {
                self.terms.and(left, right)
            } else {
                self.terms.or(left, right)
            });
        }
        let compares = matches!(operator.level(), Level::Equality | Level::Relation);
        let width = if compares { self.known_width(left, right)? } else { width };
        let unsigned = matches!(left.kind, Kind::Unsigned(_))
            || [left, right].iter().any(|it| matches!(it.kind, Kind::Number { unsigned: true, .. }));
        let a = self.build(left, width)?;
        let b = self.build(right, width)?;
        Ok(apply(self.terms, operator, unsigned, a, b))
    }

    /// The width of both trees, of which one may be promoted to that of the other.
    fn known_width(&self, a: &Tree, b: &Tree) -> Result<Width, ParseError> {
        let missing = || error(a, "a number should be cast here, since nothing tells its width".to_owned());
        a.width.max(b.width).ok_or_else(missing)
    }
}

fn apply(terms: &mut Terms, operator: Operator, unsigned: bool, a: TermId, b: TermId) -> TermId {
    match (operator, unsigned) {
        (Operator::And | Operator::BitAnd, _) => terms.and(a, b),
        (Operator::Or | Operator::BitOr, _) => terms.or(a, b),
        (Operator::BitXor, _) => terms.xor(a, b),
        (Operator::Equal, _) => terms.eq(a, b),
        (Operator::NotEqual, _) => terms.ne(a, b),
        (Operator::Less, true) => terms.ult(a, b),
        (Operator::Less, false) => terms.slt(a, b),
        (Operator::LessEqual, true) => terms.ule(a, b),
        (Operator::LessEqual, false) => terms.sle(a, b),
        (Operator::Greater, true) => terms.ugt(a, b),
        (Operator::Greater, false) => terms.sgt(a, b),
        (Operator::GreaterEqual, true) => terms.uge(a, b),
        (Operator::GreaterEqual, false) => terms.sge(a, b),
        (Operator::ShiftLeft, _) => terms.shl(a, b),
        (Operator::ShiftRight, true) => terms.lshr(a, b),
        (Operator::ShiftRight, false) => terms.ashr(a, b),
        (Operator::Plus, _) => terms.add(a, b),
        (Operator::Minus, _) => terms.sub(a, b),
        (Operator::Times, _) => terms.mul(a, b),
        (Operator::Divide, true) => terms.udiv(a, b),
        (Operator::Divide, false) => terms.sdiv(a, b),
        (Operator::Remainder, true) => terms.urem(a, b),
        (Operator::Remainder, false) => terms.srem(a, b),
    }
}

fn error(tree: &Tree, message: String) -> ParseError {
    ParseError { position: tree.position, message }
}
