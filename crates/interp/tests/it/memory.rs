//! Addresses as numbers, other machines, and memory that carries pointers.

use crate::check;

#[test]
fn tagged_and_masked_addresses_find_their_block() {
    check(
        "target pointer 8
         func @main() -> (i32) {
         b0:
           v0: ptr = alloca i64 8 align 8
           store i32 5 to v0 align 4
           v1: i64 = ptrtoint v0
           v2: i64 = or v1, i64 1
           v3: i64 = and v2, i64 -8
           v4: ptr = inttoptr v3
           v5: i32 = load v4 align 4
           v6: i64 = xor v1, i64 81985529216486895
           v7: i64 = xor v6, i64 81985529216486895
           v8: ptr = inttoptr v7
           v9: i32 = load v8 align 4
           v10: i64 = mul v1, i64 2
           v11: i64 = udiv v10, i64 2
           v12: ptr = inttoptr v11
           v13: i32 = load v12 align 4
           v14: i32 = add v5, v9
           v15: i32 = add v14, v13
           return v15
         }",
        "exit 15",
    );
}

#[test]
fn thirty_two_bit_big_endian_machines() {
    check(
        "target pointer 4 big_endian
         global @cell size 8 align 4 = { 0: @cell+4, 4: x\"00000102\" }
         func @main() -> (i32) {
         b0:
           v0: ptr = load @cell align 4
           v1: i8 = load v0 align 1
           v2: ptr = ptradd v0, i32 3
           v3: i8 = load v2 align 1
           v4: i32 = zext v3
           v5: i32 = load v0 align 4
           v6: i32 = lshr v5, i32 8
           v7: i32 = mul v6, i32 16
           v8: i32 = add v7, v4
           return v8
         }",
        "exit 18",
    );
}

#[test]
fn differences_of_labels_and_addresses_in_initializers() {
    check(
        "target pointer 8
         global @offsets size 8 align 4 = { 0: label @main b1 - label @main b1 bytes 4, 4: label @main b2 - label @main b1 bytes 4 }
         func @main() -> (i32) {
         b0:
           v0: i32 = load @offsets+4 align 4
           v1: i64 = sext v0
           v2: ptr = ptradd label b1, v1
           indirect v2 [b1, b2]
         b1:
           return i32 1
         b2:
           return i32 2
         }",
        "exit 2",
    );
}

#[test]
fn undefined_bits_travel_through_wide_values() {
    check(
        r#"target pointer 8
           file file0 "t.c"
           func @main() -> (i32) !file0:1 {
           b0:
             v0: ptr = alloca i64 16 align 16 !2:1
             store i64 7 to v0 align 8 !3:1
             v1: i128 = load v0 align 16 !4:1
             v2: i64 = trunc v1 !5:1
             v3: i1 = cmp eq v2, i64 7 !5:2
             branch v3 ? b1 : b1 !5:3
           b1:
             v4: i128 = lshr v1, i128 64 !6:1
             v5: i64 = trunc v4 !6:2
             v6: i1 = cmp eq v5, i64 7 !6:3
             branch v6 ? b2 : b2 !7:1
           b2:
             return i32 0 !8:1
           }"#,
        "uninit-read at main:7: the content of temporary on the stack at offset 0 is used in a condition but was never written",
    );
}
