//! Programs over small domains, all of whose runs can be tried: loop-free ones, and ones with loops.
//!
//! Numbers are below four; pointers are null or lead to a cell whose content nobody asks for. What can fail:
//! a null pointer, a division, an assertion; with loops, an access to a small array, and a loop that never
//! ends. Loops have all shapes (`for`, `while`, `do`, `goto`; up and down, by one and by two; nested; with
//! `break`, `continue` and `return`), and bounds that are near the sizes of the arrays.

use std::fmt::Write as _;

use super::generate::{Generated, Signature};
use super::types::{BYTE, Ty};

/// How deep decisions are nested.
const DEPTH: u32 = 3;

const VARS: [&str; 3] = ["x", "y", "z"];
const POINTERS: [&str; 2] = ["p", "q"];

/// All arguments.
pub(crate) fn inputs() -> impl Iterator<Item = [u128; 3]> {
    (0..64_u128).map(|all| [all & 3, all >> 2 & 3, all >> 4])
}

/// Makes the loop-free program of a seed.
pub(crate) fn generate(seed: u64) -> Generated {
    program(seed, &format!("small_{seed}"), fastrand::Rng::with_seed(seed ^ 0x5eed), false)
}

/// Makes the program with loops of a seed.
pub(crate) fn generate_with_loops(seed: u64) -> Generated {
    program(seed, &format!("looped_{seed}"), fastrand::Rng::with_seed(seed ^ 0x100b), true)
}

fn program(seed: u64, name: &str, rng: fastrand::Rng, loops: bool) -> Generated {
    let mut writer = Writer { rng, text: String::new(), loops, around: Vec::new(), n_loops: 0 };
    let _ = writeln!(writer.text, "_Noreturn void exit(int); int {name}_cell;");
    if loops {
        let sizes = [writer.rng.u32(2..5), writer.rng.u32(3..9)];
        let _ = writeln!(writer.text, "static int {name}_t[{}], {name}_u[{}];", sizes[0], sizes[1]);
    }
    let _ = writeln!(writer.text, "int {name}(unsigned char a, unsigned char b, unsigned char c) {{");
    let _ = writeln!(writer.text, "  unsigned char x = a & 3, y = b & 3, z = c & 3;");
    let _ = writeln!(writer.text, "  int *p = 0, *q = &{name}_cell;");
    writer.statements(name, DEPTH);
    let _ = writeln!(writer.text, "  return x + y + z;\n}}");
    let functions = vec![Signature::new(name, &[Ty::Int(BYTE); 3], None)];
    let lines = writer.text.lines().map(str::to_owned).collect();
    Generated { seed, lines, functions, ..Generated::default() }
}

struct Writer {
    rng: fastrand::Rng,
    text: String,
    /// Whether there are loops.
    loops: bool,
    /// The loops around: the number of the variable of each, and whether `continue` goes to its step.
    around: Vec<(u32, bool)>,
    n_loops: u32,
}

impl Writer {
    fn statements(&mut self, name: &str, depth: u32) {
        for _ in 0..self.rng.u32(1..5) {
            self.statement(name, depth);
        }
    }

    fn statement(&mut self, name: &str, depth: u32) {
        if self.loops && self.looping(name, depth) {
            return;
        }
        let var = self.pick(&VARS);
        let pointer = self.pick(&POINTERS);
        let line = match self.rng.u32(0..20) {
            0..=4 => format!("{var} = {};", self.number()),
            5..=6 => format!("{pointer} = {};", self.pointer(name)),
            7..=8 => format!("*{pointer} = 1;"),
            9 => format!("{var} = {} / {};", self.number(), self.pick(&VARS)),
            10 => format!("assert({});", self.condition()),
            11 if depth < DEPTH => "return 0;".to_owned(),
            12 if depth < DEPTH => "exit(0);".to_owned(),
            _ if depth == 0 => format!("{var} = {};", self.number()),
            13 => {
                let _ = writeln!(self.text, "  switch ({var}) {{");
                for case in 0..self.rng.u32(1..4) {
                    let _ = writeln!(self.text, "  case {case}:");
                    self.statements(name, depth - 1);
                    if self.rng.bool() {
                        let _ = writeln!(self.text, "  break;");
                    }
                }
                "}".to_owned()
            }
            choice => {
                let condition = self.condition();
                let _ = writeln!(self.text, "  if ({condition}) {{");
                self.statements(name, depth - 1);
                if choice > 16 {
                    let _ = writeln!(self.text, "  }} else {{");
                    self.statements(name, depth - 1);
                }
                "}".to_owned()
            }
        };
        let _ = writeln!(self.text, "  {line}");
    }

