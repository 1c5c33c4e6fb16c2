//! `cargo x corpus fetch`: gets the projects, builds each its own way, and keeps what our capture saw of
//! that.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use capture::{Captured, Ended, FrontEnd, Sandbox, Trust};

use super::projects::{self, Build, OPENSSL, Project};
use super::{cache, database, directory};

/// Configures OpenSSL in the working directory by the options in `$2`, builds it, and installs it where `$1` says. The objects only
/// have to exist: without optimization they are there sooner.
const CONFIGURE: &str = "set -e; export CFLAGS='-w -O0'
perl ./Configure linux-x86_64 --prefix=\"$1\" --libdir=lib $2 > /dev/null
make -s -j2 > /dev/null; make -s install_dev > /dev/null";

/// Builds the crate in the working directory into `$2`, with the OpenSSL in `$1`. A build that is already there would start no compiler. The
/// crate of LevelDB can be built by clang only; the configuration of librdkafka looks for OpenSSL by itself.
const CRATE: &str =
    "set -e; export CXX=clang++-19 OPENSSL_DIR=\"$1\" OPENSSL_STATIC=1 CARGO_TARGET_DIR=\"$2\"
export PKG_CONFIG_PATH=\"$1/lib/pkgconfig\"
rm -rf \"$2\"; cargo build --quiet";

/// Fetches and builds those projects that are not there yet.
pub(crate) fn fetch(projects: &[&Project]) -> Result<()> {
    for project in projects {
        if database(project.name).exists() {
            continue;
        }
        println!("{}: building it with its own build script", project.name);
        build(project).with_context(|| format!("while building {}", project.name))?;
    }
    Ok(())
}

fn build(project: &Project) -> Result<()> {
    let crate_dir = directory().join("builds").join(project.name);
    fs::create_dir_all(crate_dir.join("src"))?;
    fs::write(crate_dir.join("Cargo.toml"), project.manifest())?;
    fs::write(crate_dir.join("src/lib.rs"), "")?;
    let captured = match project.build {
        Build::OpenSsl(options) => {
            let source = copy_openssl(project, &crate_dir).context("while copying its source")?;
            let installed = installed(project.name);
            observe(CONFIGURE, &source, &[installed.as_os_str().to_owned(), OsString::from(options)])?
        }
        Build::Crate => {
            let openssl = installed(OPENSSL);
            if !openssl.exists() {
                fetch(&projects::selected(&[OPENSSL.to_owned()])?)?;
            }
            let target = crate_dir.join("target");
            observe(CRATE, &crate_dir, &[openssl.into_os_string(), target.into_os_string()])
                .context("is cmake installed? (`apt-get install cmake`)")?
        }
    };
    write_database(project, captured)
}

/// Where an OpenSSL is installed.
fn installed(project: &str) -> PathBuf {
    directory().join(project).join("installed")
}

/// A fresh copy of the OpenSSL that its crate brings.
fn copy_openssl(project: &Project, crate_dir: &Path) -> Result<PathBuf> {
    let metadata =
        Command::new("cargo").current_dir(crate_dir).args(["metadata", "--format-version", "1"]).output()?;
    ensure!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout)?;
    let packages = metadata["packages"].as_array().context("cargo should list packages")?;
    let package = packages.iter().find(|package| package["name"] == "openssl-src");
    let manifest = package.and_then(|package| package["manifest_path"].as_str());
    let shipped = Path::new(manifest.context("openssl-src should be there")?).with_file_name("openssl");
    let source = directory().join(project.name).join("source");
    if source.exists() {
        fs::remove_dir_all(&source)?;
    }
    fs::create_dir_all(directory().join(project.name))?;
    let copied = Command::new("cp").arg("-r").arg(shipped).arg(&source).stdin(Stdio::null()).status()?;
    ensure!(copied.success(), "cp failed: {copied}");
    Ok(source)
}

/// Runs a script that has to succeed in a directory and gives what our capture saw.
fn observe(script: &str, dir: &Path, arguments: &[OsString]) -> Result<Captured> {
    let captured = watch(script, dir, arguments)?;
    let succeeded = matches!(captured.ended, Ended::Status(status) if status.success());
    ensure!(succeeded, "the build failed: {:?}", captured.ended);
    Ok(captured)
}

/// Runs a script in a directory and gives what our capture saw, however it ended.
pub(crate) fn watch(script: &str, dir: &Path, arguments: &[OsString]) -> Result<Captured> {
    let store = directory().join("store");
    fs::create_dir_all(&store)?;
    let mut command = ["sh", "-c", &format!("cd \"$0\"; {script}")].map(OsString::from).to_vec();
    command.push(dir.as_os_str().to_owned());
    command.extend_from_slice(arguments);
    let cache = cache();
    let front_end = FrontEnd::new(None, Some(&cache), Trust::Build);
    let build = capture::Build {
        command: &command,
        method: None,
        store: &store,
        cache: &cache,
        clang: Some(front_end.clang()?.path()),
        flags: &[],
        compilers: &[],
        eager: false,
        sandbox: Sandbox::On,
    };
    Ok(capture::capture(&build, || false)?)
}

/// Keeps of a build what belongs to the project, without the libraries that it needs.
fn write_database(project: &Project, mut captured: Captured) -> Result<()> {
    captured.compilations.retain(|it| it.dir.join(&it.file).to_string_lossy().contains(project.path));
    ensure!(!captured.compilations.is_empty(), "no unit was compiled");
    let file = database(project.name);
    let dir = file.parent().expect("invariant: a database lies in a directory");
    fs::create_dir_all(dir)?;
    captured.save(dir, false)?;
    println!("{}: {} units", project.name, captured.compilations.len());
    Ok(())
}
