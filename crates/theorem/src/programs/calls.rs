//! Random calls: of functions of the program, through pointers, of functions that the project is told about,
//! of unknown ones.

use super::expressions::Lvalue;
use super::generate::{Generator, Health, Shape, Signature};
use super::types::{INT, TARGETS, To, Ty};

impl Generator {
    pub(super) fn call(&mut self) {
        let mut callees = self.functions.clone();
        callees.retain(|it| !it.is_static || it.unit == self.current.unit);
        let Some(Signature { name, params, result, .. }) = self.pick(&callees).cloned() else {
            return self.assign();
        };
        let mut args = Vec::new();
        for ty in &params {
            args.push(match ty {
                Ty::Int(_) => self.number(1),
                Ty::Ptr(to) => self.pointer(*to),
                Ty::Hook => self.hook(),
                Ty::Inner => "(struct inner){ 1, 2 }".to_owned(),
            });
        }
        let call = format!("{name}({})", args.join(", "));
        match result {
            Some(ty) if self.chance(85) => {
                let var = self.fresh("r");
                self.line(&format!("{ty}{var} = {call};"));
                let (shape, health) = match ty {
                    Ty::Inner => (Shape::Inner, Health::Good),
                    Ty::Ptr(_) | Ty::Hook => (Shape::Scalar(ty), Health::Maybe),
                    Ty::Int(_) => (Shape::Scalar(ty), Health::Good),
                };
                self.declare(&var, shape, health);
            }
            _ => self.line(&format!("{call};")),
        }
    }

    /// A call through a pointer: of a table, a variable or a member.
    pub(super) fn call_hook(&mut self) {
        let number = self.number(1);
        let tables = self.tables.clone();
        let result = self.fresh("r");
        match self.pick(&tables).cloned().filter(|_| self.chance(40)) {
            Some(table) => {
                let index = self.number(0);
                self.line(&format!("int {result} = {table}[{index} & 1]({number});"));
            }
            None => {
                let Some(Lvalue { text, .. }) = self.place(|ty| *ty == Ty::Hook) else {
                    return self.assign();
                };
                let checked = self.chance(70);
                let call = format!("{text}({number})");
                let call = if checked { format!("{text} ? {call} : 0") } else { call };
                self.line(&format!("int {result} = {call};"));
            }
        }
        self.declare(&result, Shape::Scalar(Ty::Int(INT)), Health::Good);
    }

    /// What a hook is set to.
    pub(super) fn hook(&mut self) -> String {
        let hooks = self.hooks.clone();
        match self.rng.u32(0..10) {
            0..=5 if let Some(hook) = self.pick(&hooks) => hook.clone(),
            6..=8 if let Some(place) = self.place(|ty| *ty == Ty::Hook) => place.text,
            _ => "0".to_owned(),
        }
    }

    /// A block of an allocator that the project is told about.
    pub(super) fn pool(&mut self) {
        let (name, to, pool) = (self.fresh("m"), To::Int(INT), self.number(0));
        let never_fails = self.chance(30);
        let call = match never_fails {
            true => "must_alloc(sizeof(int))".to_owned(),
            false => format!("pool_alloc({pool}, sizeof(int))"),
        };
        self.line(&format!("int *{name} = {call};"));
        self.declare(&name, Shape::Scalar(Ty::Ptr(to)), Health::Maybe);
        if !never_fails && self.chance(60) {
            self.bail_out(&name);
        }
        self.set_health(&name, Health::Good);
        if self.chance(85) {
            self.initialize(&name, to);
        }
        match self.rng.u32(0..10) {
            0..=6 => {
                self.line(&format!("pool_free({pool}, {name});"));
                self.set_health(&name, Health::Freed);
            }
            _ => {
                if let Some(var) = self.vars.last_mut() {
                    var.owned = true;
                }
            }
        }
    }

    /// The end of the program, by a function that the project is told about.
    pub(super) fn give_up(&mut self) {
        let condition = self.condition(0);
        self.line(&format!("if ({condition}) fatal();"));
    }

    pub(super) fn unknown(&mut self) {
        if self.chance(70) {
            let name = self.fresh("x");
            self.line(&format!("int {name} = {}_i();", self.unknown));
            return self.declare(&name, Shape::Scalar(Ty::Int(INT)), Health::Good);
        }
        let (name, to) = (self.fresh("x"), TARGETS[self.rng.usize(0..TARGETS.len())]);
        let ty = Ty::Ptr(to);
        self.line(&format!("{ty}{name} = {}_p();", self.unknown));
        let health = if self.chance(50) { Health::Good } else { Health::Maybe };
        self.declare(&name, Shape::Scalar(ty), health);
    }
}
