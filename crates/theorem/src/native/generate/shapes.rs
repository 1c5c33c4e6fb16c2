//! Functions of shapes that are everywhere in C: makers, getters, clean-up by `goto`, recursion, machines.

use super::writer::{Kind, Writer};

impl Writer {
    /// `make`: allocates, fills and returns.
    pub(super) fn maker(&mut self) {
        let params = self.begin("make", &[Kind::Int], Kind::Ints);
        let (size, memory) = (&params[0], self.name("m"));
        if self.chance(40) {
            self.raw(&format!("if («{size} <= 0») {{"));
            self.block(|it| it.stmt("return 0;"));
            self.raw("}");
        }
        self.stmt(&format!("int *{memory} = malloc({size} * sizeof(int));"));
        if self.chance(80) {
            self.raw(&format!("if («!{memory}») {{"));
            self.block(|it| it.stmt("return 0;"));
            self.raw("}");
        }
        let operator = self.one_of(&["<", "<", "<", "<="]);
        self.raw(&format!("for (int i = 0; «i {operator} {size}»; i++) {{"));
        self.block(|it| it.stmt(&format!("{memory}[i] = 0;")));
        self.raw("}");
        self.stmt(&format!("return {memory};"));
        self.end();
    }

    /// `get`: says by its result whether it has set what it was given.
    pub(super) fn getter(&mut self) {
        let params = self.begin("get", &[Kind::Int, Kind::Ints], Kind::Int);
        let operands = vec![self.comparison()];
        self.condition("if (", &operands, ") {");
        self.block(|it| it.stmt("return -1;"));
        self.raw("}");
        let value = self.atom();
        self.stmt(&format!("*{} = {value};", params[1]));
        self.stmt("return 0;");
        self.end();
    }

    /// `open`: the same with memory.
    pub(super) fn opener(&mut self) {
        let params = self.begin("open", &[Kind::Int, Kind::Out], Kind::Int);
        let (size, out) = (&params[0], &params[1]);
        if self.chance(60) {
            self.stmt(&format!("*{out} = 0;"));
        }
        let operands = vec![self.comparison()];
        self.condition("if (", &operands, ") {");
        self.block(|it| it.stmt("return -1;"));
        self.raw("}");
        self.stmt(&format!("int *m = malloc(({size} & 3) * sizeof(int) + 4);"));
        if self.chance(75) {
            self.raw("if («!m») {");
            self.block(|it| it.stmt("return -2;"));
            self.raw("}");
        }
        self.stmt("m[0] = 1;");
        if self.chance(15) {
            let operands = vec![self.comparison()];
            self.condition("if (", &operands, ") {");
            self.block(|it| it.stmt("return -3;"));
            self.raw("}");
        }
        self.stmt(&format!("*{out} = m;"));
        self.stmt("return 0;");
        self.end();
    }

    /// Two blocks, and one place where they are freed.
    pub(super) fn cleaner(&mut self) {
        let params = self.begin("setup", &[Kind::Int, Kind::Int], Kind::Int);
        let (size, flag) = (&params[0], &params[1]);
        let first = if self.chance(85) { " = 0" } else { "" };
        self.stmt("int rc = -1;");
        self.stmt("int *a = 0;");
        match first {
            "" => self.stmt("int *b;⟦ U(b);⟧"),
            _ => self.stmt("int *b = 0;"),
        }
        self.stmt(&format!("a = malloc({size} * sizeof(int));"));
        self.raw("if («!a») {");
        self.block(|it| it.stmt("goto out;"));
        self.raw("}");
        if self.chance(50) {
            let number = self.number();
            self.raw(&format!("if («{flag} == {number}») {{"));
            self.block(|it| match it.chance(80) {
                true => it.stmt("goto out;"),
                false => it.stmt("return 1;"),
            });
            self.raw("}");
        }
        self.stmt("b = calloc(2, sizeof(int));");
        if self.chance(85) {
            self.raw("if («!b») {");
            self.block(|it| it.stmt("goto out;"));
            self.raw("}");
        }
        self.stmt(&format!("b[1] = {size};"));
        if self.chance(30) {
            self.stmt("free(a);");
            if self.chance(70) {
                self.stmt("a = 0;");
            }
        }
        self.stmt("rc = 0;");
        self.raw("out:;");
        if self.chance(90) {
            self.stmt("free(‹b›);");
        }
        self.stmt("free(a);");
        self.stmt("return rc;");
        self.end();
    }

