//! Running the user's build under observation, and telling what came of it.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Result;
use base::visible;
use capture::{Build, Captured, Clang, Ended, FrontEnd, InputKind, Method, Sandbox, Saved};

use crate::output;
use crate::stop;
use crate::store::Store;

/// Options of all commands that take a build command.
#[derive(clap::Args)]
pub(crate) struct BuildOptions {
    /// Add to what earlier builds compiled, instead of forgetting it.
    #[arg(long)]
    append: bool,

    /// How to see the compilers that a build calls. Without this option: the best that works on this system.
    #[arg(long, value_enum, value_name = "HOW")]
    intercept: Option<Intercept>,

    /// Compile each unit while the build runs, not only those that use files made by it; for builds that change or
    /// delete sources again.
    #[arg(long)]
    eager: bool,

    /// The name of a program that is a compiler though its name does not say so; may be repeated.
    #[arg(long = "compiler", value_name = "NAME")]
    compilers: Vec<String>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Intercept {
    /// By a preloaded library, which sees every call.
    Preload,
    /// By wrapper executables first on PATH and in CC and CXX, which see calls by name.
    Wrappers,
}

/// A build that has ended.
pub(crate) struct Built {
    /// The compilation database that it left; none if it compiled nothing.
    pub(crate) database: Option<PathBuf>,
    /// How many compilations are in it.
    pub(crate) compilations: usize,
    /// Sources in other languages, by what they are.
    pub(crate) skipped: Vec<InputKind>,
    /// What a shell would say of its end.
    pub(crate) status: u8,
}

impl BuildOptions {
    /// Runs the build to its end. Its output is its own. `flags` are the user's for all units, and so is the sandbox.
    pub(crate) fn run(
        &self,
        command: &[OsString],
        store: &Store,
        front_end: &FrontEnd,
        (flags, sandbox): (&[String], Sandbox),
    ) -> Result<Built> {
        let compilers = self.compilers();
        let build = Build {
            command,
            method: self.intercept.map(|intercept| match intercept {
                Intercept::Preload => Method::Preload,
                Intercept::Wrappers => Method::Wrappers,
            }),
            store: store.path(),
            cache: store.cache(),
            // Found now: the build may have another search path. Without a clang it is still captured.
            clang: front_end.clang().ok().map(Clang::path),
            flags,
            compilers: &compilers,
            eager: self.eager,
            sandbox,
        };
        let captured = capture::capture(&build, stop::is_wanted)?;
        tell(&captured, command);
        if self.intercept.is_none() && captured.method == Method::Wrappers {
            output::complain(
                "no library can be preloaded here: compilers were watched by wrappers on PATH, which CMake and configure may remember",
            );
        }
        captured.introduce(build.clang, store.cache(), sandbox);
        let saved = self.save(&captured, store)?;
        Ok(Built {
            compilations: captured.compilations.len() + saved.as_ref().map_or(0, |saved| saved.earlier),
            database: saved.map(|saved| saved.database),
            status: status(captured.ended),
            skipped: captured.skipped.into_iter().map(|it| it.kind).collect(),
        })
    }

    /// Writes what was captured. A build that compiled nothing leaves what is there as it is.
    fn save(&self, captured: &Captured, store: &Store) -> Result<Option<Saved>> {
        if captured.compilations.is_empty() {
            return Ok(None);
        }
        let saved = captured.save(store.path(), self.append)?;
        if self.append && saved.earlier > 0 {
            let earlier = output::counted(saved.earlier, "compilation");
            output::complain(&format!("{earlier} of earlier builds kept"));
        }
        if !self.append && saved.replaced > 0 {
            let replaced = output::counted(saved.replaced, "compilation");
            output::complain(&format!("{replaced} of earlier builds forgotten (--append keeps them)"));
        }
        Ok(Some(saved))
    }

    /// The names given, and what CC and CXX name if that is not known as a compiler.
    fn compilers(&self) -> Vec<String> {
        let variables = ["CC", "CXX"].map(|name| std::env::var(name).unwrap_or_default());
        let unknown = variables.iter().filter_map(|value| capture::unknown_compiler(value));
        let mut names: Vec<String> = self.compilers.iter().cloned().chain(unknown).collect();
        names.sort();
        names.dedup();
        names
    }
}

/// Tells what the build's own output does not say.
fn tell(captured: &Captured, command: &[OsString]) {
    match captured.ended {
        Ended::Interrupted => {
            output::complain("the build was interrupted; what it compiled until then is kept")
        }
        Ended::Status(status) if !status.success() => {
            output::complain(&format!("the build failed ({status}); what it compiled is kept"));
        }
        Ended::Status(_) => {}
    }
    for file in &captured.failed {
        let name = visible::line(&file.to_string_lossy());
        output::complain(&format!("{name}: the build could not compile it"));
    }
    let has_succeeded = matches!(captured.ended, Ended::Status(status) if status.success());
    match captured.compilations.is_empty() {
        true if has_succeeded => output::complain(&nothing(captured, command)),
        true => output::complain("the build compiled nothing"),
        false => {}
    }
}

/// Why a build compiled nothing, and what to do about it.
fn nothing(captured: &Captured, command: &[OsString]) -> String {
    let words: Vec<String> = command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let line = words.join(" ");
    let hint = match captured.method {
        _ if captured.probes > 0 => {
            let probes = output::counted(captured.probes, "probe");
            format!("it only tried its compiler ({probes}): add the step that builds")
        }
        Method::Wrappers => {
            "if it calls a compiler by its path, or under a name that is not one of a compiler, see --compiler NAME".to_owned()
        }
        Method::Preload => "if its compiler has an unusual name, see --compiler NAME".to_owned(),
    };
    format!(
        "the build compiled nothing. If all is up to date, build everything again: {}; {hint}",
        again(&words, &line)
    )
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

fn status(ended: Ended) -> u8 {
    match ended {
        Ended::Interrupted => stop::status(),
        Ended::Status(status) => capture::shell_status(status),
    }
}
