//! All sentences about errors, made of what engines say: one room, one voice.
//!
//! Rules: plain American English, short, active, present tense. A sentence names the value as the program
//! does, says who fails, and never shows a name that only the engine knows.
//! Source: the house style, §10.62.

use base::{counted, limits};
use catalog::{Clause, Condition, Event, Extent, Name, Need, Object, Offset, Origin, Unfreeable, Use, What};

/// What goes wrong, and whom it concerns if it is doomed.
pub fn message(what: &What, extent: Option<&Extent>) -> String {
    let message = what_happens(what);
    match extent {
        None => message,
        Some(Extent::ThisLine) => format!("{message}; no execution gets past this line"),
        Some(Extent::Line(line)) => format!("{message}; every execution that reaches line {line} fails"),
    }
}

/// The same, told from a call: it happens in `function`, with the names that are used there.
pub fn message_from(function: &str, what: &What) -> String {
    format!("in `{function}`: {}", what_happens(what))
}

fn what_happens(what: &What) -> String {
    match what {
        What::Null { pointer, used: Use::Any, .. } => format!("{} is null here", a_pointer(pointer)),
        What::Null { pointer, used, to: None } => {
            format!("{} is null and is {}", a_pointer(pointer), done(*used))
        }
        What::Null { pointer: Some(null), used, to: Some(to) } if is_constant(null) => {
            format!("a null pointer is passed to `{to}`, which {} it", does(*used))
        }
        What::Null { pointer, used, to: Some(to) } => {
            format!("{} is null, and `{to}` {} it", a_pointer(pointer), does(*used))
        }
        What::Freed { pointer, used: Use::Any, .. } => format!("{} was freed before", a_pointer(pointer)),
        What::Freed { pointer, used, to: None } => match used {
            Use::Free => format!("{} is freed a second time", a_pointer(pointer)),
            Use::Call => format!("{} is called after it was freed", a_pointer(pointer)),
            _ => format!("{} is used after it was freed", a_pointer(pointer)),
        },
        What::Freed { pointer, used, to: Some(to) } => {
            let again = if *used == Use::Free { " again" } else { "" };
            format!("{} was freed, and `{to}` {} it{again}", a_pointer(pointer), does(*used))
        }
        What::ScopeEnded { pointer, object, to: None, .. } => {
            let object = object.as_ref().map_or("a variable".to_owned(), named);
            format!("{} refers to {object}, whose scope has ended", a_pointer(pointer))
        }
        What::ScopeEnded { pointer, used, to: Some(to), .. } => format!(
            "{} refers to a variable whose scope has ended, and `{to}` {} it",
            a_pointer(pointer),
            does(*used)
        ),
        What::OutOfBounds { object, used: Use::Any, .. } => {
            let object = match object {
                Object::Behind(name) => format!("`{name}`"),
                Object::Unknown => "the object".to_owned(),
                object => named(object),
            };
            format!("the access is outside of {object}")
        }
        What::OutOfBounds { object, size, used, bytes, offset } => {
            let bytes = if *bytes == 1 { "1 byte is".to_owned() } else { format!("{bytes} bytes are") };
            let used = if *used == Use::Write { "written" } else { "read" };
            let place = match offset {
                Offset::At(offset) if is_number(offset) => format!("at offset {offset} of"),
                Offset::At(offset) if is_c(offset) => format!("at offset `{offset}` of"),
                Offset::At(_) | Offset::Unknown => "outside of".to_owned(),
            };
            let size = size.as_ref().map_or("fewer bytes".to_owned(), |size| match size.as_str() {
                "1" => "1 byte".to_owned(),
                size if is_number(size) => format!("{size} bytes"),
                size if is_c(size) => format!("`{size}` bytes"),
                _ => "fewer bytes".to_owned(),
            });
            format!("{bytes} {used} {place} {}, which has {size}", named(object))
        }
        What::OutOfBoundsIn { pointer, to, up_to: Some(end) } => {
            format!("`{to}` accesses {} up to byte {end}, beyond its end", or(pointer, "what it gets"))
        }
        What::OutOfBoundsIn { pointer, to, up_to: None } => {
            format!("`{to}` accesses bytes outside of {}", or(pointer, "what it gets"))
        }
        What::NegativeIndex { array } => {
            format!("the index into {} is negative here", or(array, "the array"))
        }
        What::NotFreeable { pointer, object: None, .. } => {
            format!("{} is freed, but was not allocated", or(pointer, "memory"))
        }
        What::NotFreeable { pointer, object: Some(object), why } => {
            let (pointer, object) = (a_pointer(pointer), named(object));
            match why {
                Unfreeable::Inner => format!("{pointer} is freed, but points into the middle of {object}"),
                Unfreeable::NotAllocated => format!("{pointer} is freed, but points to {object}"),
                Unfreeable::Family { by, made_by } => {
                    let by = deallocator(by);
                    let made_by =
                        if made_by.is_empty() { "another function" } else { &format!("`{made_by}`") };
                    format!("{pointer} is freed by `{by}`, but was allocated by {made_by}")
                }
            }
        }
        What::NotFreeableIn { pointer, to, made_by } => {
            let why = match made_by {
                Some(made_by) => format!("was allocated by `{made_by}`"),
                None => "was never allocated".to_owned(),
            };
            format!("{} is freed by `{to}`, but {why}", a_pointer(pointer))
        }
        What::DivisionByZero { divisor } => format!("division by {}, which is zero", or(divisor, "a value")),
        What::Unwritten { value, need } => {
            format!("{} is used {} but was never written", or(value, "memory"), needed(*need))
        }
        What::Assertion => "an assertion fails".to_owned(),
        What::MustNotBeCalled => "an assertion fails, whatever the arguments are".to_owned(),
        What::AddressReturned { object } => {
            format!("the address of {} is returned, but its scope ends here", named(object))
        }
        What::Leak { by: None } => "memory allocated here is never freed and becomes unreachable".to_owned(),
        What::Leak { by: Some(by) } => {
            format!("memory allocated by `{by}` is never freed and becomes unreachable")
        }
        What::LeakIn { callee } => {
            format!("memory that `{callee}` allocates is never freed and becomes unreachable")
        }
        What::MayBeNull { pointer, used } => format!("`{pointer}` may be null and is {}", done(*used)),
        What::MayBeFreed { pointer, used: Use::Free } => {
            format!("`{pointer}` may have been freed before and is freed")
        }
        What::MayBeFreed { pointer, used } => {
            format!("`{pointer}` may point to freed memory and is {}", done(*used))
        }
        What::Endless { unchanged, holds } => endless(unchanged, holds),
        What::Dead => "no execution gets here: the conditions on the way contradict one another".to_owned(),
    }
}

