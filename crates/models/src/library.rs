//! The loader: files of models in, a [`Library`] out.
//!
//! The order of the tiers is written here and nowhere else: a user's row hides a fact of the same name, and two rows of one tier for the
//! same name are a mistake. C bodies and attributes come after, when [`Library::lookup`] knows nothing.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::embedded::facts;
use crate::error::{Error, Problem, nearest};
use crate::family::Family;
use crate::locate;
use crate::model::{Arg, Byte, Case, Content, Effect, Habits, Len, Model, Ret, Size, Test, What};
use crate::read::{At, Behavior, File, Like, Row, Whose, read_file};

/// A file of models, handed in as text: the core reads no files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its name, for messages.
    pub file: String,
    /// Its text, in TOML.
    pub text: String,
    /// Keys at the top of the file that are for somebody else, such as the options of a run in `indict.toml`.
    pub settings: &'static [&'static str],
}

/// All models that are known by name, and the allocation families.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    models: BTreeMap<String, Model>,
    families: BTreeMap<String, Family>,
    /// Names of the user's models, which win over bodies.
    users: BTreeSet<String>,
    /// Functions of which the user says that they never return null, with the file.
    nonnull: BTreeMap<String, String>,
}

impl Library {
    /// The facts that are part of the program.
    pub fn standard() -> Library {
        Library::new(&[])
            .expect("invariant: the embedded facts have no mistakes, as the tests of this crate check")
    }

    /// The user's files before the facts that are part of the program; or all mistakes in them, in order of the files.
    pub fn new(user: &[Source]) -> Result<Library, Vec<Error>> {
        let mut loader = Loader::default();
        loader.add_tier(user, Whose::Users);
        let facts = facts();
        loader.add_tier(&facts, Whose::Ours);
        loader.finish()
    }

    /// The model of the function with that linker name.
    pub fn lookup(&self, name: &str) -> Option<&Model> {
        self.models.get(name)
    }

    /// The model that the user gives for a function. It holds even if the function has a body, which may be one that cannot be
    /// analyzed, or should not be.
    pub fn users(&self, name: &str) -> Option<&Model> {
        self.models.get(name).filter(|_| self.users.contains(name))
    }

    /// Whether the user promises that the function, whatever else is known of it, never returns null.
    pub fn never_returns_null(&self, name: &str) -> bool {
        self.nonnull.contains_key(name)
    }

    /// The functions that the user's files speak of, with the file, ordered by name.
    pub fn named_by_user(&self) -> BTreeMap<&str, &str> {
        let models =
            self.users.iter().filter_map(|name| Some((name.as_str(), self.models.get(name)?.file.as_str())));
        models.chain(self.nonnull.iter().map(|(name, file)| (name.as_str(), file.as_str()))).collect()
    }

    /// All models, ordered by name.
    pub fn models(&self) -> impl Iterator<Item = &Model> {
        self.models.values()
    }

    /// The allocation family of that name. For each family that a model names there is one.
    pub fn family(&self, name: &str) -> Option<&Family> {
        self.families.get(name)
    }

    /// All families, ordered by name.
    pub fn families(&self) -> impl Iterator<Item = &Family> {
        self.families.values()
    }
}

/// A row on its way into the library.
struct Loaded<'s> {
    source: &'s Source,
    whose: Whose,
    row: Row,
    prototype: Option<String>,
}

#[derive(Default)]
struct Loader<'s> {
    rows: BTreeMap<String, Loaded<'s>>,
    families: BTreeMap<String, (Whose, &'s Source, Family)>,
    nonnull: BTreeMap<String, String>,
    mistakes: Vec<Error>,
}

impl<'s> Loader<'s> {
    fn add_tier(&mut self, sources: &'s [Source], whose: Whose) {
        for source in sources {
            let File { rows, families, mistakes } = read_file(&source.text, whose, source.settings);
            let located = mistakes.into_iter().map(|it| error(source, it.at, &it.subject, it.problem));
            self.mistakes.extend(located);
            for (number, family) in families {
                self.add_family(source, whose, number, family);
            }
            for row in rows {
                self.add_row(source, whose, row);
            }
        }
    }

