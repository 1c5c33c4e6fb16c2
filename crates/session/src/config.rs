//! What a project fixes in a file: `indict.toml`, with the files of models that it or the command line names.
//!
//! The file says two things: what functions do that cannot be analyzed (`[[fn]]`, read by `models`), and
//! options of a run (read in [`settings`]). What the command line says wins over the file.
//! `docs/configuration.md` is the manual.

mod glob;
mod settings;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use anyhow::{Context, Result, bail};
use base::{counted, limits, visible};
use catalog::Choice;
use ir::names::without_params;
use models::{Library, Problem, Source};
use project::Project;

use crate::close;
use crate::notice::Notice;
use crate::paths::Here;
use crate::request::{SettingsChoice, SettingsFile, Shown};
use crate::shown::Selection;
use crate::units::Work;
use crate::watch::Watch;
use glob::Globs;
use settings::{KEYS, Settings};

/// The file that is looked for.
const NAME: &str = "indict.toml";

/// What the project says.
#[derive(Default)]
pub(crate) struct Config {
    /// The kinds to report; all if it is empty.
    only: Vec<Choice>,
    /// The kinds not to report.
    skip: Vec<Choice>,
    latent: bool,
    pub(crate) unroll: Option<u32>,
    pub(crate) width: Option<usize>,
    pub(crate) jobs: Option<NonZeroUsize>,
    /// What functions do: the user's word before ours. Made at the first need if no file says anything.
    library: OnceLock<Arc<Library>>,
    exclude: Globs,
    /// What patterns are relative to.
    dir: PathBuf,
}

/// A mistake in one of the files.
struct Mistake {
    file: String,
    line: Option<usize>,
    /// It names file and line.
    message: String,
}

impl Mistake {
    fn of(error: &models::Error) -> Mistake {
        let message = match error.problem {
            // With an excerpt below it.
            Problem::Syntax(_) => error.to_string(),
            _ => visible::line(&error.to_string()),
        };
        Mistake { file: error.file.clone(), line: error.line, message }
    }
}

/// Mistakes that are shown: after so many there is one behind them all.
const SHOWN: usize = 50;

/// The mistakes in the files of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistakes {
    /// A sentence for each, in the order of files and lines; after the first ones how many more there are.
    pub messages: Vec<String>,
}

impl Mistakes {
    fn of(mistakes: &[Mistake]) -> Mistakes {
        let more = mistakes.len().saturating_sub(SHOWN);
        let more = (more > 0).then(|| format!("and {}", counted(more, "more mistake")));
        let shown = mistakes.iter().take(SHOWN).map(|mistake| mistake.message.clone());
        Mistakes { messages: shown.chain(more).collect() }
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.messages.join("\n"))
    }
}

impl Error for Mistakes {}

impl Config {
    /// Reads the files that the user chose; or names all mistakes in them.
    pub(crate) fn load(choice: &SettingsChoice, here: &Here, watch: &Watch<'_>) -> Result<Config> {
        let file = match &choice.file {
            SettingsFile::Named(file) => Some(file.clone()),
            SettingsFile::Find => find(watch),
            SettingsFile::Ignore => return Ok(Config::default()),
        };
        let mut mistakes = Vec::new();
        let mut settings = Settings::default();
        let mut sources = Vec::new();
        let mut dir = PathBuf::new();
        if let Some(file) = file {
            let source = read(&file, here, KEYS)?;
            dir = file.parent().unwrap_or(Path::new("")).to_owned();
            settings = Settings::read(&source, &mut mistakes);
            sources.push(source);
        }
        let named = settings.models.iter().map(|(file, line)| (dir.join(file), Some(*line)));
        for (file, line) in named.chain(choice.models.iter().map(|file| (file.clone(), None))) {
            let named_by = line.zip(sources.first()).map(|(line, source)| (source.file.clone(), line));
            let source = read(&file, here, &[]);
            sources.push(match named_by {
                Some((by, line)) => source.with_context(|| format!("{by}:{line}: in `models`"))?,
                None => source?,
            });
        }
        let library =
            Library::new(&sources).map_err(|errors| mistakes.extend(errors.iter().map(Mistake::of)));
        match library {
            Ok(library) if mistakes.is_empty() => Ok(settings.into_config(Arc::new(library), absolute(&dir))),
            _ => {
                let places: BTreeMap<&str, usize> =
                    sources.iter().enumerate().map(|(at, source)| (source.file.as_str(), at)).collect();
                mistakes.sort_by_key(|mistake| (places.get(mistake.file.as_str()), mistake.line));
                bail!(Mistakes::of(&mistakes))
            }
        }
    }

