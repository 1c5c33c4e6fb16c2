//! Places of the interpreter as the user reads them.

use interp::Place;
use report::Step;

use crate::paths::Here;

/// How places of one program are spelled.
pub(crate) struct Places<'p> {
    here: &'p Here,
    /// The file of each module.
    files: &'p [String],
}

impl<'p> Places<'p> {
    pub(crate) fn new(here: &'p Here, files: &'p [String]) -> Self {
        Self { here, files }
    }

    /// The file of a place. Code without debug information is at least in its unit.
    pub(crate) fn file(&self, place: &Place) -> String {
        if !place.file.is_empty() {
            return self.here.shorten(place.file.as_ref());
        }
        let unit = place.loc.and_then(|(module, _)| self.files.get(module));
        unit.cloned().unwrap_or_default()
    }

    /// `file:line`, or what of it is known.
    pub(crate) fn short(&self, place: &Place) -> String {
        match (self.file(place), place.line) {
            (file, _) if file.is_empty() => "at an unknown place".to_owned(),
            (file, 0) => file,
            (file, line) => format!("{file}:{line}"),
        }
    }

    /// A step of a story.
    pub(crate) fn step(&self, place: &Place, depth: usize, message: String) -> Step {
        let (line, column, function) = (place.line, place.column, place.function.clone());
        Step { file: self.file(place), line, column, function, depth, message }
    }
}
