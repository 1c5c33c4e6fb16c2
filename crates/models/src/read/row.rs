//! One `[[fn]]`: who it is about, and its cases.

use toml::{Table, Value};

use super::effect::{Effects, is_arg_key, read_effects};
use super::value::{Signature, read_ret};
use super::{Behavior, Like, Row, Whose, boolean, count, shape, string, strings, tables, unknown};
use crate::error::Problem;
use crate::model::{Case, Habits, NoReturn, Ret, Test};
use crate::prototype::Prototype;

/// The keys of a row besides those for arguments.
const KEYS: &[&str] = &[
    "proto",
    "name",
    "names",
    "cite",
    "like",
    "args",
    "nonnull-return",
    "params",
    "noreturn",
    "pure",
    "others",
    "again",
    "runs",
    "ret",
    "case",
    "argN",
    "rest",
];
/// What identifies a function and where its behavior is written, in rows of all kinds.
const HEAD_KEYS: &[&str] = &["proto", "name", "names", "cite", "params"];
/// The older spelling of `nonnull-return`.
const NONNULL: &str = "nonnull";
const CASE_KEYS: &[&str] = &["when", "label", "ret", "argN", "rest"];

/// Reads a row; a mistake comes with the function it is about.
pub(super) fn read(table: &Table, number: usize, whose: Whose) -> Result<Row, (String, Problem)> {
    let (names, prototypes) = read_names(table, number).map_err(|problem| (subject(table), problem))?;
    let subject = names[0].0.clone();
    read_named(table, number, names, &prototypes, whose).map_err(|problem| (subject, problem))
}

/// What a row is called that does not even have proper names.
fn subject(table: &Table) -> String {
    let first = |key| table.get(key).and_then(|it| it.as_str().or_else(|| it.as_array()?.first()?.as_str()));
    ["name", "names", "proto"].into_iter().find_map(first).unwrap_or_default().to_owned()
}

type Names = Vec<(String, Option<String>)>;

/// The names of a row, at least one.
fn read_names(table: &Table, number: usize) -> Result<(Names, Vec<Prototype>), Problem> {
    let list = |key| match table.get(key) {
        None => Ok(Vec::new()),
        Some(Value::String(one)) => Ok(vec![one.as_str()]),
        Some(several) => strings(several, key),
    };
    let (mut names, mut prototypes) = (Vec::new(), Vec::new());
    for text in list("proto")? {
        let prototype = Prototype::parse(text).ok_or_else(|| Problem::Prototype(text.to_owned()))?;
        names.push((prototype.name.clone(), Some(text.to_owned())));
        prototypes.push(prototype);
    }
    let one = table.get("name").map(|name| string(name, "name")).transpose()?;
    names.extend(one.into_iter().chain(list("names")?).map(|name| (name.to_owned(), None)));
    if names.is_empty() {
        return Err(Problem::Nameless { row: number + 1 });
    }
    Ok((names, prototypes))
}

fn read_named(
    table: &Table,
    number: usize,
    names: Names,
    prototypes: &[Prototype],
    whose: Whose,
) -> Result<Row, Problem> {
    let is_known = |key: &str| KEYS.contains(&key) || key == NONNULL || is_arg_key(key);
    if let Some(key) = table.keys().find(|key| !is_known(key)) {
        return Err(unknown(key, "fn", KEYS));
    }
    let cite = match table.get("cite") {
        Some(cite) => string(cite, "cite")?.to_owned(),
        None => String::new(),
    };
    if whose == Whose::Ours && cite.trim().is_empty() {
        return Err(Problem::Missing {
            key: "cite",
            hint: "write where the behavior is specified, such as \"C17 7.22.3.4\"",
        });
    }
    let signature = read_signature(table, prototypes)?;
    let nonnull = read_nonnull(table)?;
    let says_more = table.keys().any(|key| !HEAD_KEYS.contains(&key.as_str()) && !is_nonnull_key(key));
    let behavior = match table.get("like") {
        Some(target) => Behavior::Like(read_like(table, string(target, "like")?, nonnull)?),
        None if nonnull && !says_more => Behavior::NonNullReturn,
        // An unfinished row should not silence a function.
        None if whose == Whose::Users && prototypes.is_empty() && !says_more => {
            return Err(Problem::Missing {
                key: "like",
                hint: "the row says nothing of the function; write `like = \"malloc\"`, `nonnull-return = true`, \
                       `noreturn = \"abort\"`, or what it does in `arg0`, `ret` and so on",
            });
        }
        None => read_own(table, prototypes, &signature)?,
    };
    Ok(Row { number, names, cite, params: signature.params, variadic: signature.variadic, behavior })
}

