//! Which functions are called, with which arguments: the data file `calls.toml` read against the models.
//!
//! What is passed follows from the type of a parameter; a function for which that makes no sense has rows of its own. Null is added
//! wherever the model says that it may be passed.

use std::collections::{BTreeMap, BTreeSet};

use models::{Arg, Library, Model, Test};
use toml::{Table, Value};

use crate::signature::{Signature, is_pointer};

/// At most so many calls of one function are drawn from the pools of its parameters.
const MAX_CALLS: usize = 12;

/// What is passed for one parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The null pointer.
    Null,
    /// An area that nothing was written to.
    Buffer,
    /// A text and its NUL.
    Text(String),
    /// The name of a file; the process gets a directory of its own.
    Path(String),
    /// So many bytes with content.
    Data(usize),
    /// An area that a statement initializes, in which `$` is the pointer.
    Object(String),
    /// An expression in C.
    Code(String),
}

impl Choice {
    /// Whether it is a pointer to bytes whose changes are seen.
    pub(crate) fn is_area(&self) -> bool {
        !matches!(self, Choice::Null | Choice::Code(_))
    }
}

/// A function that is called.
pub(crate) struct Run<'a> {
    pub(crate) model: &'a Model,
    pub(crate) signature: Signature,
    /// A statement that comes first.
    pub(crate) before: String,
    pub(crate) calls: Vec<Vec<Choice>>,
}

/// What becomes of every model.
pub(crate) struct Plan<'a> {
    pub(crate) runs: Vec<Run<'a>>,
    /// Names that stand for a function of the same row, with that function.
    pub(crate) aliases: BTreeMap<String, String>,
    /// Functions that are not called, with the reason.
    pub(crate) excused: BTreeMap<String, String>,
    /// Functions whose models do not say all on purpose, with the complaint that is expected. Why is said in the file.
    pub(crate) departures: BTreeMap<String, String>,
    /// What is wrong with the data file.
    pub(crate) mistakes: Vec<String>,
}

/// The headers that the program includes: all that the facts name.
pub(crate) fn headers() -> BTreeSet<String> {
    let tables = models::facts().into_iter().map(|it| it.text.parse::<Table>().expect("the facts are TOML"));
    let lists = tables.filter_map(|it| it.get("headers").and_then(Value::as_array).cloned());
    lists.flatten().map(|it| it.as_str().expect("a header's name").to_owned()).collect()
}

