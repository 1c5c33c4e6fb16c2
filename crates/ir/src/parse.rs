//! The parser of the text form that [`print`](mod@crate::print) writes.
//!
//! Law: `print(parse(print(m))) == print(m)` for every module that keeps L2 and L10 of the verifier. The
//! parser accepts modules that break most other laws, so that each law can be tested with a text. Two
//! freedoms for texts written by hand: lines may be broken anywhere, and the numbers of values may have gaps
//! (they are then renumbered in the same order). Comments go from `//` to the end of the line.
//!
//! Hostile text costs no more than its length: nothing nests, so nothing recurses, and no number in the text
//! is a size to allocate.

mod function;
mod globals;
mod inst;
mod lexer;
mod module;
mod operand;
mod source_types;
mod values;

use std::borrow::Cow;
use std::fmt;

use base::{Id, Symbol};
use rustc_hash::FxHashMap;

use crate::inst::AsmId;
use crate::module::{FuncId, GlobalId, Loc, LocId, Module, Reason, ReasonId, SymbolRef};
use lexer::{Lexer, Token};

/// Makes a module of its text form.
///
/// # Errors
///
/// The first place where the text is not what the form allows.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    let mut parser = Parser::new(text)?;
    parser.module()?;
    Ok(parser.module)
}

/// Where a text is not the text form of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: expected {}, found {}", self.line, self.column, self.expected, self.found)
    }
}

impl std::error::Error for ParseError {}

type Parsed<T> = Result<T, ParseError>;

/// The text, how far it is read, and the module so far.
struct Parser<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
    /// The token that is looked at, and where it begins.
    token: Token<'t>,
    start: usize,
    module: Module,
    names: FxHashMap<Cow<'t, str>, Named>,
    /// How many places the table of inlined code has.
    n_table_locs: usize,
    plain_locs: FxHashMap<Loc, LocId>,
    reasons: FxHashMap<Reason, ReasonId>,
    asm: FxHashMap<Symbol, AsmId>,
}

/// What a linker's name refers to.
#[derive(Clone, Copy)]
enum Named {
    Global(GlobalId),
    Func(FuncId),
    /// Several: the text has to give the number.
    Several,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Parsed<Self> {
        let lexer = Lexer::new(text);
        let mut parser = Self {
            text,
            lexer,
            token: Token::End,
            start: 0,
            module: Module::new(),
            names: FxHashMap::default(),
            n_table_locs: 0,
            plain_locs: FxHashMap::from_iter([(Loc::default(), LocId::FIRST)]),
            reasons: FxHashMap::default(),
            asm: FxHashMap::default(),
        };
        parser.scan_names()?;
        parser.lexer = lexer;
        parser.advance()?;
        Ok(parser)
    }

    /// Goes to the next token.
    fn advance(&mut self) -> Parsed<()> {
        match self.lexer.next_token() {
            Ok((token, start)) => {
                (self.token, self.start) = (token, start);
                Ok(())
            }
            Err((expected, at)) => Err(self.error_at(at, expected)),
        }
    }

