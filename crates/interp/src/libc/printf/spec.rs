//! The parts of a format string.

use base::limits;

/// A piece of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Piece<'a> {
    Text(&'a [u8]),
    Conversion(Spec),
}

/// `%[position$][flags][width][.precision][length]conversion`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Spec {
    pub(crate) position: Option<usize>,
    pub(crate) left: bool,
    pub(crate) plus: bool,
    pub(crate) space: bool,
    pub(crate) alternate: bool,
    pub(crate) zero: bool,
    pub(crate) width: usize,
    pub(crate) width_source: Option<Amount>,
    pub(crate) precision: Option<usize>,
    pub(crate) precision_source: Option<Amount>,
    pub(crate) length: Length,
    pub(crate) conversion: u8,
    /// The text itself, to print what is no conversion.
    pub(crate) source: Vec<u8>,
}

/// A width or precision that is an argument: the next one or the one at a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Amount {
    Argument(Option<usize>),
}

/// Length modifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Length {
    #[default]
    None,
    /// `hh`
    Char,
    /// `h`
    Short,
    /// `l`, `z`, `t`
    Long,
    /// `ll`, `j`, `q`
    LongLong,
    /// `L`
    LongDouble,
}

/// Cuts a format into its pieces.
pub(super) fn parse(format: &[u8]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = format;
    while !rest.is_empty() {
        let text = rest.iter().position(|byte| *byte == b'%').unwrap_or(rest.len());
        if text > 0 {
            pieces.push(Piece::Text(&rest[..text]));
            rest = &rest[text..];
            continue;
        }
        let mut cursor = Cursor { bytes: rest, at: 1 };
        let mut spec = cursor.spec();
        spec.source = rest[..cursor.at].to_vec();
        pieces.push(Piece::Conversion(spec));
        rest = &rest[cursor.at..];
    }
    pieces
}

impl Spec {
    /// The text filled up with blanks to the width.
    pub(crate) fn pad(&self, text: Vec<u8>) -> Vec<u8> {
        let missing = self.width.saturating_sub(text.len());
        let blanks = std::iter::repeat_n(b' ', missing);
        if self.left { text.into_iter().chain(blanks).collect() } else { blanks.chain(text).collect() }
    }

    /// A sign or prefix and digits, filled up with blanks or, between the two, with zeros.
    pub(super) fn pad_number(&self, prefix: &[u8], digits: &[u8], zeros: bool) -> Vec<u8> {
        let missing = self.width.saturating_sub(prefix.len() + digits.len());
        let mut text = prefix.to_vec();
        if zeros && !self.left {
            text.extend(std::iter::repeat_n(b'0', missing));
        }
        text.extend_from_slice(digits);
        self.pad(text)
    }

    /// The sign that stands before a number.
    pub(super) fn sign(&self, negative: bool) -> &'static [u8] {
        match (negative, self.plus, self.space) {
            (true, ..) => b"-",
            (false, true, _) => b"+",
            (false, false, true) => b" ",
            (false, false, false) => b"",
        }
    }
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    fn accept(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte && self.at < self.bytes.len();
        self.at += usize::from(found);
        found
    }

    fn spec(&mut self) -> Spec {
        let mut spec = Spec { position: self.position(), ..Spec::default() };
        while self.flag(&mut spec) {}
        if self.accept(b'*') {
            spec.width_source = Some(Amount::Argument(self.position()));
        } else {
            spec.width = self.amount().unwrap_or(0);
        }
        if self.accept(b'.') {
            if self.accept(b'*') {
                spec.precision_source = Some(Amount::Argument(self.position()));
            } else {
                spec.precision = Some(self.amount().unwrap_or(0));
            }
        }
        spec.length = self.length();
        spec.conversion = self.peek();
        self.at = (self.at + 1).min(self.bytes.len());
        spec
    }

    /// `n$`, if it stands here.
    fn position(&mut self) -> Option<usize> {
        let start = self.at;
        let number = self.amount();
        if number.is_some_and(|number| number > 0) && self.accept(b'$') {
            return number;
        }
        self.at = start;
        None
    }

    fn flag(&mut self, spec: &mut Spec) -> bool {
        match self.peek() {
            b'-' => spec.left = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'#' => spec.alternate = true,
            b'0' => spec.zero = true,
            b'\'' | b'I' => {}
            _ => return false,
        }
        self.at += 1;
        true
    }

    fn amount(&mut self) -> Option<usize> {
        let start = self.at;
        let mut number = 0usize;
        while self.peek().is_ascii_digit() {
            number = (number * 10 + usize::from(self.peek() - b'0')).min(limits::INTERP_PRECISION);
            self.at += 1;
        }
        (self.at > start).then_some(number)
    }

    fn length(&mut self) -> Length {
        if self.accept(b'h') {
            return if self.accept(b'h') { Length::Char } else { Length::Short };
        }
        if self.accept(b'l') {
            return if self.accept(b'l') { Length::LongLong } else { Length::Long };
        }
        if self.accept(b'z') || self.accept(b't') || self.accept(b'Z') {
            return Length::Long;
        }
        if self.accept(b'j') || self.accept(b'q') {
            return Length::LongLong;
        }
        if self.accept(b'L') { Length::LongDouble } else { Length::None }
    }
}
