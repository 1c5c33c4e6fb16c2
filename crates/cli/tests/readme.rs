//! What the documents show of the tool is what the tool does.
//!
//! `BLESS=1` writes the outputs in README.md anew; read the difference before you commit it.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use common::{indict, root};

/// Documents with commands in them.
const DOCUMENTS: [&str; 2] = ["README.md", "docs/configuration.md"];

/// The words behind `indict` of a line such as `$ indict run list.c   # analyze a file`.
fn command(line: &str) -> Option<Vec<&str>> {
    let words = line.strip_prefix("$ indict ")?.split(" #").next()?;
    Some(words.split(" > ").next()?.split_whitespace().collect())
}

/// The text with what the tool prints behind each command that has an output there.
fn with_outputs(text: &str) -> String {
    let mut written = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        written += &format!("{line}\n");
        let shows = |next: &&str| !next.starts_with("$ ") && !next.starts_with("```");
        if let Some(args) = command(line)
            && lines.peek().is_some_and(shows)
        {
            while lines.next_if(shows).is_some() {}
            written += &indict(&root(), &args).stdout;
        }
    }
    written
}

/// Ids depend on where the repository begins, and an unpacked archive is none.
fn without_ids(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("  id:   ")).collect();
    lines.join("\n")
}

#[test]
fn the_example_in_the_readme_is_what_the_tool_prints() {
    let file = root().join("README.md");
    let text = fs::read_to_string(&file).expect("there is a README");
    let real = with_outputs(&text);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&file, real).expect("it can be written");
        return;
    }
    let (text, real) = match root().join(".git").exists() {
        true => (text, real),
        false => (without_ids(&text), without_ids(&real)),
    };
    for (number, (text, real)) in text.lines().zip(real.lines()).enumerate() {
        assert_eq!(text, real, "README.md:{}: BLESS=1 writes what the tool prints", number + 1);
    }
    assert_eq!(text.lines().count(), real.lines().count(), "README.md: BLESS=1 writes what the tool prints");
}

/// The options in the help of a command.
fn options(command: &str) -> BTreeSet<String> {
    let said = indict(Path::new("."), &[command, "--help"]);
    let help = &said.check(0, &[]).stdout;
    let words = help.split(|it: char| !it.is_ascii_alphanumeric() && it != '-');
    words.filter(|it| it.starts_with('-')).map(str::to_owned).collect()
}

#[test]
fn the_commands_in_the_documents_have_the_options_that_they_use() {
    let mut n_commands = 0;
    for name in DOCUMENTS {
        let text = fs::read_to_string(root().join(name)).expect("the document is there");
        for line in text.lines() {
            let Some(words) = command(line) else { continue };
            let (command, rest) = words.split_first().expect("a command");
            let known = options(command);
            for word in rest.iter().take_while(|it| **it != "--").filter(|it| it.starts_with('-')) {
                let option = word.split('=').next().unwrap_or(word);
                assert!(known.contains(option), "{name}: `indict {command}` has no {option}: {line}");
            }
            n_commands += 1;
        }
    }
    assert!(n_commands > 15, "only {n_commands} commands");
}
