//! What is told of functions that the budgets of memory do not allow to analyze.

use std::collections::BTreeMap;

use base::limits;
use project::FnId;
use split::Stopped;

use super::Shared;

/// Functions that are told by name, for each of the budgets.
const NAMED: usize = 3;

/// The functions that were given up, by budget.
#[derive(Default)]
pub(super) struct OutOfMemory {
    function: Functions,
    run: Functions,
}

#[derive(Default)]
struct Functions {
    names: Vec<String>,
    count: usize,
}

impl OutOfMemory {
    pub(super) fn add(&mut self, shared: &Shared<'_>, function: FnId, stopped: &BTreeMap<Stopped, u32>) {
        for (why, functions) in [(Stopped::Memory, &mut self.function), (Stopped::RunMemory, &mut self.run)] {
            if stopped.contains_key(&why) {
                functions.add(|| shared.project.function(function).pretty().to_owned());
            }
        }
    }

    /// A note for each budget that was too small.
    pub(super) fn notes(&self, run_bytes: usize) -> Vec<String> {
        let megabytes = |bytes: usize| bytes >> 20;
        let function = self.function.list().map(|list| {
            let limit = megabytes(limits::FUNCTION_BYTES);
            format!("given up, because the analysis of one function may hold {limit} MB of memory: {list}")
        });
        let run = self.run.list().map(|list| {
            let limit = megabytes(run_bytes);
            format!("given up, because code and summaries of a run may take {limit} MB of memory: {list}")
        });
        function.into_iter().chain(run).collect()
    }
}

impl Functions {
    fn add(&mut self, name: impl FnOnce() -> String) {
        if self.count < NAMED {
            self.names.push(format!("`{}`", name()));
        }
        self.count += 1;
    }

    /// `a`, `b` and 7 more.
    fn list(&self) -> Option<String> {
        let names = self.names.join(", ");
        match self.count - self.names.len() {
            _ if self.names.is_empty() => None,
            0 => Some(names),
            more => Some(format!("{names} and {more} more")),
        }
    }
}
