//! A path under way.

use std::sync::Arc;

use base::Id;
use heap::State;
use ir::{BlockId, ValueId};
use smallvec::SmallVec;
use term::TermId;

/// A path: memory and conditions, the values of the function, and how often loops were gone through.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    pub(crate) state: State,
    values: Arc<Vec<Option<TermId>>>,
    /// Headers of the loops that the path is in, with the number of times it went back to them.
    pub(crate) rounds: SmallVec<[(BlockId, u32); 4]>,
    /// What the variables of the program hold, followed in `main` only.
    pub(crate) held: std::collections::BTreeMap<ir::VarId, TermId>,
    /// The last condition that the program tested.
    pub(crate) tested: Option<TermId>,
    /// Blocks that nothing points to any more; see [`lost`](crate::lost).
    pub(crate) lost: SmallVec<[heap::BlockId; 2]>,
}

impl Flow {
    pub(crate) fn new(n_values: usize) -> Flow {
        Flow {
            state: State::default(),
            values: Arc::new(vec![None; n_values]),
            rounds: SmallVec::new(),
            held: Default::default(),
            tested: None,
            lost: SmallVec::new(),
        }
    }

    /// The value, if the path has come to its definition.
    pub(crate) fn get(&self, value: ValueId) -> Option<TermId> {
        self.values[value.index()]
    }

    pub(crate) fn set(&mut self, value: ValueId, term: TermId) {
        Arc::make_mut(&mut self.values)[value.index()] = Some(term);
    }

    /// The same path in another state.
    pub(crate) fn with(&self, state: State) -> Flow {
        Flow { state, ..self.clone() }
    }
}
