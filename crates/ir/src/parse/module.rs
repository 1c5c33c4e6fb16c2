//! The items of a module, in a first walk for their names and a second one for all of them.

use base::Id;

use crate::inst::AsmId;
use crate::module::{FileId, FuncId, GlobalId, Loc, LocId, Reason, ReasonId};

use super::lexer::Token;
use super::{Named, Parsed, Parser};

/// Where `!…` points.
pub(super) enum LocRef {
    /// A place that is written out.
    Plain(Loc),
    /// A place of the table.
    Table(u32),
}

impl<'t> Parser<'t> {
    /// The first walk: all names, since the text may refer to what comes later.
    pub(super) fn scan_names(&mut self) -> Parsed<()> {
        self.advance()?;
        let (mut depth, mut n_globals, mut n_functions) = (0_u32, 0, 0);
        while self.token != Token::End {
            let named = match self.token {
                Token::Mark("{") => {
                    depth += 1;
                    None
                }
                Token::Mark("}") => {
                    depth = depth.saturating_sub(1);
                    None
                }
                Token::Word("global") if depth == 0 => {
                    n_globals += 1;
                    Some(Named::Global(GlobalId::new(n_globals - 1)))
                }
                Token::Word("func") if depth == 0 => {
                    n_functions += 1;
                    Some(Named::Func(FuncId::new(n_functions - 1)))
                }
                Token::Word("loc") if depth == 0 => {
                    self.n_table_locs += 1;
                    None
                }
                _ => None,
            };
            self.advance()?;
            if let Some(named) = named {
                self.scan_name(named)?;
            }
        }
        // Room for the places of the table, which come at the end of the text.
        for _ in 0..self.n_table_locs {
            self.module.locs.push(Loc::default());
        }
        Ok(())
    }

    /// The name after `global` or `func`, with a linkage between them.
    fn scan_name(&mut self, named: Named) -> Parsed<()> {
        if matches!(self.token, Token::Word(_)) {
            self.advance()?;
        }
        let Token::Global(name) = self.token else { return self.error("`@` and a name") };
        let Some(name) = name.text() else { return self.error("a name with valid escapes") };
        self.names.entry(name).and_modify(|it| *it = Named::Several).or_insert(named);
        self.advance()
    }

    /// The name of the `number`-th global (`g`) or function (`f`), if it is already known.
    pub(super) fn name_of(&self, kind: &str, number: u32) -> Option<&str> {
        let name = match kind {
            "g" => self.module.globals.get(GlobalId::new(number as usize)).map(|it| it.name),
            _ => self.module.functions.get(FuncId::new(number as usize)).map(|it| it.name),
        };
        name.map(|name| self.module.symbols.resolve(name))
    }

    /// The second walk.
    pub(super) fn module(&mut self) -> Parsed<()> {
        let mut next_table_loc = 0;
        while self.token != Token::End {
            let Token::Word(word) = self.token else { return self.error("an item of a module") };
            match word {
                "source" if self.module.source.is_none() => {
                    self.advance()?;
                    self.module.source = Some(self.string()?);
                }
                "target" if self.module.globals.is_empty() => self.target()?,
                "file" => {
                    self.advance()?;
                    self.next_id("file", self.module.files.next_id())?;
                    let path = self.string()?;
                    self.module.files.push(path);
                }
                "type" => self.type_item()?,
                "global" => self.global()?,
                "alias" => self.alias()?,
                "constructor" | "destructor" => self.run_item()?,
                "func" => self.function()?,
                "loc" => {
                    self.table_loc(next_table_loc)?;
                    next_table_loc += 1;
                }
                _ => return self.error("an item of a module (the target before globals, one source)"),
            }
        }
        Ok(())
    }

    fn target(&mut self) -> Parsed<()> {
        self.need("target")?;
        self.module.target.triple = self.optional_string()?;
        self.need("pointer")?;
        self.module.target.pointer_bytes = self.number("the bytes of a pointer")?;
        self.module.target.big_endian = self.eat("big_endian")?;
        Ok(())
    }

    /// `constructor 65535 @f`.
    fn run_item(&mut self) -> Parsed<()> {
        let before_main = self.token.is("constructor");
        self.advance()?;
        let priority = self.number("a priority")?;
        let crate::SymbolRef::Func(function) = self.global_ref()? else { return self.error("a function") };
        let list = if before_main { &mut self.module.constructors } else { &mut self.module.destructors };
        list.push((priority, function));
        Ok(())
    }

    /// `loc loc0 = file0:12:5 in "f" at file0:30:2`.
    fn table_loc(&mut self, index: usize) -> Parsed<()> {
        self.need("loc")?;
        if self.token.number_after("loc") != Some(index as u32) {
            return self.error(format!("`loc{index}` (things are numbered in order)"));
        }
        self.advance()?;
        self.need("=")?;
        let LocRef::Plain(mut loc) = self.loc_ref(None)? else {
            return self.error("a file, line and column");
        };
        if self.eat("in")? {
            loc.function = Some(self.string()?);
        }
        if self.eat("at")? {
            let outer = self.loc_ref(None)?;
            loc.inlined_at = Some(self.loc_id(outer));
        }
        self.module.locs[LocId::new(1 + index)] = loc;
        Ok(())
    }

    /// ` !place`, or the unknown place.
    pub(super) fn loc_suffix(&mut self, home: Option<FileId>) -> Parsed<LocId> {
        if !self.eat("!")? {
            return Ok(LocId::FIRST);
        }
        let loc = self.loc_ref(home)?;
        Ok(self.loc_id(loc))
    }

    fn loc_ref(&mut self, home: Option<FileId>) -> Parsed<LocRef> {
        if let Some(number) = self.token.number_after("loc") {
            self.advance()?;
            return Ok(LocRef::Table(number));
        }
        let mut loc = Loc { file: home, ..Loc::default() };
        if self.token.number_after("file").is_some() {
            loc.file = Some(self.id("file")?);
            self.need(":")?;
        } else if self.eat("?")? {
            loc.file = None;
            self.need(":")?;
        } else if home.is_none() {
            return self.error("a file, or `?`, and `:`");
        }
        loc.line = self.number("a line")?;
        if self.eat(":")? {
            loc.column = self.number("a column")?;
        }
        Ok(LocRef::Plain(loc))
    }

    /// The id of a place, new or known; a number beyond the table becomes an id that does not exist.
    fn loc_id(&mut self, loc: LocRef) -> LocId {
        match loc {
            LocRef::Table(number) if (number as usize) < self.n_table_locs => LocId::new(1 + number as usize),
            LocRef::Table(_) => LocId::new(u32::MAX as usize - 1),
            LocRef::Plain(loc) => *self.plain_locs.entry(loc).or_insert_with(|| self.module.locs.push(loc)),
        }
    }

    pub(super) fn reason_id(&mut self, reason: Reason) -> ReasonId {
        *self.reasons.entry(reason).or_insert_with(|| self.module.reasons.push(reason))
    }

    pub(super) fn asm_id(&mut self, text: base::Symbol) -> AsmId {
        *self.asm.entry(text).or_insert_with(|| self.module.asm.push(text))
    }
}
