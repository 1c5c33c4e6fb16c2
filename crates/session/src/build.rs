//! Running the user's build under observation, and telling what came of it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use base::counted;
use capture::{Build, Captured, Clang, Ended, FrontEnd, InputKind, Method, Sandbox, Saved, Trust};

use crate::notice::Notice;
use crate::request::{BuildRequest, StoreChoice};
use crate::store::Store;
use crate::watch::Watch;

/// A build that has ended.
#[derive(Debug)]
pub struct Built {
    /// The compilation database that it left; none if it compiled nothing.
    pub database: Option<PathBuf>,
    /// How many compilations are in it.
    pub compilations: usize,
    /// Sources in other languages, by what they are.
    pub skipped: Vec<InputKind>,
    /// What a shell would say of its end; none if it was stopped.
    pub status: Option<u8>,
}

/// Runs a build and writes down what it compiles, for later.
pub fn capture_build(
    request: &BuildRequest,
    store: &StoreChoice,
    clang: Option<&Path>,
    watch: &Watch<'_>,
) -> Result<Built> {
    let store = Store::open(store, None, watch)?;
    if !store.is_lasting() {
        bail!("what the build compiles could not be written; name a place for it with --store DIR");
    }
    let front_end = FrontEnd::new(clang, Some(store.cache()), Trust::SearchPath);
    Building { request, store: &store, front_end: &front_end, flags: &[], sandbox: Sandbox::On }.run(watch)
}

/// A build with what is needed to run it.
pub(crate) struct Building<'b> {
    pub(crate) request: &'b BuildRequest,
    pub(crate) store: &'b Store,
    pub(crate) front_end: &'b FrontEnd,
    /// The user's, for all units.
    pub(crate) flags: &'b [String],
    pub(crate) sandbox: Sandbox,
}

impl Building<'_> {
    /// Runs the build to its end. Its output is its own.
    pub(crate) fn run(&self, watch: &Watch<'_>) -> Result<Built> {
        let Building { request, store, front_end, flags, sandbox } = *self;
        let compilers = compilers(&request.compilers);
        let build = Build {
            command: &request.command,
            method: request.method,
            store: store.path(),
            cache: store.cache(),
            // Found now: the build may have another search path. Without a clang it is still captured.
            clang: front_end.clang().ok().map(Clang::path),
            flags,
            compilers: &compilers,
            eager: request.eager,
            sandbox,
        };
        let captured = capture::capture(&build, || watch.cancel().is_wanted())?;
        tell(&captured, &request.command, watch);
        if request.method.is_none() && captured.method == Method::Wrappers {
            watch.notice(&Notice::Wrapped);
        }
        captured.introduce(build.clang, store.cache(), sandbox);
        let saved = self.save(&captured, watch)?;
        Ok(Built {
            compilations: captured.compilations.len() + saved.as_ref().map_or(0, |saved| saved.earlier),
            database: saved.map(|saved| saved.database),
            status: status(captured.ended),
            skipped: captured.skipped.into_iter().map(|it| it.kind).collect(),
        })
    }

    /// Writes what was captured. A build that compiled nothing leaves what is there as it is.
    fn save(&self, captured: &Captured, watch: &Watch<'_>) -> Result<Option<Saved>> {
        if captured.compilations.is_empty() {
            return Ok(None);
        }
        let saved = captured.save(self.store.path(), self.request.append)?;
        if self.request.append && saved.earlier > 0 {
            watch.notice(&Notice::EarlierKept(saved.earlier));
        }
        if !self.request.append && saved.replaced > 0 {
            watch.notice(&Notice::EarlierForgotten(saved.replaced));
        }
        Ok(Some(saved))
    }
}

/// The names given, and what CC and CXX name if that is not known as a compiler.
fn compilers(given: &[String]) -> Vec<String> {
    let variables = ["CC", "CXX"].map(|name| std::env::var(name).unwrap_or_default());
    let unknown = variables.iter().filter_map(|value| capture::unknown_compiler(value));
    let mut names: Vec<String> = given.iter().cloned().chain(unknown).collect();
    names.sort();
    names.dedup();
    names
}

/// Tells what the build's own output does not say.
fn tell(captured: &Captured, command: &[OsString], watch: &Watch<'_>) {
    match captured.ended {
        Ended::Interrupted => watch.notice(&Notice::BuildInterrupted),
        Ended::Status(status) if !status.success() => watch.notice(&Notice::BuildFailed(status)),
        Ended::Status(_) => {}
    }
    captured.failed.iter().for_each(|file| watch.notice(&Notice::NotBuilt(file.clone())));
    if captured.compilations.is_empty() {
        let has_succeeded = matches!(captured.ended, Ended::Status(status) if status.success());
        let advice = if has_succeeded { advice(captured, command) } else { String::new() };
        watch.notice(&Notice::BuiltNothing(advice));
    }
}

/// What to do about a build that compiled nothing, behind that sentence.
fn advice(captured: &Captured, command: &[OsString]) -> String {
    let words: Vec<String> = command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let line = words.join(" ");
    let hint = match captured.method {
        _ if captured.probes > 0 => {
            let probes = counted(captured.probes, "probe");
            format!("it only tried its compiler ({probes}): add the step that builds")
        }
        Method::Wrappers => {
            "if it calls a compiler by its path, or under a name that is not one of a compiler, see --compiler NAME".to_owned()
        }
        Method::Preload => "if its compiler has an unusual name, see --compiler NAME".to_owned(),
    };
    format!(". If all is up to date, build everything again: {}; {hint}", again(&words, &line))
}

/// How to get a full build.
fn again(words: &[String], line: &str) -> String {
    let tool = words.first().and_then(|word| word.rsplit('/').next()).unwrap_or("");
    let builds = words.iter().any(|word| word == "--build");
    match tool {
        "make" | "gmake" => format!("`{line} -B`, or `make clean` first"),
        "ninja" | "samu" => "`ninja -t clean` first".to_owned(),
        "cmake" if builds => format!("`{line} --clean-first`"),
        "meson" => "`meson compile --clean` first".to_owned(),
        "scons" => "`scons -c` first".to_owned(),
        "bazel" => "bazel builds in a server of its own; use a compilation database".to_owned(),
        _ => "remove its output first (`make clean` or the like)".to_owned(),
    }
}

fn status(ended: Ended) -> Option<u8> {
    match ended {
        Ended::Interrupted => None,
        Ended::Status(status) => Some(capture::shell_status(status)),
    }
}
