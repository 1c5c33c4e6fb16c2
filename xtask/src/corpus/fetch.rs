//! `cargo x corpus fetch`: gets the projects, builds each its own way, and keeps the compile commands.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;

use super::projects::{MANIFEST, PROJECTS};
use super::wrapper::{COMPILERS, Invocation, LOG};
use super::{database, directory};

/// The crate ships OpenSSL without the files for shared modules, tests and documentation.
const OPENSSL_OPTIONS: [&str; 6] = ["no-shared", "no-module", "no-legacy", "no-dso", "no-tests", "no-docs"];

/// Fetches and builds all projects, once.
pub(crate) fn fetch() -> Result<()> {
    if PROJECTS.iter().all(|project| database(project.name).exists()) {
        println!("the corpus is there: {}", directory().display());
        return Ok(());
    }
    let build = directory().join("build");
    fs::create_dir_all(build.join("src"))?;
    fs::write(build.join("Cargo.toml"), MANIFEST)?;
    fs::write(build.join("src/lib.rs"), "")?;
    let log = directory().join("invocations.jsonl");
    if log.exists() {
        fs::remove_file(&log)?;
    }
    let build = Build { directory: build, log, compilers: install_wrappers()? };
    println!("building the corpus with its own build scripts (about five minutes)");
    let openssl = build.openssl().context("while building OpenSSL")?;
    build.crates(&openssl)?;
    write_databases(&build.log)
}

/// Puts copies of this program where builds find them as compilers.
fn install_wrappers() -> Result<Vec<PathBuf>> {
    let wrappers = directory().join("bin");
    fs::create_dir_all(&wrappers)?;
    let program = std::env::current_exe()?;
    let install = |(name, _): &(&str, &str)| {
        let path = wrappers.join(name);
        fs::copy(&program, &path).with_context(|| format!("while writing {}", path.display()))?;
        Ok(path)
    };
    COMPILERS.iter().map(install).collect()
}

/// Where and with what the projects are built.
struct Build {
    directory: PathBuf,
    log: PathBuf,
    compilers: Vec<PathBuf>,
}

impl Build {
    /// A command whose compilers write down what they are asked.
    fn command(&self, program: &str, directory: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(directory).env("CC", &self.compilers[0]).env("CXX", &self.compilers[1]);
        command.env("CFLAGS", "-w").env("CXXFLAGS", "-w").env(LOG, &self.log);
        command
    }

    /// Builds and installs OpenSSL, and says where.
    fn openssl(&self) -> Result<PathBuf> {
        let metadata =
            self.command("cargo", &self.directory).args(["metadata", "--format-version", "1"]).output()?;
        ensure!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
        let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout)?;
        let packages = metadata["packages"].as_array().context("cargo should list packages")?;
        let package = packages.iter().find(|package| package["name"] == "openssl-src");
        let manifest = package.and_then(|package| package["manifest_path"].as_str());
        let shipped = Path::new(manifest.context("openssl-src should be there")?).with_file_name("openssl");
        let (source, prefix) = (directory().join("openssl/source"), directory().join("openssl/installed"));
        if source.exists() {
            fs::remove_dir_all(&source)?;
        }
        fs::create_dir_all(directory().join("openssl"))?;
        finish(Command::new("cp").arg("-r").arg(shipped).arg(&source))?;
        let prefix_option = format!("--prefix={}", prefix.display());
        let mut configure = self.command("perl", &source);
        configure.args(["./Configure", "linux-x86_64", &prefix_option, "--libdir=lib"]).args(OPENSSL_OPTIONS);
        finish(configure.stdout(Stdio::null()))?;
        finish(self.command("make", &source).args(["-s", "-j2"]).stdout(Stdio::null()))?;
        finish(self.command("make", &source).args(["-s", "install_dev"]).stdout(Stdio::null()))?;
        Ok(prefix)
    }

    /// Builds the crates that bring the other projects.
    fn crates(&self, openssl: &Path) -> Result<()> {
        // A build that is already there would start no compiler.
        let target = self.directory.join("target");
        if target.exists() {
            fs::remove_dir_all(&target)?;
        }
        let mut cargo = self.command("cargo", &self.directory);
        cargo.args(["build", "--quiet"]).env("CARGO_TARGET_DIR", &target);
        cargo.env("OPENSSL_DIR", openssl).env("OPENSSL_STATIC", "1");
        finish(&mut cargo).context("is cmake installed? (`apt-get install cmake`)")
    }
}

fn finish(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("while starting {:?}", command.get_program()))?;
    ensure!(status.success(), "{:?} failed: {status}", command.get_program());
    Ok(())
}

fn write_databases(log: &Path) -> Result<()> {
    let mut entries: BTreeMap<&str, BTreeMap<(PathBuf, String), serde_json::Value>> = BTreeMap::new();
    let text = fs::read_to_string(log).with_context(|| format!("while reading {}", log.display()))?;
    for line in text.lines() {
        let invocation: Invocation = serde_json::from_str(line).context("while reading an invocation")?;
        for file in invocation.arguments.iter().filter(|arg| is_source(arg)) {
            let path = invocation.directory.join(file);
            let shown = path.to_string_lossy().into_owned();
            let Some(project) = PROJECTS.iter().find(|project| shown.contains(project.path)) else {
                continue;
            };
            if !path.exists() || shown.contains("CMakeFiles") {
                continue;
            }
            let entry = json!({
                "directory": invocation.directory, "file": file, "arguments": invocation.arguments,
            });
            entries.entry(project.name).or_default().insert((path, file.clone()), entry);
        }
    }
    for project in PROJECTS {
        let Some(units) = entries.get(project.name) else {
            bail!("no units of {} were compiled", project.name)
        };
        let list: Vec<_> = units.values().collect();
        fs::create_dir_all(
            database(project.name).parent().expect("invariant: a database lies in a directory"),
        )?;
        fs::write(database(project.name), serde_json::to_vec_pretty(&list)?)?;
        println!("{:>8}: {} units", project.name, list.len());
    }
    Ok(())
}

fn is_source(arg: &str) -> bool {
    let extension = Path::new(arg).extension().and_then(|extension| extension.to_str());
    !arg.starts_with('-') && matches!(extension, Some("c" | "cc" | "cpp" | "cxx"))
}
