//! Statements without control flow of their own, and which statements there are.

use super::writer::{Kind, Writer};

impl Writer {
    /// Some statements.
    pub(super) fn statements(&mut self, at_most: u32) {
        for _ in 0..at_most {
            if self.fuel == 0 || !self.statement() {
                return;
            }
        }
    }

    /// A statement; whether something can follow it.
    fn statement(&mut self) -> bool {
        self.fuel = self.fuel.saturating_sub(1);
        match self.rng.u32(0..100) {
            0..=11 => self.assign(),
            12..=18 => self.declare(),
            19..=33 => return self.decide(),
            34..=46 => self.repeat(),
            47..=52 => self.switch(),
            53..=62 => self.write_memory(),
            63..=71 => self.allocate(),
            72..=79 => self.call(),
            80..=83 => self.call_through(),
            84..=85 => self.claim(),
            86..=89 => self.divide(),
            90..=92 => self.point_somewhere(),
            93..=94 => self.leave_unset(),
            95..=96 => self.choose(),
            97 => self.release_something(),
            _ => self.local_object(),
        }
        true
    }

    fn assign(&mut self) {
        let Some(name) = self.pick(&self.scope.ints.clone()) else { return self.declare() };
        let value = self.expression();
        match self.rng.u32(0..7) {
            0 => self.stmt(&format!("{name}++;")),
            1 => self.stmt(&format!("{name}--;")),
            2 => self.stmt(&format!("{name} += {value};")),
            3 => self.stmt(&format!("{name} -= {value};")),
            _ => self.stmt(&format!("{name} = {value};")),
        }
    }

    pub(super) fn declare(&mut self) {
        if self.chance(30) {
            return self.declare_array();
        }
        let stem = self.one_of(&["x", "y", "sum", "count"]);
        let (value, name) = (self.expression(), self.name(&stem));
        self.stmt(&format!("int {name} = {value};"));
        self.known(Kind::Int, &name);
    }

    fn declare_array(&mut self) {
        let (name, length) = (self.name("a"), self.rng.u32(2..6));
        match self.rng.u32(0..6) {
            0 => {
                self.stmt(&format!("int {name}[{length}];⟦ U({name});⟧"));
                self.raw(&format!("for (int i = 0; «i < {length}»; i++) {{"));
                self.block(|it| it.stmt(&format!("{name}[i] = i;")));
                self.raw("}");
            }
            1 => self.stmt(&format!("int {name}[{length}];⟦ U({name});⟧")),
            2 => self.stmt(&format!("int {name}[{length}] = {{1, 2}};")),
            _ => self.stmt(&format!("int {name}[{length}] = {{0}};")),
        }
        self.scope.arrays.push((name, length));
    }

    fn write_memory(&mut self) {
        let value = self.expression();
        match self.rng.u32(0..7) {
            0..=2 => {
                let Some((array, length)) = self.pick(&self.scope.arrays.clone()) else {
                    return self.declare_array();
                };
                let index = self.index(length);
                self.stmt(&format!("{array}[{index}] = {value};"));
            }
            3 => self.write_pointer(&value),
            4 => self.write_node(&value),
            5 => self.write_buffer(&value),
            _ => self.write_out(),
        }
    }

    fn write_pointer(&mut self, value: &str) {
        let Some(pointer) = self.pick(&self.scope.pointers.clone()) else { return self.assign() };
        if self.is_trusted(&pointer) {
            let at = if self.chance(60) { "0".to_owned() } else { self.index(3) };
            return match at.as_str() {
                "0" => self.stmt(&format!("*{pointer} = {value};")),
                _ => self.stmt(&format!("{pointer}[{at}] = {value};")),
            };
        }
        self.raw(&format!("if («{pointer}») {{"));
        self.block(|it| it.stmt(&format!("*{pointer} = {value};")));
        self.raw("}");
    }

    fn write_node(&mut self, value: &str) {
        let Some(node) = self.pick(&self.scope.nodes.clone()) else { return self.assign() };
        let text = match self.rng.u32(0..6) {
            0 => format!("{node}->next = 0;"),
            1 if !node.starts_with('(') => format!("{node} = ‹{node}->next›;"),
            2 => format!("{node}->w += {value};"),
            _ => format!("{node}->v = {value};"),
        };
        if self.is_trusted(&node) {
            self.stmt(&text);
            if text.contains(" = ‹") {
                self.scope.checked.retain(|it| *it != node);
            }
            return;
        }
        self.raw(&format!("if («{node}») {{"));
        self.block(|it| it.stmt(&text));
        self.raw("}");
    }

    fn write_buffer(&mut self, value: &str) {
        let Some(buf) = self.pick(&self.scope.bufs.clone()) else { return self.assign() };
        if self.chance(70) {
            let operator = self.one_of(&["<", "<", "<", "<="]);
            self.condition("if (", &[format!("{buf}->len {operator} {buf}->cap")], ") {");
            self.block(|it| it.stmt(&format!("{buf}->data[{buf}->len++] = {value};")));
            self.raw("}");
        } else {
            self.stmt(&format!("{buf}->data[{buf}->len] = {value};"));
        }
    }

