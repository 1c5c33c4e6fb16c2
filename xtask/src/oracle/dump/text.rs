//! Strings, numbers and hashes of the dump's format.

use std::fmt::Write;

/// FNV-1a, 64 bits: stands for texts that are too long to print.
pub(super) fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Bytes other than printable ASCII, quotes and backslashes become `\hh`.
pub(super) fn escaped(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        if matches!(byte, 0x20..0x7f) && byte != b'"' && byte != b'\\' {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "\\{byte:02x}");
        }
    }
    text
}

/// The bytes in quotes.
pub(super) fn quoted(bytes: &[u8]) -> String {
    format!("\"{}\"", escaped(bytes))
}

/// An integer of `width` bits given by words, least significant first.
///
/// Up to 64 bits: unsigned decimal; wider: hexadecimal without leading zeros.
pub(super) fn integer(width: u32, words: &[u64]) -> String {
    let word = |index: usize| words.get(index).copied().unwrap_or(0);
    if width <= 64 {
        return truncated(width, word(0)).to_string();
    }
    let n_words = width.div_ceil(64) as usize;
    let top = truncated(width - 64 * (n_words as u32 - 1), word(n_words - 1));
    let mut text = format!("{top:x}");
    for index in (0..n_words - 1).rev() {
        let _ = write!(text, "{:016x}", word(index));
    }
    let digits = text.trim_start_matches('0');
    format!("0x{}", if digits.is_empty() { "0" } else { digits })
}

/// The low `width` bits of `word`; `width` is at most 64.
pub(super) fn truncated(width: u32, word: u64) -> u64 {
    if width >= 64 { word } else { word & ((1 << width) - 1) }
}

/// All bits of a float in hexadecimal, as many digits as the width has nibbles.
pub(super) fn float(width: u32, words: &[u64]) -> String {
    let n_digits = (width / 4) as usize;
    let mut text = String::new();
    for word in words.iter().rev() {
        let _ = write!(text, "{word:016x}");
    }
    let text = format!("{text:0>n_digits$}");
    format!("0x{}", &text[text.len() - n_digits..])
}

/// A list with separators.
pub(super) fn joined<T>(items: impl IntoIterator<Item = T>, mut text: impl FnMut(T) -> String) -> String {
    items.into_iter().map(&mut text).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::{escaped, float, fnv, integer};

    #[test]
    fn numbers_are_printed_at_their_width() {
        assert_eq!(integer(8, &[u64::MAX]), "255");
        assert_eq!(integer(64, &[u64::MAX]), "18446744073709551615");
        assert_eq!(integer(77, &[u64::MAX, u64::MAX]), "0x1fffffffffffffffffff");
        assert_eq!(integer(128, &[5]), "0x5");
        assert_eq!(integer(128, &[]), "0x0");
        assert_eq!(float(32, &[0x3f80_0000]), "0x3f800000");
        assert_eq!(float(80, &[0x8000_0000_0000_0000, 0x3fff]), "0x3fff8000000000000000");
    }

    #[test]
    fn texts_are_hashed_and_escaped_as_in_the_oracle() {
        assert_eq!(fnv(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(escaped(b"a\"b\\\n\xff"), "a\\22b\\5c\\0a\\ff");
    }
}
