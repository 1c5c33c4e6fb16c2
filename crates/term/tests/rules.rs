//! What terms become when they are built, in the language that they print in.
//!
//! Variables: `x`, `y`, `z`, `n` have 32 bits, `p` and `q` 64, `c` and `d` 8, `a`, `b`, `e` are conditions.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use term::{Origin, TermId, Terms, parse};

fn arena() -> (Terms, Vec<TermId>) {
    let mut terms = Terms::new();
    let mut declared = Vec::new();
    for (width, names) in [(32, "xyzn"), (64, "pq"), (8, "cd"), (1, "abe")] {
        for name in names.chars() {
            declared.push(terms.fresh(width, Origin::Parameter, &name.to_string()));
        }
    }
    (terms, declared)
}

/// Checks that a text is the term of another one, which is printed like that.
#[track_caller]
fn check(text: &str, expected: &str) {
    let (mut terms, declared) = arena();
    let term = parse(&mut terms, text, &declared).unwrap();
    assert_eq!(terms.show(term).to_string(), expected, "for {text}");
    let again = parse(&mut terms, expected, &declared).unwrap();
    assert_eq!(again, term, "for {text}, read back");
}

/// Checks that two texts are one term.
#[track_caller]
fn same(text: &str, other: &str) {
    let (mut terms, declared) = arena();
    let [a, b] = [text, other].map(|text| parse(&mut terms, text, &declared).unwrap());
    assert_eq!(a, b, "{} and {}", terms.show(a), terms.show(b));
}

#[test]
fn sums_are_sums_of_monomials() {
    check("x + 8 + 8", "x + 16");
    check("x - 1 + 1", "x");
    check("x + y - x", "y");
    check("y - x", "y - x");
    check("-x + y + 3", "y - x + 3");
    check("5 - x", "5 - x");
    check("x + x + x", "3 * x");
    check("2 * (x + y) - 2 * y", "2 * x");
    check("x << 3", "8 * x");
    check("-x - 1", "~x");
    check("~x + 1", "-x");
    check("~(x + 3)", "-x - 4");
    check("x ^ 0x80000000", "x - 0x80000000");
    same("x * (y + z)", "y * x + z * x");
    same("(x + y) * (x - y)", "x * x - y * y");
    same("(x + 1) * (x + 1)", "x * x + 2 * x + 1");
    same("x * y * z", "z * (y * x)");
}

#[test]
fn sums_beyond_the_bound_stay_as_they_are() {
    let mut terms = Terms::new();
    let vars: Vec<TermId> =
        (0..40).map(|index| terms.fresh(32, Origin::Parameter, &format!("v{index}"))).collect();
    let mut sum = vars[0];
    for &var in &vars[1..] {
        sum = terms.add(sum, var);
    }
    let product = terms.mul(sum, sum);
    let text = terms.show(product).to_string();
    assert_eq!(parse(&mut terms, &text, &vars).unwrap(), product);
    let before = terms.len();
    let one = terms.constant(32, 1);
    let more = terms.add(product, one);
    let more = terms.add(more, one);
    assert!(terms.len() <= before + 4, "a constant is added in constant time");
    let difference = terms.sub(more, product);
    assert_eq!(terms.value(difference), Some(2));
}

#[test]
fn conditions_are_simplified() {
    check("a && a", "a");
    check("a && !a", "false");
    check("a || !a", "true");
    check("!!a", "a");
    check("a && (a || b)", "a");
    check("a || a && b", "a");
    check("a && (!a || b)", "a && b");
    check("(a && b) && !a", "false");
    check("(a && b) && (b && a)", "a && b");
    check("a && b || a && !b", "a");
    check("(a || b) && (a || e)", "a || b && e");
    check("!(a && b)", "!a || !b");
    check("!(!a || b)", "a && !b");
    check("a != true", "!a");
    check("a == b", "a == b");
    check("!a != b", "a == b");
    check("a ? b : false", "a && b");
    check("a ? true : b", "a || b");
    check("!a ? b : e", "a ? e : b");
}

