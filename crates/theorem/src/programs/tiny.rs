//! Loop-free programs over small domains, all of whose runs can be tried.
//!
//! Numbers are below four; pointers are null or lead to a cell whose content nobody asks for. What can fail:
//! a null pointer, a division, an assertion.

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

/// Makes the program of a seed.
pub(crate) fn generate(seed: u64) -> Generated {
    let mut writer = Writer { rng: fastrand::Rng::with_seed(seed ^ 0x5eed), text: String::new() };
    let name = format!("small_{seed}");
    let _ = writeln!(writer.text, "_Noreturn void exit(int); int {name}_cell;");
    let _ = writeln!(writer.text, "int {name}(unsigned char a, unsigned char b, unsigned char c) {{");
    let _ = writeln!(writer.text, "  unsigned char x = a & 3, y = b & 3, z = c & 3;");
    let _ = writeln!(writer.text, "  int *p = 0, *q = &{name}_cell;");
    writer.statements(&name, DEPTH);
    let _ = writeln!(writer.text, "  return x + y + z;\n}}");
    let functions = vec![Signature::new(&name, &[Ty::Int(BYTE); 3], None)];
    let lines = writer.text.lines().map(str::to_owned).collect();
    Generated { seed, lines, functions, ..Generated::default() }
}

struct Writer {
    rng: fastrand::Rng,
    text: String,
}

impl Writer {
    fn statements(&mut self, name: &str, depth: u32) {
        for _ in 0..self.rng.u32(1..5) {
            self.statement(name, depth);
        }
    }

    fn statement(&mut self, name: &str, depth: u32) {
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
