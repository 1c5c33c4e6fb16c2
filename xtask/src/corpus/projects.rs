//! The projects of the corpus: C and C++ that nobody here wrote, shipped whole in crates, pinned by version.

use anyhow::{Result, ensure};

/// A project.
pub(crate) struct Project {
    /// What we call it.
    pub(crate) name: &'static str,
    /// A part of the path of all its sources; the paths in findings begin behind the directory that it names.
    pub(crate) path: &'static str,
    /// The crates that bring and build it, as they stand in a manifest.
    pub(crate) crates: &'static str,
    /// How it is built.
    pub(crate) build: Build,
}

/// How a project is built.
pub(crate) enum Build {
    /// By the build script of its crate, which is the project's own configuration.
    Crate,
    /// By OpenSSL's own `Configure`, with these options: the crate only brings the source (its own build deletes the generated files again).
    OpenSsl(&'static str),
}

/// All projects, in the order in which they are shown.
///
/// LevelDB is the C++ code base; its crate also builds snappy. OpenSSL comes without the files for shared modules, tests and documentation.
pub(crate) const PROJECTS: &[Project] = &[
    Project {
        name: OPENSSL,
        path: "corpus/openssl/source",
        crates: r#"openssl-src = "=300.6.1""#,
        build: Build::OpenSsl("no-shared no-module no-legacy no-dso no-tests no-docs"),
    },
    Project {
        name: "openssl-1.1.1",
        path: "corpus/openssl-1.1.1/source",
        crates: r#"openssl-src = "=111.28.2""#,
        build: Build::OpenSsl("no-shared no-dso no-tests"),
    },
    Project {
        name: "sqlite",
        path: "libsqlite3-sys-",
        crates: r#"libsqlite3-sys = { version = "=0.39.1", features = ["bundled"] }"#,
        build: Build::Crate,
    },
    Project {
        name: "curl",
        path: "curl-sys-",
        crates: r#"curl-sys = { version = "=0.4.91", features = ["static-curl", "static-ssl"] }
openssl-sys = "=0.9.118"
libz-sys = { version = "=1.1.31", default-features = false, features = ["static"] }"#,
        build: Build::Crate,
    },
    Project {
        name: "libgit2",
        path: "libgit2-sys-",
        crates: r#"libgit2-sys = { version = "=0.18.8", features = ["vendored"] }
libz-sys = { version = "=1.1.31", default-features = false, features = ["static"] }"#,
        build: Build::Crate,
    },
    Project {
        name: "lua",
        path: "lua-src-",
        crates: r#"mlua-sys = { version = "=0.13.0", features = ["vendored", "lua54"] }
lua-src = "=551.0.2""#,
        build: Build::Crate,
    },
    Project {
        name: "zlib",
        path: "libz-sys-",
        crates: r#"libz-sys = { version = "=1.1.31", default-features = false, features = ["static"] }"#,
        build: Build::Crate,
    },
    Project {
        name: "zstd",
        path: "zstd-sys-",
        crates: r#"zstd-sys = { version = "=2.1.2", features = ["zstdmt", "seekable"] }"#,
        build: Build::Crate,
    },
    Project {
        name: "nghttp2",
        path: "libnghttp2-sys-",
        crates: r#"libnghttp2-sys = "=0.1.13""#,
        build: Build::Crate,
    },
    Project {
        name: "libssh2",
        path: "libssh2-sys-",
        crates: r#"libssh2-sys = "=0.3.3"
openssl-sys = "=0.9.118"
libz-sys = { version = "=1.1.31", default-features = false, features = ["static"] }"#,
        build: Build::Crate,
    },
    Project {
        name: "librdkafka",
        path: "rdkafka-sys-",
        crates: r#"rdkafka-sys = { version = "=4.10.0", features = ["libz-static", "ssl", "zstd"] }
openssl-sys = "=0.9.118"
libz-sys = { version = "=1.1.31", default-features = false, features = ["static"] }"#,
        build: Build::Crate,
    },
    Project {
        name: "leveldb",
        path: "leveldb-sys-",
        crates: r#"leveldb-sys = "=2.0.9""#,
        build: Build::Crate,
    },
];

/// The OpenSSL that other projects are built with.
pub(crate) const OPENSSL: &str = "openssl";

/// The projects of these names; all of them if there is no name.
pub(crate) fn selected(names: &[String]) -> Result<Vec<&'static Project>> {
    let known: Vec<&str> = PROJECTS.iter().map(|project| project.name).collect();
    for name in names {
        ensure!(
            known.contains(&name.as_str()),
            "no project is called `{name}`; there are {}",
            known.join(", ")
        );
    }
    let is_wanted = |project: &&Project| names.is_empty() || names.iter().any(|name| name == project.name);
    Ok(PROJECTS.iter().filter(is_wanted).collect())
}

impl Project {
    /// A crate that builds nothing but this project.
    pub(crate) fn manifest(&self) -> String {
        format!(
            "[package]\nname = \"corpus\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n[dependencies]\n{}\n",
            self.crates
        )
    }

    /// A path without what differs between machines: as seen from the directory of the project's crate.
    pub(crate) fn shorten(&self, file: &str) -> String {
        let behind = file.find(self.path).map(|at| &file[at + self.path.len()..]);
        behind.and_then(|rest| rest.split_once('/')).map_or(file, |(_, rest)| rest).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_begin_in_the_directory_of_the_crate() {
        let curl = selected(&["curl".to_owned()]).unwrap()[0];
        assert_eq!(curl.shorten("/w/src/curl-sys-0.4.91+curl-8.20/curl/lib/url.c"), "curl/lib/url.c");
        assert_eq!(curl.shorten("/usr/include/string.h"), "/usr/include/string.h");
        let openssl = selected(&[OPENSSL.to_owned()]).unwrap()[0];
        assert_eq!(openssl.shorten("/w/target/corpus/openssl/source/ssl/ssl_lib.c"), "ssl/ssl_lib.c");
    }

    #[test]
    fn a_name_that_is_not_there_is_an_error_that_lists_those_that_are() {
        let error = selected(&["sqlite3".to_owned()]).err().unwrap().to_string();
        assert!(error.contains("`sqlite3`") && error.contains("sqlite,"), "{error}");
        assert_eq!(selected(&[]).unwrap().len(), PROJECTS.len());
    }
}
