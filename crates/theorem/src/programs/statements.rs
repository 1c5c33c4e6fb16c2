//! Random statements, one per line, so that a line names what fails.

use super::expressions::Lvalue;
use super::generate::{Generator, Health, Shape, Var};
use super::types::{INT, LONG, TARGETS, To, Ty};

impl Generator {
    /// A statement; `depth` more may nest in it.
    pub(super) fn statement(&mut self, depth: u32) {
        self.budget = self.budget.saturating_sub(1);
        match self.rng.u32(0..122) {
            0..=9 => self.declare_number(),
            10..=27 => self.assign(),
            28..=37 if depth > 0 => self.branch(depth),
            38..=47 => self.check_pointer(),
            48..=58 => self.allocate(),
            59..=66 => self.release(),
            67..=72 if depth > 0 => self.counted_loop(depth),
            73..=76 => self.walk(),
            77..=88 => self.call(),
            89..=92 => self.correlated(),
            93..=95 => self.bulk(),
            96..=97 => self.assertion(),
            98..=99 if depth > 0 => self.switch(depth),
            100..=103 => self.unknown(),
            104..=106 => self.copy_pointer(),
            107..=108 => self.local_object(),
            109 => self.early_return(),
            110 => self.grow(),
            111 => self.scope(),
            112..=116 => self.call_hook(),
            117..=120 => self.pool(),
            121 => self.give_up(),
            _ => self.assign(),
        }
    }

    /// What a function does last: it frees what it owns, mostly, and returns.
    pub(super) fn finish(&mut self) {
        let result = self.result_value();
        self.free_owned(90, &result);
        if !result.is_empty() {
            self.line(&format!("return {result};"));
        }
    }

    fn early_return(&mut self) {
        let condition = self.condition(1);
        let result = self.result_value();
        self.line(&format!("if ({condition}) {{"));
        self.indent += 1;
        let saved = self.vars.clone();
        self.free_owned(70, &result);
        self.line(&format!("return {result};"));
        self.vars = saved;
        self.indent -= 1;
        self.line("}");
    }

    fn free_owned(&mut self, percent: u32, result: &str) {
        let owned: Vec<String> = self.owned().into_iter().filter(|name| name != result).collect();
        for name in owned {
            if self.chance(percent) {
                self.line(&format!("free({name});"));
                self.set_health(&name, Health::Freed);
            }
        }
    }

    fn owned(&self) -> Vec<String> {
        let is_owned = |var: &&Var| var.owned && var.health != Health::Freed;
        self.vars.iter().filter(is_owned).map(|var| var.name.clone()).collect()
    }

    fn result_value(&mut self) -> String {
        match self.current.result {
            None => String::new(),
            Some(Ty::Int(_)) => self.number(2),
            Some(Ty::Hook) => self.hook(),
            Some(Ty::Ptr(to)) => {
                let name = self.pointer_variable(Some(to));
                name.filter(|_| self.chance(80)).unwrap_or_else(|| "0".to_owned())
            }
            Some(Ty::Inner) => {
                let inner: Vec<String> = self
                    .vars
                    .iter()
                    .filter(|var| var.shape == Shape::Inner)
                    .map(|var| var.name.clone())
                    .collect();
                match self.pick(&inner) {
                    Some(name) => name.clone(),
                    None => format!("(struct inner){{ {}, {} }}", self.number(1), self.number(1)),
                }
            }
        }
    }

    fn declare_number(&mut self) {
        let (name, ty) = (self.fresh("i"), self.int_type());
        if self.chance(8) {
            self.line(&format!("{ty} {name};"));
            self.declare(&name, Shape::Scalar(Ty::Int(ty)), Health::Unset);
        } else {
            let value = self.number(2);
            self.line(&format!("{ty} {name} = {value};"));
            self.declare(&name, Shape::Scalar(Ty::Int(ty)), Health::Good);
        }
    }

