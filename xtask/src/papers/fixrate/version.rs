//! One version of a project: its findings, the functions that were analyzed, and the text of all functions.
//!
//! It is analyzed in a process of its own, so that what goes wrong costs only this version.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use session::{
    Analysis, Cancel, Event, Notice, Program, Request, Selection, Session, SettingsChoice, SettingsFile,
    Source, StoreChoice, Watch,
};

use super::build;
use super::hunk::{self, Line};
use crate::corpus::one::process_cpu;
use crate::papers::found::{self, Found};
use crate::papers::source::{self, Function};

/// Between two looks at the clock.
const PULSE: Duration = Duration::from_millis(200);

/// Analyze one version.
#[derive(clap::Args)]
pub(crate) struct Analyze {
    /// The version.
    dir: PathBuf,
    /// The file for what comes out.
    into: PathBuf,
    #[command(flatten)]
    how: How,
}

/// How versions are built and analyzed.
#[derive(Clone, clap::Args)]
pub(crate) struct How {
    /// What builds a version, in its directory, for `sh`; otherwise its own `configure` and `make`.
    #[arg(long)]
    build: Option<String>,
    /// Latent findings, too.
    #[arg(long)]
    pub(super) latent: bool,
    /// Threads.
    #[arg(long, default_value_t = NonZeroUsize::MIN)]
    jobs: NonZeroUsize,
    /// Seconds of processor time for a version; what was found until then is kept.
    #[arg(long, default_value_t = 600)]
    limit: u64,
}

/// What came out of the analysis.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Analyzed {
    pub(crate) findings: Vec<Found>,
    /// The names of functions that were analyzed, by file.
    pub(crate) functions: BTreeMap<String, BTreeSet<String>>,
    /// Functions that have a body.
    pub(crate) n_functions: usize,
    /// Units that do not compile.
    #[serde(default)]
    pub(crate) left_out: usize,
}

/// A version with the texts of its sources, by path in it.
pub(crate) struct Version {
    pub(crate) analyzed: Analyzed,
    sources: BTreeMap<String, Text>,
}

/// A source file.
struct Text {
    lines: Vec<String>,
    functions: Vec<Function>,
}

/// A function where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) file: String,
    pub(crate) function: Function,
}

impl Analyze {
    pub(crate) fn run(self) -> Result<()> {
        let dir = self.dir.canonicalize().with_context(|| format!("while opening {}", self.dir.display()))?;
        let request = Request {
            source: Source::Database(build::database(&dir, self.how.build.as_deref())?),
            settings: SettingsChoice { file: SettingsFile::Ignore, models: Vec::new() },
            store: StoreChoice { dir: Some(dir.join(".indict")), forget: false },
            jobs: Some(self.how.jobs),
            ..Request::default()
        };
        let left_out = AtomicUsize::new(0);
        let watch = Watch::new(limit(self.how.limit), |event| {
            if let Event::Notice(Notice::LeftOut(_)) = event {
                left_out.fetch_add(1, Ordering::Relaxed);
            }
        });
        let program = Session::open(&request, &watch)?.load(&watch)?;
        let analysis = session::analyze(program.project(), &program.options(), &watch);
        let mut analyzed = Analyzed::of(&program, analysis, &dir, self.how.latent)?;
        analyzed.left_out = left_out.load(Ordering::Relaxed);
        fs::write(&self.into, serde_json::to_vec_pretty(&analyzed)?)?;
        Ok(())
    }
}

impl Analyzed {
    fn of(program: &Program, mut analysis: Analysis, dir: &Path, latent: bool) -> Result<Analyzed> {
        let mut functions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for &(id, _) in &analysis.costs {
            let function = program.project().function(id);
            if let Some((file, _, _)) = function.place(function.function.loc) {
                let name = ir::names::without_params(function.pretty()).to_owned();
                functions.entry(within(dir, &dir.join(file))).or_default().insert(name);
            }
        }
        let report = program.report(std::mem::take(&mut analysis.report));
        let selection = Selection { latent, ..program.selection() };
        let mut findings = found::findings(&selection.of(report))?;
        // The report names files as seen from here.
        let here = std::env::current_dir()?;
        let name = |file: &str| within(dir, &here.join(file));
        for finding in &mut findings {
            finding.file = name(&finding.file);
            finding.trace.iter_mut().for_each(|step| step.file = name(&step.file));
        }
        Ok(Analyzed { findings, functions, n_functions: analysis.costs.len(), left_out: 0 })
    }
}

/// The wish to stop, which comes when the time is over.
fn limit(seconds: u64) -> Cancel {
    let cancel = Cancel::default();
    let wish = cancel.clone();
    let end = process_cpu() + Duration::from_secs(seconds);
    thread::spawn(move || {
        while process_cpu() <= end {
            thread::sleep(PULSE);
        }
        wish.cancel();
    });
    cancel
}

/// An absolute path as seen from the directory of the version, without `.` and `..`.
fn within(dir: &Path, file: &Path) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let file = file.to_string_lossy();
    for part in file.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match part {
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let clean = format!("/{}", parts.join("/"));
    Path::new(&clean).strip_prefix(dir).map_or(clean.clone(), |it| it.to_string_lossy().into_owned())
}

