//! The statement at a place of a C or C++ file, in a form that survives other white space, other comments and
//! other lines around it.
//!
//! ```c
//!     if (n)          /* why */
//!         *p = f(n,                  the statement at `*p`:   if ( n ) * p = f ( n , 0 ) ;
//!                0);
//! ```
//!
//! Judgment: the tokens around the place, from the last `;`, `{`, `}` or directive before it to the next one,
//! which belongs to it unless it is a directive. That is not the grammar's statement in every case (the head
//! of a `for` is three of them), but the same each time.

use base::limits;

/// The tokens of a file.
pub(crate) struct Tokens {
    tokens: Vec<Token>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Token {
    start: usize,
    end: usize,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// `;`, `{` or `}`.
    End,
    /// `#include <…>`, up to the end of the line.
    Directive,
    Other,
}

impl Tokens {
    pub(crate) fn of(bytes: &[u8]) -> Tokens {
        let mut lexer = Lexer { bytes, at: 0, at_line_start: true };
        let mut tokens: Vec<Token> = Vec::new();
        while let Some(token) = lexer.next_token(tokens.last().copied()) {
            tokens.push(token);
        }
        Tokens { tokens }
    }

    /// The statement that the byte `at` belongs to, or the next token. Empty at the end of the file.
    pub(crate) fn statement(&self, bytes: &[u8], at: usize) -> Vec<u8> {
        let here = self.tokens.partition_point(|token| token.end <= at);
        if here == self.tokens.len() {
            return Vec::new();
        }
        let before = self.tokens[here.saturating_sub(limits::STATEMENT_TOKENS)..here].iter().rev();
        let first = here - before.take_while(|token| token.kind == Kind::Other).count();
        let behind = &self.tokens[here..(here + limits::STATEMENT_TOKENS).min(self.tokens.len())];
        let last = here + behind.iter().take_while(|token| token.kind == Kind::Other).count();
        let is_ended = self.tokens.get(last).is_some_and(|token| token.kind == Kind::End);
        // A directive is a statement of its own.
        let end = last + usize::from(is_ended || last == here);
        let texts: Vec<&[u8]> = self.tokens[first..end].iter().map(|it| &bytes[it.start..it.end]).collect();
        texts.join(&b' ')
    }
}

struct Lexer<'b> {
    bytes: &'b [u8],
    at: usize,
    at_line_start: bool,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn next_token(&mut self, before: Option<Token>) -> Option<Token> {
        self.skip_space();
        let start = self.at;
        let kind = match self.peek(0)? {
            b'#' if self.at_line_start => {
                self.skip_line();
                Kind::Directive
            }
            b'"' if self.is_raw(before) => {
                self.skip_raw();
                Kind::Other
            }
            quote @ (b'"' | b'\'') => {
                self.skip_quoted(quote);
                Kind::Other
            }
            byte if is_word(byte) => {
                self.skip_word(byte.is_ascii_digit());
                Kind::Other
            }
            byte => {
                self.at += 1;
                if matches!(byte, b';' | b'{' | b'}') { Kind::End } else { Kind::Other }
            }
        };
        self.at_line_start = false;
        Some(Token { start, end: self.at, kind })
    }