/// What is assumed of a function that nobody knows: that it returns what leads to the error.
pub fn assumed(function: &str) -> String {
    match function.ends_with(')') {
        true => format!("what {function} returns"),
        // A function pointer, inline assembly.
        false if function.contains(' ') => format!("what {function} returns"),
        false => format!("what {function}() returns"),
    }
}

/// How many findings are not shown because they rest on functions that nobody knows.
pub fn left_out(findings: usize) -> String {
    let rest = if findings == 1 { "rests" } else { "rest" };
    format!(
        "{} that {rest} on what unknown functions return: left out (--no-unknown)",
        counted(findings, "finding")
    )
}

/// Why a loop never ends.
fn endless(unchanged: &[String], holds: &[Condition]) -> String {
    let never = "the loop never ends";
    if !holds.is_empty() {
        let holds: Vec<String> = holds.iter().map(said).collect();
        return format!("{never}: {} in every iteration", joined(&holds, "and"));
    }
    if unchanged.is_empty() {
        return never.to_owned();
    }
    let names: Vec<String> = unchanged.iter().map(|it| format!("`{it}`")).collect();
    format!("{never}: nothing in it changes {}", joined(&names, "or"))
}

/// A step of a story.
pub fn event(event: &Event) -> String {
    match event {
        Event::Pointer(origin) => match origin {
            Origin::Returned(by) | Origin::Library(by) => format!("`{by}` returns the pointer"),
            Origin::Failed(by) => format!("`{by}` returns null"),
            Origin::Allocated(by) => format!("`{by}` allocates the block"),
            Origin::Local => "the pointer is the address of a local variable".to_owned(),
        },
        Event::ReturnsNull(function) | Event::Fails(function) => format!("`{function}` returns null"),
        Event::SetToNull(name) => format!("`{name}` is set to null"),
        Event::SetToZero(name) => format!("`{name}` is set to zero"),
        Event::Allocated => "the block is allocated".to_owned(),
        Event::Freed => "the block is freed".to_owned(),
        Event::ScopeEnds => "the scope of the variable ends".to_owned(),
        Event::Branch(condition) => format!("taking the branch where {}", said(condition)),
        Event::UnknownBranch => {
            "taking a branch that depends on a value the analysis does not follow".to_owned()
        }
        Event::OtherPaths => "on other paths it happens here".to_owned(),
        Event::LostAtReturn => "the function returns, and nothing points to the block".to_owned(),
        Event::LostHere => "from here on nothing points to the block".to_owned(),
        Event::Passed => "the pointer is passed here".to_owned(),
        Event::CallFails(callee) => format!("this call makes `{callee}` fail"),
        Event::CallLoses(callee) => format!("this call makes `{callee}` lose memory"),
        Event::Calls(callee) => format!("calls `{callee}`"),
        Event::Error(What::Dead) => "no execution gets here".to_owned(),
        Event::Error(what) => what_happens(what),
    }
}

