//! Random programs of a few functions, the same ones for the same seed.
//!
//! They look like C that people write: they mostly check pointers, free what they allocate and stay inside of
//! arrays, so that paths get far; and now and then they do not. The generator keeps a rough idea of each
//! variable's health for that; it is a habit, not an analysis, and loses track on purpose.
//!
//! Reading order: [`super::types`], [`super::expressions`], [`super::statements`], [`super::calls`], this
//! file.

use super::types::{INT, INTS, LONG, TARGETS, To, Ty, UNSIGNED};

/// A program: callees before callers, all names with a prefix of its own, but for `main`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Generated {
    pub(crate) seed: u64,
    /// The functions; what they need is declared in front of them.
    pub(crate) lines: Vec<String>,
    pub(crate) functions: Vec<Signature>,
    pub(crate) globals: Vec<(String, Shape)>,
    /// Definitions of global variables.
    pub(super) variables: Vec<Variable>,
    /// Constant tables of functions; every unit has its own.
    pub(crate) tables: Vec<String>,
}

/// A global variable in C.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) declaration: String,
    pub(super) initializer: Option<String>,
}

/// Units of a program besides that of `main`.
pub(crate) const UNITS: usize = 2;

/// How a function is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Signature {
    pub(crate) name: String,
    pub(crate) params: Vec<Ty>,
    pub(crate) result: Option<Ty>,
    /// The unit that it is in; [`UNITS`] for `main`, which is alone.
    pub(crate) unit: usize,
    /// Whether only its unit sees it.
    pub(crate) is_static: bool,
    /// Its place among the lines of the program.
    pub(crate) lines: std::ops::Range<usize>,
}

impl Signature {
    pub(super) fn new(name: &str, params: &[Ty], result: Option<Ty>) -> Signature {
        let (name, params) = (name.to_owned(), params.to_vec());
        Signature { name, params, result, unit: 0, is_static: false, lines: 0..0 }
    }

    /// Its head in C, without a name for parameters if it is a declaration.
    pub(super) fn head(&self) -> String {
        let params: Vec<String> =
            self.params.iter().enumerate().map(|(index, ty)| format!("{ty}p{index}")).collect();
        let list = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        let result = self.result.map_or_else(|| "void ".to_owned(), |ty| ty.to_string());
        let linkage = if self.is_static { "static " } else { "" };
        format!("{linkage}{result}{}({list})", self.name)
    }
}

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Scalar(Ty),
    Array(super::types::IntTy, u32),
    Inner,
    Struct(To),
}

/// What the generator believes of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Health {
    /// Set; a pointer points at something.
    Good,
    /// A pointer that may be null.
    Maybe,
    /// A pointer to something freed, on some path.
    Freed,
    /// Never written.
    Unset,
}

#[derive(Clone, Debug)]
pub(super) struct Var {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) health: Health,
    /// Whether the function must free it.
    pub(super) owned: bool,
    pub(super) is_global: bool,
}

pub(super) struct Generator {
    pub(super) rng: fastrand::Rng,
    pub(super) prefix: String,
    pub(super) lines: Vec<String>,
    pub(super) indent: usize,
    pub(super) vars: Vec<Var>,
    pub(super) functions: Vec<Signature>,
    pub(super) current: Signature,
    /// How the names of unknown functions begin.
    pub(super) unknown: &'static str,
    /// Functions whose addresses are taken.
    pub(super) hooks: Vec<String>,
    /// Tables of functions, of two each.
    pub(super) tables: Vec<String>,
    pub(super) next_name: u32,
    /// Statements that the present function may still have.
    pub(super) budget: u32,
}

/// Makes the program of a seed.
///
/// Unknown code of every second program writes nothing, as it says and as the interpreter does it; of the others the engine must expect that it may write
/// whatever it can reach.
pub(crate) fn generate(seed: u64) -> Generated {
    let mut generator = Generator {
        rng: fastrand::Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995),
        prefix: format!("t{seed}"),
        unknown: if seed.is_multiple_of(2) { "pure" } else { "ext" },
        lines: Vec::new(),
        indent: 0,
        vars: Vec::new(),
        functions: Vec::new(),
        hooks: Vec::new(),
        tables: Vec::new(),
        current: Signature::new("", &[], None),
        next_name: 0,
        budget: 0,
    };
    let (globals, mut variables) = generator.globals();
    if generator.chance(45) {
        generator.hooks(globals.len());
    }
    let mut tables = Vec::new();
    if let [first, second] = generator.hooks.as_slice() {
        let table = format!("{}_table", generator.prefix);
        tables.push(format!("static const hook {table}[2] = {{ {first}, {second} }};"));
        generator.tables.push(table);
    }
    for variable in &mut variables {
        if variable.declaration.starts_with("hook ") && generator.chance(50) {
            variable.initializer = generator.hooks.first().cloned();
        }
    }
    let n_functions = generator.rng.u32(2..5);
    for _ in 0..n_functions {
        generator.function();
        generator.vars.truncate(globals.len());
    }
    if seed.is_multiple_of(MAINS) {
        generator.main();
    }
    let Generator { lines, functions, .. } = generator;
    Generated { seed, lines, functions, globals, variables, tables }
}

