//! Graphs, dominators, loops, SSA construction and node splitting, against their definitions on random programs.

mod common;

use std::collections::BTreeSet;

use base::Id;
use common::programs::{self, Program};
use common::random::Random;
use ir::dominators::FrontierScratch;
use ir::{BlockId, Body, Cfg, Dominators, Loops, Module, Split, parse, print, split_nodes, verify};

/// Random programs of several sizes; the larger ones are mostly irreducible.
fn programs() -> impl Iterator<Item = (u64, Program)> {
    (0..1500).map(|seed| {
        let mut random = Random::new(seed);
        let n_blocks = 1 + random.below(12);
        let n_more_edges = random.below(2 * n_blocks);
        (seed, programs::program(&mut random, n_blocks, n_more_edges))
    })
}

fn analyses(body: &Body) -> (Cfg, Dominators, Loops) {
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &dominators);
    (cfg, dominators, loops)
}

/// The blocks reachable from `start` without passing `without`.
fn reachable(cfg: &Cfg, start: BlockId, without: Option<BlockId>) -> BTreeSet<BlockId> {
    let mut seen = BTreeSet::new();
    let mut pending = vec![start];
    while let Some(block) = pending.pop() {
        if Some(block) != without && seen.insert(block) {
            pending.extend(cfg.successors(block));
        }
    }
    seen
}

#[test]
fn dominators_are_what_every_path_passes() {
    for (seed, program) in programs() {
        let mut module = programs::module_of(&program);
        let body = programs::body(&mut module);
        let (cfg, dominators, _) = analyses(body);
        for above in body.blocks.ids() {
            let without = reachable(&cfg, Body::ENTRY, Some(above));
            for below in body.blocks.ids() {
                let expected = above == below || !without.contains(&below);
                assert_eq!(dominators.dominates(above, below), expected, "seed {seed}: {above} {below}");
            }
            let subtree: BTreeSet<BlockId> = dominators.subtree(above).iter().copied().collect();
            let expected: BTreeSet<BlockId> =
                body.blocks.ids().filter(|&it| dominators.dominates(above, it)).collect();
            assert_eq!(subtree, expected, "seed {seed}: {above}");
            assert_eq!(
                dominators.depth(above) as usize + 1,
                body.blocks.ids().filter(|&it| dominators.dominates(it, above)).count()
            );
        }
        check_frontiers(&cfg, &dominators, body, seed);
    }
}

fn check_frontiers(cfg: &Cfg, dominators: &Dominators, body: &Body, seed: u64) {
    let frontiers = dominators.frontiers(cfg);
    let mut scratch = FrontierScratch::default();
    for block in body.blocks.ids() {
        let in_frontier = |join: BlockId| {
            let meets = cfg.predecessors(join).iter().any(|&it| dominators.dominates(block, it));
            meets && (block == join || !dominators.dominates(block, join))
        };
        let expected: BTreeSet<BlockId> = body.blocks.ids().filter(|&it| in_frontier(it)).collect();
        assert_eq!(
            frontiers[block.index()].iter().copied().collect::<BTreeSet<_>>(),
            expected,
            "seed {seed}: {block}"
        );
        // The iterated frontier is the least set that contains the frontiers of the block and of its own members.
        let mut iterated: BTreeSet<BlockId> = expected;
        while let Some(more) =
            iterated.iter().flat_map(|it| &frontiers[it.index()]).find(|it| !iterated.contains(it))
        {
            iterated.insert(*more);
        }
        let found = dominators.iterated_frontier(cfg, [block], |_| true, &mut scratch);
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), iterated, "seed {seed}: {block}");
    }
}

