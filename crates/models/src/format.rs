//! What a format makes of the arguments that follow it.
//!
//! Source: C17 7.21.6.1 and 7.21.6.2; the glibc manual, Formatted Output and Formatted Input, for `%m`, `%ms`
//! and `(null)`.
//! Departures: a null string is printed as `(null)`, as glibc does, hence no error; how long a scanned string
//! gets is the input's choice, so only its first byte can be blamed.
//! Not covered: numbered arguments (`%1$d`).

use crate::model::{Arg, Content, Data, Effect, FormatStyle, Len, MALLOC, Ret, Size, What};

/// The effects on the arguments from position `first` on, in order, for the text of a format (up to its NUL, if it has one). The
/// engine uses them in place of [`What::Format`] where it knows the text. `None` if the text has something that is not understood.
pub fn format_effects(style: FormatStyle, text: &[u8], first: usize) -> Option<Vec<Effect>> {
    let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    let mut reader = Reader { rest: &text[..end], next: first, effects: Vec::new() };
    while let Some(percent) = reader.rest.iter().position(|&byte| byte == b'%') {
        reader.rest = &reader.rest[percent + 1..];
        match style {
            FormatStyle::Printf => reader.print_conversion()?,
            FormatStyle::Scanf => reader.scan_conversion()?,
        }
    }
    Some(reader.effects)
}

struct Reader<'a> {
    /// What of the format is still to be read.
    rest: &'a [u8],
    /// The argument that the next conversion takes.
    next: usize,
    effects: Vec<Effect>,
}

/// How many characters of a string are printed at most.
enum Precision {
    All,
    Const(u64),
    Arg(usize),
}

impl Reader<'_> {
    /// `%[flags][width][.precision][length]conversion` of `printf`.
    fn print_conversion(&mut self) -> Option<()> {
        self.skip(b"-+ #0'I");
        self.print_number()?;
        let precision =
            if self.eat(b'.') { self.print_number()?.unwrap_or(Precision::Const(0)) } else { Precision::All };
        let length = self.length();
        match self.byte()? {
            b'%' | b'm' => {}
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'c' | b'C' | b'p' => self.take([What::Output]),
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => self.take([What::Output]),
            b's' | b'S' => self.print_string(precision, length == b"l"),
            b'n' => self.take(input(Len::Const(integer_bytes(length)), Data::Unknown)),
            _ => return None,
        }
        Some(())
    }

    /// A width or precision; `*` takes an argument of its own.
    fn print_number(&mut self) -> Option<Option<Precision>> {
        if self.eat(b'*') {
            let arg = self.next;
            self.take([What::Output]);
            return Some(Some(Precision::Arg(arg)));
        }
        self.number().map(|number| number.map(Precision::Const))
    }

    fn print_string(&mut self, precision: Precision, is_wide: bool) {
        let len = match precision {
            Precision::Const(0) => None,
            Precision::All if !is_wide => Some(Len::String),
            Precision::All | Precision::Const(_) => Some(Len::Any),
            Precision::Arg(arg) => Some(Len::AnyMax(arg)),
        };
        let access = len.map(|len| What::Access { read: true, write: false, len, defined: true });
        let arg = Arg::At(self.next);
        self.effects.extend(access.map(|what| Effect { arg, null_ok: true, what }));
        self.take([What::Output]);
    }

    /// `%[*][width][m][length]conversion` of `scanf`.
    fn scan_conversion(&mut self) -> Option<()> {
        let is_suppressed = self.eat(b'*');
        self.skip(b"'I");
        let width = self.number()?;
        let is_allocated = self.eat(b'm');
        let length = self.length();
        let conversion = self.byte()?;
        let len = match conversion {
            b'%' => return Some(()),
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'n' => Len::Const(integer_bytes(length)),
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => float_len(length),
            b'p' => Len::Const(8),
            b'c' if length.is_empty() => Len::Const(width.unwrap_or(1)),
            b's' | b'[' if length.is_empty() => Len::String,
            b'c' | b'C' | b's' | b'S' | b'[' => Len::Any,
            _ => return None,
        };
        if conversion == b'[' {
            self.scan_set()?;
        }
        if is_suppressed {
            return Some(());
        }
        if is_allocated {
            let value = Ret::New { family: MALLOC.to_owned(), size: Size::Unknown, content: Content::String };
            self.take([What::Write { value, bytes: 8 }]);
        } else {
            self.take(input(len, Data::Input));
        }
        Some(())
    }

    /// The rest of `[^]…]`: a bracket that comes first is one of the characters.
    fn scan_set(&mut self) -> Option<()> {
        self.eat(b'^');
        self.eat(b']');
        while self.byte()? != b']' {}
        Some(())
    }

    /// Gives the next argument these effects.
    fn take(&mut self, whats: impl IntoIterator<Item = What>) {
        let arg = Arg::At(self.next);
        self.effects.extend(whats.into_iter().map(|what| Effect { arg, null_ok: false, what }));
        self.next += 1;
    }

    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.rest.first() == Some(&byte);
        self.rest = &self.rest[usize::from(found)..];
        found
    }

    fn skip(&mut self, bytes: &[u8]) {
        let end = self.rest.iter().position(|byte| !bytes.contains(byte)).unwrap_or(self.rest.len());
        self.rest = &self.rest[end..];
    }

    /// A number, if there is one; `None` if it is the number of an argument or too large.
    fn number(&mut self) -> Option<Option<u64>> {
        let end = self.rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        if rest.first() == Some(&b'$') {
            return None;
        }
        let digit = |value: u64, byte: &u8| value.checked_mul(10)?.checked_add(u64::from(byte - b'0'));
        match digits {
            [] => Some(None),
            _ => digits.iter().try_fold(0, digit).map(Some),
        }
    }

    /// The length modifier.
    fn length(&mut self) -> &'static [u8] {
        const LENGTHS: [&[u8]; 9] = [b"hh", b"h", b"ll", b"l", b"q", b"L", b"j", b"z", b"t"];
        let found = LENGTHS.into_iter().find(|length| self.rest.starts_with(length)).unwrap_or_default();
        self.rest = &self.rest[found.len()..];
        found
    }
}