    pub(super) fn assign(&mut self) {
        let pointers = self.chance(20);
        let Some(Lvalue { text, ty }) =
            self.place(|ty| matches!(ty, Ty::Ptr(_)) == pointers && *ty != Ty::Inner)
        else {
            return self.declare_number();
        };
        // A counter that the loop changes would not end it.
        if text.starts_with('k') {
            return self.declare_number();
        }
        // Overwriting the only pointer to a block is a leak; that happens, but seldom.
        if self.owned().contains(&text) && !self.chance(5) {
            return;
        }
        let value = match ty {
            Ty::Ptr(to) => self.pointer(to),
            Ty::Hook => self.hook(),
            _ => self.number(2),
        };
        if self.chance(15) && matches!(ty, Ty::Int(_)) {
            let operator = ["+=", "-=", "^=", "|="][self.rng.usize(0..4)];
            return self.line(&format!("{text} {operator} {value};"));
        }
        self.line(&format!("{text} = {value};"));
        if ty == Ty::Hook {
            let is_known = self.hooks.contains(&value);
            self.set_health(&text, if is_known { Health::Good } else { Health::Maybe });
        } else if matches!(ty, Ty::Ptr(_)) {
            let is_address = value.starts_with('&');
            self.set_health(&text, if is_address { Health::Good } else { Health::Maybe });
            self.give_away(&value);
        } else {
            self.set_health(&text, Health::Good);
        }
    }

    /// A block that is stored somewhere is no longer the function's own.
    fn give_away(&mut self, name: &str) {
        if let Some(var) = self.vars.iter_mut().find(|var| var.name == name) {
            var.owned = false;
        }
    }

    fn branch(&mut self, depth: u32) {
        let condition = self.condition(1);
        let before = self.vars.clone();
        self.line(&format!("if ({condition}) {{"));
        let count = self.rng.u32(1..4);
        self.nested(depth, count);
        let then = self.leave(&before);
        if self.chance(40) {
            self.vars.clone_from(&before);
            self.line("} else {");
            let count = self.rng.u32(1..3);
            self.nested(depth, count);
            self.leave(&before);
        } else {
            self.vars.clone_from(&before);
        }
        self.line("}");
        self.join(&then);
    }

    fn nested(&mut self, depth: u32, count: u32) {
        self.indent += 1;
        for _ in 0..count {
            self.statement(depth - 1);
        }
        self.indent -= 1;
    }

    /// Leaves a scope: locals declared in it end, and owned ones among them are freed, mostly.
    fn leave(&mut self, before: &[Var]) -> Vec<Var> {
        let ended: Vec<Var> = self.vars.split_off(before.len().min(self.vars.len()));
        self.indent += 1;
        for var in ended.iter().filter(|var| var.owned && var.health != Health::Freed) {
            if self.chance(90) {
                self.line(&format!("free({});", var.name));
            }
        }
        self.indent -= 1;
        self.vars.clone()
    }

    fn join(&mut self, other: &[Var]) {
        for (var, other) in self.vars.iter_mut().zip(other) {
            if var.health != other.health {
                let freed = [var.health, other.health].contains(&Health::Freed);
                let unset = [var.health, other.health].contains(&Health::Unset);
                var.health = if freed {
                    Health::Freed
                } else if unset {
                    Health::Unset
                } else {
                    Health::Maybe
                };
            }
            var.owned &= other.owned;
        }
    }

    fn check_pointer(&mut self) {
        let names: Vec<String> = self
            .vars
            .iter()
            .filter(|var| matches!(var.shape, Shape::Scalar(Ty::Ptr(_) | Ty::Hook)))
            .filter(|var| var.health == Health::Maybe)
            .map(|var| var.name.clone())
            .collect();
        let Some(name) = self.pick(&names).cloned() else { return self.assign() };
        let result = self.result_value();
        if result.contains(&name) {
            return self.assign();
        }
        let saved = self.vars.clone();
        self.line(&format!("if (!{name}) {{"));
        self.indent += 1;
        let own = self.owned().into_iter().filter(|own| *own != name && *own != result);
        for owned in own.collect::<Vec<_>>() {
            if self.chance(75) {
                self.line(&format!("free({owned});"));
            }
        }
        self.line(&format!("return {result};"));
        self.indent -= 1;
        self.line("}");
        self.vars = saved;
        self.set_health(&name, Health::Good);
    }

