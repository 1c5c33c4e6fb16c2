//! Findings that only another tool has, to be read by a person: chosen without chance, spread over kinds and
//! projects.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::overlap::{Compared, Sort, Theirs};
use super::tool::Tool;

/// Up to `count` of each tool.
pub(crate) fn listing(all: &[Compared], count: usize) -> String {
    let mut text = String::new();
    for tool in Tool::ALL {
        let only = only(all, tool);
        let chosen = chosen(&only, count);
        put(&mut text, format_args!("\nonly {}: {} of {}\n", tool.id(), chosen.len(), only.len()));
        for (project, theirs) in chosen {
            let said = &theirs.said;
            let kind = theirs.kind.map_or("other", |kind| kind.id());
            put(
                &mut text,
                format_args!(
                    "  {project} {}:{}: {kind} [{}] {}\n",
                    said.file, said.line, said.check, said.message
                ),
            );
        }
    }
    text
}

/// A finding with the name of its project.
type Named<'c> = (&'c str, &'c Theirs);

fn only(all: &[Compared], tool: Tool) -> Vec<Named<'_>> {
    let of_tool = |compared: &'_ Compared| compared.tools.iter().position(|it| it.0 == tool);
    let mut only = Vec::new();
    for compared in all {
        let Some(index) = of_tool(compared) else { continue };
        let theirs = compared.tools[index].2.iter().filter(|theirs| theirs.sort == Sort::Only);
        only.extend(theirs.map(|theirs| (compared.project.name, theirs)));
    }
    only
}

/// Kinds in turn, those that we have first; of a kind, projects in turn; of both, from the whole length of the list.
fn chosen<'c>(only: &[Named<'c>], count: usize) -> Vec<Named<'c>> {
    let mut by_kind: BTreeMap<(bool, &str), BTreeMap<&str, Vec<Named<'c>>>> = BTreeMap::new();
    for &(project, theirs) in only {
        let kind = theirs.kind.map_or((true, theirs.said.check.as_str()), |kind| (false, kind.id()));
        by_kind.entry(kind).or_default().entry(project).or_default().push((project, theirs));
    }
    let queues: Vec<Vec<Named<'c>>> =
        by_kind.into_values().map(|projects| in_turn(projects.into_values().map(from_all_over))).collect();
    let mut chosen = in_turn(queues.into_iter());
    chosen.truncate(count);
    chosen
}

/// The first of each, the second of each, and so on.
fn in_turn<T>(lists: impl Iterator<Item = Vec<T>>) -> Vec<T> {
    let mut lists: Vec<std::vec::IntoIter<T>> = lists.map(Vec::into_iter).collect();
    let mut all = Vec::new();
    loop {
        let before = all.len();
        all.extend(lists.iter_mut().filter_map(Iterator::next));
        if all.len() == before {
            return all;
        }
    }
}

/// The middle, then the middles of both halves, and so on: any beginning of it is spread over the list.
fn from_all_over<T>(list: Vec<T>) -> Vec<T> {
    let mut slots: Vec<Option<T>> = list.into_iter().map(Some).collect();
    let mut ranges = std::collections::VecDeque::from([(0, slots.len())]);
    let mut all = Vec::new();
    while let Some((first, end)) = ranges.pop_front() {
        if first < end {
            let middle = first.midpoint(end);
            all.extend(slots[middle].take());
            ranges.extend([(first, middle), (middle + 1, end)]);
        }
    }
    all
}

fn put(text: &mut String, more: std::fmt::Arguments<'_>) {
    text.write_fmt(more).expect("invariant: a string takes any text");
}

#[cfg(test)]
mod tests {
    use super::super::tool::Said;
    use super::*;
    use catalog::Issue;

    fn theirs(kind: Option<Issue>, line: u32) -> Theirs {
        Theirs { said: Said::new("a.c", line, "check", ""), kind, sort: Sort::Only }
    }

    #[test]
    fn kinds_and_projects_come_in_turn() {
        let found = [
            ("a", theirs(None, 1)),
            ("a", theirs(Some(Issue::NullDeref), 2)),
            ("a", theirs(Some(Issue::NullDeref), 3)),
            ("b", theirs(Some(Issue::NullDeref), 4)),
            ("b", theirs(Some(Issue::MemoryLeak), 5)),
        ];
        let named: Vec<Named<'_>> = found.iter().map(|(project, theirs)| (*project, theirs)).collect();
        let lines = |count| chosen(&named, count).iter().map(|it| it.1.said.line).collect::<Vec<u32>>();
        assert_eq!(lines(9), [5, 3, 1, 4, 2]);
        assert_eq!(lines(2), [5, 3]);
    }

    #[test]
    fn every_item_comes_once() {
        let mut all = from_all_over((0..11).collect());
        assert_eq!(all[0], 5);
        all.sort_unstable();
        assert_eq!(all, (0..11).collect::<Vec<i32>>());
    }
}
