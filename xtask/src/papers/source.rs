//! Functions in the text of a C file: where they begin and end, found without a compiler, so that a function
//! is known even if its unit does not compile.
//!
//! Departures: of `#if … #else … #endif` both branches are read, each from the nesting before the `#if`.
//! Not covered: C++ (members, namespaces); functions whose head is made by a macro.

use std::iter::Peekable;
use std::str::Chars;

/// A function with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// The line of its name, from 1.
    pub(crate) first: usize,
    /// The line of its last brace.
    pub(crate) last: usize,
}

/// Words that stand before a parenthesis and are no name of a function.
const NO_NAMES: [&str; 16] = [
    "__attribute__",
    "__declspec",
    "__asm__",
    "asm",
    "int",
    "char",
    "void",
    "long",
    "short",
    "unsigned",
    "signed",
    "float",
    "double",
    "if",
    "while",
    "return",
];

/// What of a text is replaced by blanks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Blank {
    Comments,
    /// And what stands in literals.
    Literals,
}

/// The functions of a file, in order.
pub(crate) fn functions(text: &str) -> Vec<Function> {
    let mut scanner = Scanner::default();
    let mut continued = false;
    for (index, line) in blanked(text, Blank::Literals).lines().enumerate() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        if let Some(directive) = directive.filter(|_| !continued) {
            scanner.directive(directive);
        }
        if !continued && directive.is_none() {
            scanner.line(line, index + 1);
        }
        continued = (continued || directive.is_some()) && line.ends_with('\\');
    }
    scanner.functions
}

/// The lines of a file without comments.
pub(crate) fn lines(text: &str) -> Vec<String> {
    blanked(text, Blank::Comments).lines().map(str::to_owned).collect()
}

/// The same lines, with blanks where comments are, and maybe literals.
fn blanked(text: &str, blank: Blank) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('/', Some('/')) => while letters.next_if(|it| *it != '\n').is_some() {},
            ('/', Some('*')) => comment(&mut letters, &mut out),
            ('"' | '\'', _) => literal(letter, &mut letters, blank, &mut out),
            _ => out.push(letter),
        }
    }
    out
}

/// Behind the `/` of a comment: only its line ends stay.
fn comment(letters: &mut Peekable<Chars<'_>>, out: &mut String) {
    letters.next();
    let mut before = ' ';
    for letter in letters.by_ref() {
        if letter == '\n' {
            out.push('\n');
        }
        if (before, letter) == ('*', '/') {
            break;
        }
        before = letter;
    }
    out.push(' ');
}

/// Behind the quote of a literal. One that is not closed ends with its line.
fn literal(quote: char, letters: &mut Peekable<Chars<'_>>, blank: Blank, out: &mut String) {
    out.push(quote);
    let mut is_escaped = false;
    while let Some(letter) = letters.next_if(|it| *it != '\n' || is_escaped) {
        let is_end = letter == quote && !is_escaped;
        let is_kept = blank == Blank::Comments || is_end || letter == '\n';
        out.push(if is_kept { letter } else { ' ' });
        if is_end {
            return;
        }
        is_escaped = letter == '\\' && !is_escaped;
    }
}

/// How deep a place is in braces and parentheses.
#[derive(Clone, Copy, Debug, Default)]
struct Nesting {
    braces: usize,
    parens: usize,
}

/// What was read last.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Last {
    Word(String),
    Sign(char),
}

impl Default for Last {
    fn default() -> Last {
        Last::Sign(' ')
    }
}

impl Last {
    /// The word, if a parenthesis behind it could make it the name of a function.
    fn name(&self) -> Option<&str> {
        match self {
            Last::Word(word) if !NO_NAMES.contains(&word.as_str()) => Some(word),
            Last::Word(_) | Last::Sign(_) => None,
        }
    }
}

#[derive(Default)]
struct Scanner {
    nesting: Nesting,
    /// The nesting before each `#if` that is open.
    conditions: Vec<Nesting>,
    /// The name before the last parenthesis outside of braces, with its line.
    name: Option<(String, usize)>,
    /// Whether declarations of parameters follow the parentheses: a definition before ANSI C.
    is_old_style: bool,
    /// The function whose braces are open.
    open: Option<(String, usize)>,
    last: Last,
    functions: Vec<Function>,
}