#[test]
fn loops_are_what_reaches_a_back_edge() {
    for (seed, program) in programs() {
        let mut module = programs::module_of(&program);
        let body = programs::body(&mut module);
        let (cfg, dominators, loops) = analyses(body);
        for header in body.blocks.ids() {
            let latches: Vec<BlockId> = cfg
                .predecessors(header)
                .iter()
                .copied()
                .filter(|&it| dominators.dominates(header, it))
                .collect();
            let Some(id) = loops.with_header(header) else {
                assert!(latches.is_empty(), "seed {seed}: {header}");
                continue;
            };
            assert_eq!(loops.get(id).latches, latches, "seed {seed}: {header}");
            let reaches = |block: BlockId| {
                block == header
                    || latches.iter().any(|latch| reachable(&cfg, block, Some(header)).contains(latch))
            };
            let expected: BTreeSet<BlockId> = body.blocks.ids().filter(|&it| reaches(it)).collect();
            let found: BTreeSet<BlockId> = loops.blocks(id).iter().copied().collect();
            assert_eq!(found, expected, "seed {seed}: {header}");
            assert_eq!(loops.blocks(id)[0], header);
            assert!(body.blocks.ids().all(|it| loops.contains(id, it) == expected.contains(&it)));
            assert!(loops.get(id).parent.is_none_or(|it| loops.contains(it, header) && it < id));
        }
        for block in body.blocks.ids() {
            let around = loops.iter().filter(|(id, _)| loops.contains(*id, block)).count();
            assert_eq!(loops.depth(block) as usize, around, "seed {seed}: {block}");
        }
        for region in loops.irreducible() {
            assert!(region.entries.len() >= 2, "seed {seed}: {region:?}");
        }
    }
}

fn check_laws(module: &Module, what: &str) {
    let violations: Vec<String> = verify(module).iter().map(|it| it.describe(module)).collect();
    assert_eq!(violations, Vec::<String>::new(), "{what}\n{}", print(module));
}

/// The SSA form observes what the program with variables observes, also after node splitting.
#[test]
fn ssa_form_and_node_splitting_keep_the_meaning() {
    let mut n_split = 0;
    for (seed, program) in programs() {
        let mut module = programs::module_of(&program);
        check_laws(&module, &format!("seed {seed}"));
        let observed: Vec<Vec<u8>> = (0..8).map(|arg| programs::run(&program, arg * 31)).collect();
        let interpret =
            |body: &Body| -> Vec<Vec<u8>> { (0..8).map(|arg| programs::interpret(body, arg * 31)).collect() };
        assert_eq!(interpret(programs::body(&mut module)), observed, "seed {seed}");
        let before = print(&module);
        let irreducible = !analyses(programs::body(&mut module)).2.irreducible().is_empty();
        match split_nodes(programs::body(&mut module)) {
            Split::Reducible => assert!(!irreducible, "seed {seed}"),
            Split::GaveUp => assert_eq!(print(&module), before, "seed {seed}"),
            Split::Added(n) => {
                n_split += 1;
                assert!(n > 0 && irreducible, "seed {seed}");
                check_laws(&module, &format!("seed {seed}"));
                let body = programs::body(&mut module);
                assert!(analyses(body).2.irreducible().is_empty(), "seed {seed}");
                assert_eq!(interpret(body), observed, "seed {seed}");
                assert_eq!(split_nodes(body), Split::Reducible);
            }
        }
    }
    assert!(n_split > 300, "many programs should be irreducible, not only {n_split}");
}

#[test]
fn a_jump_into_a_loop_copies_what_is_behind_it() {
    let text = "target pointer 8 func @f(i1, i32) -> (i32) { var x0 n local b0(v0: i1, v1: i32): branch v0 ? b1 : b2(v1) \
                b1: v2: i32 = add v1, i32 1 jump b2(v2) \
                b2(v3: i32 n): v4: i32 n = assign v3 branch v0 ? b1 : b3 b3: return v4 }";
    let mut module = parse(text).expect("parses");
    check_laws(&module, "before");
    let outcome =
        split_nodes(module.functions.iter_mut().next().and_then(|it| it.body.as_mut()).expect("has a body"));
    assert_eq!(outcome, Split::Added(1));
    check_laws(&module, "after");
    let expected = "target pointer 8

func @f(i1, i32) -> (i32) {
  var x0 n local
b0(v0: i1, v1: i32):
  branch v0 ? b1 : b4(v1)
b1:
  v2: i32 = add v1, i32 1
  jump b2(v2)
b2(v3: i32 n):
  v4: i32 n = assign v3
  branch v0 ? b1 : b3(v4)
b3(v7: i32 n):
  return v7
b4(v5: i32 n):
  v6: i32 n = assign v5
  branch v0 ? b1 : b3(v6)
}
";
    assert_eq!(print(&module), expected);
}

