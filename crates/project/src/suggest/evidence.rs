//! How a project uses the functions of which nothing is known.

use std::collections::{BTreeMap, BTreeSet};

use ir::{Call, Inst, InstId, Type};

use super::flow::Flow;
use super::{AllEvidence, Gaps};
use crate::callgraph::{EdgeKind, Node};
use crate::project::Project;
use crate::unit::FnId;

/// What is seen at all direct calls of a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    pub(super) name: String,
    pub(super) pretty: String,
    /// Whether its analysis was given up.
    pub(super) has_body: bool,
    pub(super) sites: usize,
    pub(super) callers: usize,
    /// As the first call has it.
    pub(super) params: Vec<Type>,
    pub(super) returns: Option<Type>,
    /// Whether it is declared not to return, which the engine knows.
    pub(super) noreturn: bool,
    /// Results that are freed, by the family of the deallocator.
    pub(super) freed: BTreeMap<String, usize>,
    /// Results that other unknown functions get as the last thing that is done with them.
    pub(super) given: BTreeMap<Node, usize>,
    /// Calls whose result is compared with null.
    pub(super) tested: usize,
    /// Calls whose result is dereferenced in the same function without being compared with null there.
    pub(super) unchecked: usize,
    /// Calls whose result nobody looks at.
    pub(super) ignored: usize,
    /// Calls behind which the code makes sense only if they do not return.
    pub(super) finals: usize,
    /// By position, those that are pointers.
    pub(super) args: BTreeMap<usize, ArgEvidence>,
}

/// What is seen of a pointer that is passed.
#[derive(Clone, Debug, Default)]
pub(super) struct ArgEvidence {
    pub(super) passed: usize,
    /// Calls behind which the pointer is not used any more.
    pub(super) last: usize,
    /// Those that an allocator returned, by its family.
    pub(super) allocated: BTreeMap<String, usize>,
    /// Those that another unknown function returned.
    pub(super) from: BTreeMap<Node, usize>,
}

/// Looks at all direct calls of the functions of which nothing is known.
pub(super) fn collect(project: &Project, gaps: &Gaps<'_>) -> AllEvidence {
    let mut all = AllEvidence::new();
    for &node in gaps.unknown.keys() {
        let name = name(project, node).to_owned();
        if !name.is_empty() && !gaps.known.get(&node).is_some_and(|it| it.never_null) {
            let has_body = node.function().is_some();
            all.insert(node, Evidence { pretty: name.clone(), name, has_body, ..Evidence::default() });
        }
    }
    let mut frees = Frees::default();
    // Callees come first, so that a wrapper of `free` is known when its callers are looked at.
    for &function in project.call_graph().order().iter().flatten() {
        look_at(project, gaps, function, &mut frees, &mut all);
    }
    all.retain(|_, evidence| evidence.sites > 0);
    all
}

/// The parameters that functions of the project free, with the family.
type Frees = BTreeMap<(FnId, usize), String>;

/// The linker's name; empty if there is none.
fn name(project: &Project, node: Node) -> &str {
    match node {
        Node::Function(function) => project.function(function).name(),
        Node::External(symbol) => project.try_name(symbol).unwrap_or_default(),
    }
}

