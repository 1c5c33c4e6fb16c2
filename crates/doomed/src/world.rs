//! What the engine is told about everything outside of the function under analysis.

use ir::{FuncId, GlobalId, Module};
use models::Model;

use crate::facts::Facts;

/// The project. Units have numbers, which mean nothing to the engine.
pub trait World {
    /// What is known of the function that a reference of the module means.
    fn callee(&self, unit: u32, func: FuncId) -> Callee<'_>;
    /// A number for the global variable that a reference means, the same in all units.
    fn global(&self, unit: u32, global: GlobalId) -> u32;
}

/// What is known of a function that is called.
#[derive(Clone, Copy)]
pub enum Callee<'w> {
    /// How a library function behaves.
    Model(&'w Model),
    /// Its body, which is the only one that the name can mean, and what always holds of it.
    Body(Code<'w>, Facts),
    /// No more than what always holds: several bodies are possible, or only promises are known.
    Facts(Facts),
}

/// A function with a body, and the project around it.
#[derive(Clone, Copy)]
pub struct Code<'w> {
    /// The project.
    pub world: &'w dyn World,
    /// Its unit, by number.
    pub unit: u32,
    /// Its unit.
    pub module: &'w Module,
    /// The function.
    pub func: FuncId,
}

impl<'w> Code<'w> {
    pub(crate) fn function(&self) -> &'w ir::Function {
        &self.module.functions[self.func]
    }

    pub(crate) fn body(&self) -> Option<&'w ir::Body> {
        self.function().body.as_ref()
    }
}

impl std::fmt::Debug for Code<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Code").field(&self.func).finish()
    }
}