impl Scanner {
    fn directive(&mut self, directive: &str) {
        if directive.starts_with("if") {
            self.conditions.push(self.nesting);
        } else if directive.starts_with("el") {
            self.nesting = self.conditions.last().copied().unwrap_or(self.nesting);
        } else if directive.starts_with("endif") {
            self.conditions.pop();
        }
    }

    fn line(&mut self, line: &str, number: usize) {
        let mut word = String::new();
        for letter in line.chars().chain(['\n']) {
            if letter.is_alphanumeric() || letter == '_' {
                word.push(letter);
                continue;
            }
            if !word.is_empty() {
                self.word(std::mem::take(&mut word));
            }
            if !letter.is_whitespace() {
                self.sign(letter, number);
                self.last = Last::Sign(letter);
            }
        }
    }

    fn word(&mut self, word: String) {
        let outside = self.nesting.braces == 0 && self.nesting.parens == 0;
        self.is_old_style |= outside && self.last == Last::Sign(')') && self.name.is_some();
        self.last = Last::Word(word);
    }

    fn sign(&mut self, sign: char, line: usize) {
        let Nesting { braces, parens } = self.nesting;
        match (sign, &self.last) {
            ('(', last) => {
                if let Some(word) = last.name().filter(|_| braces == 0 && parens == 0) {
                    self.name = Some((word.to_owned(), line));
                    self.is_old_style = false;
                }
                self.nesting.parens += 1;
            }
            (')', _) => self.nesting.parens = parens.saturating_sub(1),
            ('{', _) if parens == 0 => self.opened(),
            ('}', _) if parens == 0 => self.closed(line),
            (';', _) if braces == 0 && parens == 0 && !self.is_old_style => self.name = None,
            _ => {}
        }
    }

    fn opened(&mut self) {
        match (self.nesting.braces, &self.last) {
            // `extern "C" {` nests nothing.
            (0, Last::Sign('"')) => return,
            (0, Last::Sign(')' | ';')) => self.open = self.name.take(),
            _ => {}
        }
        self.nesting.braces += 1;
    }

    fn closed(&mut self, line: usize) {
        self.nesting.braces = self.nesting.braces.saturating_sub(1);
        if self.nesting.braces == 0 {
            self.functions.extend(self.open.take().map(|(name, first)| Function { name, first, last: line }));
            (self.name, self.is_old_style) = (None, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(text: &str) -> Vec<(String, usize, usize)> {
        functions(text).into_iter().map(|it| (it.name, it.first, it.last)).collect()
    }

    #[test]
    fn definitions_and_nothing_else() {
        let text = "struct s { int a; };\nint f(int);\nint table[] = { 1, 2 };\nstatic int\nf(int a)\n{\n  if (a) { return g(a); }\n  return '}';\n}\n\
                    int x = f(1);\nenum { A };\nextern \"C\" {\nvoid h(void) { /* } */ }\n}\nvoid k(void (*cb)(int)) {\n}\n";
        let found = spans(text);
        assert_eq!(found, [("f".into(), 5, 9), ("h".into(), 13, 13), ("k".into(), 15, 16)]);
    }

    #[test]
    fn definitions_before_ansi_c() {
        let text = "int\nmain (argc, argv)\n     int argc;\n     char **argv;\n{\n  return 0;\n}\nint f (a) char *a; { }\n";
        assert_eq!(spans(text), [("main".into(), 2, 7), ("f".into(), 8, 8)]);
    }

    #[test]
    fn branches_of_the_preprocessor_do_not_nest() {
        let text = "int f(int a)\n{\n#ifdef X\n  if (a) {\n#else\n  if (!a) {\n#endif\n    a++;\n  }\n  return a;\n}\n#define G(x) { \\\n  x {\nint g(void) { return 1; }\n";
        assert_eq!(spans(text), [("f".into(), 1, 11), ("g".into(), 14, 14)]);
    }

    #[test]
    fn comments_go_and_literals_stay() {
        let text = "a = \"/* no */\"; // b\nc /* d\n e */ f 'x'\n#error don't\ng\n";
        let trimmed: Vec<String> = lines(text).iter().map(|line| line.trim().to_owned()).collect();
        assert_eq!(trimmed, ["a = \"/* no */\";", "c", "f 'x'", "#error don't", "g"]);
    }
}
