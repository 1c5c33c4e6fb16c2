//! What unordered containers leave to the library: the hash of bytes and the sizes of tables.
//!
//! Iteration order depends on both, so they are those of libstdc++.
//! Source: MurmurHash64A (Appleby) and Fowler–Noll–Vo 1a, as documented; the sizes were listed by asking the
//! library.

use ir::Type;

use crate::libc::{Answer, Args, Models, Reply};
use crate::machine::{Machine, OrStop};
use crate::value::Value;
use crate::varargs::offset_by;

pub(crate) const MODELS: Models = &[
    ("_ZSt11_Hash_bytesPKvmm", hash_bytes),
    ("_ZSt15_Fnv_hash_bytesPKvmm", fnv_hash_bytes),
    ("_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm", next_buckets),
    ("_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm", need_rehash),
];

/// The sizes that tables grow through.
#[rustfmt::skip]
const SIZES: &[u64] = &[
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 103,
    109, 113, 127, 137, 139, 149, 157, 167, 179, 193, 199, 211, 227, 241, 257, 277, 293, 313, 337, 359, 383,
    409, 439, 467, 503, 541, 577, 619, 661, 709, 761, 823, 887, 953, 1_031, 1_109, 1_193, 1_289, 1_381,
    1_493, 1_613, 1_741, 1_879, 2_029, 2_179, 2_357, 2_549, 2_753, 2_971, 3_209, 3_469, 3_739, 4_027, 4_349,
    4_703, 5_087, 5_503, 5_953, 6_427, 6_949, 7_517, 8_123, 8_783, 9_497, 10_273, 11_113, 12_011, 12_983,
    14_033, 15_173, 16_411, 17_749, 19_183, 20_753, 22_447, 24_281, 26_267, 28_411, 30_727, 33_223, 35_933,
    38_873, 42_043, 45_481, 49_201, 53_201, 57_557, 62_233, 67_307, 72_817, 78_779, 85_229, 92_203, 99_733,
    107_897, 116_731, 126_271, 136_607, 147_793, 159_871, 172_933, 187_091, 202_409, 218_971, 236_897,
    256_279, 277_261, 299_951, 324_503, 351_061, 379_787, 410_857, 444_487, 480_881, 520_241, 562_841,
    608_903, 658_753, 712_697, 771_049, 834_181, 902_483, 976_369, 1_056_323, 1_142_821, 1_236_397,
    1_337_629, 1_447_153, 1_565_659, 1_693_859, 1_832_561, 1_982_627, 2_144_977, 2_320_627, 2_510_653,
    2_716_249, 2_938_679, 3_179_303, 3_439_651, 3_721_303, 4_026_031, 4_355_707, 4_712_381, 5_098_259,
    5_515_729, 5_967_347, 6_456_007, 6_984_629, 7_556_579, 8_175_383, 8_844_859, 9_569_143, 10_352_717,
    11_200_489, 12_117_689, 13_109_983, 14_183_539, 15_345_007, 16_601_593, 17_961_079, 19_431_899,
    21_023_161, 22_744_717, 24_607_243, 26_622_317, 28_802_401, 31_160_981, 33_712_729, 36_473_443,
    39_460_231, 42_691_603, 46_187_573, 49_969_847, 54_061_849, 58_488_943, 63_278_561, 68_460_391,
    74_066_549, 80_131_819, 86_693_767, 93_793_069, 101_473_717, 109_783_337, 118_773_397, 128_499_677,
    139_022_417, 150_406_843, 162_723_577, 176_048_909, 190_465_427, 206_062_531,
];

/// The size of a table that has never held anything and gets its first element.
const FIRST_SIZE: u64 = 11;

fn hash_bytes(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (len, seed) = (machine.number(args, 1)?, machine.number(args, 2)?);
    let bytes = machine.bytes_at(&args.ptr(0), len)?;
    machine.work(len)?;
    Ok(machine.long(murmur(&bytes, seed)))
}