/// One in so many programs has a `main`.
const MAINS: u64 = 5;

impl Generated {
    /// The same as a part of a unit that has a `main` already.
    pub(crate) fn without_main(mut self) -> Generated {
        if let Some(main) = self.functions.pop_if(|last| last.unit == UNITS) {
            self.lines.truncate(main.lines.start);
        }
        self
    }

    /// Whether unknown code may write what it can reach.
    pub(crate) fn has_writing_unknown_code(&self) -> bool {
        !self.seed.is_multiple_of(2)
    }
}

impl Generator {
    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(0..100) < percent
    }

    pub(super) fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        if list.is_empty() { None } else { list.get(self.rng.usize(0..list.len())) }
    }

    pub(super) fn line(&mut self, text: &str) {
        self.lines.push(format!("{}{text}", "  ".repeat(self.indent)));
    }

    pub(super) fn fresh(&mut self, letter: &str) -> String {
        self.next_name += 1;
        format!("{letter}{}", self.next_name)
    }

    pub(super) fn declare(&mut self, name: &str, shape: Shape, health: Health) {
        let var = Var { name: name.to_owned(), shape, health, owned: false, is_global: false };
        self.vars.push(var);
    }

    pub(super) fn set_health(&mut self, name: &str, health: Health) {
        if let Some(var) = self.vars.iter_mut().rev().find(|var| var.name == name) {
            var.health = health;
        }
    }

    fn globals(&mut self) -> (Vec<(String, Shape)>, Vec<Variable>) {
        let (mut globals, mut variables) = (Vec::new(), Vec::new());
        for (letter, shape) in [
            ("gi", Shape::Scalar(Ty::Int(INT))),
            ("gp", Shape::Scalar(Ty::Ptr(To::Int(INT)))),
            ("gl", Shape::Scalar(Ty::Ptr(To::Node))),
            ("ga", Shape::Array(INT, 4)),
            ("gb", Shape::Struct(To::Box)),
            ("gh", Shape::Scalar(Ty::Hook)),
        ] {
            if !self.chance(45) {
                continue;
            }
            let name = format!("{}_{letter}", self.prefix);
            let declaration = match shape {
                Shape::Scalar(ty) => format!("{ty}{name}"),
                Shape::Array(int, len) => format!("{int} {name}[{len}]"),
                Shape::Struct(to) => format!("{to} {name}"),
                Shape::Inner => format!("struct inner {name}"),
            };
            variables.push(Variable { declaration, initializer: None });
            let is_pointer = matches!(shape, Shape::Scalar(Ty::Ptr(_) | Ty::Hook));
            self.declare(&name, shape, if is_pointer { Health::Maybe } else { Health::Good });
            if let Some(var) = self.vars.last_mut() {
                var.is_global = true;
            }
            globals.push((name, shape));
        }
        (globals, variables)
    }

    /// Two small functions whose addresses are taken.
    fn hooks(&mut self, n_globals: usize) {
        let mut hooks = Vec::new();
        for letter in ["h", "k"] {
            let name = format!("{}_{letter}", self.prefix);
            self.open(&name, &[Ty::Int(INT)], Some(Ty::Int(INT)));
            self.current.is_static = false;
            self.budget = self.rng.u32(1..4);
            while self.budget > 0 {
                self.statement(1);
            }
            self.finish();
            self.close();
            self.vars.truncate(n_globals);
            hooks.push(name);
        }
        self.hooks = hooks;
    }

    /// Where the program begins.
    fn main(&mut self) {
        self.open("main", &[Ty::Int(INT), Ty::Ptr(To::Argument)], Some(Ty::Int(INT)));
        (self.current.unit, self.current.is_static) = (UNITS, false);
        // What the system passes is not for writing.
        self.vars.retain(|var| var.name != "p1");
        self.budget = self.rng.u32(6..14);
        while self.budget > 0 {
            match self.chance(40) {
                true => self.call(),
                false => self.statement(2),
            }
        }
        self.finish();
        self.close();
    }

    fn function(&mut self) {
        let name = format!("{}_{}", self.prefix, (b'a' + self.functions.len() as u8) as char);
        match self.rng.u32(0..20) {
            0..=1 => self.recursive(&name),
            2..=3 => self.wrapper(&name),
            _ => self.general(&name),
        }
    }

    fn general(&mut self, name: &str) {
        let n_params = self.rng.u32(0..5);
        let params: Vec<Ty> = (0..n_params).map(|_| self.param_type()).collect();
        let result = match self.rng.u32(0..10) {
            0..=1 => None,
            2..=5 => Some(Ty::Int(INT)),
            6 => Some(Ty::Int(INTS[self.rng.usize(0..INTS.len())])),
            7..=8 => Some(Ty::Ptr(TARGETS[self.rng.usize(0..TARGETS.len())])),
            _ => Some(Ty::Inner),
        };
        self.open(name, &params, result);
        self.budget = self.rng.u32(5..15);
        while self.budget > 0 {
            self.statement(2);
        }
        self.finish();
        self.close();
    }

    fn param_type(&mut self) -> Ty {
        match self.rng.u32(0..12) {
            0..=2 => Ty::Int(INT),
            3 => Ty::Int(UNSIGNED),
            4 => Ty::Int(INTS[self.rng.usize(0..INTS.len())]),
            5..=9 => Ty::Ptr(TARGETS[self.rng.usize(0..TARGETS.len())]),
            10 if self.chance(60) => Ty::Hook,
            10 => Ty::Ptr(To::Ops),
            _ => Ty::Inner,
        }
    }

    /// The head of a function.
    pub(super) fn open(&mut self, name: &str, params: &[Ty], result: Option<Ty>) {
        let letters: Vec<(String, Ty)> =
            params.iter().enumerate().map(|(index, ty)| (format!("p{index}"), *ty)).collect();
        self.current = Signature::new(name, params, result);
        self.current.unit = self.rng.usize(0..UNITS);
        self.current.is_static = self.chance(15);
        self.current.lines = self.lines.len()..self.lines.len();
        // The head is known when the function is closed.
        self.line("");
        self.indent += 1;
        for (name, ty) in letters {
            let shape = if ty == Ty::Inner { Shape::Inner } else { Shape::Scalar(ty) };
            // Half of all functions trust their callers.
            let trusted = self.chance(50);
            let is_pointer = matches!(ty, Ty::Ptr(_) | Ty::Hook);
            self.declare(&name, shape, if is_pointer && !trusted { Health::Maybe } else { Health::Good });
        }
    }

    /// The end of a function.
    pub(super) fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
        self.current.lines.end = self.lines.len();
        self.lines[self.current.lines.start] = format!("{} {{", self.current.head());
        self.functions.push(self.current.clone());
    }

    /// A function that goes through a list by calling itself.
    fn recursive(&mut self, name: &str) {
        let list = Ty::Ptr(To::Node);
        if self.chance(50) {
            self.open(name, &[list, Ty::Int(INT)], Some(Ty::Int(INT)));
            if self.chance(85) {
                self.line("if (!p0) return 0;");
            }
            self.line("if (p1 <= 0) return 0;");
            let term = self.number(1);
            self.line(&format!("return {name}(p0->next, p1 - 1) + p0->key + ({term});"));
        } else {
            self.open(name, &[list], None);
            self.line("if (!p0) return;");
            let order = self.chance(85);
            if order {
                self.line(&format!("{name}(p0->next);"));
            }
            self.line("free(p0);");
            if !order {
                self.line(&format!("{name}(p0->next);"));
            }
        }
        self.close();
    }

    /// A small function around an allocation, a release or a member.
    fn wrapper(&mut self, name: &str) {
        match self.rng.u32(0..5) {
            0 => {
                self.open(name, &[Ty::Int(LONG)], Some(Ty::Ptr(To::Int(INT))));
                self.line("int *r = malloc((p0 & 15) + 4);");
                if self.chance(50) {
                    self.line("if (!r) return 0;");
                    self.line("*r = 0;");
                }
                self.line("return r;");
            }
            1 => {
                self.open(name, &[Ty::Int(INT), Ty::Ptr(To::Node)], Some(Ty::Ptr(To::Node)));
                self.line("struct node *r = malloc(sizeof *r);");
                if self.chance(70) {
                    self.line("if (!r) return p1;");
                }
                self.line("r->next = p1;");
                self.line("r->key = p0;");
                self.line("return r;");
            }
            2 => {
                self.open(name, &[Ty::Ptr(To::NodePtr)], None);
                if self.chance(60) {
                    self.line("if (!p0) return;");
                }
                self.line("free(*p0);");
                if self.chance(60) {
                    self.line("*p0 = 0;");
                }
            }
            3 => {
                self.open(name, &[Ty::Ptr(To::Box)], Some(Ty::Int(INT)));
                if self.chance(50) {
                    self.line("if (!p0->p) return -1;");
                }
                self.line("return *p0->p;");
            }
            _ => {
                self.open(name, &[Ty::Ptr(To::IntPtr), Ty::Int(INT)], Some(Ty::Int(INT)));
                self.line("if (p1 < 0) return -1;");
                self.line("*p0 = malloc(sizeof(int));");
                if self.chance(70) {
                    self.line("if (!*p0) return -1;");
                    self.line("**p0 = p1;");
                }
                self.line("return 0;");
            }
        }
        self.close();
    }
}
