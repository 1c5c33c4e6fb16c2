//! What is done with arguments: the tables `arg0 = { … }` and `rest = { … }`.

use toml::{Table, Value};

use super::value::{Signature, read_byte, read_len, read_value};
use super::{boolean, count, shape, string, unknown};
use crate::error::Problem;
use crate::model::{Arg, Data, Effect, FormatStyle, Len, What};

/// The steps of a row or case, and the arguments that it speaks of, be it only to say that they are untouched.
#[derive(Clone, Default)]
pub(super) struct Effects {
    pub(super) list: Vec<Effect>,
    pub(super) said: Vec<usize>,
}

/// All effects, in the order in which those of one argument happen: what is read before what is written, frees last.
const EFFECTS: &[&str] = &[
    "reads",
    "takes",
    "uses",
    "writes",
    "input",
    "havoc",
    "fill",
    "copy",
    "freeable",
    "freeable_behind",
    "frees",
    "frees_behind",
    "out",
    "keeps",
    "output",
    "format",
];

/// Whether a key of a row is about arguments.
pub(super) fn is_arg_key(key: &str) -> bool {
    let digits = key.strip_prefix("arg").filter(|digits| !digits.is_empty());
    key == "rest" || digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The effects of a row or case, argument by argument. Accesses of all arguments come first: a function checks what it is given
/// before it frees or keeps anything.
pub(super) fn read_effects(table: &Table, signature: &Signature) -> Result<Effects, Problem> {
    let mut effects = Effects::default();
    for (key, value) in table.iter().filter(|(key, _)| is_arg_key(key)) {
        let arg = if key == "rest" { read_rest(key, signature)? } else { read_position(key, signature)? };
        if let Arg::At(position) = arg {
            effects.said.push(position);
        }
        if value.as_str() != Some("untouched") {
            let expected = "a table of effects or \"untouched\"";
            let table = value.as_table().ok_or_else(|| shape(value, key, expected))?;
            effects.list.extend(read_arg(arg, table, key, signature)?);
        }
    }
    effects.list.sort_by_key(|effect| (!matches!(effect.what, What::Access { .. }), effect.arg));
    Ok(effects)
}

fn read_rest(key: &str, signature: &Signature) -> Result<Arg, Problem> {
    match signature.params {
        Some(params) if !signature.variadic => Err(Problem::NoSuchArgument { place: key.to_owned(), params }),
        _ => Ok(Arg::Rest),
    }
}

fn read_position(key: &str, signature: &Signature) -> Result<Arg, Problem> {
    let position = signature.arg(key, key)?;
    position.map(Arg::At).ok_or_else(|| unknown(key, "fn", &["arg0", "arg1", "…"]))
}

fn read_arg(arg: Arg, table: &Table, place: &str, signature: &Signature) -> Result<Vec<Effect>, Problem> {
    if let Some(key) = table.keys().find(|key| *key != "null_ok" && !EFFECTS.contains(&key.as_str())) {
        return Err(unknown(key, place, EFFECTS));
    }
    let null_ok = table.get("null_ok").map_or(Ok(false), |it| boolean(it, &format!("{place}.null_ok")))?;
    let mut effects = Vec::new();
    for &key in EFFECTS {
        if let Some(value) = table.get(key) {
            let steps = read_steps(key, value, &format!("{place}.{key}"), signature)?;
            // A buffer that is to be replaced may not be there yet.
            let is_behind = |what: &What| {
                matches!(what, What::Free { behind: true, .. } | What::Freeable { behind: true, .. })
            };
            let tolerant = |what: &What| null_ok || is_behind(what);
            effects.extend(steps.into_iter().map(|what| Effect { arg, null_ok: tolerant(&what), what }));
        }
    }
    Ok(effects)
}

/// The steps that one effect of a file stands for.
fn read_steps(key: &str, value: &Value, place: &str, signature: &Signature) -> Result<Vec<What>, Problem> {
    let len = || read_len(value, place, signature);
    let access = |len, read, write, defined| What::Access { read, write, len, defined };
    let overwritten = |len, data| vec![access(len, false, true, false), What::Havoc { len, data }];
    Ok(match key {
        "reads" => vec![access(len()?, true, false, true)],
        "takes" => vec![access(len()?, true, false, false)],
        "uses" => vec![access(len()?, true, true, false)],
        "writes" => overwritten(len()?, Data::Unknown),
        "input" => overwritten(len()?, Data::Input),
        "havoc" => vec![What::Havoc { len: len()?, data: Data::Unknown }],
        "fill" => vec![read_fill(value, place, signature)?],
        "copy" => vec![read_copy(value, place, signature)?],
        "frees" => vec![What::Free { family: string(value, place)?.to_owned(), behind: false }],
        "freeable" => vec![What::Freeable { family: string(value, place)?.to_owned(), behind: false }],
        // The pointer that is freed is read first.
        "frees_behind" => {
            let free = What::Free { family: string(value, place)?.to_owned(), behind: true };
            vec![access(Len::Const(8), true, false, true), free]
        }
        "freeable_behind" => {
            let freeable = What::Freeable { family: string(value, place)?.to_owned(), behind: true };
            vec![access(Len::Const(8), true, false, true), freeable]
        }
        "out" => vec![read_out(value, place, signature)?],
        "keeps" => flag(value, place)?.map(|()| What::Escape).into_iter().collect(),
        "output" => flag(value, place)?.map(|()| What::Output).into_iter().collect(),
        _ => vec![access(Len::String, true, false, true), read_format(value, place)?],
    })
}

/// `true`; writing `false` is saying nothing.
fn flag(value: &Value, place: &str) -> Result<Option<()>, Problem> {
    Ok(boolean(value, place)?.then_some(()))
}

fn part<'a>(value: &'a Value, place: &str, keys: &[&str], key: &'static str) -> Result<&'a Value, Problem> {
    let table = value.as_table().ok_or_else(|| shape(value, place, "a table"))?;
    if let Some(key) = table.keys().find(|key| !keys.contains(&key.as_str())) {
        return Err(unknown(key, place, keys));
    }
    table.get(key).ok_or(Problem::Missing { key, hint: "`fill`, `copy` and `out` need all their parts" })
}

/// `fill = { byte = "arg1", len = "arg2" }`.
fn read_fill(value: &Value, place: &str, signature: &Signature) -> Result<What, Problem> {
    const KEYS: &[&str] = &["byte", "len"];
    let byte = read_byte(part(value, place, KEYS, "byte")?, place, signature)?;
    let len = read_len(part(value, place, KEYS, "len")?, place, signature)?;
    Ok(What::Fill { byte, len })
}

/// `copy = { from = "arg1", len = "arg2" }`, with `overlap = true` where that is allowed.
fn read_copy(value: &Value, place: &str, signature: &Signature) -> Result<What, Problem> {
    const KEYS: &[&str] = &["from", "len", "overlap"];
    let from = part(value, place, KEYS, "from")?;
    let src = signature.arg(string(from, place)?, place)?;
    let src = src.ok_or_else(|| shape(from, place, "an argument such as \"arg1\""))?;
    let len = read_len(part(value, place, KEYS, "len")?, place, signature)?;
    let overlap = value.get("overlap").map_or(Ok(false), |it| boolean(it, place))?;
    Ok(What::Copy { src, len, overlap })
}

/// `out = { value = …, bytes = 8 }`.
fn read_out(value: &Value, place: &str, signature: &Signature) -> Result<What, Problem> {
    const KEYS: &[&str] = &["value", "bytes"];
    let bytes = part(value, place, KEYS, "bytes")?;
    let bytes = match count(bytes, place)? {
        n @ 1..=64 => n as u32,
        _ => return Err(shape(bytes, place, "a size from 1 to 64 bytes")),
    };
    Ok(What::Write { value: read_value(part(value, place, KEYS, "value")?, place, signature)?, bytes })
}

fn read_format(value: &Value, place: &str) -> Result<What, Problem> {
    let style = match string(value, place)? {
        "printf" => FormatStyle::Printf,
        "scanf" => FormatStyle::Scanf,
        other => return Err(unknown(other, place, &["printf", "scanf"])),
    };
    Ok(What::Format { style })
}
