//! Values, sizes and lengths: everything that is written as a short word such as `arg0`, `arg0*arg1` or
//! `string<=arg2`.

use toml::{Table, Value};

use super::{count, shape, string, unknown};
use crate::error::Problem;
use crate::model::{Byte, Content, Len, Ret, Size};

/// What is known of the function's parameters, to check references to arguments.
pub(super) struct Signature {
    pub(super) params: Option<usize>,
    pub(super) variadic: bool,
}

impl Signature {
    /// The position in `arg3`; `None` if the text does not name an argument.
    pub(super) fn arg(&self, text: &str, place: &str) -> Result<Option<usize>, Problem> {
        let digits = text.strip_prefix("arg").filter(|it| it.bytes().all(|byte| byte.is_ascii_digit()));
        let Some(arg) = digits.and_then(|digits| digits.parse::<usize>().ok()) else { return Ok(None) };
        match self.params {
            Some(params) if arg >= params => {
                let place = if place == text { place.to_owned() } else { format!("{place} = {text}") };
                Err(Problem::NoSuchArgument { place, params })
            }
            _ => Ok(Some(arg)),
        }
    }

    /// The positions in `arg1*arg2`.
    fn product(&self, text: &str, place: &str) -> Result<Option<(usize, usize)>, Problem> {
        let Some((first, second)) = text.split_once('*') else { return Ok(None) };
        Ok(self.arg(first, place)?.zip(self.arg(second, place)?))
    }
}

/// A value, and the other one that `or` names.
pub(super) fn read_ret(
    value: &Value,
    place: &str,
    signature: &Signature,
) -> Result<(Ret, Option<Ret>), Problem> {
    let Value::Table(table) = value else { return Ok((read_word(value, place, signature)?, None)) };
    let or = table.get("or").map(|or| read_word(or, &format!("{place}.or"), signature)).transpose()?;
    Ok((read_table(table, place, signature)?, or))
}

/// A value that has no alternative.
pub(super) fn read_value(value: &Value, place: &str, signature: &Signature) -> Result<Ret, Problem> {
    match read_ret(value, place, signature)? {
        (ret, None) => Ok(ret),
        (_, Some(_)) => Err(Problem::Shape {
            place: place.to_owned(),
            found: value.to_string(),
            expected: "one value; write two cases instead of `or`",
        }),
    }
}

fn read_word(value: &Value, place: &str, signature: &Signature) -> Result<Ret, Problem> {
    const WORDS: &[&str] = &["any", "input", "null", "nonnull", "argN", "a number", "a table"];
    if let Value::Integer(number) = value {
        return Ok(Ret::Const(*number));
    }
    match string(value, place)? {
        "any" => Ok(Ret::Any),
        "input" => Ok(Ret::Input),
        "null" => Ok(Ret::Null),
        "nonnull" => Ok(Ret::NonNull),
        other => signature.arg(other, place)?.map(Ret::Arg).ok_or_else(|| unknown(other, place, WORDS)),
    }
}

/// One of the tables `{ is = … }`, `{ into = … }`, `{ length = … }`, `{ span = … }`, `{ range = … }` and `{ alloc = … }`.
fn read_table(table: &Table, place: &str, signature: &Signature) -> Result<Ret, Problem> {
    const KINDS: &[&str] = &["is", "into", "length", "span", "range", "alloc"];
    let missing = || Problem::Missing {
        key: "ret",
        hint: "its table needs one of `is`, `into`, `length`, `span`, `range`, `alloc`",
    };
    let kind = KINDS.iter().copied().find(|kind| table.contains_key(*kind)).ok_or_else(missing)?;
    let allowed: &[&str] = if kind == "alloc" { &["alloc", "size", "content", "or"] } else { &[kind, "or"] };
    if let Some(key) = table.keys().find(|key| !allowed.contains(&key.as_str())) {
        return Err(unknown(key, place, allowed));
    }
    let (value, place) = (&table[kind], format!("{place}.{kind}"));
    let arg = || {
        let text = string(value, &place)?;
        signature.arg(text, &place)?.ok_or_else(|| shape(value, &place, "an argument such as \"arg0\""))
    };
    match kind {
        "is" => read_word(value, &place, signature),
        "into" => arg().map(Ret::Into),
        "length" => arg().map(Ret::Length),
        "span" => arg().map(Ret::Span),
        "range" => read_range(value, &place, signature),
        _ => read_alloc(table, string(value, &place)?, signature),
    }
}

