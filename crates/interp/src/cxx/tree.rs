//! The red-black trees beneath `std::map` and `std::set`.
//!
//! A node starts with `{ int color; node *parent, *left, *right; }`. The header's parent is the root, its
//! left and right are the first and the last node; the root's parent is the header, which is red and
//! therefore no root.
//! Source: Cormen, Leiserson, Rivest, Stein, *Introduction to Algorithms*, ch. 13.
//! Departures: an erased node with two children changes places with its successor, since iterators to that
//! must stay valid.

use ir::Type;

use crate::libc::{Answer, Args, Models, Reply};
use crate::machine::{Machine, OrStop};
use crate::value::Value;
use crate::varargs::offset_by;

pub(crate) const MODELS: Models = &[
    ("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", increment),
    ("_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base", increment),
    ("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", decrement),
    ("_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base", decrement),
    ("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_", insert),
    ("_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_", erase),
];

const PARENT: u64 = 8;
const LEFT: u64 = 16;
const RIGHT: u64 = 24;

const RED: u64 = 0;
const BLACK: u64 = 1;

/// A tree in the program's memory.
struct Tree<'a, 'p> {
    machine: &'a mut Machine<'p>,
    header: Value,
}

fn is_null(node: &Value) -> bool {
    node.low() == 0
}

fn same(a: &Value, b: &Value) -> bool {
    a.low() == b.low()
}

fn other(side: u64) -> u64 {
    if side == LEFT { RIGHT } else { LEFT }
}

fn increment(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let mut tree = Tree { machine, header: Value::null() };
    Ok(tree.neighbor(args.ptr(0), RIGHT)?.into())
}

fn decrement(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let node = args.ptr(0);
    let mut tree = Tree { machine, header: Value::null() };
    let parent = tree.get(&node, PARENT)?;
    // Before the end stands the last node.
    if tree.is_red(&node)? && same(&tree.get(&parent, PARENT)?, &node) {
        return Ok(tree.get(&node, RIGHT)?.into());
    }
    Ok(tree.neighbor(node, LEFT)?.into())
}

/// `(insert left, node, parent, header)`.
fn insert(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let is_left = machine.number(args, 0)? & 1 == 1;
    let mut tree = Tree { machine, header: args.ptr(3) };
    tree.link(&args.ptr(1), &args.ptr(2), if is_left { LEFT } else { RIGHT })?;
    tree.repair_insertion(args.ptr(1))?;
    Ok(Answer::none())
}

/// `(node, header)`; the result is the node, to be destroyed.
fn erase(machine: &mut Machine<'_>, args: &Args<'_>) -> Reply {
    let mut tree = Tree { machine, header: args.ptr(1) };
    tree.remove(&args.ptr(0))?;
    Ok(args.ptr(0).into())
}

impl Tree<'_, '_> {
    fn get(&mut self, node: &Value, link: u64) -> OrStop<Value> {
        self.machine.tick()?;
        self.machine.load_pointer(node, link)
    }

    fn set(&mut self, node: &Value, link: u64, to: &Value) -> OrStop {
        self.machine.store_at(&offset_by(node, link), to)
    }

    fn color(&mut self, node: &Value) -> OrStop<u64> {
        Ok(self.machine.load_defined(node, Type::Int(32))?.low())
    }

    fn set_color(&mut self, node: &Value, color: u64) -> OrStop {
        self.machine.store_at(node, &Value::int(32, color.into()))
    }

    /// Missing nodes are black.
    fn is_red(&mut self, node: &Value) -> OrStop<bool> {
        Ok(!is_null(node) && self.color(node)? == RED)
    }

    /// The last node in a direction, starting from `node`.
    fn extreme(&mut self, mut node: Value, side: u64) -> OrStop<Value> {
        loop {
            let next = self.get(&node, side)?;
            if is_null(&next) {
                return Ok(node);
            }
            node = next;
        }
    }

