//! Sources of a package as Debian ships them in a suite: the upstream part, without Debian's own patches.
//!
//! `apt` works with a configuration of its own in a temporary place; nothing of the machine's is changed. The
//! mirror is that of the machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

/// Where the machine says from where it gets packages.
const SOURCES: &str = "/etc/apt";

/// A suite, with the private configuration by which its sources are fetched.
pub(crate) struct Suite {
    pub(crate) name: String,
    config: PathBuf,
}

impl Suite {
    /// Gets the list of the suite's sources, once.
    pub(crate) fn open(name: &str, dir: &Path) -> Result<Suite> {
        let dir = dir.join("apt").join(name);
        let lists = dir.join("lists");
        fs::create_dir_all(lists.join("partial"))?;
        fs::create_dir_all(dir.join("cache/archives/partial"))?;
        fs::write(dir.join("sources.list"), format!("deb-src {} {name} main\n", mirror()?))?;
        fs::write(dir.join("status"), "")?;
        let at = |file: &str| dir.join(file).display().to_string();
        let config = dir.join("apt.conf");
        let settings = [
            ("Dir::Etc::SourceList", at("sources.list")),
            ("Dir::Etc::SourceParts", at("none")),
            ("Dir::State::Lists", at("lists")),
            ("Dir::State::status", at("status")),
            ("Dir::Cache", at("cache")),
            ("APT::Sandbox::User", "root".to_owned()),
        ];
        let settings: String =
            settings.iter().map(|(name, value)| format!("{name} \"{value}\";\n")).collect();
        fs::write(&config, settings)?;
        let suite = Suite { name: name.to_owned(), config };
        let is_there =
            fs::read_dir(&lists)?.flatten().any(|it| it.file_name().to_string_lossy().contains("_Sources"));
        if !is_there {
            ensure!(suite.apt(&["update"], &dir)?, "apt has no list of the sources of {name}");
        }
        Ok(suite)
    }

    /// Gets and unpacks the source of a package, if it is not there yet; gives its directory and its version.
    pub(crate) fn source(&self, package: &str, dir: &Path) -> Result<(PathBuf, String)> {
        let dir = dir.join(package).join(&self.name);
        let source = dir.join("source");
        if !source.exists() {
            fs::create_dir_all(&dir)?;
            let arguments = ["source", "--tar-only", "--only-source", "--download-only", package];
            ensure!(self.apt(&arguments, &dir)?, "apt has no source of {package} in {}", self.name);
            let archive = archive(&dir)?;
            fs::create_dir(&source)?;
            let mut tar = Command::new("tar");
            tar.arg("-xf").arg(&archive).arg("-C").arg(&source).arg("--strip-components=1");
            ensure!(tar.status()?.success(), "tar could not unpack {}", archive.display());
        }
        let version = version(&archive(&dir)?);
        Ok((source, version))
    }

    fn apt(&self, arguments: &[&str], dir: &Path) -> Result<bool> {
        let log = fs::File::create(dir.join("apt.log"))?;
        let mut command = Command::new("apt-get");
        command.args(arguments).env("APT_CONFIG", &self.config).current_dir(dir);
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        Ok(command.status().context("is apt-get there?")?.success())
    }
}

/// The archive with the upstream source; components in archives of their own are left out.
fn archive(dir: &Path) -> Result<PathBuf> {
    let files = fs::read_dir(dir)?.flatten().map(|it| it.path());
    let is_archive = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.contains(".orig.tar.") && !name.ends_with(".asc")
    };
    files.filter(is_archive).min().with_context(|| format!("no source is in {}", dir.display()))
}

/// The version in the name of an archive.
fn version(archive: &Path) -> String {
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    let behind = name.split_once('_').map_or("", |it| it.1);
    behind.split(".orig.tar").next().unwrap_or_default().to_owned()
}

/// The mirror that the machine uses for Debian itself.
fn mirror() -> Result<String> {
    let mut files = vec![Path::new(SOURCES).join("sources.list")];
    let parts = fs::read_dir(Path::new(SOURCES).join("sources.list.d"));
    files.extend(parts.into_iter().flatten().flatten().map(|it| it.path()));
    files.sort();
    let texts = files.iter().filter_map(|file| fs::read_to_string(file).ok());
    texts.filter_map(|text| mirror_in(&text)).next().context("this machine has no mirror of Debian")
}

fn mirror_in(text: &str) -> Option<String> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let mut words = lines.flat_map(str::split_whitespace);
    let is_mirror = |word: &&str| word.contains("://") && word.trim_end_matches('/').ends_with("/debian");
    words.find(is_mirror).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_sources_name_a_mirror() {
        let old =
            "# deb http://old.example/debian stable main\ndeb http://mirror.example/debian stable main\n";
        assert_eq!(mirror_in(old).as_deref(), Some("http://mirror.example/debian"));
        let new = "Types: deb\nURIs: https://mirror.example/debian/\nSuites: stable\n";
        assert_eq!(mirror_in(new).as_deref(), Some("https://mirror.example/debian/"));
        assert_eq!(mirror_in("URIs: https://mirror.example/debian-security\n"), None);
    }

    #[test]
    fn a_version_stands_in_the_name_of_its_archive() {
        assert_eq!(version(Path::new("a/jq_1.6+dfsg.orig.tar.gz")), "1.6+dfsg");
    }
}
