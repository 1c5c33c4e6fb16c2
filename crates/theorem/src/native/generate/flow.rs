//! Decisions, loops of all shapes, and `switch`.

use super::writer::Writer;

impl Writer {
    /// `if`, with or without `else`; whether something can follow.
    pub(super) fn decide(&mut self) -> bool {
        let operands = self.operands();
        self.condition("if (", &operands, ") {");
        let checked = operands.first().and_then(|it| it.strip_prefix('!')).map(str::to_owned);
        if let Some(pointer) = checked.filter(|_| operands.len() == 1) {
            self.block(Writer::leave);
            self.raw("}");
            self.scope.checked.push(pointer);
            return true;
        }
        let is_left = self.chance(25);
        self.block(|it| {
            if operands.len() > 1 && operands[1].starts_with("&&") {
                it.scope.checked.push(operands[0].clone());
            }
            it.statements(2);
            if is_left {
                it.break_off();
            }
        });
        while self.fuel > 0 && self.chance(18) {
            let operands = self.operands();
            self.condition("} else if (", &operands, ") {");
            self.block(|it| it.statements(2));
        }
        if self.chance(35) {
            self.raw("} else {");
            self.block(|it| it.statements(2));
        }
        self.raw("}");
        true
    }

    /// Leaves what is around: the loop, the function or the program.
    fn break_off(&mut self) {
        match self.rng.u32(0..12) {
            0..=4 if self.scope.is_loop => self.stmt("break;"),
            5..=6 if self.scope.is_loop => self.stmt("continue;"),
            7 => self.stmt("exit(1);"),
            8 if self.chance(30) => self.stmt("abort();"),
            _ => self.leave(),
        }
    }

    /// A loop.
    pub(super) fn repeat(&mut self) {
        match self.rng.u32(0..16) {
            0..=4 => self.count_up(),
            5..=6 => self.count_down(),
            7..=8 => self.while_loop(),
            9 => self.do_loop(),
            10 => self.forever(),
            11 => self.jump_back(),
            12..=14 => self.walk_list(),
            _ => self.while_down(),
        }
    }

    fn body(&mut self, counter: Option<&str>) {
        self.scope.is_loop = true;
        self.scope.counters.extend(counter.map(str::to_owned));
        let n_statements = self.rng.u32(1..4);
        if self.chance(60)
            && let (Some(counter), Some((array, length))) = (counter, self.pick(&self.scope.arrays.clone()))
        {
            let (index, value) = match self.rng.u32(0..8) {
                0 => (format!("{counter} + 1"), self.atom()),
                1 => (format!("{} - {counter}", length - 1), counter.to_owned()),
                2 => (format!("{counter} - 1"), self.number().to_string()),
                _ => (counter.to_owned(), self.expression()),
            };
            self.stmt(&format!("{array}[{index}] = {value};"));
        }
        self.statements(n_statements);
    }

    /// Where a loop that counts ends.
    fn bound(&mut self) -> String {
        let arrays = self.scope.arrays.clone();
        match (self.rng.u32(0..10), self.pick(&arrays), self.pick(&self.scope.ints.clone())) {
            (0..=4, Some((_, length)), _) => format!("< {length}"),
            (5, Some((_, length)), _) => format!("<= {length}"),
            (6, Some((_, length)), _) => format!("< {}", length - 1),
            (0..=5, None, Some(name)) | (7..=8, _, Some(name)) => format!("< {name}"),
            (9, _, Some(name)) => format!("<= {name}"),
            _ => format!("< {}", self.rng.u32(1..7)),
        }
    }

    fn count_up(&mut self) {
        let counter = self.name("i");
        let (bound, first) = (self.bound(), if self.chance(85) { 0 } else { 1 });
        let step = match self.rng.u32(0..12) {
            0 => format!("{counter} += 2"),
            1 => format!("++{counter}"),
            2 if self.chance(30) => String::new(),
            _ => format!("{counter}++"),
        };
        match self.pick(&self.scope.arrays.clone()) {
            Some((array, _)) if self.chance(12) => {
                let number = self.number();
                self.raw(&format!("for (int {counter} = {first};"));
                self.raw(&format!("     «‹{array}[{counter}]› != {number}»;"));
                self.raw(&format!("     {step}) {{"));
            }
            _ => self.raw(&format!("for (int {counter} = {first}; «{counter} {bound}»; {step}) {{")),
        }
        self.block(|it| it.body(Some(&counter)));
        self.raw("}");
    }

    fn count_down(&mut self) {
        let counter = self.name("i");
        let first = match (self.pick(&self.scope.arrays.clone()), self.pick(&self.scope.ints.clone())) {
            (Some((_, length)), _) if self.chance(70) => {
                if self.chance(80) {
                    (length - 1).to_string()
                } else {
                    length.to_string()
                }
            }
            (_, Some(name)) => format!("{name} - 1"),
            _ => self.rng.u32(1..6).to_string(),
        };
        let condition = self.one_of(&[">= 0", ">= 0", "> 0", "!= 0", "> -1"]);
        let step = if self.chance(90) { "--" } else { " -= 2" };
        self.raw(&format!("for (int {counter} = {first}; «{counter} {condition}»; {counter}{step}) {{"));
        self.block(|it| it.body(Some(&counter)));
        self.raw("}");
    }

