//! All that compiling units needs: clang, what it left in the cache, and the headers of other compilers.
//!
//! Invariant: for a unit of which nothing has changed, no process is started, not even to ask clang for its
//! version.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::cache::{Cache, Key, Made, Nanos, When};
use crate::clang::{self, Clang, Executable, Version};
use crate::compile::{self, Compiled, Done, Job, read_bitcode};
use crate::error::Error;
use crate::sandbox::Sandbox;
use crate::secret::Secret;
use crate::store_dir::Temporary;
use crate::toolchain::{Toolchains, Trust};
use crate::unit::{Language, Unit};

/// Changes whenever the same key could mean something else.
const SCHEMA: u64 = 2;

/// What was not believed, and who was not asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doubts {
    /// Entries of the store that somebody else made, moved or changed. They were made again.
    pub strange_entries: usize,
    /// Compilers that commands name and that are not on the search path.
    pub unasked_compilers: BTreeSet<PathBuf>,
}

/// Compiles units, from any thread.
///
/// It takes the files to stay as they are as long as it lives, except for [`FrontEnd::keep`]: each is looked at once.
#[derive(Debug)]
pub struct FrontEnd {
    explicit: Option<PathBuf>,
    cache: Option<Arc<Cache>>,
    toolchains: Toolchains,
    sandbox: Sandbox,
    clang: OnceLock<Clang>,
    /// Held while clang is being looked for, so that it is asked once.
    asking: Mutex<()>,
}

impl FrontEnd {
    /// Starts no process. `clang` is what the user named; `cache` is [`StoreDir::cache`](crate::StoreDir::cache), if anything may be kept.
    pub fn new(clang: Option<&Path>, cache: Option<&Path>, trust: Trust) -> FrontEnd {
        FrontEnd::with_secret(clang, cache, trust, Secret::of_user())
    }

    /// The same for a process that was told the secret of another.
    pub(crate) fn with_secret(
        clang: Option<&Path>,
        cache: Option<&Path>,
        trust: Trust,
        secret: Secret,
    ) -> FrontEnd {
        let cache = cache.map(|dir| Arc::new(Cache::new(dir, secret)));
        FrontEnd {
            explicit: clang.map(Path::to_owned),
            cache: cache.clone(),
            toolchains: Toolchains::sharing(cache, trust),
            sandbox: Sandbox::On,
            clang: OnceLock::new(),
            asking: Mutex::new(()),
        }
    }

    /// The same where compilers may write and start programs, if `sandbox` says so.
    pub fn confined(mut self, sandbox: Sandbox) -> FrontEnd {
        if sandbox == Sandbox::Off {
            self.sandbox = sandbox;
            self.toolchains = self.toolchains.unconfined();
        }
        self
    }

    /// What the user should know of what was not believed or not run so far.
    pub fn doubts(&self) -> Doubts {
        let strange = self.cache.as_ref().map_or(0, |cache| cache.n_strange());
        Doubts { strange_entries: strange, unasked_compilers: self.toolchains.unasked() }
    }

    /// Asks the compiler of a unit about itself, so that the answer is known later.
    pub(crate) fn introduce(&self, unit: &Unit) {
        self.toolchains.args_for(unit);
    }

    /// The clang in use, found at the first need.
    pub fn clang(&self) -> Result<&Clang, Error> {
        if let Some(clang) = self.clang.get() {
            return Ok(clang);
        }
        let _asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(clang) = self.clang.get() {
            return Ok(clang);
        }
        let clang = Clang::find_by(self.explicit.as_deref(), self.sandbox, |it| self.version_of(it))?;
        Ok(self.clang.get_or_init(|| clang))
    }

    /// The bitcode of a unit: from the cache if nothing that it depends on has changed, else from clang.
    pub fn compile(&self, unit: &Unit) -> Result<Compiled, Error> {
        if unit.language == Language::Bitcode {
            return read_bitcode(unit);
        }
        let request = self.request(unit)?;
        let Some(cache) = &self.cache else { return Ok(compiled(request.job(None).run()?)) };
        match cache.load(&request.key, When::AtRest) {
            Some(compiled) => Ok(compiled),
            // A full disk costs the reuse, not the result.
            None => request.make(cache, When::AtRest).map(|(made, _)| made),
        }
    }