fn fnv_hash_bytes(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let (len, seed) = (machine.number(args, 1)?, machine.number(args, 2)?);
    let bytes = machine.bytes_at(&args.ptr(0), len)?;
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(1_099_511_628_211);
    Ok(machine.long(bytes.iter().fold(seed, mix)))
}

fn murmur(bytes: &[u8], seed: u64) -> u64 {
    const FACTOR: u64 = 0xc6a4_a793_5bd1_e995;
    let mix = |number: u64| number ^ number >> 47;
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    let mut hash = seed ^ (bytes.len() as u64).wrapping_mul(FACTOR);
    let chunks = bytes.chunks_exact(8);
    let rest = chunks.remainder();
    for chunk in chunks {
        hash = (hash ^ mix(word(chunk).wrapping_mul(FACTOR)).wrapping_mul(FACTOR)).wrapping_mul(FACTOR);
    }
    if !rest.is_empty() {
        hash = (hash ^ word(rest)).wrapping_mul(FACTOR);
    }
    mix(mix(hash).wrapping_mul(FACTOR))
}

/// `_M_next_bkt(this, n)`: the smallest size of at least `n`.
fn next_buckets(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let wanted = machine.number(args, 1)?;
    let size = grow(machine, &args.ptr(0), wanted)?;
    Ok(machine.long(size))
}

/// `_M_need_rehash(this, buckets, elements, new elements)`: whether the table must grow, and to what size.
fn need_rehash(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let policy = args.ptr(0);
    let (buckets, elements, added) =
        (machine.number(args, 1)?, machine.number(args, 2)?, machine.number(args, 3)?);
    let limit = machine.load_defined(&offset_by(&policy, 8), Type::Int(64))?.low();
    let answer =
        |grows: bool, size: u64| Answer::two(Value::int(8, grows.into()), Value::int(64, size.into()));
    let total = elements.saturating_add(added);
    if total <= limit {
        return Ok(answer(false, 0));
    }
    let load = load_factor(machine, &policy)?;
    let least = if limit == 0 { FIRST_SIZE } else { 0 };
    let wanted = total.max(least) as f64 / load;
    if wanted >= buckets as f64 {
        let size =
            grow(machine, &policy, (wanted.floor() as u64).saturating_add(1).max(buckets.saturating_mul(2)))?;
        return Ok(answer(true, size));
    }
    set_limit(machine, &policy, (buckets as f64 * load).floor() as u64)?;
    Ok(answer(false, 0))
}

/// Chooses a size and stores how many elements it is good for.
fn grow(machine: &mut Machine<'_>, policy: &Value, wanted: u64) -> OrStop<u64> {
    if wanted == 0 {
        return Ok(1);
    }
    let size = SIZES.iter().copied().find(|size| *size >= wanted).unwrap_or(SIZES[SIZES.len() - 1]);
    let load = load_factor(machine, policy)?;
    set_limit(machine, policy, (size as f64 * load).floor() as u64)?;
    Ok(size)
}

fn load_factor(machine: &Machine<'_>, policy: &Value) -> OrStop<f64> {
    let factor = machine.load_defined(policy, Type::Float(ir::FloatKind::Single))?;
    Ok(factor.as_f32().into())
}

fn set_limit(machine: &mut Machine<'_>, policy: &Value, limit: u64) -> OrStop {
    machine.store_at(&offset_by(policy, 8), &Value::int(64, limit.into()))
}

#[cfg(test)]
mod tests {
    use super::murmur;

    // The expected numbers were printed by libstdc++ 12.
    #[test]
    fn hashes_are_those_of_libstdcxx() {
        assert_eq!(murmur(b"hello", 0xc70f_6907), 2_762_169_579_135_187_400);
        assert_eq!(murmur(b"hello world!", 0xc70f_6907), 6_594_337_730_806_245_023);
    }
}