/// Labels whose address is known are not copied: the function is left alone if that would be needed.
#[test]
fn targets_of_indirect_jumps_stay_single() {
    let text = "target pointer 8 func @f(ptr, i1) { b0(v0: ptr, v1: i1): indirect v0 [b1, b2] \
                b1: branch v1 ? b2 : b3 b2: branch v1 ? b1 : b3 b3: return }";
    let mut module = parse(text).expect("parses");
    let before = print(&module);
    let outcome =
        split_nodes(module.functions.iter_mut().next().and_then(|it| it.body.as_mut()).expect("has a body"));
    assert_eq!(outcome, Split::GaveUp);
    assert_eq!(print(&module), before);
}

/// Ten thousand blocks in a chain, with jumps back and into the middle of each loop, take linear time and no deep stack.
#[test]
fn large_graphs_are_no_problem() {
    let n = 10_000;
    let mut text = String::from("target pointer 8\nfunc @f(i1) {\nb0(v0: i1):\n  jump b1\n");
    for block in 1..n {
        let back = block - block % 10;
        let target = if back == 0 { 1 } else { back };
        text += &format!("b{block}:\n  branch v0 ? b{target} : b{}\n", block + 1);
    }
    text += &format!("b{n}:\n  return\n}}\n");
    let mut module = parse(&text).expect("parses");
    check_laws(&module, "before");
    let body = module.functions.iter_mut().next().and_then(|it| it.body.as_mut()).expect("has a body");
    let (_, dominators, loops) = analyses(body);
    assert_eq!(dominators.depth(BlockId::new(n)) as usize, n);
    assert_eq!(loops.iter().len(), 1000);
    assert_eq!(split_nodes(body), Split::Reducible);
}

fn split_text(text: &str) -> Split {
    let mut module = parse(text).expect("parses");
    let body = module.functions.iter_mut().next().and_then(|it| it.body.as_mut()).expect("has a body");
    let split = split_nodes(body);
    check_laws(&module, "after");
    split
}

/// Thousands of small irreducible regions, one with thousands of entries, and one that no reasonable number of copies helps.
#[test]
fn large_irreducible_graphs_are_split_or_given_up() {
    let mut text = String::from("target pointer 8 func @f(i1) { b0(v0: i1): jump b1\n");
    for region in 0..2000 {
        let first = 1 + 3 * region;
        let (second, third, next) = (first + 1, first + 2, first + 3);
        text += &format!("b{first}: branch v0 ? b{second} : b{third} b{second}: jump b{third}\n");
        text += &format!("b{third}: branch v0 ? b{second} : b{next}\n");
    }
    assert_eq!(split_text(&(text + "b6001: return }")), Split::Added(2000));

    let n = 4000;
    let mut text = String::from("target pointer 8 func @f(i32, i1) { b0(v0: i32, v1: i1): switch v0 {\n");
    (1..n).for_each(|block| text += &format!("i32 {block}: b{block}\n"));
    text += &format!("default: b{n} }}\n");
    (1..n).for_each(|block| text += &format!("b{block}: jump b{}\n", block + 1));
    text += &format!("b{n}: branch v1 ? b1 : b{} b{}: return }}", n + 1, n + 1);
    assert_eq!(split_text(&text), Split::Added(n - 1));

    let mut random = Random::new(1);
    let program = programs::program(&mut random, 400, 2000);
    let mut module = programs::module_of(&program);
    assert_eq!(split_nodes(programs::body(&mut module)), Split::GaveUp);
}
