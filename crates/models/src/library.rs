//! The loader: files of models in, a [`Library`] out.
//!
//! The order of the tiers is written here and nowhere else: a user's row hides a fact of the same name, and
//! two rows of one tier for the same name are a mistake. C bodies and attributes come after, when
//! [`Library::lookup`] knows nothing.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use world::FamilyKey;

use crate::embedded::facts;
use crate::error::{Error, Problem, nearest};
use crate::family::Family;
use crate::like::{self, Followed};
use crate::locate::Places;
use crate::model::{Case, Model, Ret, What};
use crate::read::{At, Behavior, File, Row, Whose, read_file};

/// Misspelt names for which the nearest known one is looked for: each is compared with all that there are.
const PROPOSED: usize = 5;

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

    /// The allocation family with that key.
    pub fn family_of(&self, key: FamilyKey) -> Option<&Family> {
        self.families.values().find(|family| family.key() == key)
    }

    /// All families, ordered by name.
    pub fn families(&self) -> impl Iterator<Item = &Family> {
        self.families.values()
    }
}

/// A row on its way into the library.
pub(crate) struct Loaded {
    /// Its position among the sources.
    source: usize,
    whose: Whose,
    /// Shared by the names of the row, of which there may be many.
    pub(crate) row: Rc<Row>,
    prototype: Option<String>,
}

/// A mistake, before its line is known.
struct Wrong {
    source: usize,
    at: At,
    subject: String,
    problem: Problem,
}

#[derive(Default)]
struct Loader<'s> {
    sources: Vec<&'s Source>,
    rows: BTreeMap<String, Loaded>,
    families: BTreeMap<String, (Whose, usize, Family)>,
    nonnull: BTreeMap<String, String>,
    mistakes: Vec<Wrong>,
}

impl<'s> Loader<'s> {
    fn add_tier(&mut self, sources: &'s [Source], whose: Whose) {
        for text in sources {
            let source = self.sources.len();
            self.sources.push(text);
            let File { rows, families, mistakes } = read_file(&text.text, whose, text.settings);
            let mistakes = mistakes.into_iter().map(|it| Wrong {
                source,
                at: it.at,
                subject: it.subject,
                problem: it.problem,
            });
            self.mistakes.extend(mistakes);
            for (number, family) in families {
                self.add_family(source, whose, number, family);
            }
            for row in rows {
                self.add_row(source, whose, row);
            }
        }
    }

    fn add_row(&mut self, source: usize, whose: Whose, mut row: Row) {
        let names = std::mem::take(&mut row.names);
        let row = Rc::new(row);
        for (name, prototype) in names {
            // An earlier tier wins; in the same one it is a mistake.
            let known = self.rows.get(&name).filter(|it| it.whose == whose);
            let known = known.map(|it| &self.sources[it.source].file);
            let promised = self.nonnull.get(&name).filter(|_| whose == Whose::Users);
            if let Some(first) = known.or(promised).cloned() {
                let (at, problem) = (At::Fn(row.number), Problem::Duplicate { first });
                self.mistakes.push(Wrong { source, at, subject: name, problem });
                continue;
            }
            if matches!(row.behavior, Behavior::NonNullReturn) {
                self.nonnull.insert(name, self.sources[source].file.clone());
                continue;
            }
            self.rows.entry(name).or_insert(Loaded { source, whose, row: Rc::clone(&row), prototype });
        }
    }

    fn add_family(&mut self, source: usize, whose: Whose, number: usize, family: Family) {
        match self.families.entry(family.name.clone()) {
            Entry::Vacant(entry) => {
                entry.insert((whose, source, family));
            }
            Entry::Occupied(entry) if entry.get().0 == whose => {
                let first = self.sources[entry.get().1].file.clone();
                let problem = Problem::Duplicate { first };
                self.mistakes.push(Wrong { source, at: At::Family(number), subject: family.name, problem });
            }
            Entry::Occupied(_) => {}
        }
    }

    fn finish(mut self) -> Result<Library, Vec<Error>> {
        let mut models = BTreeMap::new();
        for (name, followed) in like::follow(&self.rows) {
            let loaded = &self.rows[name];
            match followed.and_then(|followed| self.model(name, loaded, followed)) {
                Ok(model) => {
                    models.insert(name.to_owned(), model);
                }
                Err(problem) => {
                    let (source, at) = (loaded.source, At::Fn(loaded.row.number));
                    self.mistakes.push(Wrong { source, at, subject: name.to_owned(), problem });
                }
            }
        }
        if !self.mistakes.is_empty() {
            return Err(self.errors());
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

    fn model(&self, name: &str, loaded: &Loaded, followed: Followed) -> Result<Model, Problem> {
        for family in named_families(&followed.cases) {
            if !self.families.contains_key(family) {
                return Err(Problem::NoSuchFamily(family.to_owned()));
            }
        }
        let row = &loaded.row;
        Ok(Model {
            name: name.to_owned(),
            prototype: loaded.prototype.clone(),
            cite: row.cite.clone(),
            file: self.sources[loaded.source].file.clone(),
            params: row.params,
            variadic: row.variadic,
            noreturn: followed.noreturn,
            habits: followed.habits,
            cases: followed.cases,
        })
    }

    /// The mistakes with their lines, in the order of files. A file is parsed once more, however many there are in it.
    fn errors(self) -> Vec<Error> {
        let Loader { sources, rows, mut mistakes, .. } = self;
        mistakes.sort_by_key(|wrong| wrong.source);
        let unknown = mistakes.iter_mut().filter_map(|wrong| match &mut wrong.problem {
            Problem::NoSuchLike { name, near } => Some((&wrong.subject, name, near)),
            _ => None,
        });
        for (subject, name, near) in unknown.take(PROPOSED) {
            *near = nearest(name, rows.keys().map(String::as_str).filter(|it| it != subject));
        }
        let mut errors = Vec::with_capacity(mistakes.len());
        for wrong in mistakes.chunk_by_mut(|left, right| left.source == right.source) {
            let source = sources[wrong[0].source];
            let places = Places::of(&source.text);
            errors.extend(wrong.iter_mut().map(|Wrong { at, subject, problem, .. }| Error {
                file: source.file.clone(),
                line: places.line(*at, problem.key()),
                subject: std::mem::take(subject),
                problem: problem.clone(),
            }));
        }
        errors
    }
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
