//! Further names for globals and functions.
//!
//! Whoever uses an alias in this module uses what it stands for.

use bitcode::GlobalValue;
use ir::{Alias, SymbolRef};

use crate::address::symbol;
use crate::declare::{declare_name, linkage};
use crate::env::{Env, Output};

/// Resolves all aliases: their addresses are entered in the symbol table, their names in the module.
pub(crate) fn resolve(env: &mut Env<'_>, out: &mut Output) {
    let mut resolved = Vec::new();
    for (value, global) in env.module.values.iter_ids() {
        let GlobalValue::Alias(id) = *global else { continue };
        let Some(alias) = env.module.aliases.get(id) else { continue };
        let Some((target, offset)) = symbol(env, value) else {
            // A cycle of aliases, or an expression that is no address: known by name only.
            let func = declare_name(env, out, &alias.name, alias.ty);
            resolved.push((value, (SymbolRef::Func(func), 0)));
            continue;
        };
        resolved.push((value, (target, offset)));
        let name = out.name(&alias.name, target);
        out.module.aliases.push(Alias { name, linkage: linkage(alias.linkage), target, offset });
    }
    for (value, target) in resolved {
        if let Some(slot) = env.symbols.addresses.get_mut(base::Id::index(value)) {
            *slot = Some(target);
        }
    }
}
