//! Library models: what functions do whose bodies the analysis does not see.
//!
//! Purpose: behavior of libraries is data. Three tiers say what a function does, and the first that knows it
//! wins:
//!
//! 1. the user's files (`--models`), handed in as text;
//! 2. the facts of `facts/*.toml`, which are part of the program;
//! 3. attributes and signature of the declaration, which the engine looks at itself.
//!
//! The first two become a [`Library`]: [`Library::lookup`] yields a [`Model`], which an engine interprets. A
//! user's model ([`Library::users`]) wins over a body, too. What a model does not list does not happen: a
//! function without effects reads nothing, writes nothing and keeps nothing. How facts are written:
//! `docs/adr/005-models.md`.
//! Departure from the house style, rule 38: the prototype is a field, not a comment, so that the number of
//! parameters and the names are written once, and tests compare it with the system's headers.
//! Not covered: automata (typestate); globals of the program, which no library function changes.

mod model;

mod alone;
mod embedded;
mod error;
mod family;
mod format;
mod library;
mod like;
mod locate;
mod prototype;
mod read;

pub use alone::{Alone, Around};
pub use embedded::facts;
pub use error::{Error, Problem};
pub use family::Family;
pub use format::format_effects;
pub use library::{Library, Source};
pub use locate::Lines;
pub use model::{
    Arg, Byte, Case, Content, Data, Effect, FormatStyle, Habits, Len, Model, NoReturn, Ret, Size, Test, What,
};

/// The project around a function, with the summaries and models that engines know.
pub type World<'w> = dyn world::World<Summary = summary::Summary, Model = Model> + 'w;

/// What engines know of a function that is called.
pub type Knowledge<'w> = world::Knowledge<'w, summary::Summary, Model>;
