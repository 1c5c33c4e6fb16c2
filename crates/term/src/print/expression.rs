//! C expressions, as far as terms need them.

use crate::arena::TermId;

/// An expression, one or two operators deep; further down are terms.
pub(super) enum Expression {
    /// Whatever the term is printed as.
    Term(TermId),
    /// A name or number without sign.
    Text(String),
    /// `!`, `~`, `-` or a cast.
    Prefix(String, Box<Expression>),
    Infix(Operator, Box<Expression>, Box<Expression>),
    Call(&'static str, Vec<Expression>),
    Ternary(Box<Expression>, Box<Expression>, Box<Expression>),
}

/// How strongly operators bind, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Ternary,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Prefix,
    Primary,
}

/// Operators between two operands; all bind to the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Plus,
    Minus,
    Times,
    Divide,
    Remainder,
}

/// All operators with their text and level; a text that begins with another one stands before it.
pub(super) const OPERATORS: [(Operator, &str, Level); 18] = [
    (Operator::Or, "||", Level::Or),
    (Operator::And, "&&", Level::And),
    (Operator::BitOr, "|", Level::BitOr),
    (Operator::BitXor, "^", Level::BitXor),
    (Operator::BitAnd, "&", Level::BitAnd),
    (Operator::Equal, "==", Level::Equality),
    (Operator::NotEqual, "!=", Level::Equality),
    (Operator::ShiftLeft, "<<", Level::Shift),
    (Operator::ShiftRight, ">>", Level::Shift),
    (Operator::LessEqual, "<=", Level::Relation),
    (Operator::Less, "<", Level::Relation),
    (Operator::GreaterEqual, ">=", Level::Relation),
    (Operator::Greater, ">", Level::Relation),
    (Operator::Plus, "+", Level::Sum),
    (Operator::Minus, "-", Level::Sum),
    (Operator::Times, "*", Level::Product),
    (Operator::Divide, "/", Level::Product),
    (Operator::Remainder, "%", Level::Product),
];

impl Operator {
    fn row(self) -> (Operator, &'static str, Level) {
        let row = OPERATORS.into_iter().find(|(operator, ..)| *operator == self);
        row.expect("invariant: the table has all operators")
    }

    pub(super) fn text(self) -> &'static str {
        self.row().1
    }

    pub(super) fn level(self) -> Level {
        self.row().2
    }

    /// What the left operand needs. `a == b != c` is C, but nobody reads it.
    pub(super) fn left(self) -> Level {
        match self.level() {
            level @ (Level::Equality | Level::Relation) => level.above(),
            level => level,
        }
    }
}

impl Level {
    /// The next one.
    pub(super) fn above(self) -> Level {
        const LEVELS: [Level; 13] = [
            Level::Ternary,
            Level::Or,
            Level::And,
            Level::BitOr,
            Level::BitXor,
            Level::BitAnd,
            Level::Equality,
            Level::Relation,
            Level::Shift,
            Level::Sum,
            Level::Product,
            Level::Prefix,
            Level::Primary,
        ];
        LEVELS[(self as usize + 1).min(LEVELS.len() - 1)]
    }
}

impl Expression {
    pub(super) fn infix(operator: Operator, left: Expression, right: Expression) -> Expression {
        Expression::Infix(operator, Box::new(left), Box::new(right))
    }

    pub(super) fn prefix(operator: impl Into<String>, operand: Expression) -> Expression {
        Expression::Prefix(operator.into(), Box::new(operand))
    }

    /// The level of an expression that is not a term.
    pub(super) fn level(&self) -> Level {
        match self {
            Expression::Ternary(..) => Level::Ternary,
            Expression::Infix(operator, ..) => operator.level(),
            Expression::Prefix(..) => Level::Prefix,
            Expression::Term(_) | Expression::Text(_) | Expression::Call(..) => Level::Primary,
        }
    }
}