    fn allocate(&mut self) {
        let to = TARGETS[self.rng.usize(0..TARGETS.len())];
        let name = self.fresh("m");
        let zeroed = self.chance(25);
        let extra = self.number(0);
        let size = match to {
            To::Int(_) if self.chance(40) => format!("(({extra} & 3) + 1) * sizeof({to})"),
            _ => format!("sizeof({to})"),
        };
        let ty = Ty::Ptr(to);
        let call = if zeroed { format!("calloc(1, {size})") } else { format!("malloc({size})") };
        self.line(&format!("{ty}{name} = {call};"));
        self.declare(&name, Shape::Scalar(ty), Health::Maybe);
        if let Some(var) = self.vars.last_mut() {
            var.owned = true;
        }
        match self.rng.u32(0..10) {
            0..=5 => self.bail_out(&name),
            6 => self.line(&format!("assert({name});")),
            7 => self.line(&format!("if (!{name}) __builtin_unreachable();")),
            _ => {}
        }
        self.set_health(&name, Health::Good);
        if !zeroed && self.chance(85) {
            self.initialize(&name, to);
        }
    }

    /// `if (!m) return …;`, freeing what is owned, mostly.
    pub(super) fn bail_out(&mut self, name: &str) {
        let saved = self.vars.clone();
        self.vars.pop();
        let result = self.result_value();
        self.line(&format!("if (!{name}) {{"));
        self.indent += 1;
        self.free_owned(80, &result);
        self.line(&format!("return {result};"));
        self.indent -= 1;
        self.line("}");
        self.vars = saved;
    }

    pub(super) fn initialize(&mut self, name: &str, to: To) {
        if self.chance(20) {
            return self.line(&format!("memset({name}, 0, sizeof *{name});"));
        }
        if let Some(ty) = to.value() {
            let value = self.value_of(ty);
            return self.line(&format!("*{name} = {value};"));
        }
        for field in to.fields().iter().filter(|field| !field.name.contains('[')) {
            if self.chance(88) {
                let value = self.value_of(field.ty);
                self.line(&format!("{name}->{} = {value};", field.name));
            }
        }
    }

    fn value_of(&mut self, ty: Ty) -> String {
        match ty {
            Ty::Ptr(to) if self.chance(60) => {
                let value = self.pointer(to);
                self.give_away(&value);
                value
            }
            Ty::Ptr(_) => "0".to_owned(),
            Ty::Hook => self.hook(),
            Ty::Int(_) | Ty::Inner => self.number(1),
        }
    }

    fn release(&mut self) {
        let is_candidate = |var: &&Var| {
            matches!(var.shape, Shape::Scalar(Ty::Ptr(_)))
                && matches!(var.health, Health::Good | Health::Maybe)
        };
        let all: Vec<Var> = self.vars.iter().filter(is_candidate).cloned().collect();
        let own: Vec<Var> = all.iter().filter(|var| var.owned).cloned().collect();
        let list = if own.is_empty() || self.chance(35) { all } else { own };
        let Some(var) = self.pick(&list).cloned() else { return self.assign() };
        self.line(&format!("free({});", var.name));
        if self.chance(20) {
            self.line(&format!("{} = 0;", var.name));
            self.set_health(&var.name, Health::Maybe);
        } else {
            self.set_health(&var.name, Health::Freed);
        }
        self.give_away(&var.name);
    }

    fn counted_loop(&mut self, depth: u32) {
        let name = self.fresh("k");
        let bound = match self.rng.u32(0..10) {
            0 => self.rng.u32(4..9).to_string(),
            1..=5 => self.rng.u32(1..4).to_string(),
            _ => format!("({} & 3)", self.number(0)),
        };
        let before = self.vars.clone();
        self.line(&format!("for (int {name} = 0; {name} < {bound}; {name}++) {{"));
        self.declare(&name, Shape::Scalar(Ty::Int(INT)), Health::Good);
        let count = self.rng.u32(1..3);
        self.nested(depth, count);
        if self.chance(15) {
            let condition = self.condition(0);
            self.line(&format!("  if ({condition}) break;"));
        }
        let after = self.leave(&before);
        self.vars.clone_from(&before);
        self.line("}");
        self.join(&after);
    }

