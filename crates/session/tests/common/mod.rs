//! Sessions on files of a test.

#![allow(dead_code, reason = "not every suite needs everything")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use session::{
    Cancel, Event, Order, Program, Request, Session, SettingsChoice, SettingsFile, Source, StoreChoice, Watch,
};
use tempfile::TempDir;

/// A directory with these files, and with `compile_commands.json` for those that are no headers.
pub(crate) fn files(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(dir.path().join(name), text).unwrap();
    }
    let entry = |name: &str| {
        let dir = dir.path().display();
        format!("{{\"directory\": \"{dir}\", \"file\": \"{name}\", \"command\": \"cc -c {name}\"}}")
    };
    let sources = files.iter().map(|(name, _)| *name).filter(|name| !name.ends_with(".h"));
    let entries: Vec<String> = sources.map(entry).collect();
    fs::write(dir.path().join("compile_commands.json"), format!("[{}]", entries.join(",\n"))).unwrap();
    dir
}

/// What is wanted of the database of a directory; what is kept goes with the directory.
pub(crate) fn request(dir: &Path, jobs: usize) -> Request {
    Request { source: Source::Database(dir.to_owned()), ..of_files(dir, &[], jobs) }
}

/// What is wanted of files.
pub(crate) fn of_files(dir: &Path, files: &[PathBuf], jobs: usize) -> Request {
    Request {
        files: files.to_vec(),
        order: Order::ByPath,
        store: StoreChoice { dir: Some(dir.join("store")), forget: false },
        settings: SettingsChoice { file: SettingsFile::Ignore, models: Vec::new() },
        jobs: NonZeroUsize::new(jobs),
        ..Request::default()
    }
}

pub(crate) fn load(request: &Request) -> Program {
    let watch = Watch::nobody();
    Session::open(request, &watch).unwrap().load(&watch).unwrap()
}

/// What `indict run --format json` prints.
pub(crate) fn report(program: &Program) -> String {
    let selection = program.selection();
    let mut options = program.options();
    options.report(&selection);
    let mut analysis = program.analyze(&options, &Watch::nobody()).unwrap();
    let found = std::mem::take(&mut analysis.report);
    report::json(&selection.of(program.report(found)))
}

/// Events as text, in the order in which they come, without those that say what a thread is busy with.
#[derive(Default)]
pub(crate) struct Heard {
    pub(crate) events: Mutex<Vec<String>>,
}

impl Heard {
    /// A watch that listens, and wishes that the work stops when `stops` says so.
    pub(crate) fn watch<'h>(&'h self, stops: impl Fn(&str) -> bool + Send + Sync + 'h) -> Watch<'h> {
        let cancel = Cancel::default();
        let wish = cancel.clone();
        Watch::new(cancel, move |event| {
            let text = match event {
                Event::At(_) => return,
                Event::Notice(notice) => notice.to_string(),
                event => format!("{event:?}"),
            };
            if stops(&text) {
                wish.cancel();
            }
            self.events.lock().unwrap().push(text);
        })
    }

    pub(crate) fn events(self) -> Vec<String> {
        self.events.into_inner().unwrap()
    }
}
