//! Summaries as text, for people.

use base::visible;
use catalog::What;
use heap::block::Content;
use heap::{Block, Cell, Exit, Kind, PreBlock, Spec, Status};
use term::{TermId, Terms};

use crate::triples::Triples;

impl Triples {
    /// A triple, readable; `say` makes a sentence of what goes wrong.
    pub fn show(&self, spec: &Spec, say: &dyn Fn(&What) -> String) -> String {
        let mut text = String::new();
        // Names of the program must not make lines, and what has no name is a question.
        let mut tell = |line: String| text.push_str(&(visible::line(&line).replace("``", "?") + "\n"));
        let pre = spec.pre.iter().map(|pre| self.show_pre(spec, pre)).collect::<Vec<_>>().join(" * ");
        let when = self.show_conditions(spec);
        tell(format!("presumes {}", if pre.is_empty() { "nothing" } else { &pre }));
        if !when.is_empty() {
            tell(format!("when     {when}"));
        }
        let post: Vec<String> = spec
            .post
            .iter()
            .map(|block| show_block(&self.terms, block))
            .filter(|it| !it.is_empty())
            .collect();
        match spec.exit {
            Exit::Ok => {
                let results: Vec<String> =
                    spec.results.iter().map(|&it| self.terms.show(it).to_string()).collect();
                tell(format!(
                    "ok       returns {}",
                    if results.is_empty() { "nothing".into() } else { results.join(", ") }
                ));
            }
            Exit::NoReturn => {
                tell("ends the program".to_owned());
            }
            Exit::Cut => {
                tell("not followed further".to_owned());
            }
            Exit::Er(bug) => {
                if let Some(bug) = self.bugs.get(bug as usize) {
                    tell(format!("er       {} ({}): {}", bug.issue, bug.verdict, say(&bug.what)));
                }
            }
        }
        if !post.is_empty() {
            tell(format!("leaves   {}", post.join(" * ")));
        }
        text
    }

    /// Under which conditions of its path a triple holds; empty if there are none.
    pub fn show_conditions(&self, spec: &Spec) -> String {
        let conditions: Vec<TermId> = spec.conditions.iter().map(|it| it.term).collect();
        self.terms.show_all(&conditions)
    }

    fn show_pre(&self, spec: &Spec, pre: &PreBlock) -> String {
        let base = self.terms.show(pre.base);
        if pre.negative {
            return format!("{base} freed");
        }
        let body = &spec.post[base::Id::index(pre.block)];
        if matches!(body.kind, Kind::Global(_)) && pre.cells.is_empty() {
            return format!("{base} is there");
        }
        format!("{base} -> {}", show_cells(&self.terms, &pre.cells))
    }
}

fn show_block(terms: &Terms, block: &Block) -> String {
    let base = terms.show(block.base);
    match &block.status {
        Status::Freed(_) => format!("{base} freed"),
        Status::ScopeEnded(_) => format!("{base} out of scope"),
        Status::Allocated => {
            let size = block.size.map(|size| format!(" of {} bytes", terms.show(size))).unwrap_or_default();
            let rest = match block.rest {
                Content::Undefined => ", else unwritten",
                Content::Zero => ", else zero",
                Content::Unknown | Content::NotFollowed => ", else unknown",
                Content::Initial | Content::Image => "",
            };
            format!("{base} ->{size} {}{rest}", show_cells(terms, &block.cells))
        }
    }
}

fn show_cells(terms: &Terms, cells: &[Cell]) -> String {
    let place = |symbolic: Option<TermId>, offset: i64| match symbolic {
        None => format!("{offset}"),
        Some(symbolic) if offset == 0 => terms.show(symbolic).to_string(),
        Some(symbolic) => format!("{} + {offset}", terms.show(symbolic)),
    };
    let cells = cells
        .iter()
        .map(|cell| format!("{}: {}", place(cell.place.symbolic, cell.place.offset), terms.show(cell.value)));
    format!("{{{}}}", cells.collect::<Vec<_>>().join(", "))
}