    /// The same while the build runs, for a unit that may depend on files that the build makes and deletes: [`FrontEnd::compile`] and
    /// [`FrontEnd::kept`] of it succeed when they are gone. Without a cache it does nothing.
    pub fn keep(&self, unit: &Unit) -> Result<(), Error> {
        let Some(cache) = self.cache.as_ref().filter(|_| unit.language != Language::Bitcode) else {
            return Ok(());
        };
        let request = self.request(unit)?;
        match cache.load(&request.key, When::DuringBuild) {
            Some(_) => Ok(()),
            None => request.make(cache, When::DuringBuild)?.1.map_err(|source| cache.unwritable(source)),
        }
    }

    /// The bitcode of a unit whose file is gone, made by [`FrontEnd::keep`].
    pub fn kept(&self, unit: &Unit) -> Option<Compiled> {
        let request = self.request(unit).ok()?;
        self.cache.as_ref()?.load(&request.key, When::AtRest)
    }

    fn request<'a>(&'a self, unit: &'a Unit) -> Result<Request<'a>, Error> {
        let clang = self.clang()?;
        let extra = self.toolchains.args_for(unit);
        let key = key(clang, unit, &extra);
        Ok(Request { clang, unit, extra, key })
    }

    fn version_of(&self, executable: &Executable) -> Result<Version, Error> {
        let Some(cache) = &self.cache else { return clang::ask(executable) };
        let mut key = Key::new("version");
        key.add(&SCHEMA.to_le_bytes());
        executable.add_to(&mut key);
        if let Some(version) = cache.load_text(&key).and_then(|text| Version::parse_numbers(&text)) {
            return Ok(version);
        }
        let version = clang::ask(executable)?;
        let _ = cache.store_text(&key, &version.to_string());
        Ok(version)
    }
}

/// A unit with all that decides about its bitcode.
struct Request<'a> {
    clang: &'a Clang,
    unit: &'a Unit,
    extra: Arc<[String]>,
    key: Key,
}

impl Request<'_> {
    fn job<'b>(&'b self, dependencies: Option<&'b Path>) -> Job<'b> {
        Job { clang: self.clang, unit: self.unit, extra: &self.extra, dependencies }
    }

    /// Runs clang and keeps the result; whether it could be kept is the second answer.
    fn make(&self, cache: &Cache, when: When) -> Result<(Compiled, io::Result<()>), Error> {
        let start = Cache::now();
        let list = cache.temporary();
        let done = self.job(list.as_ref().ok().map(Temporary::path)).run()?;
        let kept = list.and_then(|list| self.store(cache, when, &done, (list.path(), start)));
        Ok((compiled(done), kept))
    }

    fn store(&self, cache: &Cache, when: When, done: &Done, (list, start): (&Path, Nanos)) -> io::Result<()> {
        let rule = match self.unit.language {
            Language::LlvmText => None,
            _ => Some(fs::read(list)?),
        };
        let made = Made {
            bitcode: &done.bitcode,
            cpu: done.cpu,
            dir: &self.unit.dir,
            file: &self.unit.file,
            rule: rule.as_deref(),
            messages: &done.messages,
            start,
        };
        cache.store(&self.key, &made, when)
    }
}

fn compiled(done: Done) -> Compiled {
    Compiled { bitcode: done.bitcode, cpu: done.cpu, reused: false }
}

fn key(clang: &Clang, unit: &Unit, extra: &[String]) -> Key {
    let mut key = Key::new("unit");
    key.add(&SCHEMA.to_le_bytes());
    key.add(env!("CARGO_PKG_VERSION").as_bytes());
    clang.add_to(&mut key);
    compile::add_to(&mut key);
    key.add(unit.dir.as_os_str().as_bytes());
    key.add(unit.file.as_os_str().as_bytes());
    key.add(format!("{:?}", unit.language).as_bytes());
    for args in [extra, &unit.args] {
        key.add(&(args.len() as u64).to_le_bytes());
        args.iter().for_each(|arg| key.add(arg.as_bytes()));
    }
    key
}
