//! `ctype.h`: the functions, and the tables that glibc's macros read.

use super::args::{Args, int};
use super::{Models, Reply};
use crate::machine::{Machine, OrStop};
use crate::value::Value;

pub(crate) const MODELS: Models = &[
    ("isalnum", |machine, args| class(machine, args, |c| c.is_ascii_alphanumeric())),
    ("isalpha", |machine, args| class(machine, args, |c| c.is_ascii_alphabetic())),
    ("isblank", |machine, args| class(machine, args, |c| c == b' ' || c == b'\t')),
    ("iscntrl", |machine, args| class(machine, args, |c| c.is_ascii_control())),
    ("isdigit", |machine, args| class(machine, args, |c| c.is_ascii_digit())),
    ("isgraph", |machine, args| class(machine, args, |c| c.is_ascii_graphic())),
    ("islower", |machine, args| class(machine, args, |c| c.is_ascii_lowercase())),
    ("isprint", |machine, args| class(machine, args, |c| (0x20..0x7f).contains(&c))),
    ("ispunct", |machine, args| class(machine, args, |c| c.is_ascii_punctuation())),
    ("isspace", |machine, args| class(machine, args, is_space)),
    ("isupper", |machine, args| class(machine, args, |c| c.is_ascii_uppercase())),
    ("isxdigit", |machine, args| class(machine, args, |c| c.is_ascii_hexdigit())),
    ("isascii", isascii),
    ("toascii", toascii),
    ("tolower", tolower),
    ("toupper", toupper),
    ("__ctype_b_loc", ctype_b_loc),
    ("__ctype_tolower_loc", ctype_tolower_loc),
    ("__ctype_toupper_loc", ctype_toupper_loc),
    ("__ctype_get_mb_cur_max", ctype_get_mb_cur_max),
];

/// The characters that `isspace` and number parsing take for blank.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

fn class(machine: &mut Machine<'_>, args: &Args<'_>, test: fn(u8) -> bool) -> Reply {
    let character = machine.c_int(args, 0)?;
    Ok(int(u8::try_from(character).is_ok_and(test).into()))
}

fn isascii(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let character = machine.c_int(args, 0)?;
    Ok(int((0..128).contains(&character).into()))
}

fn toascii(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Ok(int(machine.c_int(args, 0)? & 0x7f))
}

fn tolower(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Ok(int(lower(machine.c_int(args, 0)?)))
}

fn toupper(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    Ok(int(upper(machine.c_int(args, 0)?)))
}

fn lower(character: i32) -> i32 {
    u8::try_from(character).map_or(character, |byte| byte.to_ascii_lowercase().into())
}

fn upper(character: i32) -> i32 {
    u8::try_from(character).map_or(character, |byte| byte.to_ascii_uppercase().into())
}

fn ctype_b_loc(machine: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    let big_endian = machine.memory.is_big_endian();
    let entry = |character: i32| {
        let mask = u8::try_from(character).map_or(0, |byte| class_mask(byte, big_endian));
        if big_endian { mask.to_be_bytes().to_vec() } else { mask.to_le_bytes().to_vec() }
    };
    Ok(table(machine, ["table of character classes", "pointer to the table of classes"], entry)?.into())
}

fn ctype_tolower_loc(machine: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    let big_endian = machine.memory.is_big_endian();
    let entry = |character: i32| int_bytes(lower(character), big_endian);
    Ok(table(machine, ["table of lower case", "pointer to the table of lower case"], entry)?.into())
}

fn ctype_toupper_loc(machine: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    let big_endian = machine.memory.is_big_endian();
    let entry = |character: i32| int_bytes(upper(character), big_endian);
    Ok(table(machine, ["table of upper case", "pointer to the table of upper case"], entry)?.into())
}

fn ctype_get_mb_cur_max(machine: &mut Machine<'_>, _: &Args<'_>) -> Reply {
    Ok(machine.long(1))
}

fn int_bytes(value: i32, big_endian: bool) -> Vec<u8> {
    if big_endian { value.to_be_bytes().to_vec() } else { value.to_le_bytes().to_vec() }
}

/// A table with entries for -128 to 255, and the pointer to its entry 0 that glibc's macros read.
fn table(
    machine: &mut Machine<'_>,
    [name, pointer_name]: [&'static str; 2],
    entry: impl Fn(i32) -> Vec<u8>,
) -> OrStop<Value> {
    let entry_bytes = entry(0).len() as u64;
    let block = machine.named_block(name, || (-128..256).flat_map(&entry).collect())?;
    machine.memory.set_writable(block, false);
    let size = machine.memory.pointer_bytes() as usize;
    let place = machine.named_block(pointer_name, || vec![0; size])?;
    let start = machine.pointer_to(block, 128 * entry_bytes);
    machine.memory.write(place, 0, &start);
    Ok(machine.pointer_to(place, 0))
}

/// The classes of a character as glibc's `_ISbit` numbers them: bit n of the list, bytes swapped on little-endian machines.
fn class_mask(byte: u8, big_endian: bool) -> u16 {
    let classes = [
        byte.is_ascii_uppercase(),
        byte.is_ascii_lowercase(),
        byte.is_ascii_alphabetic(),
        byte.is_ascii_digit(),
        byte.is_ascii_hexdigit(),
        is_space(byte),
        (0x20..0x7f).contains(&byte),
        byte.is_ascii_graphic(),
        byte == b' ' || byte == b'\t',
        byte.is_ascii_control(),
        byte.is_ascii_punctuation(),
        byte.is_ascii_alphanumeric(),
    ];
    let bit = |index: usize| if big_endian { 1u16 << index } else { (1u16 << index).swap_bytes() };
    classes.iter().enumerate().filter(|(_, holds)| **holds).fold(0, |mask, (index, _)| mask | bit(index))
}
