//! Random damage.

use fastrand::Rng;

/// Numbers that programs tend to mishandle.
const TRICKY: [u8; 8] = [0x00, 0x01, 0x7f, 0x80, 0xff, 0xfe, 0x20, 0x3f];

/// One to eight damages to a copy of `seed`, with pieces of `donor` put in.
pub(crate) fn bytes(rng: &mut Rng, seed: &[u8], donor: &[u8]) -> Vec<u8> {
    let mut data = seed.to_vec();
    for _ in 0..rng.usize(1..=8) {
        damage(rng, &mut data, donor);
    }
    data
}

fn damage(rng: &mut Rng, data: &mut Vec<u8>, donor: &[u8]) {
    if data.is_empty() {
        data.extend_from_slice(&donor[..donor.len().min(64)]);
        return;
    }
    let at = rng.usize(..data.len());
    match rng.u8(..10) {
        0..=3 => data[at] ^= 1 << rng.u8(..8),
        4 => data[at] = rng.u8(..),
        5 => data[at] = TRICKY[rng.usize(..TRICKY.len())],
        6 => {
            // A 32-bit word: block lengths are such words.
            let word = at & !3;
            if let Some(word) = data.get_mut(word..word + 4) {
                word.copy_from_slice(&rng.u32(..).to_le_bytes());
            }
        }
        7 => {
            let end = (at + rng.usize(1..=64)).min(data.len());
            data.drain(at..end);
        }
        8 if !donor.is_empty() => {
            let from = rng.usize(..donor.len());
            let to = (from + rng.usize(1..=64)).min(donor.len());
            data.splice(at..at, donor[from..to].iter().copied());
        }
        8 => {}
        _ if rng.u8(..8) == 0 => data.truncate(at),
        _ => {
            let end = (at + rng.usize(1..=32)).min(data.len());
            let copy = data[at..end].to_vec();
            let to = rng.usize(..data.len());
            data.splice(to..to, copy);
        }
    }
}

/// One to eight damages to the lines and words of a text.
pub(crate) fn text(rng: &mut Rng, seed: &str, donor: &str) -> String {
    let mut lines: Vec<String> = seed.lines().map(str::to_owned).collect();
    let donors: Vec<&str> = donor.lines().collect();
    for _ in 0..rng.usize(1..=8) {
        damage_line(rng, &mut lines, &donors);
    }
    lines.join("\n")
}

fn damage_line(rng: &mut Rng, lines: &mut Vec<String>, donors: &[&str]) {
    if lines.is_empty() {
        return;
    }
    let at = rng.usize(..lines.len());
    match rng.u8(..8) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[rng.usize(..lines.len())].clone()),
        2 if !donors.is_empty() => lines.insert(at, donors[rng.usize(..donors.len())].to_owned()),
        3 => {
            let other = rng.usize(..lines.len());
            lines.swap(at, other);
        }
        4 => lines[at] = replace_number(rng, &lines[at]),
        5 => lines[at] = replace_word(rng, &lines[at]),
        _ => {
            let mut line = std::mem::take(&mut lines[at]).into_bytes();
            damage(rng, &mut line, b"v0 b1 i32 ( ) { } : = , -1 99999999999 ptr null \"");
            lines[at] = String::from_utf8_lossy(&line).into_owned();
        }
    }
}

fn replace_number(rng: &mut Rng, line: &str) -> String {
    const NUMBERS: [&str; 8] = [
        "0",
        "1",
        "-1",
        "4294967295",
        "4294967296",
        "18446744073709551616",
        "340282366920938463463374607431768211456",
        "128",
    ];
    let Some(start) = line.find(|c: char| c.is_ascii_digit()) else { return line.to_owned() };
    let len = line[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(line.len() - start);
    format!("{}{}{}", &line[..start], NUMBERS[rng.usize(..NUMBERS.len())], &line[start + len..])
}

fn replace_word(rng: &mut Rng, line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    let (from, to) = (rng.usize(..words.len()), rng.usize(..words.len()));
    words[to] = words[from];
    words.join(" ")
}
