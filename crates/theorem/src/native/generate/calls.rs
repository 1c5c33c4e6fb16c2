//! Calls: of functions of the program, of callbacks, and through tables.

use super::writer::{Function, Kind, Writer};

impl Writer {
    /// A call of a function that is there.
    pub(super) fn call(&mut self) {
        let all: Vec<Function> = self.functions[..self.functions.len() - 1].to_vec();
        let Some(callee) = self.pick(&all) else { return self.declare() };
        self.call_of(&callee);
    }

    pub(super) fn call_of(&mut self, callee: &Function) {
        let args: Vec<String> = callee.params.iter().map(|kind| self.argument(*kind)).collect();
        let call = format!("{}({})", callee.name, args.join(", "));
        match callee.result {
            Kind::Void => self.stmt(&format!("{call};")),
            Kind::Int => {
                let name = self.name("rc");
                self.stmt(&format!("int {name} = {call};"));
                if self.chance(40) {
                    let operator = self.one_of(&["!=", "<", ">"]);
                    self.condition("if (", &[format!("{name} {operator} 0")], ") {");
                    self.block(Writer::leave);
                    self.raw("}");
                }
                self.known(Kind::Int, &name);
            }
            Kind::Node => {
                let name = self.name("got");
                self.stmt(&format!("struct node *{name} = {call};"));
                self.look_at(&name);
                self.known(Kind::Node, &name);
            }
            _ => {
                let name = self.name("got");
                self.stmt(&format!("int *{name} = {call};"));
                self.look_at(&name);
                self.known(Kind::Ints, &name);
                if callee.name.starts_with("make") {
                    self.keep_or_free(&name);
                }
            }
        }
    }

    fn argument(&mut self, kind: Kind) -> String {
        let names = match kind {
            Kind::Int => return if self.chance(60) { self.atom() } else { self.number().to_string() },
            Kind::Ints => {
                let mut names = self.scope.pointers.clone();
                names.extend(self.scope.arrays.iter().map(|(name, _)| name.clone()));
                names.extend(self.scope.ints.iter().map(|name| format!("&{name}")));
                names
            }
            Kind::Node => self.scope.nodes.clone(),
            Kind::Buf => self.scope.bufs.clone(),
            Kind::Out => {
                let locals: Vec<String> = self.scope.owned.iter().map(|name| format!("&{name}")).collect();
                let mut names = self.scope.outs.clone();
                names.extend(locals.into_iter().filter(|it| !it.contains("node")));
                names
            }
            Kind::Hook => {
                let mut names = self.scope.hooks.clone();
                names.extend(["inc", "zero", "inv"].map(|it| format!("{it}_{}", self.seed)));
                names
            }
            Kind::Void => Vec::new(),
        };
        match self.pick(&names) {
            Some(name) if self.chance(92) => name,
            _ if self.chance(70) => self.made(kind),
            _ => "0".to_owned(),
        }
    }

    /// A variable that is made for a call.
    fn made(&mut self, kind: Kind) -> String {
        let name = self.name("tmp");
        match kind {
            Kind::Ints => {
                self.stmt(&format!("int {name} = 1;"));
                self.known(Kind::Int, &name);
            }
            Kind::Node => self.stmt(&format!("struct node {name} = {{1, 2, 0}};")),
            Kind::Buf => {
                self.stmt(&format!("int s{name}[3] = {{0}};"));
                self.stmt(&format!("struct buf {name} = {{0, 3, s{name}}};"));
            }
            Kind::Out => {
                self.stmt(&format!("int *{name} = 0;"));
                self.known(Kind::Ints, &name);
            }
            _ => return "0".to_owned(),
        }
        format!("&{name}")
    }

    /// A call of a callback, or through a table.
    pub(super) fn call_through(&mut self) {
        let (value, name) = (self.atom(), self.name("rc"));
        let seed = self.seed;
        match self.pick(&self.scope.hooks.clone()) {
            Some(hook) if self.chance(75) => {
                if self.chance(20) {
                    self.stmt(&format!("int {name} = 0;"));
                    self.raw(&format!("if («{hook}») {{"));
                    self.block(|it| it.stmt(&format!("{name} = {hook}({value});")));
                    self.raw("}");
                } else {
                    self.stmt(&format!("int {name} = {hook}({value});"));
                }
            }
            _ if self.chance(20) => {
                let op = self.name("op");
                self.stmt(&format!("struct ops {op} = {{inc_{seed}, 0}};"));
                let operands = self.operands();
                self.condition("if (", &operands, ") {");
                self.block(|it| it.stmt(&format!("{op}.stop = zero_{seed};")));
                self.raw("}");
                let member = self.one_of(&["run", "run", "stop"]);
                self.stmt(&format!("int {name} = {op}.{member}({value});"));
            }
            _ => {
                let index = match self.pick(&self.scope.ints.clone()) {
                    Some(index) if self.chance(60) => index,
                    _ => self.rng.u32(0..3).to_string(),
                };
                if self.chance(60) && index.len() > 1 {
                    self.stmt(&format!("int {name} = 0;"));
                    let checks = [format!("{index} >= 0"), format!("&&{index} < 3")];
                    self.condition("if (", &checks, ") {");
                    self.block(|it| it.stmt(&format!("{name} = table_{seed}[{index}]({value});")));
                    self.raw("}");
                } else {
                    self.stmt(&format!("int {name} = table_{seed}[{index}]({value});"));
                }
            }
        }
        self.known(Kind::Int, &name);
    }
}