    /// Goes along a list.
    fn walk(&mut self) {
        let Some(start) = self.pointer_variable(Some(To::Node)) else { return self.assign() };
        let name = self.fresh("w");
        self.line(&format!("struct node *{name} = {start};"));
        let condition = self.condition(0);
        match self.rng.u32(0..5) {
            0 => self.line(&format!("while ({name} && {condition}) {name} = {name}->next;")),
            1 => self.line(&format!("while ({name} && {name}->key != 3) {name} = {name}->next;")),
            2 => {
                let i = self.fresh("k");
                self.line(&format!("for (int {i} = 0; {i} < 2 && {name}; {i}++) {name} = {name}->next;"));
            }
            3 => self.line(&format!("for (int n = 0; n < 2; n++) {name} = {name}->next;")),
            _ => {
                self.line(&format!("while ({name}) {{"));
                self.line(&format!("  struct node *next = {name}->next;"));
                self.line(&format!("  free({name});"));
                let wrong = self.chance(15);
                self.line(&format!(
                    "  {name} = {};",
                    if wrong { format!("{name}->next") } else { "next".to_owned() }
                ));
                self.line("}");
                self.set_health(&start, Health::Freed);
                self.give_away(&start);
            }
        }
        self.declare(&name, Shape::Scalar(Ty::Ptr(To::Node)), Health::Maybe);
    }

    /// Two branches on the same condition: what the first one makes, the second one uses.
    fn correlated(&mut self) {
        let (condition, name) = (self.condition(0), self.fresh("c"));
        let flag = self.fresh("f");
        self.line(&format!("int {flag} = {condition};"));
        self.declare(&flag, Shape::Scalar(Ty::Int(INT)), Health::Good);
        let first = match self.rng.u32(0..3) {
            0 => {
                self.line(&format!("int *{name} = 0;"));
                format!("if ({flag}) {name} = malloc(sizeof(int));")
            }
            1 => {
                let (local, value) = (self.fresh("l"), self.number(1));
                self.line(&format!("int {local} = {value}, *{name} = 0;"));
                format!("if ({flag}) {name} = &{local};")
            }
            _ => {
                self.line(&format!("int *{name};"));
                format!("{name} = {flag} ? calloc(1, 4) : 0;")
            }
        };
        self.line(&first);
        let (is_heap, value) = (first.contains("alloc"), self.number(1));
        let check = if is_heap && self.chance(80) { format!(" && {name}") } else { String::new() };
        let wrong = if self.chance(10) { "!" } else { "" };
        self.line(&format!("if ({wrong}{flag}{check}) *{name} = {value};"));
        if is_heap && self.chance(85) {
            self.line(&format!("if ({flag}) free({name});"));
        }
    }

    fn bulk(&mut self) {
        let mut pointers: Vec<(String, To)> = Vec::new();
        for var in &self.vars {
            match var.shape {
                Shape::Scalar(Ty::Ptr(to)) if var.health == Health::Good => {
                    pointers.push((var.name.clone(), to))
                }
                Shape::Struct(to) => pointers.push((format!("&{}", var.name), to)),
                _ => {}
            }
        }
        let Some((name, to)) = self.pick(&pointers).cloned() else { return self.local_object() };
        let others: Vec<_> = pointers.iter().filter(|(other, own)| *own == to && *other != name).collect();
        let size = if self.chance(92) { to.size() } else { to.size() + 4 };
        match self.pick(&others) {
            Some((other, _)) if self.chance(60) => self.line(&format!("memcpy({name}, {other}, {size});")),
            Some((other, _)) if to.value().is_none() => {
                let star = |name: &str| name.strip_prefix('&').map_or(format!("*{name}"), str::to_owned);
                self.line(&format!("{} = {};", star(&name), star(other)));
            }
            _ => self.line(&format!("memset({name}, 0, {size});")),
        }
    }

    fn assertion(&mut self) {
        let condition = self.condition(1);
        self.line(&format!("assert({condition});"));
    }

