//! From how a function is used to what could be said of it.

use ir::Type;

use super::evidence::{ArgEvidence, Evidence};
use super::words;
use super::{AllEvidence, Lost, Proposal};

/// What a rule concludes.
struct Conclusion {
    lines: Vec<String>,
    certain: bool,
    reasons: Vec<String>,
}

/// The first rule that has something to say of a function says it.
pub(super) fn propose(evidence: &Evidence, all: &AllEvidence, lost: Lost) -> Proposal {
    let conclusion = frees(evidence, all)
        .or_else(|| ends_program(evidence))
        .or_else(|| allocates(evidence, all))
        .or_else(|| never_null(evidence, lost));
    let (lines, certain, mut reasons) =
        conclusion.map_or_else(Default::default, |it| (it.lines, it.certain, it.reasons));
    if evidence.has_body {
        reasons.insert(0, "it has a body, but the analysis of it was given up".to_owned());
    }
    Proposal { name: evidence.name.clone(), pretty: evidence.pretty.clone(), lines, certain, reasons, lost }
}

/// `if (!p) die("…"); p->next = NULL;`
fn ends_program(evidence: &Evidence) -> Option<Conclusion> {
    let sounds = words::sounds_like_abort(&evidence.name);
    let nobody_waits = evidence.ignored == evidence.sites;
    // Behind some of many calls, control goes another way than it seems: by flags that say so.
    let is_likely = evidence.finals > 0 && evidence.finals * 4 >= evidence.sites;
    if evidence.noreturn || !nobody_waits || !is_likely && !sounds {
        return None;
    }
    let mut reasons = Vec::new();
    if evidence.finals > 0 {
        reasons.push(format!(
            "behind {} of {} calls, a pointer is dereferenced that was null before, or the function ends without its result",
            evidence.finals, evidence.sites
        ));
    }
    if sounds {
        reasons.push("its name sounds like it".to_owned());
    }
    // A function that merely logs is called in other places, too; and a single place may be a bug.
    let mostly = evidence.finals >= 2 && evidence.finals * 2 >= evidence.sites;
    let certain = mostly || evidence.finals > 0 && sounds;
    Some(Conclusion { lines: vec!["like = \"abort\"".to_owned()], certain, reasons })
}

/// `pool_free(p);` as the last thing that is done with `p`.
fn frees(evidence: &Evidence, all: &AllEvidence) -> Option<Conclusion> {
    let sounds = words::sounds_like_free(&evidence.name);
    if evidence.ignored * 10 < evidence.sites * 9 || !sounds && !words::sounds_like_release(&evidence.name) {
        return None;
    }
    let is_last = |arg: &ArgEvidence| arg.passed > 0 && arg.last * 10 >= arg.passed * 9;
    // Of `pool_free(pool, p)`, `p` is what an allocator returned, or else what is passed last.
    let candidates = || evidence.args.iter().filter(|(_, arg)| is_last(arg));
    let (&at, arg) = candidates().max_by_key(|(at, arg)| {
        (arg.allocated.values().sum::<usize>() + arg.from.values().sum::<usize>(), **at)
    })?;
    let family = arg.allocated.iter().max_by_key(|(_, count)| **count).map(|(family, _)| family.as_str());
    let partners: Vec<&str> = arg
        .from
        .keys()
        .filter_map(|node| all.get(node))
        .map(|it| it.name.as_str())
        .filter(|name| words::sounds_like_allocator(name))
        .collect();
    let mut reasons = vec![format!(
        "nothing is done with the pointer after {} of {} calls, and its name sounds like it",
        arg.last, arg.passed
    )];
    if let Some(family) = family {
        reasons.push(format!("what it gets was allocated by the family `{family}`"));
    }
    if !partners.is_empty() {
        reasons.push(format!("what it gets comes from {}", quoted(&partners)));
    }
    let lines = match family {
        None | Some("malloc") => like("free", &[at]),
        Some(family) => vec![format!("arg{at} = {{ frees = \"{family}\", null_ok = true }}")],
    };
    let counter = all.values().find(|it| words::counts_references(&it.name, &evidence.name));
    if let Some(counter) = counter {
        reasons.push(format!(
            "but `{}` suggests that references are counted, and then it is wrong",
            counter.name
        ));
    }
    let certain = sounds && counter.is_none() && (family.is_some() || !partners.is_empty());
    Some(Conclusion { lines, certain, reasons })
}