impl Version {
    /// Builds and analyzes a version; `stored` keeps what comes out, and is read if it is there.
    pub(crate) fn load(dir: &Path, stored: &Path, how: &How) -> Result<Version> {
        if !stored.exists() {
            let mut command = Command::new(std::env::current_exe()?);
            command.args(["papers", "version"]).arg(dir).arg(stored).args(how.arguments());
            let status = command.stdin(Stdio::null()).status()?;
            ensure!(status.success(), "the analysis of {} ended by {status}", dir.display());
        }
        let analyzed = serde_json::from_slice(&fs::read(stored)?)
            .with_context(|| format!("while reading {}", stored.display()))?;
        Ok(Version { analyzed, sources: sources(dir)? })
    }

    /// Where the function of a finding stands: the one around the place, or else the only one of that name.
    pub(crate) fn around(&self, found: &Found) -> Option<Place> {
        let line = found.line as usize;
        let text = self.sources.get(&found.file);
        let function = text
            .into_iter()
            .flat_map(|text| &text.functions)
            .find(|it| it.name == found.function && (it.first..=it.last).contains(&line));
        match function {
            Some(function) => Some(Place { file: found.file.clone(), function: function.clone() }),
            None => self.place(&found.file, &found.function),
        }
    }

    /// Where a function stands: in this file, in one of its name, or in the only file that has it.
    pub(crate) fn place(&self, file: &str, function: &str) -> Option<Place> {
        let base = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        let all: Vec<Place> = self
            .sources
            .iter()
            .flat_map(|(file, text)| {
                let named = text.functions.iter().filter(|it| it.name == function);
                named.map(|it| Place { file: file.clone(), function: it.clone() })
            })
            .collect();
        let same = all.iter().find(|it| it.file == file);
        let same = same.or_else(|| all.iter().find(|it| base(&it.file) == base(file)));
        same.or(all.first().filter(|_| all.len() == 1)).cloned()
    }

    /// The lines of a function.
    pub(crate) fn lines(&self, place: &Place) -> Vec<Line> {
        let text = self.sources.get(&place.file);
        let lines = text.map_or(&[][..], |text| &text.lines);
        hunk::lines(lines, place.function.first, place.function.last)
    }

    /// A line without blanks.
    pub(crate) fn essence(&self, file: &str, line: u32) -> String {
        let line = self.sources.get(file).and_then(|text| text.lines.get((line as usize).wrapping_sub(1)));
        line.map_or(String::new(), |line| hunk::essence(line))
    }

    /// Whether the function was analyzed.
    pub(crate) fn has_analyzed(&self, place: &Place) -> bool {
        self.analyzed.functions.get(&place.file).is_some_and(|it| it.contains(&place.function.name))
    }
}

/// The C files of a version, and what is included as such.
fn sources(dir: &Path) -> Result<BTreeMap<String, Text>> {
    let dir = dir.canonicalize()?;
    let mut sources = BTreeMap::new();
    for file in build::files(&dir)? {
        let is_source = file.extension().is_some_and(|it| ["c", "h", "y", "l"].iter().any(|ext| it == *ext));
        if is_source {
            let text = String::from_utf8_lossy(&fs::read(&file)?).into_owned();
            let text = Text { lines: source::lines(&text), functions: source::functions(&text) };
            sources.insert(within(&dir, &file), text);
        }
    }
    Ok(sources)
}

impl How {
    fn arguments(&self) -> Vec<String> {
        let mut arguments = vec![format!("--jobs={}", self.jobs), format!("--limit={}", self.limit)];
        arguments.extend(self.latent.then(|| "--latent".to_owned()));
        arguments.extend(self.build.as_ref().map(|build| format!("--build={build}")));
        arguments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_begin_in_the_directory_of_the_version() {
        let dir = Path::new("/w/old");
        let within = |file: &str| within(dir, &dir.join(file));
        assert_eq!(within("/w/old/src/./x/../a.c"), "src/a.c");
        assert_eq!(within("a.c"), "a.c");
        assert_eq!(within("/usr/include/a.h"), "/usr/include/a.h");
    }

    #[test]
    fn a_function_that_moved_is_found_by_its_name() {
        let text = |text: &str| Text { lines: source::lines(text), functions: source::functions(text) };
        let both = "static void f(void) {\n}\n";
        let sources = [("a.c", both), ("lib/b.c", both), ("lib/c.c", "void g(void) { }\n")];
        let sources = sources.map(|(file, it)| (file.to_owned(), text(it))).into();
        let version = Version { analyzed: Analyzed::default(), sources };
        let file = |file, function| version.place(file, function).map(|it| it.file);
        assert_eq!(file("b.c", "f").as_deref(), Some("lib/b.c"));
        assert_eq!(file("a.c", "g").as_deref(), Some("lib/c.c"));
        assert_eq!(file("d.c", "f"), None);
    }
}