    fn switch(&mut self, depth: u32) {
        let value = self.number(1);
        self.line(&format!("switch ({value} & 3) {{"));
        let before = self.vars.clone();
        let mut merged = before.clone();
        for case in 0..self.rng.u32(2..4) {
            self.line(&format!("case {case}: {{"));
            self.nested(depth, 1);
            let after = self.leave(&before);
            std::mem::swap(&mut self.vars, &mut merged);
            self.join(&after);
            std::mem::swap(&mut self.vars, &mut merged);
            self.vars.clone_from(&before);
            let falls = self.chance(15);
            self.line(if falls { "}" } else { "} break;" });
        }
        self.line("default:;");
        self.line("}");
        self.vars = merged;
    }

    fn copy_pointer(&mut self) {
        let to = TARGETS[self.rng.usize(0..TARGETS.len())];
        let (name, value, ty) = (self.fresh("q"), self.pointer(to), Ty::Ptr(to));
        let cast = if self.chance(15) { "(void *)(unsigned long)" } else { "" };
        self.line(&format!("{ty}{name} = {cast}{value};"));
        let health = self.vars.iter().find(|var| var.name == value).map(|var| var.health);
        let is_address = value.starts_with('&');
        self.declare(
            &name,
            Shape::Scalar(ty),
            if is_address { Health::Good } else { health.unwrap_or(Health::Maybe) },
        );
    }

    /// A local structure, array, or number whose address is taken.
    fn local_object(&mut self) {
        let name = self.fresh("o");
        match self.rng.u32(0..5) {
            0 => {
                let key = self.literal();
                self.line(&format!("struct node {name} = {{ 0, {key}, 1 }};"));
                self.declare(&name, Shape::Struct(To::Node), Health::Good);
            }
            1 => {
                let values = if self.chance(85) { " = { 0 }" } else { "" };
                self.line(&format!("struct box {name}{values};"));
                self.declare(&name, Shape::Struct(To::Box), Health::Good);
            }
            2 => {
                let values = if self.chance(85) { " = { 1, 2 }" } else { "" };
                self.line(&format!("int {name}[4]{values};"));
                self.declare(&name, Shape::Array(INT, 4), Health::Good);
            }
            3 => {
                self.line(&format!("struct inner {name} = {{ 1, 2 }};"));
                self.declare(&name, Shape::Inner, Health::Good);
            }
            _ => {
                let (pointer, value) = (self.fresh("q"), self.number(1));
                self.line(&format!("int {name} = {value}, *{pointer} = &{name};"));
                self.declare(&name, Shape::Scalar(Ty::Int(INT)), Health::Good);
                self.declare(&pointer, Shape::Scalar(Ty::Ptr(To::Int(INT))), Health::Good);
            }
        }
    }

    /// A block that grows, in the way that loses it if there is no memory, or in the right one.
    fn grow(&mut self) {
        let (name, count) = (self.fresh("g"), self.number(0));
        let to = Ty::Ptr(To::Int(INT));
        self.line(&format!("{to}{name} = malloc(8);"));
        let bytes = format!("8 + 4 * ({count} & 1)");
        if self.chance(50) {
            self.line(&format!("{name} = realloc({name}, {bytes});"));
            if self.chance(60) {
                self.line(&format!("if ({name}) {name}[1] = 7;"));
            }
        } else {
            let new = self.fresh("g");
            self.line(&format!("{to}{new} = realloc({name}, {bytes});"));
            let index = self.rng.u32(0..3);
            self.line(&format!("if ({new}) {{ {new}[{index}] = 1; {name} = {new}; }}"));
        }
        self.declare(&name, Shape::Scalar(to), Health::Maybe);
        if let Some(var) = self.vars.last_mut() {
            var.owned = true;
        }
    }

    /// A pointer to a local that ends before the pointer does.
    fn scope(&mut self) {
        let (pointer, local, value) = (self.fresh("q"), self.fresh("l"), self.number(1));
        let ty = if self.chance(70) { INT } else { LONG };
        self.line(&format!("{ty} *{pointer} = 0, {local}o = 1;"));
        let condition = self.condition(0);
        self.line(&format!(
            "if ({condition}) {{ {ty} {local} = {value}; {pointer} = &{local}; *{pointer} += 1; }}"
        ));
        self.line(&format!("else {pointer} = &{local}o;"));
        if self.chance(60) {
            self.line(&format!("{pointer} = &{local}o;"));
        }
        self.line(&format!("*{pointer} = 2;"));
    }
}