    /// The next node in a direction: the nearest one of that subtree, or the first ancestor on that side.
    fn neighbor(&mut self, node: Value, side: u64) -> OrStop<Value> {
        let child = self.get(&node, side)?;
        if !is_null(&child) {
            return self.extreme(child, other(side));
        }
        let (mut node, mut parent) = (node.clone(), self.get(&node, PARENT)?);
        while same(&self.get(&parent, side)?, &node) {
            node = parent;
            parent = self.get(&node, PARENT)?;
        }
        // A lone root climbs to the header and back; then it stands where it should end.
        let ended = same(&self.get(&node, side)?, &parent);
        Ok(if ended { node } else { parent })
    }

    /// Hangs a new red node under `parent`, or under the header if the tree is empty.
    fn link(&mut self, node: &Value, parent: &Value, side: u64) -> OrStop {
        let header = self.header.clone();
        let null = Value::null();
        self.set_color(node, RED)?;
        self.set(node, PARENT, parent)?;
        self.set(node, LEFT, &null)?;
        self.set(node, RIGHT, &null)?;
        if same(parent, &header) {
            for link in [PARENT, LEFT, RIGHT] {
                self.set(&header, link, node)?;
            }
            return Ok(());
        }
        self.set(parent, side, node)?;
        if same(&self.get(&header, side)?, parent) {
            self.set(&header, side, node)?;
        }
        Ok(())
    }

    fn is_root(&mut self, node: &Value) -> OrStop<bool> {
        let header = self.header.clone();
        Ok(same(&self.get(&header, PARENT)?, node))
    }

    /// The side of its parent that a node hangs on; it is not the root.
    fn side(&mut self, node: &Value, parent: &Value) -> OrStop<u64> {
        Ok(if same(&self.get(parent, LEFT)?, node) { LEFT } else { RIGHT })
    }

    /// Puts `new` where `old` hangs; `new` may be null.
    fn replace(&mut self, old: &Value, new: &Value) -> OrStop {
        let header = self.header.clone();
        let parent = self.get(old, PARENT)?;
        if self.is_root(old)? {
            self.set(&header, PARENT, new)?;
        } else {
            let side = self.side(old, &parent)?;
            self.set(&parent, side, new)?;
        }
        if !is_null(new) {
            self.set(new, PARENT, &parent)?;
        }
        Ok(())
    }

    /// Turns a node down to `side`; its child on the other side takes its place.
    fn rotate(&mut self, node: &Value, side: u64) -> OrStop {
        let up = self.get(node, other(side))?;
        let inner = self.get(&up, side)?;
        self.replace(node, &up)?;
        self.set(node, other(side), &inner)?;
        if !is_null(&inner) {
            self.set(&inner, PARENT, node)?;
        }
        self.set(&up, side, node)?;
        self.set(node, PARENT, &up)
    }

    fn repair_insertion(&mut self, mut node: Value) -> OrStop {
        loop {
            if self.is_root(&node)? {
                return self.set_color(&node, BLACK);
            }
            let parent = self.get(&node, PARENT)?;
            if !self.is_red(&parent)? {
                return Ok(());
            }
            // A red parent is not the root, so there is a grandparent.
            let grandparent = self.get(&parent, PARENT)?;
            let side = self.side(&parent, &grandparent)?;
            let uncle = self.get(&grandparent, other(side))?;
            if self.is_red(&uncle)? {
                self.set_color(&parent, BLACK)?;
                self.set_color(&uncle, BLACK)?;
                self.set_color(&grandparent, RED)?;
                node = grandparent;
                continue;
            }
            if self.side(&node, &parent)? != side {
                self.rotate(&parent, side)?;
            }
            let top = self.get(&grandparent, side)?;
            self.set_color(&top, BLACK)?;
            self.set_color(&grandparent, RED)?;
            return self.rotate(&grandparent, other(side));
        }
    }

