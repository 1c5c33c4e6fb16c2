//! Triples: what code does to memory, and under which presumption.
//!
//! Judgment: `[pre ∧ conditions] code [exit: post]`: every state of `post` is reached from some state of
//! `pre` by an execution that ends so.
//! Source: Le et al. Def. 3.1. Departures: (1) what must hold for C to define what happens stands apart from
//! the conditions; (2) a triple may be cut: it says what a path needed, and nothing of its end.

use serde::{Deserialize, Serialize};
use term::{TermId, VarId};
use world::{FnKey, GlobalKey, Symbol};

use crate::block::{Block, BlockId, Kind};
use crate::path::{Condition, Reason};
use crate::site::Made;
use crate::state::{Access, Given, PreBlock};

/// `[pre ∧ conditions] code [exit: post]`, closed under the frame rule.
///
/// Terms are of the arena of the summary that it is part of; variables are bound when it is applied: roots (parameters, globals) by the call, variables in cells of
/// `pre` by what the caller's memory holds there, and all others are fresh.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spec {
    /// What the caller must provide, in the order of discovery. `block` is a position in `post`.
    pub pre: Vec<PreBlock>,
    /// The path condition, in the order of decisions.
    pub conditions: Vec<Condition>,
    /// What must hold for everything to be defined.
    pub defined: Vec<TermId>,
    /// How it ends.
    pub exit: Exit,
    /// Memory at the end: first the blocks of `pre`, then new ones.
    pub post: Vec<Block>,
    /// What is returned, if it ends normally.
    pub results: Vec<TermId>,
    /// What the environment chose, in order.
    pub choices: Vec<Choice>,
    /// Pointers of the caller that unknown code got: the caller must treat them so.
    pub given: Vec<Given>,
    /// Whether unknown code ran that may have written every global.
    pub exposed: bool,
}

/// How code ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Exit {
    /// `ok`: it returns.
    Ok,
    /// It ends the program, as it should (`exit`, `abort`).
    NoReturn,
    /// `er`: an error, by its number in the summary.
    Er(u32),
    /// It was not followed further. What it needed of its caller so far, it needs; nothing is said about its end.
    Cut,
}

/// Something that the environment chose; in the order in which an execution asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Choice {
    /// What an allocation returned: 0, or the address of the new block.
    Allocation(TermId),
    /// What unknown code returned, or gave in another way.
    Value(TermId),
    /// Something that cannot be replayed exactly: unknown code wrote memory, a loop was cut short.
    Opaque,
}

impl Choice {
    /// The chosen value.
    pub fn term(self) -> Option<TermId> {
        match self {
            Choice::Allocation(term) | Choice::Value(term) => Some(term),
            Choice::Opaque => None,
        }
    }

    /// The same choice of another term.
    pub fn map(self, image: impl FnOnce(TermId) -> TermId) -> Choice {
        match self {
            Choice::Allocation(term) => Choice::Allocation(image(term)),
            Choice::Value(term) => Choice::Value(image(term)),
            Choice::Opaque => Choice::Opaque,
        }
    }
}

/// What a variable of a summary stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum VarRole {
    /// A parameter, by position.
    Param(u32),
    /// The address of a global variable of the project.
    Global(GlobalKey),
    /// The address of a function of the project.
    Function(FnKey),
    /// Content of the presumption, or something that nobody outside knows.
    Local,
}

impl From<Symbol> for VarRole {
    fn from(symbol: Symbol) -> VarRole {
        match symbol {
            Symbol::Global(global) => VarRole::Global(global),
            Symbol::Function(function) => VarRole::Function(function),
        }
    }
}

impl Spec {
    /// Bytes, about.
    pub fn bytes(&self) -> usize {
        let Spec { pre, conditions, defined, exit: _, post, results, choices, given, exposed: _ } = self;
        size_of::<Spec>()
            + pre.iter().map(PreBlock::bytes).sum::<usize>()
            + post.iter().map(Block::bytes).sum::<usize>()
            + size_of_val(&conditions[..])
            + size_of_val(&defined[..])
            + size_of_val(&results[..])
            + size_of_val(&choices[..])
            + size_of_val(&given[..])
    }

    /// The triple up to an access of its presumption, which then does not succeed: `[pre'] code [er]`.
    ///
    /// What the access needed is left out of the presumption (block number `pre`); who calls this adds why it fails: a condition, or a
    /// negative block.
    pub fn until(&self, access: &Access, error: u32) -> Spec {
        let pre: Vec<PreBlock> = self
            .pre
            .iter()
            .take(access.n_pre)
            .map(|pre| {
                let accesses: Vec<Access> =
                    pre.accesses.iter().filter(|it| it.order < access.order).cloned().collect();
                let extent = accesses
                    .iter()
                    .filter(|it| it.symbolic.is_none())
                    .fold((0, 0), |(from, to), it| (it.extent.0.min(from), it.extent.1.max(to)));
                PreBlock { accesses, extent, freeable: None, ..pre.clone() }
            })
            .collect();
        let mut post =
            pre.iter().map(|it| self.post[base::Id::index(it.block)].clone()).collect::<Vec<Block>>();
        post.extend(self.post.iter().filter(|block| block.kind == Kind::Unknown).cloned());
        let pre =
            pre.into_iter().enumerate().map(|(at, it)| PreBlock { block: base::Id::new(at), ..it }).collect();
        Spec {
            pre,
            conditions: self.conditions[..access.n_conditions].to_vec(),
            defined: self.defined.clone(),
            exit: Exit::Er(error),
            post,
            results: Vec::new(),
            choices: self.choices[..access.n_choices].to_vec(),
            given: Vec::new(),
            exposed: false,
        }
    }

    /// `∧ condition`, at the end.
    pub fn and(mut self, term: TermId, made: Made) -> Spec {
        self.conditions.push(Condition { term, made, reason: Reason::Needed });
        self
    }

    /// `* X ↦̸`, at the end of the presumption.
    pub fn and_freed(mut self, base: TermId, access: Access, mut block: Block) -> Spec {
        block.base = base;
        block.cells.clear();
        block.status = crate::block::Status::Freed(access.made);
        let id: BlockId = base::Id::new(self.post.len());
        self.post.push(block);
        self.pre.push(PreBlock { extent: (0, 0), negative: true, ..PreBlock::new(id, base, access) });
        self
    }
}

/// The variables by which a summary is entered, with their roles.
pub type Roles = base::IdVec<VarId, VarRole>;
