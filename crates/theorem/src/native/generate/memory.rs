//! Allocations, and what becomes of them.

use super::writer::{Kind, Writer};

impl Writer {
    /// Memory is allocated, and mostly freed.
    pub(super) fn allocate(&mut self) {
        match self.rng.u32(0..10) {
            0..=5 => self.allocate_ints(),
            6..=7 => self.allocate_node(),
            8 => self.grow(),
            _ => self.scratch(),
        }
    }

    fn size(&mut self) -> String {
        match self.pick(&self.scope.ints.clone()) {
            Some(name) if self.chance(35) => name,
            _ => self.rng.u32(1..5).to_string(),
        }
    }

    fn allocate_ints(&mut self) {
        let (name, size) = (self.name("m"), self.size());
        match self.rng.u32(0..4) {
            0 => self.stmt(&format!("int *{name} = calloc({size}, sizeof(int));")),
            _ => self.stmt(&format!("int *{name} = malloc({size} * sizeof(int));")),
        }
        self.look_at(&name);
        let value = self.atom();
        match self.rng.u32(0..5) {
            0 => {
                self.raw(&format!("for (int i = 0; «i < {size}»; i++) {{"));
                self.block(|it| it.stmt(&format!("{name}[i] = {value};")));
                self.raw("}");
            }
            1 => self.stmt(&format!("memset({name}, 0, {size} * sizeof(int));")),
            2 => self.stmt(&format!("{name}[{size} - 1] = {value};")),
            _ => self.stmt(&format!("{name}[0] = {value};")),
        }
        self.known(Kind::Ints, &name);
        self.keep_or_free(&name);
    }

    /// Whether an allocation failed.
    pub(super) fn look_at(&mut self, name: &str) {
        if self.careful(70) {
            let form = if self.chance(70) { format!("!{name}") } else { format!("{name} == 0") };
            self.condition("if (", &[form], ") {");
            self.block(Writer::leave);
            self.raw("}");
            self.scope.checked.push(name.to_owned());
        }
    }

    /// A block is freed here, at the end, or it is given away or forgotten.
    pub(super) fn keep_or_free(&mut self, name: &str) {
        let is_node = self.scope.nodes.iter().any(|it| it == name);
        match self.rng.u32(0..20) {
            0..=6 => {
                let outer = self.scope.owned.clone();
                self.scope.owned.push(name.to_owned());
                self.statements(2);
                self.scope.owned = outer;
                self.stmt(&format!("free({name});"));
                self.gone(name);
            }
            7 => {
                let operands = self.operands();
                self.condition("if (", &operands, ") {");
                self.block(|it| it.stmt(&format!("free({name});")));
                self.raw("}");
            }
            8..=10 => match self.pick(&self.scope.outs.clone()) {
                Some(out) if !is_node => self.stmt(&format!("*{out} = {name};")),
                _ => self.scope.owned.push(name.to_owned()),
            },
            11 => match self.pick(&self.scope.bufs.clone()) {
                Some(buf) if !is_node => self.stmt(&format!("{buf}->data = {name};")),
                _ => self.scope.owned.push(name.to_owned()),
            },
            12 => {}
            13 if self.chance(50) => {
                self.stmt(&format!("free({name});"));
                let value = self.atom();
                match self.rng.u32(0..3) {
                    0 => self.stmt(&format!("free({name});")),
                    _ if is_node => self.stmt(&format!("{name}->v = {value};")),
                    _ => self.stmt(&format!("*{name} = {value};")),
                }
                self.gone(name);
            }
            _ => self.scope.owned.push(name.to_owned()),
        }
    }

    fn gone(&mut self, name: &str) {
        for list in
            [&mut self.scope.pointers, &mut self.scope.nodes, &mut self.scope.checked, &mut self.scope.owned]
        {
            list.retain(|it| it != name);
        }
    }

    fn allocate_node(&mut self) {
        let (name, value) = (self.name("node"), self.expression());
        self.stmt(&format!("struct node *{name} = malloc(sizeof(struct node));"));
        self.look_at(&name);
        self.stmt(&format!("{name}->v = {value};"));
        self.stmt(&format!("{name}->w = 0;"));
        match self.pick(&self.scope.nodes.clone()) {
            Some(list) if self.chance(50) && self.is_trusted(&list) => {
                if self.chance(50) {
                    self.stmt(&format!("{name}->next = ‹{list}->next›;"));
                } else {
                    self.stmt(&format!("{name}->next = 0;"));
                }
                self.stmt(&format!("{list}->next = {name};"));
                self.known(Kind::Node, &name);
            }
            _ => {
                self.stmt(&format!("{name}->next = 0;"));
                self.known(Kind::Node, &name);
                self.keep_or_free(&name);
            }
        }
    }

    /// `realloc`.
    fn grow(&mut self) {
        let (name, more) = (self.name("m"), self.name("more"));
        let value = self.atom();
        self.stmt(&format!("int *{name} = malloc(2 * sizeof(int));"));
        self.look_at(&name);
        self.stmt(&format!("{name}[0] = {value};"));
        if self.chance(35) {
            self.stmt(&format!("{name} = realloc({name}, 4 * sizeof(int));"));
            self.look_at(&name);
        } else {
            self.stmt(&format!("int *{more} = realloc({name}, 4 * sizeof(int));"));
            self.raw(&format!("if («!{more}») {{"));
            self.block(|it| {
                if it.careful(75) {
                    it.stmt(&format!("free({name});"));
                }
                it.leave();
            });
            self.raw("}");
            self.stmt(&format!("{name} = {more};"));
        }
        let index = self.rng.u32(2..5).min(4);
        self.stmt(&format!("{name}[{index}] = {value};"));
        self.known(Kind::Ints, &name);
        self.keep_or_free(&name);
    }

    /// Small memory on the stack, large memory on the heap.
    fn scratch(&mut self) {
        let (name, small, size) = (self.name("m"), self.name("small"), self.atom());
        self.stmt(&format!("int {small}[3] = {{0}};"));
        self.stmt(&format!("int *{name} = {small};"));
        self.raw(&format!("if («{size} > 3») {{"));
        self.block(|it| {
            it.stmt(&format!("{name} = malloc({size} * sizeof(int));"));
            it.look_at(&name);
        });
        self.raw("}");
        let index = self.rng.u32(0..4);
        self.stmt(&format!("{name}[{index}] = 1;"));
        let (form, other) = if self.careful(85) {
            (format!("{name} != {small}"), ") {")
        } else {
            (format!("{size} > 2"), ") {")
        };
        self.condition("if (", &[form], other);
        self.block(|it| it.stmt(&format!("free({name});")));
        self.raw("}");
    }

    /// Frees what was handed over.
    pub(super) fn release_something(&mut self) {
        let mut names = self.scope.pointers.clone();
        names.extend(self.scope.nodes.iter().cloned());
        let globals = self.globals.clone();
        names.retain(|it| {
            !it.starts_with('(')
                && !globals.iter().any(|(_, name)| name == it)
                && !self.scope.owned.contains(it)
        });
        match self.pick(&names) {
            Some(name) if self.chance(50) => {
                self.stmt(&format!("free({name});"));
                if self.chance(80) {
                    self.gone(&name);
                }
            }
            _ => self.declare(),
        }
    }
}
