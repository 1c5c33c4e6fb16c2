//! Expressions and conditions, as people write them.

use super::writer::Writer;

impl Writer {
    /// A small number.
    pub(super) fn number(&mut self) -> i32 {
        [0, 1, 2, 3, 4, 5, -1, -2][self.rng.usize(0..8)]
    }

    /// A variable, or a number.
    pub(super) fn atom(&mut self) -> String {
        let mut names = self.scope.ints.clone();
        names.extend(self.scope.counters.iter().cloned());
        match self.pick(&names) {
            Some(name) if self.chance(80) => name,
            _ => self.number().to_string(),
        }
    }

    /// A variable, if there is one.
    pub(super) fn variable(&mut self) -> String {
        let mut names = self.scope.ints.clone();
        names.extend(self.scope.counters.iter().cloned());
        self.pick(&names).unwrap_or_else(|| "1".to_owned())
    }

    /// Something that is computed.
    pub(super) fn expression(&mut self) -> String {
        match self.rng.u32(0..12) {
            0..=3 => self.atom(),
            4 => self.number().to_string(),
            5 => self.memory().unwrap_or_else(|| self.number().to_string()),
            _ => {
                let (left, right) = (self.variable(), self.number_or_atom());
                match self.rng.u32(0..9) {
                    0..=2 => format!("{left} + {right}"),
                    3..=4 => format!("{left} - {right}"),
                    5 => format!("{left} * 2"),
                    6 => format!("{left} & 3"),
                    7 => format!("{left} % 3"),
                    _ => format!("{left} / 2"),
                }
            }
        }
    }

    fn number_or_atom(&mut self) -> String {
        if self.chance(50) { self.atom() } else { self.rng.u32(1..4).to_string() }
    }

    /// Memory that the program believes to be there.
    pub(super) fn memory(&mut self) -> Option<String> {
        let nodes: Vec<String> =
            self.scope.nodes.iter().filter(|it| self.scope.checked.contains(it)).cloned().collect();
        let pointers: Vec<String> =
            self.scope.pointers.iter().filter(|it| self.scope.checked.contains(it)).cloned().collect();
        match self.rng.u32(0..3) {
            0 => {
                let (array, length) = self.pick(&self.scope.arrays.clone())?;
                let index = self.index(length);
                Some(format!("‹{array}[{index}]›"))
            }
            1 => {
                let member = self.one_of(&["v", "w"]);
                self.pick(&nodes).map(|node| format!("‹{node}->{member}›"))
            }
            _ => self.pick(&pointers).map(|pointer| format!("‹*{pointer}›")),
        }
    }

    /// An index into so many elements; sometimes one too many.
    pub(super) fn index(&mut self, length: u32) -> String {
        match (self.rng.u32(0..10), self.pick(&self.scope.counters.clone())) {
            (0..=5, Some(counter)) => counter,
            (6, Some(counter)) => format!("{counter} + 1"),
            (7, Some(counter)) => format!("{} - {counter}", length - 1),
            (0, None) => self.rng.u32(0..=length).to_string(),
            (1..=2, None) => match self.pick(&self.scope.ints.clone()) {
                Some(name) => format!("{name} & {}", if length > 3 { 3 } else { 1 }),
                None => "0".to_owned(),
            },
            (3, None) => self.pick(&self.scope.ints.clone()).unwrap_or_else(|| "0".to_owned()),
            _ => self.rng.u32(0..length).to_string(),
        }
    }

    /// A comparison.
    pub(super) fn comparison(&mut self) -> String {
        let left = match self.memory() {
            Some(memory) if self.chance(25) => memory,
            _ => self.variable(),
        };
        let operator = self.one_of(&["<", ">", "<=", ">=", "==", "==", "!=", "!="]);
        match self.rng.u32(0..10) {
            0 => format!("{left} % 2 == 0"),
            1 => format!("{left} & 1"),
            2 => left,
            3 => {
                let right = self.atom();
                let right = if right == left { "1".to_owned() } else { right };
                format!("{left} {operator} {right}")
            }
            _ => format!("{left} {operator} {}", self.number()),
        }
    }

    /// Operands of a condition: all but the first begin with their operator.
    pub(super) fn operands(&mut self) -> Vec<String> {
        if self.chance(22)
            && let Some(operands) = self.guarded()
        {
            return operands;
        }
        let mut operands = vec![self.comparison()];
        let operator = self.one_of(&["&&", "||"]);
        while operands.len() < 3 && self.chance(22) {
            let next = self.comparison();
            operands.push(format!("{operator}{next}"));
        }
        operands
    }

    /// A pointer that is looked at behind its check.
    fn guarded(&mut self) -> Option<Vec<String>> {
        let number = self.number();
        let operator = self.one_of(&["<", ">", "==", "!="]);
        if let Some(node) = self.pick(&self.scope.nodes.clone())
            && self.chance(60)
        {
            return Some(match self.rng.u32(0..4) {
                0 => vec![format!("!{node}"), format!("||‹{node}->v› {operator} {number}")],
                1 => vec![
                    node.clone(),
                    format!("&&‹{node}->next›"),
                    format!("&&‹{node}->next->v› {operator} {number}"),
                ],
                2 => vec![format!("{} {operator} {number}", self.atom()), format!("&&‹{node}->w› == 0")],
                _ => vec![node.clone(), format!("&&‹{node}->v› {operator} {number}")],
            });
        }
        let pointer = self.pick(&self.scope.pointers.clone())?;
        Some(match self.rng.u32(0..5) {
            0 => vec![format!("!{pointer}"), format!("||‹*{pointer}› {operator} {number}")],
            1 => vec![format!("{pointer} == 0")],
            2 => vec![pointer],
            _ => vec![pointer.clone(), format!("&&‹*{pointer}› {operator} {number}")],
        })
    }
}