    fn write_out(&mut self) {
        let Some(out) = self.pick(&self.scope.outs.clone()) else { return self.assign() };
        match self.pick(&self.scope.pointers.clone()) {
            Some(pointer) if self.chance(50) => self.stmt(&format!("*{out} = {pointer};")),
            _ => self.stmt(&format!("*{out} = 0;")),
        }
    }

    /// Whether a pointer is used without a look: it was checked, or somebody is careless.
    pub(super) fn is_trusted(&mut self, name: &str) -> bool {
        self.scope.checked.iter().any(|it| it == name) || !self.careful(65)
    }

    /// An assertion.
    fn claim(&mut self) {
        let claim = match self.pick(&self.scope.pointers.clone()) {
            Some(pointer) if self.chance(30) => {
                self.scope.checked.push(pointer.clone());
                pointer
            }
            _ => self.comparison(),
        };
        self.stmt(&format!("assert({claim});"));
    }

    fn divide(&mut self) {
        let divisor = match self.rng.u32(0..8) {
            0 => "0".to_owned(),
            1 => format!("({} - {})", self.atom(), self.number()),
            2 => format!("({} % 2)", self.atom()),
            _ => self.atom(),
        };
        let (value, name) = (self.atom(), self.name("r"));
        let operator = self.one_of(&["/", "%"]);
        if self.careful(45) {
            self.stmt(&format!("int {name} = 0;"));
            self.condition("if (", &[format!("{divisor} != 0")], ") {");
            self.block(|it| it.stmt(&format!("{name} = {value} {operator} {divisor};")));
            self.raw("}");
        } else {
            self.stmt(&format!("int {name} = {value} {operator} {divisor};"));
        }
        self.known(Kind::Int, &name);
    }

    /// A local pointer, null at first, and what it is set to.
    fn point_somewhere(&mut self) {
        let (name, target) = (self.name("p"), self.pick(&self.scope.ints.clone()));
        self.stmt(&format!("int *{name} = 0;"));
        if let Some(target) = target {
            let operands = self.operands();
            match self.rng.u32(0..4) {
                0 => self.stmt(&format!("{name} = &{target};")),
                1 => {}
                2 => {
                    self.condition("if (", &operands, ") {");
                    self.block(|it| it.stmt(&format!("{name} = &{target};")));
                    self.raw("} else {");
                    self.block(|it| it.statements(1));
                    self.raw("}");
                }
                _ => {
                    self.condition("if (", &operands, ") {");
                    self.block(|it| it.stmt(&format!("{name} = &{target};")));
                    self.raw("}");
                }
            }
        }
        self.known(Kind::Ints, &name);
        if self.chance(40) {
            let value = self.atom();
            self.write_pointer(&value);
        }
    }

    /// A local that is set on some ways only, and looked at.
    fn leave_unset(&mut self) {
        let (name, value) = (self.name("u"), self.expression());
        self.stmt(&format!("int {name};⟦ U({name});⟧"));
        let operands = self.operands();
        self.condition("if (", &operands, ") {");
        self.block(|it| it.stmt(&format!("{name} = {value};")));
        if self.chance(60) {
            self.raw("} else {");
            self.block(|it| it.stmt(&format!("{name} = 2;")));
        }
        self.raw("}");
        self.raw(&format!("if («‹{name}› > 1») {{"));
        self.block(|it| it.statements(2));
        self.raw("}");
    }

    /// `?:`.
    fn choose(&mut self) {
        let (condition, name) = (self.comparison(), self.name("t"));
        let (one, other) = (self.expression(), self.expression());
        let pointer = self.pick(&self.scope.pointers.clone());
        let (condition, one) = match pointer {
            Some(pointer) if self.chance(40) => (pointer.clone(), format!("‹*{pointer}›")),
            _ => (condition, one),
        };
        self.stmt(&format!("int {name} = {condition}"));
        self.raw(&format!("    ? «{one}»"));
        self.raw(&format!("    : «{other}»;"));
        self.known(Kind::Int, &name);
    }

    /// A struct on the stack.
    fn local_object(&mut self) {
        let value = self.atom();
        if self.chance(50) {
            let name = self.name("node");
            self.stmt(&format!("struct node {name} = {{{value}, 0, 0}};"));
            let pointer = format!("(&{name})");
            self.scope.checked.push(pointer.clone());
            self.known(Kind::Node, &pointer);
            return;
        }
        let Some((array, length)) = self.pick(&self.scope.arrays.clone()) else {
            return self.declare_array();
        };
        let name = self.name("buf");
        self.stmt(&format!("struct buf {name} = {{0, {length}, {array}}};"));
        self.known(Kind::Buf, &format!("(&{name})"));
    }

    /// A function ends.
    pub(super) fn leave(&mut self) {
        for owned in self.scope.owned.clone() {
            if self.careful(90) {
                self.stmt(&format!("free({owned});"));
            }
        }
        match self.result {
            Kind::Void => self.stmt("return;"),
            Kind::Int => {
                let value = if self.chance(50) { self.atom() } else { self.number().to_string() };
                self.stmt(&format!("return {value};"));
            }
            Kind::Ints => {
                let value = self.pick(&self.scope.pointers.clone()).unwrap_or_else(|| "0".to_owned());
                let is_local = value.starts_with("(&") || self.scope.owned.contains(&value);
                let value = if is_local { "0".to_owned() } else { value };
                self.stmt(&format!("return {value};"));
            }
            _ => self.stmt("return 0;"),
        }
    }
}