    /// What functions do.
    pub(crate) fn library(&self) -> &Arc<Library> {
        self.library.get_or_init(|| Arc::new(Library::standard()))
    }

    /// What is to be shown. Who asks for kinds by name wants to see them, whatever the project is used to.
    pub(crate) fn selection(&self, shown: &Shown) -> Selection {
        let (only, skip) = match shown.only.is_empty() {
            false => (shown.only.clone(), shown.skip.clone()),
            true => {
                let skip = self.skip.iter().chain(&shown.skip).copied().collect();
                (self.only.iter().copied().collect(), skip)
            }
        };
        Selection { only, skip, latent: shown.latent || self.latent, no_unknown: shown.no_unknown }
    }

    /// Leaves out the units that the project excludes, unless the user names files.
    pub(crate) fn exclude(&mut self, work: &mut Work, names_files: bool, watch: &Watch<'_>) {
        if names_files {
            self.exclude = Globs::default();
        }
        if !self.exclude.is_empty() {
            let n_before = work.units.len();
            work.units.retain(|unit| !self.excludes(&unit.path()));
            match n_before - work.units.len() {
                0 => {}
                excluded => watch.notice(&Notice::Excluded(excluded)),
            }
        }
    }

    /// Whether nothing is to be reported in a file.
    pub(crate) fn excludes(&self, path: &Path) -> bool {
        let path = absolute(path);
        let path = path.strip_prefix(&self.dir).unwrap_or(&path).to_string_lossy();
        self.exclude.matches(&path)
    }

    /// Names in the user's files that look like misspelt names of the project.
    ///
    /// A name that the project does not have is no mistake in itself: one file serves all parts of a project.
    pub(crate) fn notes(&self, project: &Project) -> Vec<String> {
        let library = self.library();
        let named = library.named_by_user();
        if named.is_empty() {
            return Vec::new();
        }
        let edges = project.call_graph().edges().iter();
        let called: BTreeSet<&str> = edges.map(|edge| project.node_name(edge.callee)).collect();
        let functions = project.functions().map(|id| project.function(id));
        let defined: BTreeSet<&str> =
            functions.flat_map(|it| [it.name(), it.pretty(), without_params(it.pretty())]).collect();
        let candidates: Vec<&str> =
            called.iter().copied().filter(|it| library.lookup(it).is_none()).collect();
        let strange = named.into_iter().filter(|(name, _)| !called.contains(name) && !defined.contains(name));
        let note = |(name, file): (&str, &str)| {
            let question = close::suggestion(name, candidates.iter().copied());
            let name = visible::line(name);
            (!question.is_empty())
                .then(|| format!("{file} names `{name}`, which nothing here defines or calls{question}"))
        };
        strange.take(limits::CONFIG_COMPARISONS / candidates.len().max(1)).filter_map(note).collect()
    }
}

/// The project's file: in the working directory, or above it in the same repository.
fn find(watch: &Watch<'_>) -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let is_root = |dir: &&Path| dir.join(".git").exists();
    let depth = here.ancestors().position(|dir| is_root(&dir)).unwrap_or(0);
    let found = here.ancestors().take(depth + 1).map(|dir| dir.join(NAME)).find(|file| file.is_file())?;
    if found.parent() != Some(&here) {
        watch.notice(&Notice::SettingsFrom(found.clone()));
    }
    Some(found)
}

fn read(file: &Path, here: &Here, settings: &'static [&'static str]) -> Result<Source> {
    let name = here.shorten(file);
    let text = files::read_text(file, limits::CONFIG_BYTES).with_context(|| format!("cannot read {name}"))?;
    Ok(Source { file: name, text, settings })
}

fn absolute(path: &Path) -> PathBuf {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}
