//! Ids of findings that survive moved lines.
//!
//! The id is a hash of kind, function, file and the shape of the message: its text with all numbers replaced by `#`, because
//! they may be lines or sizes. Equal ones are told apart by their order in the file.

use std::collections::BTreeMap;

use crate::finding::Finding;

/// Gives every finding its id. They must be sorted.
pub(crate) fn assign(findings: &mut [Finding]) {
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    for finding in findings {
        let plain = hash(&[finding.kind.id(), &finding.function, &finding.file, &shape(&finding.message)], 0);
        let earlier = seen.entry(plain.clone()).or_default();
        finding.id = match *earlier {
            0 => plain,
            n => hash(&[&plain], n),
        };
        *earlier += 1;
    }
}

/// Sixteen hexadecimal digits.
fn hash(parts: &[&str], number: u64) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        // With its length, so that parts cannot flow into one another.
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.update(&number.to_le_bytes());
    hasher.finalize().as_bytes()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn shape(message: &str) -> String {
    let mut shape = String::new();
    let mut in_word = false;
    for letter in message.chars() {
        match letter.is_ascii_digit() && !in_word {
            true if shape.ends_with('#') => {}
            true => shape.push('#'),
            false => shape.push(letter),
        }
        // The 2 of `buffer2` is part of a name.
        in_word = letter.is_alphabetic() || letter == '_' || (in_word && letter.is_ascii_digit());
    }
    shape
}

#[cfg(test)]
mod tests {
    use catalog::{Issue, Verdict};

    use super::*;

    fn finding(function: &str, line: u32, message: &str) -> Finding {
        Finding {
            id: String::new(),
            kind: Issue::MemoryLeak,
            verdict: Verdict::Manifest,
            function: function.into(),
            file: "a.c".into(),
            line,
            column: 1,
            message: message.into(),
            condition: "true".into(),
            engine: "split".into(),
            trace: Vec::new(),
            cause: None,
            left: false,
            suspected: false,
        }
    }

    fn ids(findings: &[(&str, u32, &str)]) -> Vec<String> {
        let mut findings: Vec<Finding> =
            findings.iter().map(|(function, line, message)| finding(function, *line, message)).collect();
        assign(&mut findings);
        findings.into_iter().map(|finding| finding.id).collect()
    }

    #[test]
    fn numbers_are_no_part_of_the_shape() {
        assert_eq!(shape("12 bytes of `buffer2` at a.c:31:4"), "# bytes of `buffer2` at a.c:#:#");
        assert_eq!(shape("x86_64 0x1f"), "x86_64 #x1f");
    }

    #[test]
    fn moved_lines_keep_the_id() {
        let before = ids(&[("f", 3, "16 bytes lost"), ("g", 9, "16 bytes lost")]);
        let after = ids(&[("f", 30, "24 bytes lost"), ("g", 90, "16 bytes lost")]);
        assert_eq!(before, after);
        assert_ne!(before[0], before[1]);
        assert!(before.iter().all(|id| id.len() == 16));
    }

    #[test]
    fn equal_errors_have_different_ids() {
        let ids = ids(&[("f", 3, "16 bytes lost"), ("f", 4, "16 bytes lost"), ("f", 5, "16 bytes lost")]);
        assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
    }

    #[test]
    fn the_hash_is_the_same_for_ever() {
        assert_eq!(ids(&[("f", 3, "16 bytes lost")]), ["2eb30f130238d8e0"]);
    }
}
