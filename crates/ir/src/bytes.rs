//! How much memory bodies and modules take: counted from what is in them, so that the number is the same on
//! every machine and in every run.

use std::mem::{size_of, size_of_val};

use crate::function::{Block, Body};
use crate::inst::{Call, Target, Terminator};
use crate::module::{Init, Module};
use crate::types::{Const, Operand};

impl Body {
    /// Bytes, about.
    pub fn bytes(&self) -> usize {
        let blocks: usize = self.blocks.iter().map(Block::bytes).sum();
        let calls: usize = self.calls.iter().map(Call::bytes).sum();
        // A constant is in a table, too.
        let consts = self.consts.len() * (size_of::<Const>() + 2 * size_of::<usize>());
        blocks
            + calls
            + consts
            + size_of_val(self.insts.as_slice())
            + size_of_val(self.values.as_slice())
            + size_of_val(self.vars.as_slice())
    }
}

impl Block {
    fn bytes(&self) -> usize {
        let of_targets = |targets: &[Target]| targets.iter().map(Target::bytes).sum::<usize>();
        let term = match &self.term {
            Terminator::Jump(target) => target.arg_bytes(),
            Terminator::Branch { on_true, on_false, .. } => on_true.arg_bytes() + on_false.arg_bytes(),
            Terminator::Switch { cases, default, .. } => {
                let of_case = |(_, target): &(_, Target)| target.arg_bytes();
                size_of_val(&cases[..]) + cases.iter().map(of_case).sum::<usize>() + default.arg_bytes()
            }
            Terminator::IndirectJump { targets, .. } => of_targets(targets),
            Terminator::Return { values } => size_of_val(&values[..]),
            Terminator::Unreachable { .. } => 0,
        };
        size_of::<Block>() + size_of_val(&self.params[..]) + size_of_val(&self.insts[..]) + term
    }
}

impl Target {
    fn bytes(&self) -> usize {
        size_of::<Target>() + self.arg_bytes()
    }

    fn arg_bytes(&self) -> usize {
        self.args.len() * size_of::<Operand>()
    }
}

impl Call {
    fn bytes(&self) -> usize {
        size_of::<Call>()
            + size_of_val(&self.args[..])
            + size_of_val(&self.arg_attrs[..])
            + size_of_val(&self.signature.params[..])
            + size_of_val(&self.signature.results[..])
    }
}

impl Init {
    fn bytes(&self) -> usize {
        let pieces: usize =
            self.pieces.iter().map(|(_, bytes)| size_of::<(u64, Vec<u8>)>() + bytes.len()).sum();
        pieces + size_of_val(&self.relocs[..])
    }
}

impl Module {
    /// Bytes, about.
    pub fn bytes(&self) -> usize {
        let bodies: usize = self.functions.iter().filter_map(|it| it.body.as_ref()).map(Body::bytes).sum();
        let inits: usize = self.globals.iter().filter_map(|it| it.init.as_ref()).map(Init::bytes).sum();
        bodies
            + inits
            + self.symbols.bytes()
            + size_of_val(self.locs.as_slice())
            + size_of_val(self.functions.as_slice())
            + size_of_val(self.globals.as_slice())
            + self.types.len() * size_of::<crate::source::SourceType>()
    }
}