fn is_nonnull_key(key: &str) -> bool {
    key == "nonnull-return" || key == NONNULL
}

fn read_nonnull(table: &Table) -> Result<bool, Problem> {
    let mut keys = table.iter().filter(|(key, _)| is_nonnull_key(key));
    keys.try_fold(false, |nonnull, (key, value)| Ok(nonnull | boolean(value, key)?))
}

/// All prototypes of a row have the same shape, because its effects are about all of them.
fn read_signature(table: &Table, prototypes: &[Prototype]) -> Result<Signature, Problem> {
    let stated = table.get("params").map(|value| count(value, "params")).transpose()?.map(|n| n as usize);
    let Some(first) = prototypes.first() else {
        return Ok(Signature { params: stated, variadic: false });
    };
    let same = |it: &&Prototype| {
        (&it.pointers, it.variadic, it.is_void) == (&first.pointers, first.variadic, first.is_void)
    };
    if let Some(odd) = prototypes.iter().find(|it| !same(it)) {
        return Err(Problem::Uneven { first: first.name.clone(), odd: odd.name.clone() });
    }
    Ok(Signature { params: Some(first.pointers.len()), variadic: first.variadic })
}

fn read_like(table: &Table, target: &str, nonnull: bool) -> Result<Like, Problem> {
    const ALLOWED: &[&str] = &["proto", "name", "names", "cite", "like", "args", "nonnull-return", "params"];
    if let Some(key) = table.keys().find(|key| !ALLOWED.contains(&key.as_str()) && *key != NONNULL) {
        return Err(unknown(key, "a row with `like`", ALLOWED));
    }
    let args = match table.get("args") {
        None => None,
        Some(Value::Array(list)) => {
            Some(list.iter().map(|it| Ok(count(it, "args")? as usize)).collect::<Result<_, _>>()?)
        }
        Some(other) => return Err(shape(other, "args", "a list of argument positions, such as [1]")),
    };
    Ok(Like { target: target.to_owned(), args, nonnull })
}

fn read_own(table: &Table, prototypes: &[Prototype], signature: &Signature) -> Result<Behavior, Problem> {
    if table.keys().any(|key| key == "args" || is_nonnull_key(key)) {
        return Err(Problem::Missing {
            key: "like",
            hint: "`args` and `nonnull-return` change what another function is said to do, or `nonnull-return` stands alone",
        });
    }
    let noreturn = table.get("noreturn").map(read_noreturn).transpose()?;
    let is_set = |key| table.get(key).map_or(Ok(false), |value| boolean(value, key));
    let habits = Habits {
        pure: is_set("pure")?,
        others: is_set("others")?,
        again: is_set("again")?,
        runs: table.get("runs").map(|value| count(value, "runs")).transpose()?.map(|it| it as usize),
    };
    let shared = read_effects(table, signature)?;
    let is_void = prototypes.first().is_none_or(|it| it.is_void) || noreturn.is_some();
    let mut said = shared.said.clone();
    let cases = match table.get("case") {
        None => alternatives(table, Vec::new(), &shared, None, is_void, signature)?,
        Some(list) => {
            let mut cases = Vec::new();
            for case in tables(list, "case")? {
                let own = read_effects(case, signature)?;
                said.extend(&own.said);
                cases.extend(read_case(case, table, &shared, own, is_void, signature)?);
            }
            cases
        }
    };
    if cases.is_empty() {
        return Err(Problem::Missing {
            key: "case",
            hint: "an empty list of cases says that the function cannot be called at all",
        });
    }
    let pointers = prototypes.first().map_or(&[][..], |it| &it.pointers);
    match (0..pointers.len()).find(|arg| pointers[*arg] && !said.contains(arg)) {
        Some(arg) => Err(Problem::Silent(arg)),
        None => Ok(Behavior::Own { cases, noreturn, habits }),
    }
}

