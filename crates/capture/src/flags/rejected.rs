//! Which options clang rejected, by its messages.

use super::rules;

/// The options among `args` that clang's messages reject; without them it may succeed.
///
/// Each message quotes the option, or its name and its value:
/// `error: unknown argument: '-fconserve-stack'`,
/// `error: unsupported option '-mrecord-mcount' for target 'x86_64-pc-linux-gnu'`,
/// `error: unsupported argument 'foo' to option '-mcmodel='`,
/// `error: invalid value 'zzz' in 'mstack-protector-guard='`,
/// `error: invalid argument '-mfoo' only allowed with '-mbar'`,
/// `error: the clang compiler does not support '-traditional'`,
/// `error: unknown target CPU 'zzz'`.
///
/// An option takes the word that belongs to it along.
pub(crate) fn rejected_by_clang<'a>(messages: &str, args: &'a [String]) -> Vec<&'a String> {
    let culprits: Vec<Culprit<'_>> = messages.lines().filter_map(culprit).collect();
    let mut rejected = Vec::new();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let value = if rules::driver(arg).takes_next() { rest.next() } else { None };
        if culprits.iter().any(|culprit| culprit.is(arg)) {
            rejected.push(arg);
            rejected.extend(value);
        }
    }
    rejected
}

/// How messages start that quote a whole option.
const ABOUT_AN_OPTION: &[&str] =
    &["unknown argument", "unsupported option", "invalid argument", "the clang compiler does not support"];

/// What one message says about an option.
enum Culprit<'m> {
    Whole(&'m str),
    NameAndValue { name: &'m str, value: &'m str },
    Cpu(&'m str),
}

fn culprit(line: &str) -> Option<Culprit<'_>> {
    let (_, message) = line.split_once("error: ")?;
    let mut quoted = message.split('\'').skip(1).step_by(2);
    let first = quoted.next()?;
    if ABOUT_AN_OPTION.iter().any(|start| message.starts_with(start)) {
        return Some(Culprit::Whole(first));
    }
    if message.starts_with("unsupported argument") || message.starts_with("invalid value") {
        let name = quoted.next()?.trim_start_matches('-');
        return Some(Culprit::NameAndValue { name, value: first });
    }
    message.starts_with("unknown target CPU").then_some(Culprit::Cpu(first))
}

impl Culprit<'_> {
    fn is(&self, arg: &str) -> bool {
        // The standard decides about the language: without it the unit would be another program.
        if arg.starts_with("-std=") {
            return false;
        }
        let name_and_value = arg.trim_start_matches('-');
        match *self {
            Culprit::Whole(option) => arg == option,
            Culprit::NameAndValue { name, value } => {
                let joined = name_and_value.strip_prefix(name);
                joined.is_some_and(|rest| rest.trim_start_matches('=') == value)
            }
            Culprit::Cpu(cpu) => ["march=", "mcpu=", "mtune="]
                .iter()
                .any(|name| name_and_value.strip_prefix(name) == Some(cpu)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(String::from).collect()
    }

    #[test]
    fn rejected_options_are_found_in_the_messages() {
        let args = words("-fgood -fbad -mcmodel=foo -mstack-protector-guard=zzz -march=i999 -std=c99 -mrec");
        let messages = "clang: error: unknown argument: '-fbad'; did you mean '-fgood'?\n\
            clang-19: error: unsupported argument 'foo' to option '-mcmodel=' for target 'x'\n\
            clang-19: error: invalid value 'zzz' in 'mstack-protector-guard=', expected one of: tls\n\
            error: unknown target CPU 'i999'\n\
            error: invalid value 'c99' in '-std=c99'\n\
            clang: error: unsupported option '-mrec' for target 'x86_64-pc-linux-gnu'\n";
        let found: Vec<&str> = rejected_by_clang(messages, &args).iter().map(|arg| arg.as_str()).collect();
        assert_eq!(found, ["-fbad", "-mcmodel=foo", "-mstack-protector-guard=zzz", "-march=i999", "-mrec"]);
        let args = words("-G 8 -DX -I 8x -mfoo");
        let messages = "clang: error: unsupported option '-G' for target 'x'\n\
            clang: error: invalid argument '-mfoo' only allowed with '-mbar'\n";
        assert_eq!(rejected_by_clang(messages, &args), ["-G", "8", "-mfoo"]);
        assert!(rejected_by_clang("a.c:1:1: error: unknown type name 'x'", &args).is_empty());
    }
}
