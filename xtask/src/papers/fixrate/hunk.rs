//! What differs between two texts of a function, line by line. Comments, blanks and pragmas do not count.

use std::ops::Range;

/// A line that has something in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// In its file, from 1.
    pub(crate) number: usize,
    /// As it stands there, without comments.
    pub(crate) text: String,
    /// Without blanks: what is compared.
    essence: String,
}

/// Lines that were replaced by others; one of both may be empty. Positions in the lists of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hunk {
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
}

/// Products of numbers of lines that are compared exactly; beyond it, all that is between the equal ends is one hunk.
const MAX_COMPARED: usize = 25_000_000;

/// The lines from the first to the last, from 1, of a file.
pub(crate) fn lines(file: &[String], first: usize, last: usize) -> Vec<Line> {
    let numbered = file.iter().enumerate().map(|(index, text)| (index + 1, text));
    let within = numbered.filter(|(number, _)| (first..=last).contains(number));
    let line = |(number, text): (usize, &String)| Line {
        number,
        text: text.trim_end().to_owned(),
        essence: essence(text),
    };
    // What compilers are told about warnings is no code.
    let is_code = |line: &Line| !line.essence.is_empty() && !line.essence.starts_with("#pragma");
    within.map(line).filter(is_code).collect()
}

/// A line without blanks.
pub(crate) fn essence(line: &str) -> String {
    line.chars().filter(|letter| !letter.is_whitespace()).collect()
}

/// What differs, in order.
pub(crate) fn hunks(old: &[Line], new: &[Line]) -> Vec<Hunk> {
    let is_same = |(old, new): &(&Line, &Line)| old.essence == new.essence;
    let before = old.iter().zip(new).take_while(is_same).count();
    let (old_rest, new_rest) = (&old[before..], &new[before..]);
    let behind = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(is_same).count();
    let old_middle = &old_rest[..old_rest.len() - behind];
    let new_middle = &new_rest[..new_rest.len() - behind];
    let mut hunks = match old_middle.len() * new_middle.len() <= MAX_COMPARED {
        true => between(&common(old_middle, new_middle), old_middle.len(), new_middle.len()),
        false => vec![Hunk { old: 0..old_middle.len(), new: 0..new_middle.len() }],
    };
    for hunk in &mut hunks {
        hunk.old = hunk.old.start + before..hunk.old.end + before;
        hunk.new = hunk.new.start + before..hunk.new.end + before;
    }
    hunks
}

/// The longest list of equal lines in both, by positions.
fn common(old: &[Line], new: &[Line]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    // At i, j: the length of the longest list of the lines from i and from j on.
    let mut longest = vec![0u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            longest[i * width + j] = match old[i].essence == new[j].essence {
                true => longest[(i + 1) * width + j + 1] + 1,
                false => longest[(i + 1) * width + j].max(longest[i * width + j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < old.len() && j < new.len() {
        if old[i].essence == new[j].essence {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// What lies between pairs of equal lines.
fn between(pairs: &[(usize, usize)], n_old: usize, n_new: usize) -> Vec<Hunk> {
    let mut hunks = Vec::new();
    let (mut i, mut j) = (0, 0);
    for &(old, new) in pairs.iter().chain([&(n_old, n_new)]) {
        if i < old || j < new {
            hunks.push(Hunk { old: i..old, new: j..new });
        }
        (i, j) = (old + 1, new + 1);
    }
    hunks
}

/// A hunk as people read it.
pub(crate) fn text(hunk: &Hunk, old: &[Line], new: &[Line]) -> String {
    let removed = old[hunk.old.clone()].iter().map(|line| format!("-{:>5} {}\n", line.number, line.text));
    let added = new[hunk.new.clone()].iter().map(|line| format!("+{:>5} {}\n", line.number, line.text));
    removed.chain(added).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<Line> {
        let file: Vec<String> = text.lines().map(str::to_owned).collect();
        lines(&file, 1, file.len())
    }

    #[test]
    fn blanks_are_no_difference() {
        assert!(hunks(&of("if (a)\n  b;\n\nc;"), &of("if(a)\n\tb;\n# pragma x\nc ;")).is_empty());
    }

    #[test]
    fn what_is_added_removed_and_replaced() {
        let (old, new) = (of("a\nb\nc\nd\ne"), of("a\nx\nc\ne\nf"));
        let found = hunks(&old, &new);
        assert_eq!(
            found,
            [Hunk { old: 1..2, new: 1..2 }, Hunk { old: 3..4, new: 3..3 }, Hunk { old: 5..5, new: 4..5 }]
        );
        assert_eq!(text(&found[0], &old, &new), "-    2 b\n+    2 x\n");
    }

    #[test]
    fn everything_may_differ() {
        assert_eq!(hunks(&of(""), &of("a")), [Hunk { old: 0..0, new: 0..1 }]);
        assert_eq!(hunks(&of("a\nb"), &of("")), [Hunk { old: 0..2, new: 0..0 }]);
    }
}
