//! A function with its code, and what is known of the functions that it calls.

use ir::{FuncId, Linkage, Module};
use models::Model;
use summary::Contract;
use world::{FnKey, UnitKey};

/// What is known of a function that is called.
#[derive(Clone, Copy)]
pub(crate) enum Behavior<'w> {
    /// How a library function behaves.
    Model(&'w Model),
    /// Its body, which is the only one that the name can mean, and what always holds of it.
    Body(Code<'w>, Contract),
    /// No more than what always holds: several bodies are possible, or only promises are known.
    Contract(Contract),
}

/// A function with a body, and the project around it.
#[derive(Clone, Copy)]
pub(crate) struct Code<'w> {
    /// The project.
    pub(crate) world: &'w models::World<'w>,
    /// Its unit.
    pub(crate) unit: UnitKey,
    /// The code of its unit.
    pub(crate) module: &'w Module,
    /// The function.
    pub(crate) func: FuncId,
}

impl<'w> Code<'w> {
    /// The function that a world is about.
    pub(crate) fn of(world: &'w models::World<'w>) -> Option<Code<'w>> {
        Code::at(world, world.own())
    }

    /// A function of the project, if it has a body.
    fn at(world: &'w models::World<'w>, function: FnKey) -> Option<Code<'w>> {
        let (unit, func) = world.code(function)?;
        Some(Code { world, unit, module: world.module(unit), func })
    }

    pub(crate) fn function(&self) -> &'w ir::Function {
        &self.module.functions[self.func]
    }

    pub(crate) fn body(&self) -> Option<&'w ir::Body> {
        self.function().body.as_ref()
    }

    /// What is known of the function that a reference in this code means.
    pub(crate) fn callee(&self, func: FuncId) -> Behavior<'w> {
        let targets = self.world.function(self.unit, func);
        let mut contracts = Vec::with_capacity(targets.len());
        for &target in &targets {
            contracts.push(match self.world.callee(target) {
                world::Knowledge::Model(model) => return Behavior::Model(model),
                world::Knowledge::Summary(summary) => self.promised(target, summary.doomed),
                world::Knowledge::Unknown => self.promised(target, Contract::UNKNOWN),
            });
        }
        let contract = contracts.iter().copied().reduce(Contract::or).unwrap_or(Contract::UNKNOWN);
        match targets.as_slice() {
            [only] => match Code::at(self.world, *only) {
                Some(code) if code.function().linkage != Linkage::Weak => Behavior::Body(code, contract),
                _ => Behavior::Contract(contract),
            },
            _ => Behavior::Contract(contract),
        }
    }

    /// A contract with what the user promises.
    fn promised(&self, function: FnKey, contract: Contract) -> Contract {
        Contract { nonnull: contract.nonnull || self.world.never_returns_null(function), ..contract }
    }
}

impl std::fmt::Debug for Code<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Code").field(&self.func).finish()
    }
}
