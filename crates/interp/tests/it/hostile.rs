//! Library functions survive whatever they are called with.

use interp::{BlockKind, Family, Machine, Options, Program, Value};
use ir::{FloatKind, Type};

use crate::parse;

/// A stream of numbers (xorshift), the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }
}

const TEXTS: [&[u8]; 8] = [
    b"%d %s %f\0",
    b"%*.*Lf%n%a\0",
    b"%c%[a-z]%i\0",
    b"hello 12 -3.5e2 0x1f\0",
    b"%99999999d\0",
    b"%.99999999f\0",
    b"r+\0",
    b"\0",
];

/// Blocks of strings, addresses, numbers and nothing.
fn blocks(machine: &mut Machine<'_>, numbers: &mut Numbers) -> Vec<Value> {
    let heap = BlockKind::Heap { family: Family::Malloc, callers: u32::MAX };
    let kinds = [BlockKind::Given, heap];
    let blocks: Vec<Value> = (0..4)
        .map(|_| machine.allocate_as(*numbers.pick(&kinds), 256, 16).expect("memory has room"))
        .collect();
    let at = |block: &Value, offset: u64| Value::pointer(block.low() + offset, block.prov());
    for block in &blocks {
        if numbers.below(2) == 0 {
            for (offset, byte) in numbers.pick(&TEXTS).iter().enumerate() {
                machine
                    .write(&at(block, offset as u64), &Value::int(8, (*byte).into()))
                    .expect("the text fits");
            }
            continue;
        }
        for word in 0..32 {
            let value = match numbers.below(6) {
                0 => Value::int(64, numbers.below(100).into()),
                1 => numbers.pick(&blocks).clone(),
                2 => Value::int(64, numbers.next().into()),
                3 => Value::null(),
                4 => Value::int(64, u64::MAX.into()),
                _ => continue,
            };
            machine.write(&at(block, 8 * word), &value).expect("the word fits");
        }
    }
    blocks
}

fn argument(numbers: &mut Numbers, blocks: &[Value], function: &Value) -> Value {
    match numbers.below(16) {
        0 => Value::int(64, numbers.next().into()),
        1 => Value::undefined(Type::Int(32), 64),
        2 => Value::int(32, numbers.below(20).into()),
        3 => Value::int(64, numbers.below(300).into()),
        4 => Value::null(),
        5 => Value::f64(f64::from_bits(numbers.next())),
        6 => Value::float(FloatKind::X87, u128::from(numbers.next()) | 0x3fff_8000_0000_0000_0000),
        7 => function.clone(),
        8 => Value::int(64, u64::MAX.into()),
        9 => Value::f32(1.5),
        _ => {
            let block = numbers.pick(blocks);
            let offset = if numbers.below(3) == 0 { numbers.below(260) } else { 0 };
            Value::pointer(block.low() + offset, block.prov())
        }
    }
}

#[test]
fn random_arguments_never_crash_the_interpreter() {
    let mut text = "target \"x86_64-pc-linux-gnu\" pointer 8\n".to_owned();
    for name in interp::library_functions() {
        text += &format!("func @{name}(...)\n");
    }
    text += "func @compare(ptr, ptr) -> (i32) {\nb0(v0: ptr, v1: ptr):\n return i32 1\n}\n";
    let modules = [parse(&text)];
    let program = Program::link(&modules);
    let compare = program.function("compare").unwrap();
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    for function in (0..30).flat_map(|_| program.functions().ids()) {
        let options = Options {
            max_steps: 100_000,
            max_memory: 1 << 24,
            stdin: b"12 abc 4.5\nline\n".to_vec(),
            ..Options::default()
        };
        let mut machine = Machine::new(&program, options);
        let blocks = blocks(&mut machine, &mut numbers);
        let callback = machine.function_address(compare);
        let n_args = 1 + numbers.below(6);
        let args: Vec<Value> = (0..n_args).map(|_| argument(&mut numbers, &blocks, &callback)).collect();
        machine.call(function, &args);
        machine.leaks();
    }
}
