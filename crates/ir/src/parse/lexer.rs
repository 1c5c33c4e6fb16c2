//! From text to tokens.

use std::borrow::Cow;

/// A piece of text that means something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    /// `load`, `v12`, `asm-goto`.
    Word(&'t str),
    /// `@name`.
    Global(Name<'t>),
    /// `12`, `-1`, `+8`, `0x1f`, `1.5e-7`.
    Number(&'t str),
    /// The inside of `"…"`, with its escapes.
    String(&'t str),
    /// The inside of `x"…"`.
    Hex(&'t str),
    /// `(`, `->`, `...`.
    Mark(&'t str),
    /// The end of the text.
    End,
}

/// The name behind `@`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Name<'t> {
    raw: &'t str,
    quoted: bool,
}

impl<'t> Name<'t> {
    /// The name itself; none if its escapes are wrong.
    pub(super) fn text(self) -> Option<Cow<'t, str>> {
        if self.quoted { unescape(self.raw) } else { Some(Cow::Borrowed(self.raw)) }
    }
}

impl Token<'_> {
    /// Whether it is this word or punctuation mark.
    pub(super) fn is(&self, text: &str) -> bool {
        matches!(self, Token::Word(it) | Token::Mark(it) if *it == text)
    }

    /// The number `n` of a word that is `prefix` and `n`; ids stop below the largest `u32`.
    pub(super) fn number_after(&self, prefix: &str) -> Option<u32> {
        let Token::Word(word) = self else { return None };
        let digits = word.strip_prefix(prefix).filter(|it| it.bytes().all(|byte| byte.is_ascii_digit()))?;
        digits.parse().ok().filter(|&number| number < u32::MAX)
    }
}

/// The text and how far it is read.
#[derive(Clone, Copy)]
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

/// What was expected, and where.
type LexError = (&'static str, usize);

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The next token and where it begins.
    pub(super) fn next_token(&mut self) -> Result<(Token<'t>, usize), LexError> {
        self.skip_space();
        let start = self.at;
        let bytes = self.text.as_bytes();
        let next_is = |offset: usize, wanted: fn(&u8) -> bool| bytes.get(start + offset).is_some_and(wanted);
        let token = match bytes.get(start) {
            None => Token::End,
            Some(b'"') => Token::String(self.quoted()?),
            Some(b'@') => self.global()?,
            Some(b'x') if next_is(1, |&it| it == b'"') => {
                self.at += 1;
                Token::Hex(self.quoted()?)
            }
            Some(it) if it.is_ascii_digit() => Token::Number(self.numeral()),
            Some(b'+' | b'-') if next_is(1, u8::is_ascii_digit) => Token::Number(self.numeral()),
            Some(&it) if is_word_byte(it) && it != b'.' => Token::Word(self.word()),
            Some(_) => Token::Mark(self.mark()?),
        };
        Ok((token, start))
    }

    fn skip_space(&mut self) {
        loop {
            let rest = self.text[self.at..].trim_ascii_start();
            self.at = self.text.len() - rest.len();
            if !rest.starts_with("//") {
                return;
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'t str {
        let rest = &self.text[self.at..];
        let len = rest.bytes().position(|byte| !wanted(byte)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    /// A word; a hyphen belongs to it if a letter follows (`asm-goto`).
    fn word(&mut self) -> &'t str {
        let start = self.at;
        self.take_while(is_word_byte);
        while matches!(self.text.as_bytes()[self.at..], [b'-', letter, ..] if letter.is_ascii_alphabetic()) {
            self.at += 1;
            self.take_while(is_word_byte);
        }
        &self.text[start..self.at]
    }

    /// The inside of a quoted string; the lexer stands at the opening quote.
    fn quoted(&mut self) -> Result<&'t str, LexError> {
        let start = self.at + 1;
        let mut escaped = false;
        for (offset, byte) in self.text.as_bytes()[start..].iter().enumerate() {
            match byte {
                b'\n' => break,
                b'"' if !escaped => {
                    self.at = start + offset + 1;
                    return Ok(&self.text[start..start + offset]);
                }
                _ => escaped = *byte == b'\\' && !escaped,
            }
        }
        Err(("a closing quote on the same line", start - 1))
    }

    fn global(&mut self) -> Result<Token<'t>, LexError> {
        let start = self.at;
        self.at += 1;
        if self.text[self.at..].starts_with('"') {
            return Ok(Token::Global(Name { raw: self.quoted()?, quoted: true }));
        }
        let raw = self.take_while(is_word_byte);
        if raw.is_empty() {
            Err(("a name after `@`", start))
        } else {
            Ok(Token::Global(Name { raw, quoted: false }))
        }
    }

    /// A number: a sign, then letters and digits, a dot, and the sign of an exponent.
    fn numeral(&mut self) -> &'t str {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let hex = bytes[start..].starts_with(b"0x");
        self.at += 1;
        while let Some(&byte) = bytes.get(self.at) {
            let after_exponent = !hex && matches!(bytes[self.at - 1], b'e' | b'E');
            let belongs = byte.is_ascii_alphanumeric()
                || (byte == b'.' && !hex)
                || (matches!(byte, b'+' | b'-') && after_exponent);
            if !belongs {
                break;
            }
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn mark(&mut self) -> Result<&'t str, LexError> {
        const MARKS: [&str; 16] =
            ["...", "->", "(", ")", "{", "}", "[", "]", ",", ":", "=", "!", "?", "#", "*", "-"];
        let rest = &self.text[self.at..];
        let mark = MARKS.into_iter().find(|mark| rest.starts_with(mark));
        let mark = mark.ok_or(("a word, a number, a string or a punctuation mark", self.at))?;
        self.at += mark.len();
        Ok(&rest[..mark.len()])
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$')
}

/// The string that the inside of quotes means; none if an escape is wrong or the bytes are not text.
pub(super) fn unescape(raw: &str) -> Option<Cow<'_, str>> {
    if !raw.contains('\\') {
        return Some(Cow::Borrowed(raw));
    }
    String::from_utf8(unescape_bytes(raw)?).ok().map(Cow::Owned)
}

/// The bytes that the inside of quotes means; none if an escape is wrong.
pub(super) fn unescape_bytes(raw: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = &rest[at + 1..];
        let used = match escape.chars().next()? {
            'n' => {
                bytes.push(b'\n');
                1
            }
            't' => {
                bytes.push(b'\t');
                1
            }
            char @ ('"' | '\\') => {
                bytes.push(char as u8);
                1
            }
            'x' => {
                bytes.push(hex_byte(escape.get(1..3)?)?);
                3
            }
            'u' => {
                let end = escape.find('}')?;
                let digits = escape.get(1..end)?.strip_prefix('{')?;
                let char = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
                bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                end + 1
            }
            _ => return None,
        };
        rest = &escape[used..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    Some(bytes)
}

/// The bytes of pairs of hexadecimal digits; none if there are other characters.
pub(super) fn hex_bytes(raw: &str) -> Option<Vec<u8>> {
    let pairs = raw.as_bytes().chunks(2);
    pairs.map(|pair| std::str::from_utf8(pair).ok().and_then(hex_byte)).collect()
}

fn hex_byte(digits: &str) -> Option<u8> {
    let valid = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u8::from_str_radix(digits, 16).ok().filter(|_| valid)
}
