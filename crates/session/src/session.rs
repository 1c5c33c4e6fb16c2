//! A session: what the user wants, with the units that it means. From here, three ways lead on: to a
//! [`Program`], to counts, or to the IR as text.

use std::num::NonZeroUsize;

use anyhow::Result;

use crate::config::Config;
use crate::load::{self, How};
use crate::paths::Here;
use crate::program::Program;
use crate::request::{Order, Request};
use crate::stats::Stats;
use crate::text::{self, Texts, UnitText};
use crate::units::Work;
use crate::watch::Watch;

/// What a user wants, with the units that it means. The store is held until it is used up.
pub struct Session {
    request: Request,
    config: Config,
    work: Work,
    here: Here,
}

impl Session {
    /// Reads the settings, takes hold of the store, runs the build if there is one, and finds the units.
    pub fn open(request: &Request, watch: &Watch<'_>) -> Result<Session> {
        let here = Here::find();
        let mut config = Config::load(&request.settings, &here, watch)?;
        let mut work = Work::find(request, &here, watch)?;
        config.exclude(&mut work, !request.files.is_empty(), watch);
        if request.order == Order::ByPath {
            work.sort();
        }
        Ok(Session { request: request.clone(), config, work, here })
    }

    /// Compiles and lowers all units and puts them together. The store is free then.
    pub fn load(self, watch: &Watch<'_>) -> Result<Program> {
        let jobs = self.jobs();
        let Session { request, config, work, here } = self;
        let (project, loaded) = load::project(work, How { jobs, here: &here }, watch)?;
        Ok(Program { project, loaded, config, request, here, jobs })
    }

    /// Compiles and lowers all units, and counts what is in them.
    pub fn stats(self, watch: &Watch<'_>) -> Result<Stats> {
        let how = How { jobs: self.jobs(), here: &self.here };
        Stats::of(self.work, how, watch)
    }

    /// Compiles and lowers all units and hands their IR as text to `sink`, in order and one by one: of all of
    /// them there may be much. With `functions`, only functions of these names.
    pub fn texts(self, functions: &[String], sink: impl FnMut(UnitText), watch: &Watch<'_>) -> Result<Texts> {
        let how = How { jobs: self.jobs(), here: &self.here };
        text::texts(self.work, how, functions, sink, watch)
    }

    /// Threads to work with.
    fn jobs(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.request.jobs.or(self.config.jobs).map_or_else(processors, NonZeroUsize::get)
    }
}