    fn while_loop(&mut self) {
        let (counter, bound) = (self.name("j"), self.bound());
        let first = self.one_of(&["0", "0", "1", "-1"]);
        self.stmt(&format!("int {counter} = {first};"));
        self.raw(&format!("while («{counter} {bound}») {{"));
        self.block(|it| {
            it.body(Some(&counter));
            if it.chance(94) {
                it.stmt(&format!("{counter}++;"));
            }
        });
        self.raw("}");
        self.scope.counters.push(counter);
    }

    /// `while (n-- > 0)`, and its kin.
    fn while_down(&mut self) {
        let Some(name) = self.pick(&self.scope.ints.clone()) else { return self.while_loop() };
        let condition = match self.rng.u32(0..4) {
            0 => format!("{name}--"),
            1 => format!("--{name} > 0"),
            _ => format!("{name}-- > 0"),
        };
        self.raw(&format!("while («{condition}») {{"));
        self.block(|it| {
            it.scope.ints.retain(|other| *other != name);
            it.body(Some(&name));
        });
        self.raw("}");
    }

    fn do_loop(&mut self) {
        let (counter, bound) = (self.name("j"), self.bound());
        self.stmt(&format!("int {counter} = 0;"));
        self.raw("do {");
        self.block(|it| {
            it.body(Some(&counter));
            it.stmt(&format!("{counter}++;"));
        });
        self.raw(&format!("}} while («{counter} {bound}»);"));
        self.scope.counters.push(counter);
    }

    /// `for (;;)`, with exits inside.
    fn forever(&mut self) {
        let counter = self.name("j");
        self.stmt(&format!("int {counter} = 0;"));
        let head = self.one_of(&["for (;;) {", "while (1) {"]);
        self.raw(&head);
        self.block(|it| {
            let bound = it.bound();
            it.raw(&format!("if («!({counter} {bound})») {{"));
            it.block(|it| it.stmt("break;"));
            it.raw("}");
            it.body(Some(&counter));
            if it.chance(40) {
                let operands = it.operands();
                it.condition("if (", &operands, ") {");
                it.block(Writer::break_off);
                it.raw("}");
            }
            if it.chance(95) {
                it.stmt(&format!("{counter}++;"));
            }
        });
        self.raw("}");
    }

    /// A loop of `goto`.
    fn jump_back(&mut self) {
        let (counter, label, bound) = (self.name("j"), self.name("again"), self.bound());
        self.stmt(&format!("int {counter} = 0;"));
        self.raw(&format!("{label}:;"));
        // A block of its own: nobody jumps over a declaration.
        self.raw("{");
        self.block(|it| {
            let is_loop = it.scope.is_loop;
            it.scope.counters.push(counter.clone());
            it.scope.is_loop = is_loop;
            it.statements(2);
        });
        self.raw("}");
        self.stmt(&format!("{counter}++;"));
        self.raw(&format!("if («{counter} {bound}») {{"));
        self.block(|it| it.stmt(&format!("goto {label};")));
        self.raw("}");
    }

    fn walk_list(&mut self) {
        let Some(list) = self.pick(&self.scope.nodes.clone()) else { return self.count_up() };
        let node = self.name("it");
        let condition = if self.chance(85) { node.clone() } else { format!("‹{node}->next›") };
        let is_for = self.chance(60);
        if is_for {
            self.stmt(&format!("struct node *{node} = {list};"));
            self.raw(&format!("for (; «{condition}»;"));
            self.raw(&format!("     «{node} = ‹{node}->next›») {{"));
        } else {
            self.stmt(&format!("struct node *{node} = {list};"));
            self.raw(&format!("while («{condition}») {{"));
        }
        self.block(|it| {
            it.scope.nodes.push(node.clone());
            it.scope.checked.push(node.clone());
            it.body(None);
            if !is_for {
                it.stmt(&format!("{node} = ‹{node}->next›;"));
            }
        });
        self.raw("}");
    }

    pub(super) fn switch(&mut self) {
        let subject = match self.memory() {
            Some(memory) if self.chance(20) => memory,
            _ => self.variable(),
        };
        self.raw(&format!("switch («{subject}») {{"));
        let is_loop = self.scope.is_loop;
        for value in 0..self.rng.i32(2..5) {
            self.raw(&format!("case {}:", value - 1));
            self.case();
        }
        if self.chance(55) {
            self.raw("default:");
            self.case();
        }
        self.raw("}");
        self.scope.is_loop = is_loop;
    }

    fn case(&mut self) {
        self.raw("{");
        self.block(|it| {
            // `continue` of an outer loop would do; `break` is the switch's own.
            it.scope.is_loop = false;
            it.statements(2);
            match it.rng.u32(0..10) {
                0..=6 => it.stmt("break;"),
                7 => it.leave(),
                _ => it.stmt(";"),
            }
        });
        self.raw("}");
    }
}
