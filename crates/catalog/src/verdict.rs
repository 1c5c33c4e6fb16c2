//! How certain an error is.
//!
//! Source: Hoenicke, Leino, Podelski, Schäf, Wies, *It’s doomed; we can prove it*, FM 2009, Def. 1 (doomed);
//! Le, Raad, Villard, Berdine, Dreyer, O'Hearn, *Finding Real Bugs in Big Programs with
//! Incorrectness Logic*, OOPSLA 2022, Thm 3.5 and Def. 3.6 (manifest, latent).

use std::fmt;

/// What is known about *when* an error happens, from the strongest statement to the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// No execution that passes the place ends normally, whatever unknown code does.
    Doomed,
    /// From every calling context the error can happen: no caller can prevent it.
    Manifest,
    /// The error needs a caller that makes its condition true; it is kept in the summary of the
    /// function until such a caller is found.
    Latent,
}

impl Verdict {
    /// All verdicts, strongest first.
    pub const ALL: &'static [Verdict] = &[Verdict::Doomed, Verdict::Manifest, Verdict::Latent];

    /// The word used in output, as in the JSON field `verdict`.
    pub fn id(self) -> &'static str {
        match self {
            Verdict::Doomed => "doomed",
            Verdict::Manifest => "manifest",
            Verdict::Latent => "latent",
        }
    }

    /// The verdict with that word, if there is one.
    pub fn from_id(id: &str) -> Option<Verdict> {
        Verdict::ALL.iter().copied().find(|verdict| verdict.id() == id)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}