impl<'a> Plan<'a> {
    /// Reads the data file.
    pub(crate) fn new(library: &'a Library, text: &str) -> Plan<'a> {
        let data: Table = text.parse().unwrap_or_else(|error| panic!("calls.toml: {error}"));
        let table = |key: &str| data.get(key).and_then(Value::as_table).cloned().unwrap_or_default();
        let (types, own) = (table("types"), table("fn"));
        let mut plan = Plan {
            runs: Vec::new(),
            aliases: BTreeMap::new(),
            excused: texts(&data, "excused", "reason", "names"),
            departures: texts(&data, "departure", "complaint", "names"),
            mistakes: Vec::new(),
        };
        let files = texts(&data, "excused", "reason", "files");
        for model in library.models() {
            let row = own.get(&model.name).and_then(Value::as_table);
            let file = model.file.rsplit('/').next().unwrap_or_default();
            let by_file = files.get(file).filter(|_| row.is_none());
            match (by_file, &model.prototype) {
                (Some(reason), _) => {
                    plan.excused.insert(model.name.clone(), reason.clone());
                }
                _ if plan.excused.contains_key(&model.name) => {}
                (None, Some(prototype)) => plan.add(model, prototype, &types, row),
                (None, None) => plan.add_alias(library, model),
            }
        }
        let known = |name: &&String| library.lookup(name).is_none();
        let strangers = plan.excused.keys().chain(plan.departures.keys()).chain(own.keys()).filter(known);
        let strangers: Vec<String> = strangers.map(|it| format!("`{it}` has no model")).collect();
        plan.mistakes.extend(strangers);
        plan
    }

    fn add(&mut self, model: &'a Model, prototype: &str, types: &Table, row: Option<&Table>) {
        let signature = Signature::parse(prototype, &model.name);
        let empty = Table::new();
        let row = row.unwrap_or(&empty);
        let before = row.get("before").and_then(Value::as_str).unwrap_or_default().to_owned();
        let calls = match row.get("calls") {
            Some(list) => lists(list),
            None => match pools(&signature, types, row) {
                Ok(pools) => draw(&pools),
                Err(ty) => {
                    self.mistakes.push(format!(
                        "`{}` is neither called nor excused: nothing is known to pass for `{ty}`",
                        model.name
                    ));
                    return;
                }
            },
        };
        let mut calls = calls;
        if row.get("nulls").and_then(Value::as_bool) != Some(false) {
            let nulls: Vec<_> =
                nullable(model, &signature).filter_map(|arg| with_null(calls.first()?, arg)).collect();
            calls.extend(nulls);
        }
        self.runs.push(Run { model, signature, before, calls });
    }

    /// A name without a prototype belongs to a row with one.
    fn add_alias(&mut self, library: &Library, model: &Model) {
        let same = |it: &&Model| {
            it.prototype.is_some()
                && (&it.file, &it.cite, &it.cases) == (&model.file, &model.cite, &model.cases)
        };
        match library.models().find(same) {
            Some(other) if self.excused.contains_key(&other.name) => {
                let reason = self.excused[&other.name].clone();
                self.excused.insert(model.name.clone(), reason);
            }
            Some(other) => {
                self.aliases.insert(model.name.clone(), other.name.clone());
            }
            None => {
                self.mistakes.push(format!("`{}` is neither called nor excused: no prototype", model.name))
            }
        }
    }
}

/// From each name in the list of a table `[[key]]` to the text that the table gives.
fn texts(data: &Table, key: &str, text: &str, list: &str) -> BTreeMap<String, String> {
    let tables = data.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let mut texts = BTreeMap::new();
    for table in &tables {
        assert!(table.get("reason").is_some(), "calls.toml: a table `[[{key}]]` gives no reason");
        let text = table.get(text).and_then(Value::as_str).expect("a text is given");
        for name in table.get(list).and_then(Value::as_array).into_iter().flatten() {
            texts.insert(name.as_str().expect("a name").to_owned(), text.to_owned());
        }
    }
    texts
}

fn lists(value: &Value) -> Vec<Vec<Choice>> {
    let list = |it: &Value| it.as_array().expect("a list of calls").iter().map(choice).collect();
    value.as_array().expect("a list of calls").iter().map(list).collect()
}

fn choice(value: &Value) -> Choice {
    if let Some(number) = value.as_integer() {
        return Choice::Code(number.to_string());
    }
    let text = value.as_str().expect("a choice is a number or a text");
    let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
    match kind {
        "null" => Choice::Null,
        "buffer" => Choice::Buffer,
        "text" => Choice::Text(rest.to_owned()),
        "path" => Choice::Path(rest.to_owned()),
        "data" => Choice::Data(rest.parse().expect("a number of bytes")),
        "object" => Choice::Object(rest.to_owned()),
        "c" => Choice::Code(rest.to_owned()),
        _ => panic!("calls.toml: `{text}` is no choice"),
    }
}

/// The choices for each parameter; or the type for which there are none.
fn pools(signature: &Signature, types: &Table, row: &Table) -> Result<Vec<Vec<Choice>>, String> {
    let pool = |(at, ty): (usize, &String)| {
        // A parameter's name often tells more than its type: `int fd`, `const char *path`.
        let by_type = || types.get(&signature.written[at]).or_else(|| types.get(ty));
        let pool =
            row.get(&format!("arg{at}")).or_else(by_type).ok_or_else(|| signature.written[at].clone())?;
        Ok(pool.as_array().expect("a list of choices").iter().map(choice).collect())
    };
    signature.fixed().iter().enumerate().map(pool).collect()
}

/// All combinations, or some of them where they are many.
fn draw(pools: &[Vec<Choice>]) -> Vec<Vec<Choice>> {
    let all: usize = pools.iter().map(Vec::len).product();
    let picked = (0..all.min(MAX_CALLS)).map(|call| {
        // A stride that has no factor in common with a number of combinations meets each of them once.
        let mut rest = if all <= MAX_CALLS { call } else { call * 7919 % all };
        let pick = |pool: &Vec<Choice>| {
            let at = rest % pool.len();
            rest /= pool.len();
            pool[at].clone()
        };
        pools.iter().map(pick).collect()
    });
    picked.collect()
}

/// The pointers that may be null according to the model.
fn nullable<'a>(model: &'a Model, signature: &'a Signature) -> impl Iterator<Item = usize> + 'a {
    let tolerant = |arg: usize| {
        let mut effects =
            model.cases.iter().flat_map(|it| &it.effects).filter(|it| it.arg == Arg::At(arg)).peekable();
        effects.peek().is_some() && effects.all(|it| it.null_ok)
    };
    let tested = |arg: usize| model.cases.iter().any(|it| it.when.contains(&Test::Zero(arg)));
    let pointers = (0..signature.params.len()).filter(|arg| is_pointer(&signature.params[*arg]));
    pointers.filter(move |arg| tolerant(*arg) || tested(*arg))
}

fn with_null(call: &[Choice], arg: usize) -> Option<Vec<Choice>> {
    let mut call = call.to_vec();
    *call.get_mut(arg)? = Choice::Null;
    Some(call)
}