    fn add_row(&mut self, source: &'s Source, whose: Whose, row: Row) {
        for (name, prototype) in &row.names {
            // An earlier tier wins; in the same one it is a mistake.
            let known = self.rows.get(name).filter(|it| it.whose == whose).map(|it| &it.source.file);
            let promised = self.nonnull.get(name).filter(|_| whose == Whose::Users);
            if let Some(first) = known.or(promised).cloned() {
                self.mistakes.push(error(source, At::Fn(row.number), name, Problem::Duplicate { first }));
                continue;
            }
            if matches!(row.behavior, Behavior::NonNullReturn) {
                self.nonnull.insert(name.clone(), source.file.clone());
                continue;
            }
            let prototype = prototype.clone();
            self.rows.entry(name.clone()).or_insert(Loaded { source, whose, row: row.clone(), prototype });
        }
    }

    fn add_family(&mut self, source: &'s Source, whose: Whose, number: usize, family: Family) {
        match self.families.entry(family.name.clone()) {
            Entry::Vacant(entry) => {
                entry.insert((whose, source, family));
            }
            Entry::Occupied(entry) if entry.get().0 == whose => {
                let first = entry.get().1.file.clone();
                let problem = Problem::Duplicate { first };
                self.mistakes.push(error(source, At::Family(number), &family.name, problem));
            }
            Entry::Occupied(_) => {}
        }
    }

    fn finish(mut self) -> Result<Library, Vec<Error>> {
        let mut models = BTreeMap::new();
        for (name, loaded) in &self.rows {
            match self.model(name, loaded) {
                Ok(model) => {
                    models.insert(name.clone(), model);
                }
                Err(problem) => {
                    let at = At::Fn(loaded.row.number);
                    self.mistakes.push(error(loaded.source, at, name, problem));
                }
            }
        }
        if !self.mistakes.is_empty() {
            return Err(self.mistakes);
        }
        let users = self.rows.iter().filter(|(_, loaded)| loaded.whose == Whose::Users);
        let users = users.map(|(name, _)| name.clone()).collect();
        let mut families: BTreeMap<_, _> =
            self.families.into_iter().map(|(name, (_, _, family))| (name, family)).collect();
        for model in models.values() {
            for name in freed(model) {
                let family =
                    families.get_mut(name).expect("invariant: every family that a model names is defined");
                family.deallocators.push(model.name.clone());
            }
        }
        Ok(Library { models, families, users, nonnull: self.nonnull })
    }

    fn model(&self, name: &str, loaded: &Loaded<'_>) -> Result<Model, Problem> {
        let cases = self.cases(name, &loaded.row, &mut Vec::new())?;
        for family in named_families(&cases) {
            if !self.families.contains_key(family) {
                return Err(Problem::NoSuchFamily(family.to_owned()));
            }
        }
        let row = &loaded.row;
        Ok(Model {
            name: name.to_owned(),
            prototype: loaded.prototype.clone(),
            cite: row.cite.clone(),
            file: loaded.source.file.clone(),
            params: row.params,
            variadic: row.variadic,
            noreturn: self.noreturn(row),
            habits: self.habits(row),
            cases,
        })
    }

    /// The cases of a row, through as many `like` as there are. `path` holds the targets met so far.
    fn cases(&self, name: &str, row: &Row, path: &mut Vec<String>) -> Result<Vec<Case>, Problem> {
        let like = match &row.behavior {
            Behavior::Own { cases, .. } => return Ok(cases.clone()),
            Behavior::Like(like) => like,
            Behavior::NonNullReturn => unreachable!("invariant: promises are no rows of the library"),
        };
        let no_such_like = || {
            let near = nearest(&like.target, self.rows.keys().map(String::as_str).filter(|it| *it != name));
            Problem::NoSuchLike { name: like.target.clone(), near }
        };
        let target = self.rows.get(&like.target).ok_or_else(no_such_like)?;
        if like.target == name || path.contains(&like.target) {
            return Err(Problem::CyclicLike(like.target.clone()));
        }
        path.push(like.target.clone());
        let mut cases = self.cases(name, &target.row, path)?;
        if like.nonnull {
            cases.retain(|case| case.ret != Ret::Null);
        }
        if cases.is_empty() {
            return Err(Problem::NothingLeft(like.target.clone()));
        }
        cases.iter_mut().try_for_each(|case| renumber(case, like))?;
        Ok(cases)
    }

    /// How a path ends in the function; asked after [`Loader::cases`] has followed every `like`.
    fn noreturn(&self, row: &Row) -> Option<crate::model::NoReturn> {
        match &row.behavior {
            Behavior::Own { noreturn, .. } => *noreturn,
            Behavior::Like(like) => self.rows.get(&like.target).and_then(|target| self.noreturn(&target.row)),
            Behavior::NonNullReturn => None,
        }
    }