    /// White space, comments, and backslashes at the ends of lines.
    fn skip_space(&mut self) {
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some(b'\n' | b'\r'), _) => {
                    self.at_line_start = true;
                    self.at += 1;
                }
                (Some(byte), _) if byte.is_ascii_whitespace() || byte == b'\x0b' || byte == 0 => self.at += 1,
                (Some(b'\\'), Some(b'\n' | b'\r')) => self.at += 2,
                (Some(b'/'), Some(b'/')) => self.skip_line(),
                (Some(b'/'), Some(b'*')) => {
                    let rest = &self.bytes[self.at + 2..];
                    let end = rest.windows(2).position(|pair| pair == b"*/");
                    self.at = end.map_or(self.bytes.len(), |end| self.at + 2 + end + 2);
                }
                _ => return,
            }
        }
    }

    /// Up to the end of the line, over backslashes at the ends of lines.
    fn skip_line(&mut self) {
        while let Some(byte) = self.peek(0) {
            match (byte, self.peek(1), self.peek(2)) {
                (b'\\', Some(b'\r'), Some(b'\n')) => self.at += 3,
                (b'\\', Some(b'\n' | b'\r'), _) => self.at += 2,
                (b'\n' | b'\r', ..) => return,
                _ => self.at += 1,
            }
        }
    }

    /// A string or character; one that does not end, ends with its line.
    fn skip_quoted(&mut self, quote: u8) {
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => self.at = (self.at + 2).min(self.bytes.len()),
                b'\n' | b'\r' => return,
                _ => {
                    self.at += 1;
                    if byte == quote {
                        return;
                    }
                }
            }
        }
    }

    /// A word, or a number with its dots and the separators of C++.
    fn skip_word(&mut self, is_number: bool) {
        while let Some(byte) = self.peek(0) {
            let is_separator = byte == b'\'' && self.peek(1).is_some_and(|next| next.is_ascii_alphanumeric());
            match is_word(byte) || is_number && (byte == b'.' || is_separator) {
                true => self.at += 1,
                false => return,
            }
        }
    }

    /// Whether the quote here opens `R"(…)"`.
    fn is_raw(&self, before: Option<Token>) -> bool {
        let word =
            before.filter(|token| token.end == self.at).map(|token| &self.bytes[token.start..token.end]);
        matches!(word, Some(b"R" | b"LR" | b"uR" | b"UR" | b"u8R"))
    }

    fn skip_raw(&mut self) {
        let rest = &self.bytes[self.at + 1..];
        let length = rest.iter().take(17).position(|&byte| byte == b'(');
        let Some(length) = length else { return self.skip_quoted(b'"') };
        let close = [b")", &rest[..length], b"\""].concat();
        let end = rest.windows(close.len()).position(|window| window == close);
        self.at = end.map_or(self.bytes.len(), |end| self.at + 1 + end + close.len());
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The statement at the first `@`, which is taken out.
    fn at(text: &str) -> String {
        let place = text.find('@').expect("a place");
        let text = text.replacen('@', "", 1).into_bytes();
        String::from_utf8(Tokens::of(&text).statement(&text, place)).expect("the tests are text")
    }

    #[test]
    fn a_statement_has_its_tokens() {
        let expected = "if ( n ) * p = f ( n , 0 ) ;";
        assert_eq!(at("{ g(); if (n) /* why; */\n  @*p = f(n,\n // no\n 0); h(); }"), expected);
        assert_eq!(at("if(n)*p=f(@n,0);"), expected);
        assert_eq!(at("  if (n)\r\n\t@*p = f(n, 0);\r\n"), expected);
    }

    #[test]
    fn texts_do_not_end_statements() {
        assert_eq!(at("x(); puts(@\"a;{\\\"}\", ';'); y();"), "puts ( \"a;{\\\"}\" , ';' ) ;");
        assert_eq!(at("x(); s = R\"q(a;)\"b)q\" + @n; y();"), "s = R \"q(a;)\"b)q\" + n ;");
        assert_eq!(at("n = 1'000'000 + @'a'; y();"), "n = 1'000'000 + 'a' ;");
        assert_eq!(at("a\n#define X { ; } \\\n ; }\n  @b = 1;"), "b = 1 ;");
        assert_eq!(at("f(a,\n#if X\n@b\n#endif\n);"), "b");
    }

    #[test]
    fn ends_are_statements_of_their_own() {
        assert_eq!(at("void f(void) { g(); @}"), "}");
        assert_eq!(at("void f(void) @{ g(); }"), "void f ( void ) {");
        assert_eq!(at("f();  @"), "");
        assert_eq!(at("f();\n  @#include <x>\ng();"), "#include <x>");
    }

    #[test]
    fn odd_bytes_and_open_ends_do_no_harm() {
        for text in
            ["\"abc", "/* abc", "R\"(abc", "'", "\\", "\\\n", "#\\\n", "a\0b", "\u{1b}[2J", "R\"", "// x\\"]
        {
            let bytes = text.as_bytes();
            (0..=bytes.len()).for_each(|place| drop(Tokens::of(bytes).statement(bytes, place)));
        }
    }

    #[test]
    fn huge_statements_are_looked_at_in_part() {
        let text = format!("int a[] = {{ {} @x, {} }};", "1, ".repeat(100_000), "2, ".repeat(100_000));
        assert!(at(&text).len() < 3_000);
    }
}
