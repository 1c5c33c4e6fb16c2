//! The projects of the corpus: C and C++ that nobody here wrote, shipped whole in crates, pinned by version.

/// A project.
pub(crate) struct Project {
    /// What we call it.
    pub(crate) name: &'static str,
    /// A part of the path of all its sources.
    pub(crate) path: &'static str,
}

/// All projects. The order decides which one a path belongs to, and in which order they are shown.
pub(crate) const PROJECTS: &[Project] = &[
    Project { name: "openssl", path: "corpus/openssl/source" },
    Project { name: "sqlite", path: "libsqlite3-sys-" },
    Project { name: "curl", path: "curl-sys-" },
    Project { name: "libgit2", path: "libgit2-sys-" },
    Project { name: "lua", path: "lua-src-" },
    Project { name: "zlib", path: "libz-sys-" },
    Project { name: "leveldb", path: "leveldb-sys-" },
];

/// A crate that builds them all: the builds of the `-sys` crates are the projects' own configurations.
///
/// OpenSSL is the exception: `openssl-src` only brings its source (its own build deletes the generated files again).
/// `leveldb` is the C++ code base; its crate also builds snappy.
pub(crate) const MANIFEST: &str = r#"[package]
name = "corpus"
version = "0.0.0"
edition = "2021"

[workspace]

[dependencies]
openssl-sys = "=0.9.118"
openssl-src = "=300.6.1"
libsqlite3-sys = { version = "=0.39.1", features = ["bundled"] }
curl-sys = { version = "=0.4.91", features = ["static-curl", "static-ssl"] }
libgit2-sys = { version = "=0.18.8", features = ["vendored"] }
mlua-sys = { version = "=0.13.0", features = ["vendored", "lua54"] }
lua-src = "=551.0.2"
libz-sys = { version = "=1.1.31", default-features = false, features = ["static"] }
leveldb-sys = "=2.0.9"
"#;