    /// A loop, or a statement that is for loops, if it is its turn.
    fn looping(&mut self, name: &str, depth: u32) -> bool {
        let line = match (self.rng.u32(0..10), self.around.last().copied()) {
            (0..=2, _) if depth > 0 && self.around.len() < 2 => {
                self.a_loop(name, depth - 1);
                return true;
            }
            (3..=4, Some((var, _))) => {
                let table = self.pick(&["t", "u"]);
                let offset = self.pick(&["", "", "", " - 1", " + 1"]);
                format!("{name}_{table}[i{var}{offset}] = {};", self.pick(&VARS))
            }
            (5, Some((var, _))) => match self.rng.u32(0..4) {
                0 => format!("{} = (6 / i{var}) & 3;", self.pick(&VARS)),
                1 => format!("assert(i{var} < {});", self.rng.u32(2..8)),
                2 => format!("{} = i{var} & 3;", self.pick(&VARS)),
                _ => format!("i{var}{};", self.pick(&["++", "--", " += 2"])),
            },
            (6, Some((_, steps))) => {
                let goes = match self.rng.u32(0..4) {
                    0 if steps => "continue",
                    1 => "return 1",
                    _ => "break",
                };
                // Who leaves a loop that `goto` makes says where to.
                let condition = self.condition();
                match (goes, self.around.last()) {
                    ("break", Some((var, false))) => format!("if ({condition}) goto behind{var};"),
                    _ => format!("if ({condition}) {goes};"),
                }
            }
            _ => return false,
        };
        let _ = writeln!(self.text, "  {line}");
        true
    }

    /// A loop over a variable of its own.
    fn a_loop(&mut self, name: &str, depth: u32) {
        let var = self.n_loops;
        self.n_loops += 1;
        let from = match self.rng.u32(0..3) {
            0 => self.pick(&VARS).to_owned(),
            _ => self.rng.u32(0..3).to_string(),
        };
        let to = match self.rng.u32(0..3) {
            0 => self.pick(&VARS).to_owned(),
            _ => self.rng.u32(1..9).to_string(),
        };
        let (begin, test, step) = match self.rng.u32(0..4) {
            0 => (to, format!("i{var} {} {from}", self.pick(&[">=", ">", "!="])), "--"),
            _ => (from, format!("i{var} {} {to}", self.pick(&["<", "<=", "!=", "<"])), "++"),
        };
        let step = match self.rng.u32(0..12) {
            // Forgotten: the loop may never end.
            0 => format!("{} = 1", self.pick(&VARS)),
            1 => format!("i{var} {}= 2", &step[..1]),
            _ => format!("i{var}{step}"),
        };
        let shape = self.rng.u32(0..5);
        let (head, tail) = match shape {
            0 | 1 => (format!("for (i{var} = {begin}; {test}; {step}) {{"), "}".to_owned()),
            2 => (format!("i{var} = {begin}; while ({test}) {{"), format!("{step}; }}")),
            3 => (format!("i{var} = {begin}; do {{"), format!("{step}; }} while ({test});")),
            _ => (
                format!("i{var} = {begin}; again{var}: {{"),
                format!("{step}; }} if ({test}) goto again{var}; behind{var}:;"),
            ),
        };
        let sort = self.pick(&["int", "int", "unsigned"]);
        let _ = writeln!(self.text, "  {{ {sort} i{var}; {head}");
        self.around.push((var, shape < 4));
        self.statements(name, depth);
        self.around.pop();
        let _ = writeln!(self.text, "  {tail} }}");
    }

    fn number(&mut self) -> String {
        let (a, b) = (self.pick(&VARS), self.pick(&VARS));
        match self.rng.u32(0..6) {
            0 | 1 => self.rng.u32(0..4).to_string(),
            2 => a.to_owned(),
            3 => format!("({a} + {b}) & 3"),
            4 => format!("({a} * {b}) & 3"),
            _ => format!("{a} ^ {b}"),
        }
    }

    fn pointer(&mut self, name: &str) -> String {
        match self.rng.u32(0..4) {
            0 => "0".to_owned(),
            1 => format!("&{name}_cell"),
            2 => format!("{} ? {} : 0", self.pick(&VARS), self.pick(&POINTERS)),
            _ => self.pick(&POINTERS).to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b, p) = (self.pick(&VARS), self.pick(&VARS), self.pick(&POINTERS));
        match self.rng.u32(0..7) {
            0 | 1 => format!("{a} == {}", self.rng.u32(0..4)),
            2 => format!("{a} < {b}"),
            3 => format!("{a} != {b}"),
            4 => p.to_owned(),
            5 => format!("!{p}"),
            _ => format!("{a} > {} && {b} < {}", self.rng.u32(0..3), self.rng.u32(1..4)),
        }
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.rng.usize(0..from.len())]
    }
}
