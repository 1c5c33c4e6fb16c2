//! What the program recorded about each call.

/// One call, from all of its runs.
#[derive(Default)]
pub(crate) struct Record {
    pub(crate) function: usize,
    pub(crate) call: usize,
    /// The runs differ in the bytes that areas held before.
    pub(crate) runs: Vec<RunRecord>,
}

/// One run of a call.
#[derive(Default)]
pub(crate) struct RunRecord {
    pub(crate) args: Vec<ArgRecord>,
    /// What was returned; `None` if nothing, or a number that is not looked at.
    pub(crate) value: Option<u64>,
    pub(crate) returned: bool,
    pub(crate) fresh: Vec<Block>,
    pub(crate) freed: Vec<u64>,
    /// The signal that ended the process, 0 if none.
    pub(crate) signal: i32,
    /// The status with which the process ended, -1 if a signal ended it.
    pub(crate) status: i32,
}

/// One argument.
pub(crate) struct ArgRecord {
    pub(crate) value: u64,
    /// The size of what it points to, 0 if the type does not tell.
    pub(crate) pointee: usize,
    /// The bytes from the pointer on, before and after the call; empty if it is no pointer to an area.
    pub(crate) before: Vec<u8>,
    pub(crate) after: Vec<u8>,
}

/// A block that was allocated during the call and is still there.
pub(crate) struct Block {
    pub(crate) start: u64,
    pub(crate) size: u64,
    /// Its first bytes.
    pub(crate) content: Vec<u8>,
}

/// Reads the program's output.
pub(crate) fn read(text: &str) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| words[at].parse::<usize>().expect("a number");
        if words[0] == "call" {
            let (function, call) = (number(1), number(2));
            if number(3) == 0 {
                records.push(Record { function, call, runs: Vec::new() });
            }
            records.last_mut().expect("a call").runs.push(RunRecord::default());
            continue;
        }
        let run = records.last_mut().and_then(|it| it.runs.last_mut()).expect("a run is open");
        match words[0] {
            "arg" => {
                let before = bytes(words[4]);
                run.args.push(ArgRecord {
                    value: hex(words[2]),
                    pointee: number(3),
                    after: before.clone(),
                    before,
                });
            }
            "after" => run.args[number(1)].after = bytes(words[2]),
            "new" => run.fresh.push(Block {
                start: hex(words[1]),
                size: number(2) as u64,
                content: bytes(words[3]),
            }),
            "freed" => run.freed.push(hex(words[1])),
            "ret" => {
                run.returned = true;
                run.value = (words[1] != "-").then(|| hex(words[1]));
            }
            "end" => {
                run.status = words[1].parse().expect("a status");
                run.signal = words[2].parse().expect("a signal");
            }
            other => panic!("the program said `{other}`"),
        }
    }
    records
}

fn hex(word: &str) -> u64 {
    u64::from_str_radix(word, 16).expect("a number in base 16")
}

fn bytes(word: &str) -> Vec<u8> {
    let digits = word.trim_end_matches('-');
    (0..digits.len() / 2)
        .map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).expect("two digits"))
        .collect()
}
