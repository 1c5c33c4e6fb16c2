//! How the text refers to things: quoted strings, names of globals and functions, places.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use base::{Id, Symbol};

use crate::function::Function;
use crate::module::{FileId, FuncId, GlobalId, Loc, LocId, Module, SymbolRef};

use super::{Printer, put};

/// Which linker's names belong to one global or function only, so that the name alone refers to it.
pub(super) struct GlobalNames {
    /// By symbol: how many globals and functions bear the name, up to 2.
    bearers: Vec<u8>,
}

impl GlobalNames {
    pub(super) fn new(module: &Module) -> Self {
        let names =
            || module.globals.iter().map(|it| it.name).chain(module.functions.iter().map(|it| it.name));
        let mut bearers = vec![0_u8; names().map(|it| it.index() + 1).max().unwrap_or(0)];
        for name in names() {
            let count = &mut bearers[name.index()];
            *count = (*count + 1).min(2);
        }
        Self { bearers }
    }

    fn is_unique(&self, name: Symbol) -> bool {
        self.bearers[name.index()] == 1
    }
}

/// The numbers under which places of inlined code stand in the table at the end.
pub(super) struct LocNumbers {
    /// By [`LocId`]; `u32::MAX` for places that are written out where they occur.
    numbers: Vec<u32>,
}

impl LocNumbers {
    pub(super) fn new(module: &Module) -> Self {
        let mut next = 0;
        let number = |loc: &Loc| {
            let plain = loc.function.is_none() && loc.inlined_at.is_none();
            next += u32::from(!plain);
            if plain { u32::MAX } else { next - 1 }
        };
        Self { numbers: module.locs.iter().map(number).collect() }
    }

    /// The number in the table, if the place stands there.
    fn get(&self, loc: LocId) -> Option<u32> {
        self.numbers.get(loc.index()).copied().filter(|&number| number != u32::MAX)
    }
}

/// All places that a function refers to, with those they were inlined at.
pub(super) fn locs_of(module: &Module, function: &Function) -> BTreeSet<LocId> {
    let mut locs = BTreeSet::from([function.loc]);
    if let Some(body) = &function.body {
        locs.extend(body.insts.iter().map(|inst| inst.loc));
        locs.extend(body.blocks.iter().map(|block| block.term_loc));
        locs.extend(body.vars.iter().map(|var| var.loc));
    }
    let mut pending: Vec<LocId> = locs.iter().copied().collect();
    while let Some(loc) = pending.pop() {
        let outer = module.locs.get(loc).and_then(|it| it.inlined_at);
        pending.extend(outer.filter(|&outer| locs.insert(outer)));
    }
    locs
}