/// What goes wrong, where it goes wrong, for who has read the whole sentence already: the caller's part of it is not said again inside of the callee.
pub fn ending(what: &What) -> String {
    match what {
        What::Null { used, to: Some(_), .. } => format!("the null pointer is {} here", done(*used)),
        What::Freed { used: Use::Free, to: Some(_), .. } => {
            "the block is freed a second time here".to_owned()
        }
        What::Freed { used, to: Some(_), .. } => format!("the freed memory is {} here", accessed(*used)),
        What::ScopeEnded { used, to: Some(_), .. } => format!("the variable is {} here", accessed(*used)),
        What::OutOfBoundsIn { .. } => "bytes outside of the object are accessed here".to_owned(),
        What::NotFreeableIn { .. } => "the pointer is freed here".to_owned(),
        what => what_happens(what),
    }
}

/// A condition in words: so many parts as anybody reads, and how many more there are.
pub fn said(condition: &Condition) -> String {
    if condition.is_always() {
        return "in any case".to_owned();
    }
    // The shortest parts say most per letter; they are told in their own order.
    let parts: Vec<String> = condition.all.iter().map(clause).collect();
    let mut shown: Vec<usize> = (0..parts.len()).collect();
    if parts.len() > limits::CONDITION_TOLD {
        shown.sort_by_key(|&at| parts[at].chars().count());
        shown.truncate(limits::CONDITION_TOLD);
        shown.sort_unstable();
    }
    let more = parts.len() - shown.len();
    let mut told: Vec<String> = shown.iter().map(|&at| parts[at].clone()).collect();
    if more > 0 {
        told.push(
            format!("{} hold", counted(more, "more condition")).replace("condition hold", "condition holds"),
        );
    }
    joined(&told, "and")
}

