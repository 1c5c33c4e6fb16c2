//! The options of a run in `indict.toml`, each with its type and place.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use base::visible;
use catalog::Choice;
use models::{Library, Lines, Source};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::glob::{Glob, Globs};
use super::{Config, Mistake};
use crate::kinds;

/// All options that can be written; what else is at the top of the file is for `models`, which refuses what
/// it does not know either.
pub(super) const KEYS: &[&str] = &["models", "only", "skip", "latent", "unroll", "width", "jobs", "exclude"];

/// Letters of a wrong value that a message quotes: it may be the whole file.
const QUOTED: usize = 80;

/// What the file says.
#[derive(Default)]
pub(super) struct Settings {
    /// Files of models, with the line that names each.
    pub(super) models: Vec<(PathBuf, usize)>,
    only: Vec<Choice>,
    skip: Vec<Choice>,
    latent: bool,
    unroll: Option<u32>,
    width: Option<usize>,
    jobs: Option<NonZeroUsize>,
    exclude: Globs,
}

impl Settings {
    /// Reads what can be read. What is no TOML at all is left to `models`, which says so.
    pub(super) fn read(source: &Source, mistakes: &mut Vec<Mistake>) -> Settings {
        let mut settings = Settings::default();
        let Ok(table) = DeTable::parse(&source.text) else { return settings };
        let lines = Lines::of(&source.text);
        for (key, value) in table.get_ref() {
            let key = key.get_ref().as_ref();
            if let Err((span, wrong)) = settings.set(&source.text, &lines, key, value) {
                let (file, line) = (source.file.clone(), lines.at(span.start));
                let message = format!("{file}:{line}: {}", visible::line(&wrong));
                mistakes.push(Mistake { file, line: Some(line), message });
            }
        }
        settings
    }

    pub(super) fn into_config(self, library: Arc<Library>, dir: PathBuf) -> Config {
        let Settings { only, skip, latent, unroll, width, jobs, exclude, .. } = self;
        Config { only, skip, latent, unroll, width, jobs, library: library.into(), exclude, dir }
    }

    fn set(
        &mut self,
        text: &str,
        lines: &Lines,
        key: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), Wrong> {
        let shape = |expected: &str| {
            let found = text.get(value.span()).unwrap_or_default();
            let quoted: String = found.chars().take(QUOTED).collect();
            let more = if quoted.len() < found.len() { "…" } else { "" };
            (value.span(), format!("`{key} = {quoted}{more}` should be {expected}"))
        };
        match key {
            "only" => self.only = kinds(value, &shape)?,
            "skip" => self.skip = kinds(value, &shape)?,
            "models" => {
                let files = strings(value, || shape("a list of files, such as [\"models.toml\"]"))?;
                self.models = files.iter().map(|(file, span)| (file.into(), lines.at(span.start))).collect();
            }
            "exclude" => {
                let globs = strings(value, || shape("a list of patterns, such as [\"third_party/**\"]"))?;
                self.exclude = globs.iter().map(|(glob, _)| Glob::new(glob)).collect();
            }
            "latent" => {
                self.latent = value.get_ref().as_bool().ok_or_else(|| shape("true or false"))?;
            }
            "unroll" => self.unroll = Some(number(value).ok_or_else(|| shape("a number, 0 or more"))?),
            "width" => {
                let width = number(value).filter(|&width| width > 0);
                self.width = Some(width.ok_or_else(|| shape("a number, 1 or more"))? as usize);
            }
            "jobs" => {
                let jobs = number(value).and_then(|jobs| NonZeroUsize::new(jobs as usize));
                self.jobs = Some(jobs.ok_or_else(|| shape("a number, 1 or more"))?);
            }
            _ => {}
        }
        Ok(())
    }
}

/// A mistake and its place.
type Wrong = (Range<usize>, String);

fn kinds(value: &Spanned<DeValue<'_>>, shape: &impl Fn(&str) -> Wrong) -> Result<Vec<Choice>, Wrong> {
    let ids = strings(value, || shape("a list of kinds, such as [\"double-free\"]"))?;
    let kind = |(id, span): &(String, Range<usize>)| {
        kinds::kind(id).map_err(|error| (span.clone(), error.to_string()))
    };
    ids.iter().map(kind).collect()
}

fn strings(
    value: &Spanned<DeValue<'_>>,
    wrong: impl Fn() -> Wrong,
) -> Result<Vec<(String, Range<usize>)>, Wrong> {
    let list = value.get_ref().as_array().ok_or_else(&wrong)?;
    let text = |it: &Spanned<DeValue<'_>>| Some((it.get_ref().as_str()?.to_owned(), it.span()));
    list.iter().map(|it| text(it).ok_or_else(&wrong)).collect()
}

fn number(value: &Spanned<DeValue<'_>>) -> Option<u32> {
    let integer = value.get_ref().as_integer()?;
    u32::from_str_radix(integer.as_str(), integer.radix()).ok()
}