impl Printer<'_> {
    /// `@name`, or `@name#f3` where the name alone does not tell.
    pub(super) fn func_ref(&mut self, id: FuncId) {
        let name = self.module.functions.get(id).map(|it| it.name);
        self.global_name(name, |out| write!(out, "#{id}"));
    }

    /// `@name`, or `@name#g3` where the name alone does not tell.
    pub(super) fn global_ref(&mut self, id: GlobalId) {
        let name = self.module.globals.get(id).map(|it| it.name);
        self.global_name(name, |out| write!(out, "#{id}"));
    }

    fn global_name(&mut self, name: Option<Symbol>, number: impl FnOnce(&mut String) -> std::fmt::Result) {
        self.out.push('@');
        match name {
            Some(name) => self.bare_or_quoted(name, is_linker_word),
            None => self.out.push_str("\"\""),
        }
        if !name.is_some_and(|name| self.names.is_unique(name)) {
            number(&mut self.out).expect("invariant: writing to a string cannot fail");
        }
    }

    /// What an address in an initializer is the address of.
    pub(super) fn symbol_ref(&mut self, symbol: SymbolRef) {
        match symbol {
            SymbolRef::Global(global) => self.global_ref(global),
            SymbolRef::Func(function) => self.func_ref(function),
            SymbolRef::Block(function, block) => {
                self.out.push_str("label ");
                self.func_ref(function);
                put!(self, " {block}");
            }
        }
    }

    /// `@name` where a global, function or alias is introduced.
    pub(super) fn new_global_name(&mut self, name: Symbol) {
        self.out.push('@');
        self.bare_or_quoted(name, is_linker_word);
    }

    /// A name of the user's program: bare if it is an identifier that does not look like an SSA value.
    pub(super) fn user_name(&mut self, name: Symbol) {
        self.bare_or_quoted(name, is_user_word);
    }

    fn bare_or_quoted(&mut self, name: Symbol, is_word: impl Fn(&str) -> bool) {
        let text = text_of(self.module, name);
        if is_word(text) {
            self.out.push_str(text);
        } else {
            quote(&mut self.out, text);
        }
    }

    /// A string in quotes.
    pub(super) fn string(&mut self, string: Symbol) {
        quote(&mut self.out, text_of(self.module, string));
    }

    /// ` !place` at the end of a line; nothing for the unknown place. The function's own file is not repeated.
    pub(super) fn loc_suffix(&mut self, loc: LocId, home: Option<FileId>) {
        match self.module.locs.get(loc) {
            Some(data) if *data == Loc::default() => {}
            Some(data) if self.locs.get(loc).is_none() && data.file.is_some() && data.file == home => {
                self.out.push_str(" !");
                self.line_column(data);
            }
            _ => {
                self.out.push_str(" !");
                self.place(loc);
            }
        }
    }

    /// A place with its file, or its number in the table.
    fn place(&mut self, loc: LocId) {
        match (self.locs.get(loc), self.module.locs.get(loc)) {
            (Some(number), _) => put!(self, "loc{number}"),
            (None, Some(data)) => self.plain_place(data),
            (None, None) => put!(self, "{loc}"),
        }
    }

    fn plain_place(&mut self, loc: &Loc) {
        match loc.file {
            Some(file) => put!(self, "{file}:"),
            None => self.out.push_str("?:"),
        }
        self.line_column(loc);
    }

    fn line_column(&mut self, loc: &Loc) {
        put!(self, "{}", loc.line);
        if loc.column != 0 {
            put!(self, ":{}", loc.column);
        }
    }

    /// The table of places of inlined code, as far as `wanted`.
    pub(super) fn loc_table(&mut self, wanted: impl Fn(LocId) -> bool) {
        for (id, loc) in self.module.locs.iter_ids().filter(|&(id, _)| wanted(id)) {
            let Some(number) = self.locs.get(id) else { continue };
            put!(self, "loc loc{number} = ");
            self.plain_place(loc);
            if let Some(function) = loc.function {
                self.out.push_str(" in ");
                self.string(function);
            }
            if let Some(outer) = loc.inlined_at {
                self.out.push_str(" at ");
                self.place(outer);
            }
            self.out.push('\n');
        }
    }
}

/// The string of a symbol; of one that does not exist (law L2), a question mark.
pub(crate) fn text_of(module: &Module, symbol: Symbol) -> &str {
    if symbol.index() < module.symbols.len() { module.symbols.resolve(symbol) } else { "?" }
}

/// Whether a linker's name can stand without quotes.
fn is_linker_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'.' | b'$'))
}

/// Whether a user's name can stand without quotes: `v2` is quoted, since it would read like an SSA value.
fn is_user_word(text: &str) -> bool {
    let looks_like_value = text.strip_prefix('v').is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit()));
    is_linker_word(text)
        && !looks_like_value
        && !text.starts_with(|it: char| it.is_ascii_digit() || it == '.')
}

/// Writes `text` in quotes; what a terminal could misrepresent is escaped.
pub(super) fn quote(out: &mut String, text: &str) {
    out.push('"');
    for char in text.chars() {
        match char {
            '"' | '\\' => out.extend(['\\', char]),
            ' '..='~' => out.push(char),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\0'..='\x7f' => write_escape(out, char as u8),
            _ if char.is_alphanumeric() => out.push(char),
            _ => write!(out, "\\u{{{:x}}}", u32::from(char))
                .expect("invariant: writing to a string cannot fail"),
        }
    }
    out.push('"');
}

/// Writes bytes in quotes: as text if they read as text, otherwise as `x"48 65"` without the spaces.
pub(super) fn quote_bytes(out: &mut String, bytes: &[u8]) {
    let readable = bytes.iter().filter(|&&it| matches!(it, b' '..=b'~' | b'\n' | b'\t')).count();
    if readable * 4 < bytes.len() * 3 {
        out.push_str("x\"");
        bytes
            .iter()
            .for_each(|byte| write!(out, "{byte:02x}").expect("invariant: writing to a string cannot fail"));
    } else {
        out.push('"');
        bytes.iter().for_each(|&byte| match byte {
            b'"' | b'\\' => out.extend(['\\', char::from(byte)]),
            b' '..=b'~' => out.push(char::from(byte)),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            _ => write_escape(out, byte),
        });
    }
    out.push('"');
}

fn write_escape(out: &mut String, byte: u8) {
    write!(out, "\\x{byte:02x}").expect("invariant: writing to a string cannot fail");
}