/// The bytes are overwritten by something.
fn input(len: Len, data: Data) -> [What; 2] {
    [What::Access { read: false, write: true, len, defined: false }, What::Havoc { len, data }]
}

fn integer_bytes(length: &[u8]) -> u64 {
    match length {
        b"hh" => 1,
        b"h" => 2,
        b"" => 4,
        _ => 8,
    }
}

fn float_len(length: &[u8]) -> Len {
    match length {
        b"" => Len::Const(4),
        b"l" => Len::Const(8),
        // The size of `long double` depends on the machine.
        _ => Len::Any,
    }
}

#[cfg(test)]
mod tests {
    use super::format_effects;
    use crate::model::{Arg, Effect, FormatStyle, Len, What};

    /// Shows one word per effect: argument, what, length.
    fn show(effect: &Effect) -> String {
        let Arg::At(arg) = effect.arg else { unreachable!("formats speak of single arguments") };
        let len = |len: Len| match len {
            Len::Const(n) => n.to_string(),
            other => format!("{other:?}").to_lowercase(),
        };
        match &effect.what {
            What::Output => format!("{arg}:out"),
            What::Access { read: true, len: it, .. } => format!("{arg}:read-{}", len(*it)),
            What::Access { len: it, .. } => format!("{arg}:write-{}", len(*it)),
            What::Havoc { .. } => format!("{arg}:havoc"),
            What::Write { .. } => format!("{arg}:alloc"),
            other => format!("{arg}:{other:?}"),
        }
    }

    fn check(style: FormatStyle, text: &str, expected: &str) {
        let shown = format_effects(style, text.as_bytes(), 1)
            .map_or("none".to_owned(), |effects| effects.iter().map(show).collect::<Vec<_>>().join(" "));
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn printed_arguments() {
        let print = |text, expected| check(FormatStyle::Printf, text, expected);
        print("no conversion, 100 %%\n", "");
        print("%d %lu %c %-08.3f %p", "1:out 2:out 3:out 4:out 5:out");
        print("%s and %10s", "1:read-string 1:out 2:read-string 2:out");
        print("%.3s %.0s %.s %*d", "1:read-any 1:out 2:out 3:out 4:out 5:out");
        print("%.*s", "1:out 2:read-anymax(1) 2:out");
        print("%ls%hhn%n", "1:read-any 1:out 2:write-1 2:havoc 3:write-4 3:havoc");
        print("%m%d", "1:out");
        print("%d\0%d", "1:out");
    }

    #[test]
    fn scanned_arguments() {
        let scan = |text, expected| check(FormatStyle::Scanf, text, expected);
        scan("%d,%hd", "1:write-4 1:havoc 2:write-2 2:havoc");
        scan("%*d %lf%f", "1:write-8 1:havoc 2:write-4 2:havoc");
        scan("%9s %c %4c", "1:write-string 1:havoc 2:write-1 2:havoc 3:write-4 3:havoc");
        scan("%[^]a]%n", "1:write-string 1:havoc 2:write-4 2:havoc");
        scan("%*[abc]%% %zu", "1:write-8 1:havoc");
        scan("%ms", "1:alloc");
    }

    #[test]
    fn what_is_not_understood() {
        for text in ["%", "%1$d", "%y", "%5", "%99999999999999999999d"] {
            check(FormatStyle::Printf, text, "none");
        }
        check(FormatStyle::Scanf, "%[abc", "none");
    }
}
