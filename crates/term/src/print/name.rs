//! Names of variables in text.

use base::Id;

use crate::arena::Terms;
use crate::var::VarId;

/// Words that mean something else in text.
const WORDS: [&str; 7] = ["true", "false", "concat", "popcount", "clz", "ctz", "unsigned"];

/// How a variable is written: its name, in backquotes if it is not an expression that binds like one, and its number among
/// those of the same name.
pub(super) fn name(terms: &Terms, var: VarId) -> String {
    let name = terms.name(var);
    let mut text = match is_plain(name) {
        true => name.to_owned(),
        false => format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`")),
    };
    let symbol = terms.var(var).name;
    let earlier = (0..var.index()).filter(|&index| terms.var(VarId::new(index)).name == symbol).count();
    if earlier > 0 {
        text.push_str(&format!("'{}", earlier + 1));
    }
    text
}

/// Whether a name is like `x`, `*p`, `&x`, `a->b[3].c`, `N::x`, `f()`.
fn is_plain(name: &str) -> bool {
    let mut rest = name.trim_start_matches(['*', '&']);
    let Some(after) = after_identifier(rest) else { return false };
    if WORDS.contains(&name) || as_type(name).is_some() {
        return false;
    }
    rest = after;
    while !rest.is_empty() {
        let member = ["->", ".", "::"].into_iter().find_map(|mark| rest.strip_prefix(mark));
        let after = match (member, rest.strip_prefix('[')) {
            (Some(member), _) => after_identifier(member),
            (None, Some(index)) => {
                let index = index.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
                index.strip_prefix(']')
            }
            (None, None) => rest.strip_prefix("()"),
        };
        match after {
            Some(after) => rest = after,
            None => return false,
        }
    }
    true
}

fn after_identifier(text: &str) -> Option<&str> {
    let first = text.chars().next()?;
    (is_identifier(first) && !first.is_ascii_digit()).then(|| text.trim_start_matches(is_identifier))
}

/// Whether a character may be in an identifier.
pub(super) fn is_identifier(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

/// Sign and width, if a word is `intN_t` or `uintN_t`.
pub(super) fn as_type(word: &str) -> Option<(bool, u32)> {
    let (rest, signed) = match word.strip_prefix('u') {
        Some(rest) => (rest, false),
        None => (word, true),
    };
    let digits = rest.strip_prefix("int")?.strip_suffix("_t")?;
    let width = digits.parse().ok()?;
    (digits.bytes().all(|c| c.is_ascii_digit()) && (1..=128).contains(&width)).then_some((signed, width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_bind_like_one_need_no_quotes() {
        for plain in ["x", "*p", "**pp", "&x", "p->len", "a[3].b", "N::x", "f()", "buf[i]->next", "_t$1"] {
            assert!(is_plain(plain), "{plain}");
        }
        for odd in
            ["", "a + b", "3x", "true", "uint8_t", "p->", "a[", "x'2", "result of f", "`", "*", "unsigned"]
        {
            assert!(!is_plain(odd), "{odd}");
        }
        assert_eq!(
            (as_type("uint24_t"), as_type("int129_t"), as_type("int+8_t")),
            (Some((false, 24)), None, None)
        );
    }
}