/// Who can trigger a manifest error that needs memory: any caller that passes a valid `p` (and `p->next`).
pub fn triggered_by(condition: &Condition) -> String {
    let quoted = |texts: &[&str]| {
        let mut told: Vec<String> =
            texts.iter().take(limits::CONDITION_TOLD).map(|it| format!("`{it}`")).collect();
        if let more @ 1.. = texts.len() - told.len() {
            told.push(format!("{more} more"));
        }
        joined(&told, "and")
    };
    let valid = |of: bool| -> Vec<&str> {
        let names = condition.all.iter().filter_map(|it| match it {
            Clause::Valid { pointer, passed } if *passed == of => Some(pointer.as_str()),
            _ => None,
        });
        names.collect()
    };
    let (passed, reached) = (valid(true), valid(false));
    let is_passed = |pointer: &String| passed.contains(&pointer.as_str());
    let are_apart = |it: &Clause| matches!(it, Clause::Apart(a, b) if is_passed(a) && is_passed(b));
    let different = if condition.all.iter().any(are_apart) { ", different" } else { "" };
    let and_reached = if reached.is_empty() { String::new() } else { format!(" (and {})", quoted(&reached)) };
    match (passed.as_slice(), reached.as_slice()) {
        ([], [only]) => format!("any caller can trigger this while `{only}` is valid"),
        ([], reached) => format!("any caller can trigger this while {} are valid", quoted(reached)),
        ([only], _) => format!("any caller that passes a valid `{only}`{and_reached} can trigger this"),
        (passed, _) => {
            format!(
                "any caller that passes valid{different} {}{and_reached} can trigger this",
                quoted(passed)
            )
        }
    }
}

fn clause(clause: &Clause) -> String {
    match clause {
        Clause::Null(pointer) => format!("`{pointer}` is null"),
        Clause::NotNull(pointer) => format!("`{pointer}` is not null"),
        Clause::Between(value, low, high) => {
            let number = |text: &str| text.trim_end_matches('u').to_owned();
            format!("`{value}` is between {} and {}", number(low), number(high))
        }
        Clause::Valid { pointer, passed: _ } => format!("`{pointer}` is valid"),
        Clause::Apart(first, second) => format!("`{first}` and `{second}` are different objects"),
        Clause::Never => "nothing can make it happen".to_owned(),
        Clause::Holds(text) => {
            comparison_of_strings(text).unwrap_or_else(|| format!("`{}`", cut(&text.replace('`', ""))))
        }
        Clause::Any(any) => {
            let mut cases: Vec<String> = any.iter().take(limits::CONDITION_TOLD).map(case).collect();
            let more = any.len() - cases.len();
            if more > 0 {
                cases.push(format!("in {}", counted(more, "more case")));
            }
            joined(&cases, "or")
        }
    }
}

/// One of several conditions. If it has several parts, they belong together.
fn case(condition: &Condition) -> String {
    match condition.all.as_slice() {
        [only] => clause(only),
        _ => format!("({})", said(condition)),
    }
}

/// `strcmp(a, "x") == 0` is `a is "x"`.
fn comparison_of_strings(text: &str) -> Option<String> {
    let (call, is_equal) = match text.strip_suffix(" == 0") {
        Some(call) => (call, true),
        None => (text.strip_suffix(" != 0")?, false),
    };
    let call = call.trim_matches('`');
    let arguments = ["strcmp(", "strcasecmp(", "strcoll("].iter().find_map(|name| call.strip_prefix(name))?;
    let (value, literal) = arguments.strip_suffix(')')?.split_once(", \"")?;
    let literal = literal.strip_suffix('"').filter(|it| !it.contains('"'))?;
    let is = if is_equal { "is" } else { "is not" };
    Some(format!("`{value}` {is} \"{literal}\""))
}

fn joined(parts: &[String], word: &str) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first, second] => format!("{first} {word} {second}"),
        [before @ .., last] => format!("{}, {word} {last}", before.join(", ")),
    }
}

/// A single part can be too long, too.
fn cut(text: &str) -> String {
    match text.char_indices().nth(limits::CONDITION_LETTERS) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

fn or(name: &Name, otherwise: &str) -> String {
    name.as_ref().map_or(otherwise.to_owned(), |name| format!("`{name}`"))
}

/// `delete` is what people write.
fn deallocator(name: &str) -> &str {
    name.strip_prefix("operator ").filter(|it| it.starts_with("delete")).unwrap_or(name)
}

fn is_number(text: &str) -> bool {
    text.strip_prefix('-').unwrap_or(text).bytes().all(|it| it.is_ascii_digit())
}

/// Whether a term is one that people may write: `(uint2_t)n` and `concat(a, b)` are only ours.
fn is_c(term: &str) -> bool {
    let is_type = |width: &str| ["8", "16", "32", "64"].contains(&width);
    let mut types = term.split("int").skip(1).filter_map(|behind| Some(behind.split_once("_t)")?.0));
    !["concat(", "popcount(", "clz(", "ctz("].iter().any(|ours| term.contains(ours)) && types.all(is_type)
}

/// Whether a pointer is null and nothing else.
fn is_constant(pointer: &str) -> bool {
    ["NULL", "nullptr", "0"].contains(&pointer)
}

fn a_pointer(name: &Name) -> String {
    or(name, "a pointer")
}

fn does(used: Use) -> &'static str {
    match used {
        Use::Read | Use::Write => "dereferences",
        Use::Free => "frees",
        Use::Call => "calls",
        Use::Any => "uses",
    }
}

