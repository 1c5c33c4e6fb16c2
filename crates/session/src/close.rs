//! Names that look like what the user may have meant.

use base::visible;

/// How alike two names must be, from 0 to 1; below, a proposal helps nobody.
const ALIKE: f64 = 0.75;

/// How many are proposed.
const SHOWN: usize = 3;

/// The known names that are most like `name`, as a question; empty if there are none.
pub fn suggestion<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let mut close: Vec<(f64, &str)> = known
        .into_iter()
        .map(|it| (strsim::jaro_winkler(&name.to_lowercase(), &it.to_lowercase()), it))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .collect();
    close.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(right.1)));
    close.dedup_by_key(|(_, name)| *name);
    let names: Vec<String> =
        close.iter().take(SHOWN).map(|(_, name)| format!("`{}`", visible::line(name))).collect();
    match &names[..] {
        [] => String::new(),
        [one] => format!("; did you mean {one}?"),
        [first @ .., last] => format!("; did you mean {} or {last}?", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_come_first() {
        let known = ["ledger_close", "ledger_open", "main", "ledger_open", "open_ledger"];
        assert_eq!(suggestion("leger_open", known), "; did you mean `ledger_open` or `ledger_close`?");
        assert_eq!(suggestion("mian", known), "; did you mean `main`?");
        assert_eq!(suggestion("frobnicate", known), "");
    }
}