    /// A function that calls itself.
    pub(super) fn recursion(&mut self) {
        let params = self.begin("rec", &[Kind::Int, Kind::Ints], Kind::Int);
        let (depth, pointer) = (params[0].clone(), params[1].clone());
        let base = self.one_of(&["<= 0", "== 0", "< 0", "< 1", "> 4"]);
        if self.chance(92) {
            self.raw(&format!("if («{depth} {base}») {{"));
            self.block(|it| match it.rng.u32(0..3) {
                0 => it.stmt("return 0;"),
                1 => it.stmt(&format!("return ‹*{pointer}›;")),
                _ => it.stmt(&format!("return ‹{pointer}[1]›;")),
            });
            self.raw("}");
        }
        self.fuel = 3;
        self.statements(2);
        let step = if base.starts_with('>') { "+ 1" } else { "- 1" };
        let name = format!("rec_{}", self.seed);
        let other = if self.chance(75) { pointer } else { "0".to_owned() };
        self.stmt(&format!("int below = {name}({depth} {step}, {other});"));
        self.stmt("return below + 1;");
        self.end();
    }

    /// Two functions that call one another.
    pub(super) fn mutual(&mut self) {
        let seed = self.seed;
        self.raw(&format!("int odd_{seed}(int n, struct node *list);"));
        for (own, other) in [("even", "odd"), ("odd", "even")] {
            let params = self.begin(own, &[Kind::Int, Kind::Node], Kind::Int);
            // The prototype is without `static`.
            if let Some(head) = self.lines.iter_mut().rev().nth(1) {
                *head = head.replace("static ", "");
            }
            let (depth, list) = (&params[0], &params[1]);
            let base = self.one_of(&["<= 0", "== 0", "< 1"]);
            self.raw(&format!("if («{depth} {base}») {{"));
            self.block(|it| match it.chance(50) {
                true => it.stmt("return 0;"),
                false => it.stmt(&format!("return ‹{list}->v›;")),
            });
            self.raw("}");
            let next = match self.rng.u32(0..3) {
                0 => format!("‹{list}->next›"),
                _ => list.clone(),
            };
            self.stmt(&format!("return {other}_{seed}({depth} - 1, {next});"));
            self.end();
        }
    }

    /// Builds a list, and frees it.
    pub(super) fn builder(&mut self) {
        let params = self.begin("build", &[Kind::Int], Kind::Node);
        self.stmt("struct node *head = 0;");
        self.raw(&format!("for (int i = 0; «i < {}»; i++) {{", params[0]));
        self.block(|it| {
            it.stmt("struct node *fresh = malloc(sizeof(*fresh));");
            if it.chance(85) {
                it.raw("if («!fresh») {");
                it.block(|it| match it.rng.u32(0..3) {
                    0 => it.stmt("return 0;"),
                    1 => it.stmt("return head;"),
                    _ => it.stmt("break;"),
                });
                it.raw("}");
            }
            it.stmt("fresh->v = i;");
            it.stmt("fresh->w = 0;");
            it.stmt("fresh->next = head;");
            it.stmt("head = fresh;");
        });
        self.raw("}");
        self.stmt("return head;");
        self.end();
        self.begin("drop", &[Kind::Node], Kind::Void);
        let list = self.scope.nodes[0].clone();
        self.raw(&format!("while («{list}») {{"));
        self.block(|it| {
            if it.chance(85) {
                it.stmt(&format!("struct node *next = ‹{list}->next›;"));
                it.stmt(&format!("free({list});"));
                it.stmt(&format!("{list} = next;"));
            } else {
                it.stmt(&format!("free({list});"));
                it.stmt(&format!("{list} = ‹{list}->next›;"));
            }
        });
        self.raw("}");
        self.end();
    }

    /// A machine: a loop around a `switch` on its state.
    pub(super) fn machine(&mut self) {
        let params = self.begin("run", &[Kind::Int, Kind::Ints], Kind::Int);
        let (first, input) = (&params[0], &params[1]);
        self.stmt(&format!("int state = {first};"));
        self.stmt("int steps = 0;");
        let head = self.one_of(&["while («state != 3») {", "while («state >= 0») {", "for (;;) {"]);
        let is_endless = head.starts_with("for");
        self.raw(&head);
        self.block(|it| {
            it.raw("switch («state») {");
            it.raw("case 0:");
            it.raw("{");
            it.block(|it| {
                it.stmt("state = 1;");
                it.stmt("break;");
            });
            it.raw("}");
            it.raw("case 1:");
            it.raw("{");
            it.block(|it| {
                it.stmt(&format!("state = ‹{input}[steps]› > 0"));
                it.raw("    ? «2»");
                it.raw("    : «3»;");
                if it.chance(80) {
                    it.stmt("break;");
                }
            });
            it.raw("}");
            it.raw("case 2:");
            it.raw("{");
            it.block(|it| {
                let next = it.one_of(&["1", "3", "0"]);
                it.stmt(&format!("state = {next};"));
                it.stmt("break;");
            });
            it.raw("}");
            it.raw("default:");
            it.raw("{");
            it.block(|it| match it.chance(60) || is_endless {
                true => it.stmt("return steps;"),
                false => it.stmt("state = 3;"),
            });
            it.raw("}");
            it.raw("}");
            it.stmt("steps++;");
            if it.chance(50) {
                it.raw("if («steps > 3») {");
                it.block(|it| it.stmt("break;"));
                it.raw("}");
            }
        });
        self.raw("}");
        self.stmt("return steps;");
        self.end();
    }
}