fn look_at(project: &Project, gaps: &Gaps<'_>, caller: FnId, frees: &mut Frees, all: &mut AllEvidence) {
    let graph = project.call_graph();
    let direct = graph.callees(caller).iter().filter(|edge| edge.kind == EdgeKind::Direct);
    let callees: BTreeMap<InstId, Node> =
        direct.map(|edge| (graph.sites()[edge.site as usize].inst, edge.callee)).collect();
    let releases = callees.iter().any(|(_, &callee)| !freed_params(gaps, frees, callee).is_empty());
    if !releases && !callees.values().any(|callee| all.contains_key(callee)) {
        return;
    }
    let function = project.function(caller);
    let Some(body) = &function.function.body else { return };
    let flow = Flow::new(body);
    let calls = callees.iter().filter_map(|(&inst, &callee)| match body.insts[inst].inst {
        Inst::Call { call } => Some((inst, callee, &body.calls[call])),
        _ => None,
    });
    let mut seen = BTreeSet::new();
    for (inst, callee, call) in calls {
        for (at, family) in freed_params(gaps, frees, callee) {
            if let Some(param) = call.args.get(at).and_then(|&arg| flow.param(arg)) {
                frees.insert((caller, param), family.clone());
            }
            if let Some(from) =
                call.args.get(at).and_then(|&arg| flow.origin(arg)).and_then(|it| callees.get(&it))
                && let Some(evidence) = all.get_mut(from)
            {
                *evidence.freed.entry(family).or_default() += 1;
            }
        }
        if let Some(evidence) = all.get_mut(&callee) {
            evidence.callers += usize::from(seen.insert(callee));
            add_call(evidence, &flow, inst, call);
            if let ir::Callee::Func(func) = call.callee {
                let declared = &function.module.functions[func];
                evidence.noreturn |= call.noreturn || declared.attrs.noreturn;
                let pretty = function.module.symbols.resolve(declared.pretty);
                evidence.pretty = ir::names::without_params(pretty).to_owned();
            }
            add_args(gaps, &flow, &callees, (inst, callee, call), all);
        }
    }
}

fn add_call(evidence: &mut Evidence, flow: &Flow<'_>, inst: InstId, call: &Call) {
    if evidence.sites == 0 {
        evidence.params = call.signature.params.clone();
        evidence.returns = call.signature.results.first().copied();
    }
    evidence.sites += 1;
    evidence.finals += usize::from(flow.is_final(inst));
    match flow.body.results(inst).next() {
        None => evidence.ignored += 1,
        Some(result) => {
            let values = flow.same(result);
            let tested = flow.is_tested(&values);
            evidence.tested += usize::from(tested);
            evidence.unchecked += usize::from(!tested && flow.is_dereferenced(&values));
            evidence.ignored += usize::from(flow.is_ignored(&values));
        }
    }
}

fn add_args(
    gaps: &Gaps<'_>,
    flow: &Flow<'_>,
    callees: &BTreeMap<InstId, Node>,
    (inst, callee, call): (InstId, Node, &Call),
    all: &mut AllEvidence,
) {
    for (at, &arg) in call.args.iter().enumerate().take(call.signature.params.len()) {
        // Nobody frees a constant, such as the file name in `CRYPTO_free(p, __FILE__, __LINE__)`.
        if flow.body.ty(arg) != Type::Ptr || arg.value().is_none() {
            continue;
        }
        let is_last = !flow.is_used_after(inst, arg);
        let from = flow.origin(arg).and_then(|it| callees.get(&it)).copied();
        if is_last && let Some(source) = from.and_then(|it| all.get_mut(&it)) {
            *source.given.entry(callee).or_default() += 1;
        }
        let family = from.and_then(|it| gaps.known.get(&it)?.allocates.clone());
        let is_unknown = from.is_some_and(|it| all.contains_key(&it));
        let Some(evidence) = all.get_mut(&callee) else { continue };
        let seen = evidence.args.entry(at).or_default();
        seen.passed += 1;
        seen.last += usize::from(is_last);
        family.into_iter().for_each(|it| *seen.allocated.entry(it).or_default() += 1);
        from.filter(|_| is_unknown).into_iter().for_each(|it| *seen.from.entry(it).or_default() += 1);
    }
}

/// The positions of the arguments that a function frees, with the family.
fn freed_params(gaps: &Gaps<'_>, frees: &Frees, callee: Node) -> Vec<(usize, String)> {
    match callee {
        Node::Function(function) => {
            let own = frees.range((function, 0)..=(function, usize::MAX));
            own.map(|(&(_, at), family)| (at, family.clone())).collect()
        }
        Node::External(_) => gaps.known.get(&callee).map(|it| it.frees.clone()).unwrap_or_default(),
    }
}
