//! What the user should know although it is in no result: about the input, the build, the store and the
//! machine.
//!
//! Faces show the text of it, or make something of their own of the data. Options are called by their names
//! on the command line, as in the errors of `capture`.

use std::fmt;
use std::path::PathBuf;
use std::process::ExitStatus;

use base::{counted, visible};

use crate::tally::Tally;

/// Something that the user should know.
#[derive(Clone, Debug)]
pub enum Notice {
    /// The settings come from a file in a directory above the working directory.
    SettingsFrom(PathBuf),
    /// So many units are excluded by the settings.
    Excluded(usize),
    /// The default store is a link, and is not used.
    StoreIsLink,
    /// The default store cannot be used, with the reason.
    StoreUnusable(String),
    /// Another process works in the same store, by its id if that is known; it is waited for.
    Waiting(Option<u32>),
    /// The build was stopped.
    BuildInterrupted,
    /// The build failed.
    BuildFailed(ExitStatus),
    /// The build could not compile a source.
    NotBuilt(PathBuf),
    /// The build compiled nothing, with what can be done about it; empty if it failed anyway.
    BuiltNothing(String),
    /// Nobody chose wrappers, but nothing else works.
    Wrapped,
    /// So many compilations of earlier builds are still in the database.
    EarlierKept(usize),
    /// So many compilations of earlier builds are not in the database any more.
    EarlierForgotten(usize),
    /// An input that is not analyzed, with the reason.
    LeftOut(String),
    /// What became of all units.
    Loaded(Tally),
    /// Something of the input was not believed, not handed on or not run.
    Doubt(String),
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::SettingsFrom(file) => write!(f, "settings from {}", file.display()),
            Notice::Excluded(units) => write!(f, "{} excluded by indict.toml", counted(*units, "unit")),
            Notice::StoreIsLink => f.write_str(
                ".indict is a link, which may have come with the code: nothing is kept for the next run (choose a place with --store DIR)",
            ),
            Notice::StoreUnusable(why) => {
                write!(f, "{why}; nothing is kept for the next run (choose another place with --store DIR)")
            }
            Notice::Waiting(None) => f.write_str("waiting for another indict that uses the same store"),
            Notice::Waiting(Some(pid)) => {
                write!(f, "waiting for another indict (process {pid}) that uses the same store")
            }
            Notice::BuildInterrupted => {
                f.write_str("the build was interrupted; what it compiled until then is kept")
            }
            Notice::BuildFailed(status) => {
                write!(f, "the build failed ({status}); what it compiled is kept")
            }
            Notice::NotBuilt(file) => {
                write!(f, "{}: the build could not compile it", visible::line(&file.to_string_lossy()))
            }
            Notice::BuiltNothing(advice) => write!(f, "the build compiled nothing{advice}"),
            Notice::Wrapped => f.write_str(
                "no library can be preloaded here: compilers were watched by wrappers on PATH, which CMake and configure may remember",
            ),
            Notice::EarlierKept(count) => {
                write!(f, "{} of earlier builds kept", counted(*count, "compilation"))
            }
            Notice::EarlierForgotten(count) => {
                let compilations = counted(*count, "compilation");
                write!(f, "{compilations} of earlier builds forgotten (--append keeps them)")
            }
            Notice::LeftOut(message) | Notice::Doubt(message) => f.write_str(message),
            Notice::Loaded(tally) => f.write_str(&tally.line()),
        }
    }
}
