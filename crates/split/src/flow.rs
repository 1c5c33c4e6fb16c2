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
    /// Headers of the loops that the path is in, if it went back to them.
    pub(crate) rounds: SmallVec<[(BlockId, Round); 4]>,
    /// What the variables of the program hold, followed in `main` only.
    pub(crate) held: std::collections::BTreeMap<ir::VarId, TermId>,
    /// The last condition that the program tested.
    pub(crate) tested: Option<TermId>,
    /// Blocks that nothing points to any more; see [`lost`](crate::lost).
    pub(crate) lost: SmallVec<[heap::BlockId; 2]>,
}

/// How far a path is in a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    /// It went back to the header so often.
    Number(u32),
    /// It has come to the header again, and goes on in the last round.
    Over,
    /// It is in the last round; see [`loops`](crate::loops).
    Last,
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

    /// How far the path is in the loop of a header; none if it has not gone back to it.
    pub(crate) fn round(&self, header: BlockId) -> Option<Round> {
        self.rounds.iter().find(|(block, _)| *block == header).map(|(_, round)| *round)
    }

    pub(crate) fn set_round(&mut self, header: BlockId, round: Round) {
        match self.rounds.iter_mut().find(|(block, _)| *block == header) {
            Some((_, known)) => *known = round,
            None => self.rounds.push((header, round)),
        }
    }

    /// The same path in another state.
    pub(crate) fn with(&self, state: State) -> Flow {
        Flow { state, ..self.clone() }
    }
}
