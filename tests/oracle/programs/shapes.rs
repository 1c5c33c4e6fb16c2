//! Rust: enums with payloads, trait objects, closures, collections, checked arithmetic, atomics.
#![allow(missing_docs)]

use std::collections::BTreeMap;
use std::fmt::Debug;
#[derive(Debug, Clone)]
pub enum Shape {
    Circle(f64),
    Rect { w: u32, h: u128 },
    Unit,
}
pub trait Area {
    fn area(&self) -> f64;
    fn name(&self) -> String {
        "x".into()
    }
}
impl Area for Shape {
    fn area(&self) -> f64 {
        match self {
            Shape::Circle(r) => r * r,
            Shape::Rect { w, h } => *w as f64 * *h as f64,
            Shape::Unit => 0.0,
        }
    }
}
pub fn total(v: &[Box<dyn Area>]) -> f64 {
    v.iter().map(|a| a.area()).sum()
}
pub fn count(words: &str) -> BTreeMap<String, usize> {
    let mut m = BTreeMap::new();
    for w in words.split(' ') {
        *m.entry(w.to_string()).or_default() += 1;
    }
    m
}
pub fn checked(a: i32, b: i32) -> Option<i32> {
    a.checked_mul(b)?.checked_add(1)
}
pub fn show<T: Debug>(t: T) -> String {
    format!("{t:?}")
}
pub fn go() -> String {
    show(Shape::Rect { w: 1, h: 2 }) + &show(count("a b a")) + &format!("{}", total(&[Box::new(Shape::Unit)]))
}
pub fn atomics(a: &std::sync::atomic::AtomicU64) -> u64 {
    a.fetch_add(3, std::sync::atomic::Ordering::AcqRel)
}
