//! What is put together when all lines of a body are read: values, and the signatures of calls.

use base::{Id, IdVec, Symbol};
use rustc_hash::FxHashMap;

use crate::function::{BlockId, Body, CallId, InstId, Value, ValueDef, ValueId, VarId};
use crate::module::FileId;
use crate::types::{Operand, Type};

use super::{Parsed, Parser};

/// A body while its lines are read.
pub(super) struct BodyState {
    pub(super) body: Body,
    /// The function's own file.
    pub(super) home: Option<FileId>,
    /// The variable of a name; none if several have it.
    pub(super) vars: FxHashMap<Symbol, Option<VarId>>,
    /// The definitions of values, in order of the text.
    pub(super) defs: Vec<Def>,
    /// Calls whose signature is that of their arguments and results.
    pub(super) told: Vec<ToldCall>,
}

/// A definition of a value.
pub(super) struct Def {
    pub(super) id: ValueId,
    pub(super) value: Value,
}

/// A call without a signature in the text.
pub(super) struct ToldCall {
    pub(super) inst: InstId,
    pub(super) call: CallId,
    /// How many arguments stand before `...`; all of them without it.
    pub(super) n_fixed: usize,
    /// Where it stands in the text.
    pub(super) start: usize,
}

impl BodyState {
    pub(super) fn new(home: Option<FileId>) -> Self {
        let (vars, defs, told) = Default::default();
        Self { body: Body::default(), home, vars, defs, told }
    }

    /// Makes the table of values, with dense ids in the order of those in the text.
    fn finish_values(&mut self) {
        let mut ids: Vec<ValueId> = self.defs.iter().map(|def| def.id).collect();
        ids.sort_unstable();
        ids.dedup();
        let dense = ids.last().is_none_or(|last| last.index() + 1 == ids.len());
        let Some(any) = self.defs.first().map(|def| def.value) else { return };
        let mut values = IdVec::from_vec(vec![any; ids.len()]);
        let ids = Renumbering { ids, dense };
        // Of a value that breaks L10, the first definition is recorded: so it is written last.
        for def in self.defs.iter().rev() {
            values[ids.new_id(def.id)] = def.value;
        }
        self.body.values = values;
        if !dense {
            self.renumber(&ids);
        }
    }

    fn renumber(&mut self, ids: &Renumbering) {
        let change = |operand: &mut Operand| {
            if let Operand::Value(value) = operand {
                *value = ids.new_id(*value);
            }
        };
        for inst in self.body.insts.ids() {
            self.body.each_operand_mut(inst, change);
        }
        for data in self.body.insts.iter_mut().filter(|data| data.n_results > 0) {
            data.first_result = ids.new_id(data.first_result);
        }
        for block in self.body.blocks.iter_mut() {
            block.params.iter_mut().for_each(|param| *param = ids.new_id(*param));
            block.term.each_operand_mut(change);
        }
    }

    pub(super) fn define(&mut self, id: ValueId, ty: Type, var: Option<VarId>, def: ValueDef) {
        self.defs.push(Def { id, value: Value { ty, def, var } });
    }

    pub(super) fn next_block(&self) -> BlockId {
        self.body.blocks.next_id()
    }
}

/// From the numbers in the text to dense ones.
struct Renumbering {
    /// The defined numbers, ascending.
    ids: Vec<ValueId>,
    /// Whether they are already dense.
    dense: bool,
}

impl Renumbering {
    /// The new number; one that does not exist for a number without definition (L2).
    fn new_id(&self, id: ValueId) -> ValueId {
        if self.dense {
            return id;
        }
        let position = self.ids.binary_search(&id);
        position.map(ValueId::new).unwrap_or_else(|_| id.max(ValueId::new(self.ids.len())))
    }
}

impl Parser<'_> {
    /// The body, when all its lines are read.
    pub(super) fn finish_body(&self, mut state: BodyState) -> Parsed<Body> {
        state.finish_values();
        for told in std::mem::take(&mut state.told) {
            let body = &state.body;
            let ty = |operand: &Operand| match *operand {
                Operand::Value(value) => body.values.get(value).map(|value| value.ty),
                Operand::Const(constant) => Some(body.consts[constant].ty()),
            };
            let params: Option<Vec<Type>> =
                body.calls[told.call].args[..told.n_fixed].iter().map(ty).collect();
            let Some(params) = params else {
                let expected = "arguments of known types, or a signature behind them (`as (…)`)";
                return Err(self.error_at(told.start, expected));
            };
            let results = body.results(told.inst).map(|it| body.values[it].ty).collect();
            let signature = &mut state.body.calls[told.call].signature;
            (signature.params, signature.results) = (params, results);
        }
        Ok(state.body)
    }
}
