//! Integers as text.

use super::Spec;

/// An integer as `%d %u %x %X %o %b` show it.
pub(crate) fn format_integer(spec: &Spec, negative: bool, magnitude: u64) -> Vec<u8> {
    let mut digits = match spec.conversion {
        b'x' => format!("{magnitude:x}"),
        b'X' => format!("{magnitude:X}"),
        b'o' => format!("{magnitude:o}"),
        b'b' | b'B' => format!("{magnitude:b}"),
        _ => magnitude.to_string(),
    };
    if spec.precision == Some(0) && magnitude == 0 {
        digits.clear();
    }
    let wanted = spec.precision.unwrap_or(1);
    let mut digits = [vec![b'0'; wanted.saturating_sub(digits.len())], digits.into_bytes()].concat();
    let prefix: &[u8] = match spec.conversion {
        b'x' if spec.alternate && magnitude != 0 => b"0x",
        b'X' if spec.alternate && magnitude != 0 => b"0X",
        b'b' if spec.alternate && magnitude != 0 => b"0b",
        b'B' if spec.alternate && magnitude != 0 => b"0B",
        b'd' | b'i' => spec.sign(negative),
        _ => b"",
    };
    if spec.conversion == b'o' && spec.alternate && digits.first() != Some(&b'0') {
        digits.insert(0, b'0');
    }
    // A precision switches the zero flag off.
    spec.pad_number(prefix, &digits, spec.zero && spec.precision.is_none())
}

#[cfg(test)]
mod tests {
    use super::super::spec::{Piece, parse};
    use super::*;

    fn check(format: &str, number: i64, expected: &str) {
        let pieces = parse(format.as_bytes());
        let [Piece::Conversion(spec)] = pieces.as_slice() else {
            panic!("{format} should be one conversion")
        };
        let negative = spec.conversion == b'd' && number < 0;
        let magnitude = if negative { number.unsigned_abs() } else { number as u64 };
        let text = format_integer(spec, negative, magnitude);
        assert_eq!(String::from_utf8(text).unwrap(), expected, "{format}");
    }

    #[test]
    fn all_flags() {
        check("%d", -42, "-42");
        check("%5d", 42, "   42");
        check("%-5d", 0, "0    ");
        check("%05d", -42, "-0042");
        check("%+d", 42, "+42");
        check("% d", 42, " 42");
        check("%.5d", -42, "-00042");
        check("%08.3d", 42, "     042");
        check("%.0d", 0, "");
        check("%#x", 255, "0xff");
        check("%#X", 255, "0XFF");
        check("%#x", 0, "0");
        check("%#o", 8, "010");
        check("%#.3o", 8, "010");
        check("%#o", 0, "0");
        check("%#010x", 255, "0x000000ff");
        check("%-#10x", 255, "0xff      ");
        check("%lu", -1, "18446744073709551615");
    }
}