fn done(used: Use) -> &'static str {
    match used {
        Use::Read | Use::Write => "dereferenced",
        Use::Free => "freed",
        Use::Call => "called",
        Use::Any => "used",
    }
}

fn accessed(used: Use) -> &'static str {
    match used {
        Use::Read => "read",
        Use::Write => "written",
        Use::Free => "freed",
        Use::Call => "called",
        Use::Any => "used",
    }
}

fn needed(need: Need) -> &'static str {
    match need {
        Need::Condition => "in a condition",
        Need::Switch => "in a switch",
        Need::Address => "as an address",
        Need::Function => "as a function to call",
        Need::Argument => "as an argument",
        Need::Library => "by a library function",
        Need::Divisor => "as a divisor",
        Need::BlockSize => "as the size of a block",
        Need::ArraySize => "as the size of an array",
        Need::Length => "as a length",
    }
}

fn named(object: &Object) -> String {
    match object {
        Object::Heap => "a heap block".to_owned(),
        Object::Local(name) => format!("local variable `{name}`"),
        Object::Global(name) => format!("global `{name}`"),
        Object::Literal => "a string literal".to_owned(),
        Object::Function(name) => format!("function `{name}`"),
        Object::Behind(name) => format!("the memory of `{name}`"),
        Object::Unknown => "memory of unknown origin".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str) -> Clause {
        Clause::Holds(text.to_owned())
    }

    #[test]
    fn three_parts_of_a_condition_are_told() {
        let null = Clause::Null("p->next".to_owned());
        let between = Clause::Between("n".to_owned(), "1u".to_owned(), "7u".to_owned());
        let say = |all: &[Clause]| said(&Condition { all: all.to_vec() });
        assert_eq!(say(&[]), "in any case");
        assert_eq!(say(std::slice::from_ref(&null)), "`p->next` is null");
        assert_eq!(say(&[null.clone(), between.clone()]), "`p->next` is null and `n` is between 1 and 7");
        let long = holds(&"x".repeat(100));
        assert_eq!(
            say(&[long, null.clone(), holds("a < b"), between.clone()]),
            "`p->next` is null, `a < b`, `n` is between 1 and 7, and 1 more condition holds"
        );
        let both = Condition { all: vec![null, holds("a < b")] };
        let any = Clause::Any(vec![both, Condition::of(between)]);
        assert_eq!(say(&[any]), "(`p->next` is null and `a < b`) or `n` is between 1 and 7");
    }

    #[test]
    fn who_must_pass_what_is_told() {
        let valid = |pointer: &str, passed| Clause::Valid { pointer: pointer.to_owned(), passed };
        let say = |all: &[Clause]| triggered_by(&Condition { all: all.to_vec() });
        let (p, r, next) = (valid("p", true), valid("r", true), valid("p->next", false));
        assert_eq!(say(std::slice::from_ref(&p)), "any caller that passes a valid `p` can trigger this");
        assert_eq!(
            say(&[p.clone(), next.clone()]),
            "any caller that passes a valid `p` (and `p->next`) can trigger this"
        );
        let apart = Clause::Apart("p".to_owned(), "r".to_owned());
        assert_eq!(
            say(&[p.clone(), r.clone(), apart.clone()]),
            "any caller that passes valid, different `p` and `r` can trigger this"
        );
        assert_eq!(say(&[p.clone(), r.clone()]), "any caller that passes valid `p` and `r` can trigger this");
        assert_eq!(say(&[valid("head", false)]), "any caller can trigger this while `head` is valid");
        let whole = Condition { all: vec![p, r, apart] };
        assert_eq!(whole.to_string(), "valid(p) && valid(r) && p != r");
    }

    #[test]
    fn strings_are_compared_with_words() {
        let say = |text: &str| clause(&holds(text));
        assert_eq!(say("strcmp(argv[1], \"--x\") == 0"), "`argv[1]` is \"--x\"");
        assert_eq!(say("`strcmp(argv[1], \"--x\")` != 0"), "`argv[1]` is not \"--x\"");
        assert_eq!(say("strcmp(a, b) == 0"), "`strcmp(a, b) == 0`");
        assert_eq!(say("n == 0"), "`n == 0`");
    }

    #[test]
    fn names_that_only_we_know_are_not_shown() {
        let out_of_bounds = |offset: &str| What::OutOfBounds {
            object: Object::Global("table".to_owned()),
            size: Some("16".to_owned()),
            used: Use::Read,
            bytes: 4,
            offset: Offset::At(offset.to_owned()),
        };
        let say = |what: &What| message(what, None);
        assert_eq!(
            say(&out_of_bounds("-4")),
            "4 bytes are read at offset -4 of global `table`, which has 16 bytes"
        );
        assert_eq!(
            say(&out_of_bounds("4 * (uint64_t)n")),
            "4 bytes are read at offset `4 * (uint64_t)n` of global `table`, which has 16 bytes"
        );
        let outside = "4 bytes are read outside of global `table`, which has 16 bytes";
        assert_eq!(say(&out_of_bounds("(uint2_t)n")), outside);
        assert_eq!(say(&out_of_bounds("concat(true, n)")), outside);
        let unwritten = What::Unwritten { value: None, need: Need::Condition };
        assert_eq!(say(&unwritten), "memory is used in a condition but was never written");
        let why = Unfreeable::Family { by: "operator delete[]".to_owned(), made_by: "new".to_owned() };
        let freed = What::NotFreeable { pointer: Some("p".to_owned()), object: Some(Object::Heap), why };
        assert_eq!(say(&freed), "`p` is freed by `delete[]`, but was allocated by `new`");
    }

    #[test]
    fn a_call_says_where_it_fails() {
        let null = |pointer: &str| What::Null {
            pointer: Some(pointer.to_owned()),
            used: Use::Read,
            to: Some("get".to_owned()),
        };
        assert_eq!(message(&null("p"), None), "`p` is null, and `get` dereferences it");
        assert_eq!(message(&null("NULL"), None), "a null pointer is passed to `get`, which dereferences it");
        assert_eq!(message_from("each", &null("p")), "in `each`: `p` is null, and `get` dereferences it");
    }

    #[test]
    fn a_message_says_whom_it_concerns() {
        let what = What::Null { pointer: Some("p".to_owned()), used: Use::Any, to: None };
        assert_eq!(
            message(&what, Some(&Extent::ThisLine)),
            "`p` is null here; no execution gets past this line"
        );
        assert_eq!(
            message(&what, Some(&Extent::Line(3))),
            "`p` is null here; every execution that reaches line 3 fails"
        );
    }

    #[test]
    fn an_endless_loop_says_what_does_not_change() {
        let endless = |unchanged: &[&str], holds: &[&str]| {
            let holds = holds.iter().map(|it| Condition::of(Clause::Holds((*it).to_owned()))).collect();
            let unchanged = unchanged.iter().map(|it| (*it).to_owned()).collect();
            message(&What::Endless { unchanged, holds }, None)
        };
        assert_eq!(endless(&["i", "n"], &[]), "the loop never ends: nothing in it changes `i` or `n`");
        assert_eq!(endless(&[], &["i >= 0"]), "the loop never ends: `i >= 0` in every iteration");
        assert_eq!(endless(&[], &[]), "the loop never ends");
    }
}
