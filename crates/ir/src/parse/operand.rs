//! Types, constants, operands.

use crate::module::SymbolRef;
use crate::types::{Const, FloatKind, Operand, Type};
use crate::words::WIDEST_INT;

use super::lexer::Token;
use super::values::BodyState;
use super::{Parsed, Parser};

impl Parser<'_> {
    /// `i32`, `ptr`, `double`; of any width, the verifier checks it (L5).
    pub(super) fn ty(&mut self) -> Parsed<Type> {
        match self.token_type() {
            Some(ty) => self.advance().map(|()| ty),
            None => self.error("a type"),
        }
    }

    fn token_type(&self) -> Option<Type> {
        let Token::Word(word) = self.token else { return None };
        let width = self.token.number_after("i").map(Type::Int);
        let float = FloatKind::from_word(word).map(Type::Float);
        width.or(float).or((word == "ptr").then_some(Type::Ptr))
    }

    /// A value or a constant.
    pub(super) fn operand(&mut self, state: &mut BodyState) -> Parsed<Operand> {
        if self.token.number_after("v").is_some() {
            return self.id("v").map(Operand::Value);
        }
        let constant = self.constant()?;
        Ok(state.body.consts.insert(constant).into())
    }

    pub(super) fn constant(&mut self) -> Parsed<Const> {
        let word = match self.token {
            Token::Word(word) => word,
            Token::Global(_) => return self.address(),
            _ => return self.error("a value or a constant"),
        };
        match word {
            "true" | "false" => self.advance().map(|()| Const::int(1, (word == "true").into())),
            "null" => self.advance().map(|()| Const::Null),
            "label" => {
                self.advance()?;
                self.id("b").map(Const::Block)
            }
            "undef" => {
                self.advance()?;
                self.ty().map(Const::Undef)
            }
            "poison" => {
                self.advance()?;
                self.ty().map(Const::Poison)
            }
            _ => match self.token_type() {
                Some(Type::Int(width)) => self.integer(width),
                Some(Type::Float(kind)) => self.float(kind),
                Some(Type::Ptr) | None => self.error("a value or a constant"),
            },
        }
    }

    /// `@g+8` or `@f`.
    fn address(&mut self) -> Parsed<Const> {
        match self.global_ref()? {
            SymbolRef::Global(global) => Ok(Const::Global { global, offset: self.optional_offset()? }),
            SymbolRef::Func(function) => Ok(Const::Func(function)),
            SymbolRef::Block(..) => self.error("a global or function"),
        }
    }

    /// `i32 -1`, `i128 0xff`; the parser stands at the type.
    fn integer(&mut self, width: u32) -> Parsed<Const> {
        if !(1..=WIDEST_INT).contains(&width) {
            return self.error(format!("an integer type of 1 to {WIDEST_INT} bits"));
        }
        self.advance()?;
        let Token::Number(digits) = self.token else { return self.error("an integer") };
        let constant = if width <= 128 { narrow(width, digits) } else { wide(width, digits) };
        match constant {
            Some(constant) => self.advance().map(|()| constant),
            None if width <= 128 => self.error(format!("an integer of {width} bits")),
            None => self.error(format!("`0x` and {} digits", width.div_ceil(4))),
        }
    }

    /// `double 1.5`, `x87 0x3fff8000000000000000`; the parser stands at the type.
    fn float(&mut self, kind: FloatKind) -> Parsed<Const> {
        self.advance()?;
        let Token::Number(digits) = self.token else { return self.error("a number") };
        let bits = match (digits.strip_prefix("0x"), kind) {
            (Some(digits), _) => u128::from_str_radix(digits, 16).ok(),
            (None, FloatKind::Double) => digits.parse().ok().map(|it: f64| it.to_bits().into()),
            (None, FloatKind::Single) => digits.parse().ok().map(|it: f32| it.to_bits().into()),
            (None, _) => None,
        };
        let bits = bits.filter(|bits| bits.checked_shr(kind.bits()).is_none_or(|rest| rest == 0));
        match bits {
            Some(bits) => self.advance().map(|()| Const::Float { kind, bits }),
            None => self.error(format!("a number of type {}", kind.word())),
        }
    }
}

/// An integer of at most 128 bits, signed or unsigned.
fn narrow(width: u32, digits: &str) -> Option<Const> {
    let largest = u128::MAX >> (128 - width);
    let value = if digits.starts_with('-') {
        let value: i128 = digits.parse().ok()?;
        let least = i128::MIN >> (128 - width);
        (value >= least).then_some(value as u128 & largest)?
    } else {
        let value = match digits.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16).ok()?,
            None => digits.parse().ok()?,
        };
        (value <= largest).then_some(value)?
    };
    Some(Const::int(width, value))
}

/// A wider integer, with all its digits: so the text is as long as what is allocated for it.
fn wide(width: u32, digits: &str) -> Option<Const> {
    let digits = digits.strip_prefix("0x").filter(|it| it.len() == width.div_ceil(4) as usize)?;
    let word = |chunk: &[u8]| std::str::from_utf8(chunk).ok().and_then(|it| u64::from_str_radix(it, 16).ok());
    let words = digits.as_bytes().rchunks(16).map(word).collect::<Option<Box<[u64]>>>()?;
    let top_bits = (width - 1) % 64 + 1;
    let fits = words.last()?.checked_shr(top_bits).is_none_or(|rest| rest == 0);
    fits.then_some(Const::WideInt { width, words })
}
