//! Finds the first lines in which two dumps differ.

/// How many differences are shown.
const SHOWN: usize = 5;
/// How far to look for the place where two texts agree again.
const WINDOW: usize = 200;

/// A place where the dumps differ.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// The line's number in LLVM's dump, from 1.
    pub(super) line: usize,
    /// The last line before it that names a function or global, and the last that names a block.
    pub(super) context: Vec<String>,
    /// What LLVM says; none if it says nothing there.
    pub(super) llvm: Option<String>,
    /// What our reader says; none if it says nothing there.
    pub(super) ours: Option<String>,
}

/// The first few differences, in order.
pub(super) fn differences(llvm: &str, ours: &str) -> Vec<Difference> {
    let (llvm, ours): (Vec<&str>, Vec<&str>) = (llvm.lines().collect(), ours.lines().collect());
    let (mut left, mut right) = (0, 0);
    let mut found = Vec::new();
    while (left < llvm.len() || right < ours.len()) && found.len() < SHOWN {
        if llvm.get(left) == ours.get(right) {
            left += 1;
            right += 1;
            continue;
        }
        let (skip_left, skip_right) = resynchronize(&llvm[left..], &ours[right..]);
        for offset in 0..skip_left.max(skip_right).min(SHOWN - found.len()) {
            let line = |skip: usize, lines: &[&str], at: usize| {
                (offset < skip).then(|| lines[at + offset].to_string())
            };
            found.push(Difference {
                line: left + offset.min(skip_left) + 1,
                context: context(&llvm[..left]),
                llvm: line(skip_left, &llvm, left),
                ours: line(skip_right, &ours, right),
            });
        }
        left += skip_left;
        right += skip_right;
    }
    found
}

/// How many lines to pass over on each side so that the texts agree again: as few as possible.
fn resynchronize(llvm: &[&str], ours: &[&str]) -> (usize, usize) {
    for total in 1..=2 * WINDOW {
        // The two skips nearest to each other first: a changed line is likelier than a missing one.
        let mut splits: Vec<usize> = (0..=total).collect();
        splits.sort_by_key(|&skip| skip.abs_diff(total - skip));
        for skip in splits {
            let (left, right) = (skip, total - skip);
            if left < llvm.len() && right < ours.len() && llvm[left] == ours[right] {
                return (left, right);
            }
        }
    }
    (llvm.len(), ours.len())
}

fn context(before: &[&str]) -> Vec<String> {
    let thing = before.iter().rposition(|line| {
        ["define ", "declare ", "global ", "alias "].iter().any(|word| line.starts_with(word))
    });
    let block = before.iter().rposition(|line| line.starts_with("bb")).filter(|&block| thing < Some(block));
    let last = before.len().checked_sub(1).filter(|&last| Some(last) != thing && Some(last) != block);
    [thing, block, last].into_iter().flatten().map(|index| before[index].to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::differences;

    fn check(llvm: &str, ours: &str, expected: &[(usize, Option<&str>, Option<&str>)]) {
        let found = differences(llvm, ours);
        let found: Vec<_> = found.iter().map(|d| (d.line, d.llvm.as_deref(), d.ours.as_deref())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn equal_texts_do_not_differ() {
        check("a\nb", "a\nb", &[]);
    }

    #[test]
    fn changed_missing_and_surplus_lines_are_found() {
        check("a\nb\nc", "a\nx\nc", &[(2, Some("b"), Some("x"))]);
        check("a\nb\nc", "a\nc", &[(2, Some("b"), None)]);
        check("a\nc", "a\nb\nc", &[(2, None, Some("b"))]);
        check("a\nb", "a", &[(2, Some("b"), None)]);
    }

    #[test]
    fn context_names_the_function_and_block() {
        let found = differences("define @f\nbb0:\n  x\n  y", "define @f\nbb0:\n  x\n  z");
        assert_eq!(found[0].context, ["define @f", "bb0:", "  x"]);
    }
}
