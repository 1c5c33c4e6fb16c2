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
    values: Values,
    /// The loops that the path is in.
    pub(crate) laps: SmallVec<[Lap; 4]>,
    /// What the variables of the program hold, followed in `main` only.
    pub(crate) held: std::collections::BTreeMap<ir::VarId, TermId>,
    /// The last condition that the program tested.
    pub(crate) tested: Option<TermId>,
    /// Blocks that nothing points to any more; see [`lost`](crate::lost).
    pub(crate) lost: SmallVec<[heap::BlockId; 2]>,
}

/// A loop that a path is in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lap {
    pub(crate) header: BlockId,
    /// None: it has not gone back to the header, or only in rounds in which nothing was decided.
    pub(crate) round: Option<Round>,
    /// Rounds in which there was nothing to decide, so that no other way is possible.
    pub(crate) n_certain: u32,
    /// Conditions of the path when it came to the header.
    pub(crate) n_conditions: usize,
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

/// Values in pieces that forks share until they change: who forks for each case of a large function must not copy all of it each time.
#[derive(Clone, Debug)]
struct Values {
    pieces: Arc<Vec<Option<Arc<Piece>>>>,
}

type Piece = [Option<TermId>; PIECE];

/// Most functions have one or two pieces.
const PIECE: usize = 128;

impl Values {
    fn new(n_values: usize) -> Values {
        Values { pieces: Arc::new(vec![None; n_values.div_ceil(PIECE)]) }
    }

    fn get(&self, at: usize) -> Option<TermId> {
        self.pieces[at / PIECE].as_ref()?[at % PIECE]
    }

    fn set(&mut self, at: usize, term: TermId) {
        let piece = &mut Arc::make_mut(&mut self.pieces)[at / PIECE];
        let piece = piece.get_or_insert_with(|| Arc::new([None; PIECE]));
        Arc::make_mut(piece)[at % PIECE] = Some(term);
    }

    fn bytes(&self) -> usize {
        let of_piece = |piece: &Arc<Piece>| size_of::<Piece>() / Arc::strong_count(piece);
        let pieces: usize = self.pieces.iter().flatten().map(of_piece).sum();
        (size_of_val(&self.pieces[..]) + pieces) / Arc::strong_count(&self.pieces)
    }
}

impl Flow {
    pub(crate) fn new(n_values: usize) -> Flow {
        Flow {
            state: State::default(),
            values: Values::new(n_values),
            laps: SmallVec::new(),
            held: Default::default(),
            tested: None,
            lost: SmallVec::new(),
        }
    }

    /// The value, if the path has come to its definition.
    pub(crate) fn get(&self, value: ValueId) -> Option<TermId> {
        self.values.get(value.index())
    }

    pub(crate) fn set(&mut self, value: ValueId, term: TermId) {
        self.values.set(value.index(), term);
    }

    /// Bytes, about; of what is shared with forks, its share.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Flow>() + self.state.bytes() + self.values.bytes()
    }

    /// How far the path is in the loop of a header; none if it has not gone back to it.
    pub(crate) fn round(&self, header: BlockId) -> Option<Round> {
        self.laps.iter().find(|lap| lap.header == header)?.round
    }

    pub(crate) fn set_round(&mut self, header: BlockId, round: Round) {
        self.lap(header).round = Some(round);
    }

    /// What is known of the loop of a header.
    pub(crate) fn lap(&mut self, header: BlockId) -> &mut Lap {
        let at = self.laps.iter().position(|lap| lap.header == header).unwrap_or_else(|| {
            let n_conditions = self.state.path.conditions.len();
            self.laps.push(Lap { header, round: None, n_certain: 0, n_conditions });
            self.laps.len() - 1
        });
        &mut self.laps[at]
    }

    /// Whether two paths are equally far in the same loops.
    pub(crate) fn has_same_laps(&self, other: &Flow) -> bool {
        let far = |lap: &Lap| (lap.header, lap.round, lap.n_certain);
        self.laps.iter().map(far).eq(other.laps.iter().map(far))
    }

    /// The same path in another state.
    pub(crate) fn with(&self, state: State) -> Flow {
        Flow { state, ..self.clone() }
    }
}
