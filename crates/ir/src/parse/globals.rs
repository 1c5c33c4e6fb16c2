//! Global variables with their first content, and aliases.

use crate::module::{Alias, Global, Init, Linkage, Reloc};

use super::lexer::{Token, hex_bytes, unescape_bytes};
use super::{Parsed, Parser};

impl Parser<'_> {
    /// `global internal @name: t3 size 8 align 8 constant pretty "n" = { 0: "text" } !file0:3:5`.
    pub(super) fn global(&mut self) -> Parsed<()> {
        self.need("global")?;
        let linkage = self.linkage()?;
        let name = self.new_global_name()?;
        let source_type = self.optional_type()?;
        self.need("size")?;
        let size = self.number("a size")?;
        self.need("align")?;
        let align = self.number("an alignment")?;
        let constant = self.eat("constant")?;
        let thread_local = self.eat("thread_local")?;
        let pretty = if self.eat("pretty")? { self.string()? } else { name };
        let init = if self.eat("=")? { Some(self.init()?) } else { None };
        let loc = self.loc_suffix(None)?;
        let global =
            Global { name, pretty, linkage, size, align, constant, thread_local, init, source_type, loc };
        self.module.globals.push(global);
        Ok(())
    }

    /// The linkage; what all units see if none stands here.
    pub(super) fn linkage(&mut self) -> Parsed<Linkage> {
        let Token::Word(word) = self.token else { return Ok(Linkage::External) };
        match Linkage::from_word(word) {
            Some(linkage) => self.advance().map(|()| linkage),
            None => self.error("a linkage, or `@` and a name"),
        }
    }

    /// The name of a thing that is introduced here.
    pub(super) fn new_global_name(&mut self) -> Parsed<base::Symbol> {
        let Token::Global(name) = self.token else { return self.error("`@` and a name") };
        let Some(name) = name.text() else { return self.error("a name with valid escapes") };
        let symbol = self.module.symbols.intern(&name);
        self.advance()?;
        Ok(symbol)
    }

    fn init(&mut self) -> Parsed<Init> {
        let mut init = Init::default();
        self.list("{", "}", |parser| {
            let offset = parser.number("an offset")?;
            parser.need(":")?;
            match parser.token {
                Token::String(_) | Token::Hex(_) => init.pieces.push((offset, parser.bytes()?)),
                _ => init.relocs.push(parser.reloc(offset)?),
            }
            Ok(())
        })?;
        init.partial = self.eat("partial")?;
        Ok(init)
    }

    fn bytes(&mut self) -> Parsed<Vec<u8>> {
        let bytes = match self.token {
            Token::String(raw) => unescape_bytes(raw),
            Token::Hex(raw) => hex_bytes(raw),
            _ => None,
        };
        let Some(bytes) = bytes else { return self.error("a string with valid escapes or pairs of digits") };
        self.advance()?;
        Ok(bytes)
    }

    /// `@f - @g+4 bytes 4`.
    fn reloc(&mut self, offset: u64) -> Parsed<Reloc> {
        let plus = self.symbol_ref()?;
        let minus = if self.eat("-")? { Some(self.symbol_ref()?) } else { None };
        let addend = self.optional_offset()?;
        let bytes = if self.eat("bytes")? {
            self.number("a number of bytes")?
        } else {
            self.module.target.pointer_bytes
        };
        Ok(Reloc { offset, bytes, plus, minus, addend })
    }

    /// `+8` or `-8`, if it stands here.
    pub(super) fn optional_offset(&mut self) -> Parsed<i64> {
        match self.token {
            Token::Number(digits) if digits.starts_with(['+', '-']) => self.number("an offset"),
            _ => Ok(0),
        }
    }

    /// `alias weak @name = @target+8`.
    pub(super) fn alias(&mut self) -> Parsed<()> {
        self.need("alias")?;
        let linkage = self.linkage()?;
        let name = self.new_global_name()?;
        self.need("=")?;
        let target = self.symbol_ref()?;
        let offset = self.optional_offset()?;
        self.module.aliases.push(Alias { name, linkage, target, offset });
        Ok(())
    }
}
