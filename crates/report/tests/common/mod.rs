//! Findings made by hand.

#![allow(dead_code, reason = "each test file uses its own part")]

use catalog::{Cause, Clause, Condition, Evidence, Fate, Issue, Verdict};
use report::{Anchor, Coverage, Files, Finding, Report, Step};

pub(crate) const LIST: &str = "\
#include \"list.h\"

static void store(int *to, int value)
{
    *to = value;
}

int *push(int value)
{
    int *cell = malloc(sizeof *cell);
    store(cell, value);
    return cell;
}

int peek(struct list *list, int flag)
{
    if (flag)
        return list->cells[16];
    return 0;
}
";

pub(crate) const MAIN: &str = "\
int run(void)
{
\tchar *name = read_name();
\tif (!check(name))
\t\treturn -1;
\tfree(name);
\treturn 0;
}

void stop(void)
{
    int *p = 0;
    *p = 1;
}
";

/// The bytes of a file, if it is there.
pub(crate) fn source(file: &str) -> Option<Vec<u8>> {
    match file {
        "src/list.c" => Some(LIST.into()),
        "src/main.c" => Some(MAIN.into()),
        _ => None,
    }
}

/// With ids; names of files are those of the project.
pub(crate) fn with_ids(report: Report, source: &dyn Fn(&str) -> Option<Vec<u8>>) -> Report {
    report.with_files(&Files { shown: &str::to_owned, anchored: &str::to_owned, bytes: source }).with_ids()
}

/// `file:line:column function depth message`.
pub(crate) fn step(place: &str, function: &str, depth: usize, message: &str) -> Step {
    let (file, line, column) = spelled(place);
    let (function, message) = (function.to_owned(), message.to_owned());
    Step { file, line, column, function, depth, message }
}

pub(crate) fn finding(kind: Issue, verdict: Verdict, place: &str, function: &str, message: &str) -> Finding {
    let (file, line, column) = spelled(place);
    Finding {
        id: String::new(),
        kind,
        verdict,
        relaxed: false,
        function: function.to_owned(),
        file,
        line,
        column,
        message: message.to_owned(),
        condition: Condition::always(),
        assumes: Vec::new(),
        engine: "split".to_owned(),
        trace: Vec::new(),
        cause: Cause::Program,
        evidence: Evidence::Proved,
        origin: None,
        fate: if verdict == Verdict::Latent && !kind.is_leak() { Fate::OnRequest } else { Fate::Shown },
        anchor: Anchor { function: function.to_owned(), ..Anchor::default() },
    }
}

fn spelled(place: &str) -> (String, u32, u32) {
    let mut parts = place.split(':');
    let file = parts.next().expect("a file").to_owned();
    let mut number = || parts.next().map_or(0, |part| part.parse().expect("a number"));
    (file, number(), number())
}

/// One finding of each sort: certain with a call, latent, a leak, doomed.
pub(crate) fn example() -> Report {
    let mut null = finding(
        Issue::NullDeref,
        Verdict::Manifest,
        "src/list.c:11:5",
        "push",
        "`cell` is null if `malloc` fails, and `store` writes to it",
    );
    null.trace = vec![
        step("src/list.c:10:17", "push", 0, "`malloc` returns null"),
        step("src/list.c:11:5", "push", 0, "calls `store` with `to` null"),
        step("src/list.c:5:9", "store", 1, "`*to` is written"),
    ];
    let mut bounds = finding(
        Issue::OutOfBounds,
        Verdict::Latent,
        "src/list.c:18:16",
        "peek",
        "`list->cells[16]` lies behind the end of `list->cells`",
    );
    bounds.condition = holds(&["flag != 0", "list->len < 16"]);
    bounds.trace = vec![
        step("src/list.c:17:9", "peek", 0, "`flag` is not 0"),
        step("src/list.c:18:16", "peek", 0, "4 bytes are read at offset 64"),
    ];
    let mut leak = finding(
        Issue::MemoryLeak,
        Verdict::Latent,
        "src/main.c:3:15",
        "run",
        "what `read_name` returns is never freed",
    );
    leak.condition = holds(&["config->strict != 0"]);
    leak.trace = vec![
        step("src/main.c:3:15", "run", 0, "calls `read_name`"),
        step("src/gone.c:40:12", "read_name", 1, "allocated here"),
        step("src/main.c:5:3", "run", 0, "`run` returns, and nothing points to the block any more"),
    ];
    let mut doomed = finding(
        Issue::NullDeref,
        Verdict::Doomed,
        "src/main.c:13:8",
        "stop",
        "every execution that comes here dereferences null",
    );
    doomed.engine = "doomed".to_owned();
    doomed.trace = vec![
        step("src/main.c:12:10", "stop", 0, "`p` is null"),
        step("src/main.c:13:8", "stop", 0, "`*p` is written"),
    ];
    let notes = vec!["left out: src/odd.c: cannot be compiled".to_owned()];
    let coverage = Coverage { functions: 12, analyzed: 11, gave_up: 1 };
    with_ids(Report::new(vec![doomed, leak, bounds, null], coverage, notes), &source)
}

/// A condition of C expressions.
pub(crate) fn holds(all: &[&str]) -> Condition {
    Condition { all: all.iter().map(|text| Clause::Holds((*text).to_owned())).collect() }
}