#[test]
fn equations_are_solved() {
    check("x + 3 == 5", "x == 2");
    check("5 == x", "x == 5");
    check("3 * x == 9", "x == 3");
    check("3 * x == 1", "x == 0xaaaaaaab");
    check("2 * x == 3", "false");
    check("x - 3 == y", "x == y + 3");
    check("x + y == x + z", "y == z");
    check("x + y == z + x + 1", "y == z + 1");
    check("x - y == 0", "x == y");
    check("~x == 0", "x == -1");
    check("(x ^ 5) == 4", "x == 1");
    check("(uint32_t)c == 300", "false");
    check("(uint32_t)c == 30", "c == 30");
    check("(int32_t)c == 0xffffff80", "c == -128");
    check("(int32_t)c == (int32_t)d", "c == d");
    check("concat(c, d) == 0x102", "c == 1 && d == 2");
    check("(a ? (uint32_t)1 : 0) == 1", "a");
    check("(a ? (uint32_t)1 : 0) == 0", "!a");
    check("(a ? 0 : p) == 0", "a || p == 0");
    check("(a ? 7 : p) == 0", "p == 0 && !a");
    check("(x & 8) == 9", "false");
    check("(x & 8) != 0", "(x & 8) != 0");
    check("x << 8 == 0", "(x & 0xffffff) == 0");
    check("x % 8u == 5", "(x & 7) == 5");
}

#[test]
fn comparisons_have_constants_on_the_right() {
    check("5 < x", "x >= 6");
    check("x <= 5", "x < 6");
    check("x > 0", "x > 0");
    check("x > 0u", "x != 0");
    check("x < 1u", "x == 0");
    check("x < 0u", "false");
    check("x <= 0xffffffffu", "true");
    check("x < 0xffffffffu", "x != -1");
    check("x <= 0x7fffffff", "true");
    check("(uint32_t)c < 256", "true");
    check("(uint32_t)c < 16", "c < 16u");
    check("(int32_t)c < 16", "c < 16");
    check("(int32_t)c < -300", "false");
    check("x < 0x80000000u", "x >= 0");
    check("(unsigned)x < y", "(unsigned)x < y");
    check("x >> 31u", "(uint32_t)(x < 0)");
    check("~x < ~y", "y < x");
}

#[test]
fn sums_wrap() {
    check("x + 1 > x", "x != 0x7fffffff");
    check("x + 1 > 0u", "x != -1");
    check("(unsigned)x < x + 1", "x != -1");
    check("(unsigned)(x + 10) < x", "x >= 0xfffffff6u");
    same("(unsigned)(x + 10) < x", "!((unsigned)x < x + 10)");
    let (mut terms, declared) = arena();
    let valid = parse(&mut terms, "x + 1 > x", &declared).unwrap();
    assert_eq!(terms.value(valid), None);
}

#[test]
fn bits_are_put_together_again() {
    check("concat((uint8_t)(x >> 8), (uint8_t)x)", "(uint16_t)x");
    check("(uint8_t)(uint32_t)c", "c");
    check("(uint32_t)c | (uint32_t)d << 8", "(uint32_t)concat(d, c)");
    same(
        "concat((uint8_t)(x >> 24), concat((uint8_t)(x >> 16), concat((uint8_t)(x >> 8), (uint8_t)x)))",
        "x",
    );
    same("(x & 0xff) | ((x >> 8u & 0xff) << 8) | ((x >> 16u & 0xff) << 16) | (x >> 24u) << 24", "x");
    check("x & 0xff", "x & 0xff");
    check("x >> 8u", "x >> 8u");
    check("x >> 8", "x >> 8");
    check("x >> 8 & 15", "x >> 8 & 0xf");
    check("x >> 40u", "(uint32_t)0");
    check("(uint8_t)(x + y)", "(uint8_t)x + (uint8_t)y");
    check("(uint8_t)((uint32_t)c + (uint32_t)d)", "c + d");
    check("concat(c < 0, c)", "(int9_t)c");
    check("x % 8u", "x & 7");
    check("x / 8u", "x >> 3u");
    check("x / 10u / 10u", "x / 100u");
    check("x / 1", "x");
    check("x / -1", "-x");
}

#[test]
fn choices_are_made_once() {
    check("a ? a ? x : y : z", "a ? x : z");
    check("a ? x : b ? x : y", "a || b ? x : y");
    check("a ? b ? x : y : y", "a && b ? x : y");
    check("x == y ? x : y", "y");
    check("a ? ~x : ~y", "~(a ? x : y)");
    check("a ? (uint32_t)1 : 0", "(uint32_t)a");
}

#[test]
fn text_reads_like_c() {
    check("!(x == y)", "x != y");
    check("x != 0 && p != 0 && n < 16u", "x != 0 && p != 0 && n < 16u");
    check("(x == 0 || y == 0) && z > 3", "(x == 0 || y == 0) && z >= 4");
    check("x == 0 || y == 0 && z == 1", "x == 0 || y == 0 && z == 1");
    check("x * (y / z)", "x * (y / z)");
    check("x - (y - z)", "x - y + z");
    check("-x / y", "-x / y");
    check("x == -5", "x == -5");
    check("n == (int32_t)(int8_t)n", "n == (int8_t)n");
    check("(x & y) == z", "z == (x & y)");
    check("popcount(x) + clz(y)", "popcount(x) + clz(y)");
}