/// `p = pool_alloc(n); … free(p);`
fn allocates(evidence: &Evidence, all: &AllEvidence) -> Option<Conclusion> {
    if evidence.returns != Some(Type::Ptr) {
        return None;
    }
    let known = evidence.freed.iter().max_by_key(|(_, count)| **count);
    let partners: Vec<&str> = evidence
        .given
        .keys()
        .filter_map(|node| all.get(node))
        .map(|it| it.name.as_str())
        .filter(|name| words::sounds_like_free(name))
        .collect();
    let related =
        |it: &&Evidence| words::are_related(&evidence.name, &it.name) && words::sounds_like_free(&it.name);
    let relative = all.values().find(related).map(|it| it.name.as_str());
    let sounds = words::sounds_like_allocator(&evidence.name);
    let mut reasons = Vec::new();
    if let Some((family, count)) = known {
        reasons.push(format!("{count} of its results are freed by a function for the family `{family}`"));
    }
    if !partners.is_empty() {
        reasons.push(format!("its results are given to {}", quoted(&partners)));
    } else if let Some(relative) = relative.filter(|_| known.is_none()) {
        reasons.push(format!("its name fits to that of `{relative}`"));
    }
    if reasons.is_empty() {
        return None;
    }
    let never_tested = evidence.tested == 0 && evidence.unchecked >= 2;
    if never_tested {
        reasons.push(format!(
            "no result is ever compared with null, and {} are dereferenced",
            evidence.unchecked
        ));
    } else if evidence.tested > 0 {
        reasons.push(format!("{} of {} results are compared with null", evidence.tested, evidence.sites));
    }
    let family = known.map_or("malloc", |(family, _)| family);
    let certain = known.is_some() || sounds && !partners.is_empty();
    Some(Conclusion { lines: allocation(evidence, family, never_tested), certain, reasons })
}

/// The rows for an allocator: like the one of the C library whose shape it has, or a block of unknown size.
fn allocation(evidence: &Evidence, family: &str, nonnull: bool) -> Vec<String> {
    let name = evidence.name.as_str();
    let of_type = |wanted: fn(&Type) -> bool| -> Vec<usize> {
        let params = evidence.params.iter().enumerate();
        params.filter(|(_, ty)| wanted(ty)).map(|(at, _)| at).collect()
    };
    // `CRYPTO_zalloc(size_t size, const char *file, int line)`: a size is a `size_t`, if there is one.
    let mut sizes = of_type(|ty| *ty == Type::Int(64));
    if sizes.is_empty() {
        sizes = of_type(|ty| *ty == Type::Int(32));
    }
    let pointers = of_type(|ty| *ty == Type::Ptr);
    let is_malloc = family == "malloc";
    let mut lines = match (&sizes[..], &pointers[..]) {
        (&[size], &[.., old]) if is_malloc && words::sounds_like_realloc(name) => {
            like("realloc", &[old, size])
        }
        (&[n, size], _) if is_malloc && words::sounds_like_calloc(name) => like("calloc", &[n, size]),
        ([], &[.., text]) if is_malloc && words::sounds_like_strdup(name) => like("strdup", &[text]),
        (&[size], _) if words::sounds_like_calloc(name) => {
            let or = if nonnull { "" } else { ", or = \"null\"" };
            return vec![format!(
                "ret = {{ alloc = \"{family}\", size = \"arg{size}\", content = \"zero\"{or} }}"
            )];
        }
        (&[size], _) if is_malloc && words::sounds_like_size_allocator(name) => like("malloc", &[size]),
        _ => return unknown_size(&pointers, family, nonnull),
    };
    if nonnull {
        lines.push("nonnull-return = true".to_owned());
    }
    lines
}

/// A new block of which only the family is known. What it may do with other pointers is what is assumed of unknown code.
fn unknown_size(pointers: &[usize], family: &str, nonnull: bool) -> Vec<String> {
    let or = if nonnull { "" } else { ", or = \"null\"" };
    let args = pointers.iter().map(|at| format!("arg{at} = {{ havoc = \"any\", keeps = true }}"));
    let ret = format!("ret = {{ alloc = \"{family}\", size = \"unknown\", content = \"unknown\"{or} }}");
    args.chain([ret]).collect()
}

/// A pointer that is compared with null in few places, and findings rest on it.
fn never_null(evidence: &Evidence, lost: Lost) -> Option<Conclusion> {
    let mostly_trusted = evidence.unchecked >= 2 && evidence.tested * 4 <= evidence.unchecked;
    if evidence.returns != Some(Type::Ptr) || lost.findings == 0 || !mostly_trusted {
        return None;
    }
    let reasons = vec![format!(
        "{} of {} results are dereferenced without a test, {} are compared with null, and findings rest on that: one of both is wrong",
        evidence.unchecked, evidence.sites, evidence.tested
    )];
    Some(Conclusion { lines: vec!["nonnull-return = true".to_owned()], certain: false, reasons })
}

/// `like`, with `args` where the positions differ.
fn like(target: &str, args: &[usize]) -> Vec<String> {
    let mut lines = vec![format!("like = \"{target}\"")];
    if args.iter().enumerate().any(|(at, &arg)| at != arg) {
        let list: Vec<String> = args.iter().map(ToString::to_string).collect();
        lines.push(format!("args = [{}]", list.join(", ")));
    }
    lines
}

fn quoted(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().take(3).map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