    /// The token after the one that is looked at.
    fn peek(&self) -> Token<'t> {
        let mut lexer = self.lexer;
        lexer.next_token().map_or(Token::End, |(token, _)| token)
    }

    /// The error that something else stands where the parser is.
    fn error<T>(&self, expected: impl Into<String>) -> Parsed<T> {
        Err(self.error_at(self.start, expected))
    }

    fn error_at(&self, at: usize, expected: impl Into<String>) -> ParseError {
        let before = &self.text[..at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let rest = self.text[at..].lines().next().unwrap_or("");
        let shown: String = rest.chars().take(20).collect();
        ParseError {
            line: before.bytes().filter(|&byte| byte == b'\n').count() as u32 + 1,
            column: before[line_start..].chars().count() as u32 + 1,
            expected: expected.into(),
            found: match (at == self.text.len(), shown.is_empty()) {
                (true, _) => "the end of the text".into(),
                (false, true) => "the end of the line".into(),
                (false, false) => format!("`{shown}`"),
            },
        }
    }

    /// Goes past a punctuation mark or word if it stands here.
    fn eat(&mut self, text: &str) -> Parsed<bool> {
        let here = self.token.is(text);
        if here {
            self.advance()?;
        }
        Ok(here)
    }

    /// Goes past a punctuation mark or word that should stand here.
    fn need(&mut self, text: &str) -> Parsed<()> {
        if self.eat(text)? { Ok(()) } else { self.error(format!("`{text}`")) }
    }

    /// A word.
    fn word(&mut self, expected: &str) -> Parsed<&'t str> {
        let Token::Word(word) = self.token else { return self.error(expected) };
        self.advance()?;
        Ok(word)
    }

    /// The number behind `prefix`, as in `b12`.
    fn id<I: Id>(&mut self, prefix: &str) -> Parsed<I> {
        match self.token.number_after(prefix) {
            Some(number) => {
                self.advance()?;
                Ok(I::new(number as usize))
            }
            None => self.error(format!("an id like `{prefix}0`")),
        }
    }

    /// The id that stands for the next thing of its kind, as in `type t3 = …`.
    fn next_id<I: Id + fmt::Display>(&mut self, prefix: &str, next: I) -> Parsed<()> {
        if self.token.number_after(prefix) == Some(next.index() as u32) {
            self.advance()
        } else {
            self.error(format!("`{next}` (things are numbered in order)"))
        }
    }

    /// A decimal number.
    fn number<N: std::str::FromStr>(&mut self, expected: &str) -> Parsed<N> {
        let number = match self.token {
            Token::Number(digits) => digits.parse().ok(),
            _ => None,
        };
        match number {
            Some(number) => {
                self.advance()?;
                Ok(number)
            }
            None => self.error(expected),
        }
    }

    /// A number in parentheses.
    fn parenthesized<N: std::str::FromStr>(&mut self) -> Parsed<N> {
        self.need("(")?;
        let number = self.number("a number")?;
        self.need(")")?;
        Ok(number)
    }

    /// A string in quotes.
    fn string(&mut self) -> Parsed<Symbol> {
        let Token::String(raw) = self.token else { return self.error("a string in quotes") };
        self.unescaped(raw)
    }

    /// A string in quotes, if one stands here.
    fn optional_string(&mut self) -> Parsed<Option<Symbol>> {
        if matches!(self.token, Token::String(_)) { self.string().map(Some) } else { Ok(None) }
    }

    /// A name of the user's program, bare or in quotes.
    fn user_name(&mut self) -> Parsed<Symbol> {
        match self.token {
            Token::Word(word) => {
                self.advance()?;
                Ok(self.module.symbols.intern(word))
            }
            Token::String(raw) => self.unescaped(raw),
            _ => self.error("a name"),
        }
    }

    /// The symbol of the string whose inside is `raw`; the parser stands at it.
    fn unescaped(&mut self, raw: &'t str) -> Parsed<Symbol> {
        let Some(string) = lexer::unescape(raw) else { return self.error("a string with valid escapes") };
        let symbol = self.module.symbols.intern(&string);
        self.advance()?;
        Ok(symbol)
    }

    /// Items between an opening and a closing mark, with commas between them.
    fn list(&mut self, open: &str, close: &str, mut item: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        self.need(open)?;
        if self.eat(close)? {
            return Ok(());
        }
        loop {
            item(self)?;
            if self.eat(close)? {
                return Ok(());
            }
            if !self.eat(",")? {
                return self.error(format!("`,` or `{close}`"));
            }
        }
    }

    /// What `@name` refers to.
    fn symbol_ref(&mut self) -> Parsed<SymbolRef> {
        if self.eat("label")? {
            let SymbolRef::Func(function) = self.global_ref()? else {
                return self.error("a function's label");
            };
            return Ok(SymbolRef::Block(function, self.id("b")?));
        }
        self.global_ref()
    }

    /// What `@name` or `@name#f3` refers to.
    fn global_ref(&mut self) -> Parsed<SymbolRef> {
        let Token::Global(name) = self.token else { return self.error("`@` and a name") };
        let Some(name) = name.text() else { return self.error("a name with valid escapes") };
        if self.peek().is("#") {
            self.advance()?;
            self.advance()?;
            return self.numbered_ref(&name);
        }
        match self.names.get(&name) {
            Some(&Named::Global(global)) => self.advance().map(|()| SymbolRef::Global(global)),
            Some(&Named::Func(function)) => self.advance().map(|()| SymbolRef::Func(function)),
            Some(Named::Several) => self.error("a number (`@name#f3`), since several have this name"),
            None => self.error("a global or function of this module"),
        }
    }

    /// The `g3` or `f3` that tells which of those called `name` is meant.
    fn numbered_ref(&mut self, name: &str) -> Parsed<SymbolRef> {
        let numbered = |it: &Token<'_>, prefix| it.number_after(prefix);
        let (symbol, own) = if let Some(number) = numbered(&self.token, "g") {
            (SymbolRef::Global(GlobalId::new(number as usize)), self.name_of("g", number))
        } else if let Some(number) = numbered(&self.token, "f") {
            (SymbolRef::Func(FuncId::new(number as usize)), self.name_of("f", number))
        } else {
            return self.error("`g` or `f` and a number");
        };
        if own.is_some_and(|own| own != name) {
            return self.error("the number of a global or function of that name");
        }
        self.advance()?;
        Ok(symbol)
    }
}
