//! Running the engines over a project, on several threads; the library behind all faces.

pub mod analysis;
mod links;
mod suggest;
pub mod workers;

pub use analysis::{Analysis, Doomed, Engines, Options, analyze, explain};
pub use links::links;
pub use suggest::suggest;
