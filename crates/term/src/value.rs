//! Values: the low bits of a `u128`.

/// The number of bits of a term, from 1 to [`WIDEST`].
pub type Width = u32;

/// The widest term.
pub const WIDEST: Width = 128;

/// All bits of that width.
#[inline]
pub fn mask(width: Width) -> u128 {
    debug_assert!((1..=WIDEST).contains(&width), "a width should be from 1 to 128");
    u128::MAX >> (WIDEST - width)
}

/// The value read as a number in two's complement.
#[inline]
pub fn signed(width: Width, value: u128) -> i128 {
    let unused = WIDEST - width;
    ((value << unused) as i128) >> unused
}