/// `[-1, 0]` or `[-1, "arg2"]`.
fn read_range(value: &Value, place: &str, signature: &Signature) -> Result<Ret, Problem> {
    let ret = match value.as_array().map(Vec::as_slice) {
        Some(&[Value::Integer(lo), Value::Integer(hi)]) if lo <= hi => Some(Ret::Range { lo, hi }),
        Some([Value::Integer(lo), Value::String(hi)]) => {
            signature.arg(hi, place)?.map(|arg| Ret::UpTo { lo: *lo, arg })
        }
        _ => None,
    };
    ret.ok_or_else(|| {
        shape(value, place, "the least and the greatest number, such as [-1, 0] or [0, \"arg2\"]")
    })
}

fn read_alloc(table: &Table, family: &str, signature: &Signature) -> Result<Ret, Problem> {
    let size = match table.get("size") {
        Some(size) => read_size(size, signature)?,
        None => {
            return Err(Problem::Missing {
                key: "size",
                hint: "write how large the new block is, or `size = \"unknown\"`",
            });
        }
    };
    let content = match table.get("content") {
        Some(content) => read_content(content, signature)?,
        None => Content::Uninit,
    };
    Ok(Ret::New { family: family.to_owned(), size, content })
}

fn read_size(value: &Value, signature: &Signature) -> Result<Size, Problem> {
    const PLACE: &str = "size";
    if value.is_integer() {
        return count(value, PLACE).map(Size::Const);
    }
    let text = string(value, PLACE)?;
    if text == "unknown" {
        return Ok(Size::Unknown);
    }
    if let Some(arg) = text.strip_prefix("string(").and_then(|text| text.strip_suffix(')')) {
        let arg = signature.arg(arg, PLACE)?;
        return arg.map(Size::StringOf).ok_or_else(|| unknown(text, PLACE, &["string(argN)"]));
    }
    if let Some((first, second)) = signature.product(text, PLACE)? {
        return Ok(Size::Product(first, second));
    }
    let arg = signature.arg(text, PLACE)?.map(Size::Arg);
    arg.ok_or_else(|| unknown(text, PLACE, &["a number", "argN", "argN*argM", "string(argN)", "unknown"]))
}

fn read_content(value: &Value, signature: &Signature) -> Result<Content, Problem> {
    match string(value, "content")? {
        "uninit" => Ok(Content::Uninit),
        "zero" => Ok(Content::Zeroed),
        "unknown" => Ok(Content::Unknown),
        "string" => Ok(Content::String),
        other => {
            let arg = signature.arg(other, "content")?.map(Content::From);
            arg.ok_or_else(|| unknown(other, "content", &["uninit", "zero", "unknown", "string", "argN"]))
        }
    }
}

/// A number of bytes.
pub(super) fn read_len(value: &Value, place: &str, signature: &Signature) -> Result<Len, Problem> {
    if value.is_integer() {
        return count(value, place).map(Len::Const);
    }
    let text = string(value, place)?;
    match text {
        "any" => return Ok(Len::Any),
        "string" => return Ok(Len::String),
        _ => {}
    }
    let known = ["a number", "argN", "argN*argM", "string", "string<=argN", "any", "any<=argN", "any<=99"];
    if let Some(max) = text.strip_prefix("any<=").and_then(|max| max.parse().ok()) {
        return Ok(Len::Within(max));
    }
    if let Some((kind, arg)) = text.split_once("<=") {
        let len = match (kind, signature.arg(arg, place)?) {
            ("string", Some(arg)) => Some(Len::StringMax(arg)),
            ("any", Some(arg)) => Some(Len::AnyMax(arg)),
            _ => None,
        };
        return len.ok_or_else(|| unknown(text, place, &known));
    }
    if let Some((first, second)) = signature.product(text, place)? {
        return Ok(Len::Product(first, second));
    }
    signature.arg(text, place)?.map(Len::Arg).ok_or_else(|| unknown(text, place, &known))
}

/// A byte to fill with.
pub(super) fn read_byte(value: &Value, place: &str, signature: &Signature) -> Result<Byte, Problem> {
    let expected = "a byte from 0 to 255 or an argument such as \"arg1\"";
    if let Value::Integer(number) = value {
        let byte = u8::try_from(*number).map_err(|_| shape(value, place, expected))?;
        return Ok(Byte::Const(byte));
    }
    let arg = signature.arg(string(value, place)?, place)?;
    arg.map(Byte::Arg).ok_or_else(|| shape(value, place, expected))
}
