//! Shifts. By a constant they are something else: multiples to the left, extracted bits to the right.

use crate::arena::{TermId, Terms};
use crate::node::Binary;
use crate::value::mask;

impl Terms {
    pub(super) fn shifted(&mut self, op: Binary, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        // a << b = a && !b    a >>u b = a && !b    a >>s b = a    on one bit
        if width == 1 {
            return self.shifted_bit(op, a, b);
        }
        if let Some(amount) = self.value(b) {
            return self.shifted_by(op, a, amount);
        }
        match self.value(a) {
            // 0 << b = 0, and the same to the right
            Some(0) => a,
            // -1 >>s b = -1
            Some(value) if op == Binary::Ashr && value == mask(width) => a,
            _ => self.plain(op, a, b),
        }
    }

    fn shifted_bit(&mut self, op: Binary, a: TermId, b: TermId) -> TermId {
        if op == Binary::Ashr {
            return a;
        }
        let stays = self.not(b);
        self.and(a, stays)
    }

    fn shifted_by(&mut self, op: Binary, a: TermId, amount: u128) -> TermId {
        let width = self.width(a);
        let amount = match u32::try_from(amount) {
            // a << 0 = a, and the same to the right
            Ok(0) => return a,
            Ok(amount) if amount < width => amount,
            // a >>s n = a >>s (n - 1)  for n bits
            _ if op == Binary::Ashr => width - 1,
            // a << n = 0    a >>u n = 0    for n bits
            _ => return self.constant(width, 0),
        };
        match op {
            // a << k = a * 2ᵏ
            Binary::Shl => self.scaled(a, 1 << amount),
            // a >>u k = zext(a[k..n])
            Binary::Lshr => {
                let bits = self.extract(a, amount, width - amount);
                self.zext(bits, width)
            }
            // a >>s k = sext(a[k..n])
            _ => {
                let bits = self.extract(a, amount, width - amount);
                self.sext(bits, width)
            }
        }
    }
}
