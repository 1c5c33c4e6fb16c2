//! Pairing what is expected with what was found.

/// As many pairs as possible, and what is left over, by index.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Pairing {
    /// What is expected with what was found, in the order of the latter.
    pub(crate) pairs: Vec<(usize, usize)>,
    pub(crate) missing: Vec<usize>,
    pub(crate) surplus: Vec<usize>,
}

/// Finds a largest set of pairs in which each thing occurs once (augmenting paths), because a choice of the first that
/// fits could take `null-deref "p"` away from the one expectation that says `"p"`.
pub(crate) fn pair<E, F>(expected: &[E], found: &[F], fits: impl Fn(&E, &F) -> bool) -> Pairing {
    let mut partner_of_found = vec![None; found.len()];
    let mut missing = Vec::new();
    for index in 0..expected.len() {
        let mut tried = vec![false; found.len()];
        let fits = |one: usize, other: usize| fits(&expected[one], &found[other]);
        if !augment(index, &fits, &mut tried, &mut partner_of_found) {
            missing.push(index);
        }
    }
    let partners = || partner_of_found.iter().enumerate();
    let pairs = partners().filter_map(|(found, partner)| Some(((*partner)?, found))).collect();
    let surplus = partners().filter(|(_, partner)| partner.is_none()).map(|(found, _)| found).collect();
    Pairing { pairs, missing, surplus }
}

/// Finds a partner for `expected`, moving earlier ones to other partners where needed.
fn augment(
    expected: usize,
    fits: &impl Fn(usize, usize) -> bool,
    tried: &mut [bool],
    partner_of_found: &mut [Option<usize>],
) -> bool {
    for found in 0..partner_of_found.len() {
        if tried[found] || !fits(expected, found) {
            continue;
        }
        tried[found] = true;
        let free = match partner_of_found[found] {
            None => true,
            Some(other) => augment(other, fits, tried, partner_of_found),
        };
        if free {
            partner_of_found[found] = Some(expected);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expected: &[&str], found: &[&str], missing: &[usize], surplus: &[usize]) {
        let pairing = pair(expected, found, |part, whole| whole.contains(part));
        assert_eq!((&pairing.missing[..], &pairing.surplus[..]), (missing, surplus));
        assert_eq!(pairing.pairs.len() + missing.len(), expected.len());
        assert!(pairing.pairs.iter().all(|&(part, whole)| found[whole].contains(expected[part])));
    }

    #[test]
    fn pairs_do_not_depend_on_the_order() {
        check(&["a", "ab"], &["ab", "a"], &[], &[]);
        check(&["a", "ab"], &["a", "ab"], &[], &[]);
        check(&["", "a", "ab"], &["ab", "a", "x"], &[], &[]);
    }

    #[test]
    fn each_thing_counts_once() {
        check(&["a", "a"], &["a"], &[1], &[]);
        check(&["a"], &["a", "a"], &[], &[1]);
        check(&["a"], &["b"], &[0], &[0]);
        check(&[], &[], &[], &[]);
    }
}