    fn habits(&self, row: &Row) -> Habits {
        match &row.behavior {
            Behavior::Own { habits, .. } => *habits,
            Behavior::Like(like) => {
                self.rows.get(&like.target).map_or(Habits::default(), |target| self.habits(&target.row))
            }
            Behavior::NonNullReturn => Habits::default(),
        }
    }
}

fn error(source: &Source, at: At, subject: &str, problem: Problem) -> Error {
    let line = locate::line(&source.text, at, problem.key());
    Error { file: source.file.clone(), line, subject: subject.to_owned(), problem }
}

/// The families that the function frees, each once.
fn freed(model: &Model) -> Vec<&str> {
    let effects = model.cases.iter().flat_map(|case| &case.effects);
    let mut families: Vec<&str> = effects
        .filter_map(|effect| match &effect.what {
            What::Free { family, .. } => Some(family.as_str()),
            _ => None,
        })
        .collect();
    families.sort_unstable();
    families.dedup();
    families
}

/// The families that cases allocate or free.
fn named_families(cases: &[Case]) -> Vec<&str> {
    let mut families = Vec::new();
    for case in cases {
        families.extend(allocated(&case.ret));
        families.extend(case.effects.iter().filter_map(|effect| match &effect.what {
            What::Free { family, .. } => Some(family.as_str()),
            What::Write { value, .. } => allocated(value),
            _ => None,
        }));
    }
    families
}

/// The family of a value that is a new block.
fn allocated(value: &Ret) -> Option<&str> {
    match value {
        Ret::New { family, .. } => Some(family),
        _ => None,
    }
}

/// Puts the wrapper's argument positions where those of the function stand that it is like:
/// with `args = [1]`, what `malloc` does with its argument 0 the wrapper does with its argument 1.
fn renumber(case: &mut Case, like: &Like) -> Result<(), Problem> {
    let Some(args) = &like.args else { return Ok(()) };
    let at = |it: &mut usize| match args.get(*it) {
        Some(&arg) => {
            *it = arg;
            Ok(())
        }
        None => Err(Problem::ShortArgs { like: like.target.clone(), arg: *it }),
    };
    for test in &mut case.when {
        let (Test::Zero(arg) | Test::NonZero(arg)) = test;
        at(arg)?;
    }
    for Effect { arg, what, .. } in &mut case.effects {
        if let Arg::At(arg) = arg {
            at(arg)?;
        }
        renumber_what(what, &at)?;
    }
    renumber_value(&mut case.ret, &at)
}

fn renumber_what(what: &mut What, at: &impl Fn(&mut usize) -> Result<(), Problem>) -> Result<(), Problem> {
    match what {
        What::Access { len, .. } | What::Havoc { len, .. } => renumber_len(len, at),
        What::Fill { byte, len } => {
            if let Byte::Arg(arg) = byte {
                at(arg)?;
            }
            renumber_len(len, at)
        }
        What::Copy { src, len, .. } => {
            at(src)?;
            renumber_len(len, at)
        }
        What::Write { value, .. } => renumber_value(value, at),
        What::Free { .. } | What::Escape | What::Output | What::Format { .. } => Ok(()),
    }
}

fn renumber_len(len: &mut Len, at: &impl Fn(&mut usize) -> Result<(), Problem>) -> Result<(), Problem> {
    match len {
        Len::Arg(arg) | Len::StringMax(arg) | Len::AnyMax(arg) => at(arg),
        Len::Product(first, second) => at(first).and_then(|()| at(second)),
        Len::Const(_) | Len::Within(_) | Len::String | Len::Any => Ok(()),
    }
}

fn renumber_value(value: &mut Ret, at: &impl Fn(&mut usize) -> Result<(), Problem>) -> Result<(), Problem> {
    match value {
        Ret::Arg(arg) | Ret::Into(arg) | Ret::Length(arg) | Ret::Span(arg) | Ret::UpTo { arg, .. } => at(arg),
        Ret::New { size, content, .. } => {
            if let Content::From(arg) = content {
                at(arg)?;
            }
            match size {
                Size::Arg(arg) | Size::StringOf(arg) => at(arg),
                Size::Product(first, second) => at(first).and_then(|()| at(second)),
                Size::Const(_) | Size::Unknown => Ok(()),
            }
        }
        Ret::Nothing
        | Ret::Any
        | Ret::Input
        | Ret::Null
        | Ret::NonNull
        | Ret::Range { .. }
        | Ret::Const(_) => Ok(()),
    }
}
