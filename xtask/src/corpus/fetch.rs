//! `cargo x corpus fetch`: gets the projects, builds each its own way, and keeps what our capture saw of that.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use capture::{Build, Captured, Ended, FrontEnd};

use super::projects::{MANIFEST, PROJECTS, Project};
use super::{database, directory};

/// Configures OpenSSL in the working directory, builds it, and installs it where `$1` says. The crate ships it without the files for shared modules,
/// tests and documentation. The objects only have to exist: without optimization they are there sooner.
const OPENSSL: &str = "set -e; export CFLAGS='-w -O0'
perl ./Configure linux-x86_64 --prefix=\"$1\" --libdir=lib no-shared no-module no-legacy no-dso no-tests no-docs > /dev/null
make -s -j2 > /dev/null; make -s install_dev > /dev/null";

/// Builds all crates in the working directory into `$2`, with the OpenSSL in `$1`. A build that is already there would start no compiler. The
/// crate of LevelDB can be built by clang only.
const CRATES: &str =
    "set -e; export CXX=clang++-19 OPENSSL_DIR=\"$1\" OPENSSL_STATIC=1 CARGO_TARGET_DIR=\"$2\"
rm -rf \"$2\"; cargo build --quiet";

/// The project that is not built by its crate.
const OPENSSL_NAME: &str = "openssl";

/// Fetches and builds all projects, once.
pub(crate) fn fetch() -> Result<()> {
    let (openssl, crates): (Vec<&Project>, Vec<&Project>) =
        PROJECTS.iter().partition(|project| project.name == OPENSSL_NAME);
    let is_missing = |projects: &[&Project]| projects.iter().any(|project| !database(project.name).exists());
    if !is_missing(&openssl) && !is_missing(&crates) {
        println!("the corpus is there: {}", directory().display());
        return Ok(());
    }
    println!("building the corpus with its own build scripts (about ten minutes)");
    let build = directory().join("build");
    fs::create_dir_all(build.join("src"))?;
    fs::write(build.join("Cargo.toml"), MANIFEST)?;
    fs::write(build.join("src/lib.rs"), "")?;
    let installed = directory().join("openssl/installed");
    if is_missing(&openssl) {
        let source = copy_openssl(&build).context("while copying OpenSSL")?;
        let captured = observe(OPENSSL, &source, &[&installed]).context("while building OpenSSL")?;
        write_databases(&openssl, &captured)?;
    }
    if is_missing(&crates) {
        let captured = observe(CRATES, &build, &[&installed, &build.join("target")])
            .context("is cmake installed? (`apt-get install cmake`)")?;
        write_databases(&crates, &captured)?;
    }
    Ok(())
}

/// A fresh copy of the OpenSSL that its crate brings; the crate's own build would delete it again.
fn copy_openssl(build: &Path) -> Result<PathBuf> {
    let metadata =
        Command::new("cargo").current_dir(build).args(["metadata", "--format-version", "1"]).output()?;
    ensure!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout)?;
    let packages = metadata["packages"].as_array().context("cargo should list packages")?;
    let package = packages.iter().find(|package| package["name"] == "openssl-src");
    let manifest = package.and_then(|package| package["manifest_path"].as_str());
    let shipped = Path::new(manifest.context("openssl-src should be there")?).with_file_name("openssl");
    let source = directory().join("openssl/source");
    if source.exists() {
        fs::remove_dir_all(&source)?;
    }
    fs::create_dir_all(directory().join("openssl"))?;
    let copied = Command::new("cp").arg("-r").arg(shipped).arg(&source).stdin(Stdio::null()).status()?;
    ensure!(copied.success(), "cp failed: {copied}");
    Ok(source)
}

/// Runs a script in a directory and gives what our capture saw.
fn observe(script: &str, dir: &Path, arguments: &[&Path]) -> Result<Captured> {
    let store = directory().join("store");
    fs::create_dir_all(&store)?;
    let words = ["sh", "-c", &format!("cd \"$0\"; {script}")].map(OsString::from);
    let arguments = std::iter::once(dir).chain(arguments.iter().copied()).map(OsString::from);
    let command: Vec<OsString> = words.into_iter().chain(arguments).collect();
    let cache = store.join("cache");
    let front_end = FrontEnd::new(None, Some(&cache));
    let build = Build {
        command: &command,
        method: None,
        store: &store,
        cache: &cache,
        clang: Some(front_end.clang()?.path()),
        flags: &[],
        compilers: &[],
        eager: false,
    };
    let captured = capture::capture(&build, || false)?;
    let succeeded = matches!(captured.ended, Ended::Status(status) if status.success());
    ensure!(succeeded, "the build failed: {:?}", captured.ended);
    Ok(captured)
}

/// Keeps of a build what belongs to each project.
fn write_databases(projects: &[&Project], captured: &Captured) -> Result<()> {
    for project in projects {
        let mut part = captured.clone();
        part.compilations.retain(|it| it.dir.join(&it.file).to_string_lossy().contains(project.path));
        ensure!(!part.compilations.is_empty(), "no unit of {} was compiled", project.name);
        let file = database(project.name);
        let dir = file.parent().expect("invariant: a database lies in a directory");
        fs::create_dir_all(dir)?;
        part.save(dir, false)?;
        println!("{:>8}: {} units", project.name, part.compilations.len());
    }
    Ok(())
}