fn read_noreturn(value: &Value) -> Result<NoReturn, Problem> {
    match string(value, "noreturn")? {
        "exit" => Ok(NoReturn::Exit),
        "abort" => Ok(NoReturn::Abort),
        "assert" => Ok(NoReturn::AssertFailure),
        "jump" => Ok(NoReturn::Jump),
        other => Err(unknown(other, "noreturn", &["exit", "abort", "assert", "jump"])),
    }
}

/// A `[[fn.case]]`: its own effects after those of the row, its own `ret` instead of that of the row.
fn read_case(
    case: &Table,
    row: &Table,
    shared: &Effects,
    own: Effects,
    is_void: bool,
    signature: &Signature,
) -> Result<Vec<Case>, Problem> {
    if let Some(key) = case.keys().find(|key| !CASE_KEYS.contains(&key.as_str()) && !is_arg_key(key)) {
        return Err(unknown(key, "case", CASE_KEYS));
    }
    let tests = case.get("when").map_or(Ok(Vec::new()), |it| strings(it, "when"))?;
    let when = tests.into_iter().map(|text| read_test(text, signature)).collect::<Result<_, _>>()?;
    let label = case.get("label").map(|it| string(it, "label")).transpose()?;
    let effects = Effects { list: [shared.list.clone(), own.list].concat(), said: own.said };
    let source = if case.contains_key("ret") { case } else { row };
    alternatives(source, when, &effects, label, is_void, signature)
}

/// The case with what `ret` says and, if it has an `or`, the other one.
fn alternatives(
    source: &Table,
    when: Vec<Test>,
    effects: &Effects,
    label: Option<&str>,
    is_void: bool,
    signature: &Signature,
) -> Result<Vec<Case>, Problem> {
    let (ret, or) = match source.get("ret") {
        Some(value) => read_ret(value, "ret", signature)?,
        None if is_void => (Ret::Nothing, None),
        None => {
            return Err(Problem::Missing {
                key: "ret",
                hint: "the function returns a value; write which, or `ret = \"any\"`",
            });
        }
    };
    let case = |ret: Ret, label: &str| Case {
        when: when.clone(),
        effects: effects.list.clone(),
        ret,
        label: label.to_owned(),
    };
    let other = or.map(|or| {
        let word = match (&ret, &or) {
            (Ret::New { .. }, Ret::Null) => "fails",
            (_, Ret::Null) => "returns null",
            _ => "fails",
        };
        case(or, word)
    });
    Ok([case(ret, label.unwrap_or_default())].into_iter().chain(other).collect())
}

/// `arg0 == 0` or `arg0 != 0`.
fn read_test(text: &str, signature: &Signature) -> Result<Test, Problem> {
    let (arg, test): (&str, fn(usize) -> Test) =
        match (text.strip_suffix(" == 0"), text.strip_suffix(" != 0")) {
            (Some(arg), _) => (arg, Test::Zero),
            (_, Some(arg)) => (arg, Test::NonZero),
            _ => return Err(unknown(text, "when", &["argN == 0", "argN != 0"])),
        };
    signature.arg(arg, "when")?.map(test).ok_or_else(|| unknown(text, "when", &["argN == 0", "argN != 0"]))
}