    fn remove(&mut self, node: &Value) -> OrStop {
        self.move_ends(node)?;
        let (left, right) = (self.get(node, LEFT)?, self.get(node, RIGHT)?);
        if !is_null(&left) && !is_null(&right) {
            let successor = self.extreme(right, LEFT)?;
            self.exchange(node, &successor)?;
        }
        // Now there is at most one child.
        let (left, right) = (self.get(node, LEFT)?, self.get(node, RIGHT)?);
        let child = if is_null(&left) { right } else { left };
        let parent = self.get(node, PARENT)?;
        let was_black = self.color(node)? == BLACK;
        let side = if self.is_root(node)? { None } else { Some(self.side(node, &parent)?) };
        self.replace(node, &child)?;
        if was_black { self.repair_removal(child, parent, side) } else { Ok(()) }
    }

    /// If the node is the first or the last one, its neighbor becomes that.
    fn move_ends(&mut self, node: &Value) -> OrStop {
        let header = self.header.clone();
        for side in [LEFT, RIGHT] {
            if !same(&self.get(&header, side)?, node) {
                continue;
            }
            let inward = self.get(node, other(side))?;
            let next = if is_null(&inward) { self.get(node, PARENT)? } else { self.extreme(inward, side)? };
            self.set(&header, side, &next)?;
        }
        Ok(())
    }

    /// Lets a node and its successor change places, colors included; the successor has no left child.
    fn exchange(&mut self, node: &Value, successor: &Value) -> OrStop {
        let (node_color, successor_color) = (self.color(node)?, self.color(successor)?);
        let (left, right) = (self.get(node, LEFT)?, self.get(node, RIGHT)?);
        let (parent, child) = (self.get(successor, PARENT)?, self.get(successor, RIGHT)?);
        self.replace(node, successor)?;
        self.set(successor, LEFT, &left)?;
        self.set(&left, PARENT, successor)?;
        if same(&parent, node) {
            self.set(successor, RIGHT, node)?;
            self.set(node, PARENT, successor)?;
        } else {
            self.set(successor, RIGHT, &right)?;
            self.set(&right, PARENT, successor)?;
            self.set(&parent, LEFT, node)?;
            self.set(node, PARENT, &parent)?;
        }
        self.set(node, LEFT, &Value::null())?;
        self.set(node, RIGHT, &child)?;
        if !is_null(&child) {
            self.set(&child, PARENT, node)?;
        }
        self.set_color(successor, node_color)?;
        self.set_color(node, successor_color)
    }

    /// `node`, maybe null, hangs on `side` of `parent` (none: it is the root) and lacks one black node above it.
    fn repair_removal(&mut self, mut node: Value, mut parent: Value, mut side: Option<u64>) -> OrStop {
        while let Some(here) = side {
            if self.is_red(&node)? {
                break;
            }
            let mut sibling = self.get(&parent, other(here))?;
            if self.is_red(&sibling)? {
                self.set_color(&sibling, BLACK)?;
                self.set_color(&parent, RED)?;
                self.rotate(&parent, here)?;
                sibling = self.get(&parent, other(here))?;
            }
            let (near, far) = (self.get(&sibling, here)?, self.get(&sibling, other(here))?);
            if !self.is_red(&near)? && !self.is_red(&far)? {
                self.set_color(&sibling, RED)?;
                node = parent.clone();
                parent = self.get(&node, PARENT)?;
                side = if self.is_root(&node)? { None } else { Some(self.side(&node, &parent)?) };
                continue;
            }
            if !self.is_red(&far)? {
                self.set_color(&near, BLACK)?;
                self.set_color(&sibling, RED)?;
                self.rotate(&sibling, other(here))?;
                sibling = near;
            }
            let color = self.color(&parent)?;
            self.set_color(&sibling, color)?;
            self.set_color(&parent, BLACK)?;
            let far = self.get(&sibling, other(here))?;
            self.set_color(&far, BLACK)?;
            return self.rotate(&parent, here);
        }
        if is_null(&node) { Ok(()) } else { self.set_color(&node, BLACK) }
    }
}
