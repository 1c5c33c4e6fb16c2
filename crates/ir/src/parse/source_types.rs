//! The user's types.

use crate::source::{Member, SourceType, SourceTypeId};

use super::lexer::Token;
use super::{Parsed, Parser};

impl Parser<'_> {
    /// `type t3 = pointer t2`.
    pub(super) fn type_item(&mut self) -> Parsed<()> {
        self.need("type")?;
        self.next_id("t", self.module.types.next_id())?;
        self.need("=")?;
        let ty = self.source_type()?;
        self.module.types.push(ty);
        Ok(())
    }

    /// `: t3`, if it stands here.
    pub(super) fn optional_type(&mut self) -> Parsed<Option<SourceTypeId>> {
        if self.eat(":")? { self.type_id().map(Some) } else { Ok(None) }
    }

    fn type_id(&mut self) -> Parsed<SourceTypeId> {
        self.id("t")
    }

    fn source_type(&mut self) -> Parsed<SourceType> {
        let start = self.start;
        let word = self.word("the kind of a type")?;
        Ok(match word {
            "unknown" => SourceType::Unknown,
            "void" => SourceType::Void,
            "base" => SourceType::Base {
                name: self.string()?,
                size: self.size()?,
                signed: self.eat("signed")?,
                float: self.eat("float")?,
            },
            "pointer" | "reference" => {
                SourceType::Pointer { to: self.type_id()?, reference: word == "reference" }
            }
            "array" => SourceType::Array { element: self.type_id()?, count: self.count()? },
            "struct" | "union" => self.record(word == "union")?,
            "enum" => self.enumeration()?,
            "typedef" => SourceType::Typedef { name: self.string()?, to: self.type_id()? },
            "qualified" => SourceType::Qualified { to: self.type_id()? },
            "function" => self.function_type()?,
            _ => return Err(self.error_at(start, "the kind of a type")),
        })
    }

    fn size(&mut self) -> Parsed<u64> {
        self.need("size")?;
        self.number("a size")
    }

    fn count(&mut self) -> Parsed<Option<u64>> {
        if self.eat("count")? { self.number("a number of elements").map(Some) } else { Ok(None) }
    }

    fn record(&mut self, union: bool) -> Parsed<SourceType> {
        let (name, size) = (self.optional_string()?, self.size()?);
        let mut members = Vec::new();
        self.list("{", "}", |parser| {
            members.push(parser.member()?);
            Ok(())
        })?;
        Ok(SourceType::Record { name, union, size, members })
    }

    /// `next: t3 at 64 size 64`, without name and colon if it is anonymous.
    fn member(&mut self) -> Parsed<Member> {
        let named = matches!(self.token, Token::String(_)) || self.peek().is(":");
        let name = if named { Some(self.user_name()?) } else { None };
        if named {
            self.need(":")?;
        }
        let ty = self.type_id()?;
        self.need("at")?;
        let offset_bits = self.number("an offset in bits")?;
        let size_bits = self.size()?;
        Ok(Member { name, offset_bits, size_bits, ty, bit_field: self.eat("bitfield")? })
    }

    fn enumeration(&mut self) -> Parsed<SourceType> {
        let (name, size) = (self.optional_string()?, self.size()?);
        let mut constants = Vec::new();
        self.list("{", "}", |parser| {
            let name = parser.user_name()?;
            parser.need("=")?;
            constants.push((name, parser.number("an integer")?));
            Ok(())
        })?;
        Ok(SourceType::Enum { name, size, constants })
    }

    fn function_type(&mut self) -> Parsed<SourceType> {
        let result = self.type_id()?;
        let (mut params, mut variadic) = (Vec::new(), false);
        self.list("(", ")", |parser| {
            if variadic {
                return parser.error("`)` after `...`");
            }
            variadic = parser.eat("...")?;
            if !variadic {
                params.push(parser.type_id()?);
            }
            Ok(())
        })?;
        Ok(SourceType::Function { result, params, variadic })
    }
}
