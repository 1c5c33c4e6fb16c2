//! What is asked is kept, with digests of the answers, by names and not by positions.

use std::sync::Arc;

use base::Id;
use catalog::Issue;
use ir::{CallId, FuncId, GlobalId, Module, SymbolRef};
use smallvec::smallvec;
use world::recorder::{answer, holds};
use world::{
    Callers, Digest, Digested, FamilyInfo, FamilyKey, FnKey, GlobalInfo, GlobalKey, Knowledge, Question,
    Recorder, Specialization, Symbol, Targets, UnitKey, World,
};

/// Something that can be known of a function.
#[derive(Clone, Debug)]
struct Fact(&'static str);

impl Digested for Fact {
    fn digest(&self) -> Digest {
        Digest::of_bytes(self.0.as_bytes())
    }
}

/// A project of one unit that knows one thing about all functions.
#[derive(Clone)]
struct Project {
    module: Module,
    summary: Arc<Fact>,
    model: Option<Fact>,
    is_called: bool,
    size: u64,
}

const UNIT: &str = "target pointer 8
global @table size 8 align 8 = { 0: @used }
func @used() {
b0():
  return
}
func @own() {
b0():
  call @used()
  return
}
";

fn project(text: &str) -> Project {
    let module = ir::parse(text).unwrap_or_else(|error| panic!("{error}"));
    Project { module, summary: Arc::new(Fact("triples")), model: None, is_called: false, size: 8 }
}

impl Project {
    /// The first function or variable of a name, which another unit has at another position.
    fn named(&self, func: FuncId) -> FnKey {
        FnKey::of(&[self.module.symbols.resolve(self.module.functions[func].name)])
    }
}

impl World for Project {
    type Summary = Fact;
    type Model = Fact;

    fn own(&self) -> FnKey {
        FnKey::of(&["own"])
    }

    fn unit(&self) -> UnitKey {
        UnitKey::of(&["unit"])
    }

    fn module(&self, _: UnitKey) -> &Module {
        &self.module
    }

    fn function(&self, _: UnitKey, func: FuncId) -> Targets {
        smallvec![self.named(func)]
    }

    fn global(&self, _: UnitKey, global: GlobalId) -> GlobalKey {
        GlobalKey::of(&[self.module.symbols.resolve(self.module.globals[global].name)])
    }

    fn symbol(&self, _: GlobalKey, symbol: SymbolRef) -> Option<Symbol> {
        match symbol {
            SymbolRef::Func(func) => Some(Symbol::Function(self.named(func))),
            _ => None,
        }
    }

    fn targets(&self, _: CallId) -> Targets {
        smallvec![used()]
    }

    fn callee(&self, function: FnKey) -> Knowledge<'_, Fact, Fact> {
        if function == used() {
            return Knowledge::Summary(Arc::clone(&self.summary));
        }
        self.model.as_ref().map_or(Knowledge::Unknown, Knowledge::Model)
    }

    fn specialized(&self, _: FnKey, how: &Specialization) -> Option<Arc<Fact>> {
        (!how.is_empty()).then(|| Arc::clone(&self.summary))
    }

    fn stand_in(&self, _: FnKey) -> Option<&Fact> {
        self.model.as_ref()
    }

    fn never_returns_null(&self, _: FnKey) -> bool {
        false
    }

    fn code(&self, _: FnKey) -> Option<(UnitKey, FuncId)> {
        Some((self.unit(), Id::new(0)))
    }

    fn digest_of_code(&self, _: FnKey) -> Option<Digest> {
        Some(Digest::of_bytes(b"code"))
    }

    fn name(&self, _: FnKey) -> String {
        "used".to_owned()
    }

    fn global_info(&self, _: GlobalKey) -> GlobalInfo<'_> {
        let init = self.module.globals[Id::new(0)].init.as_ref();
        GlobalInfo { name: "table", size: self.size, constant: true, keeps_functions: false, init }
    }

    fn family(&self, _: FamilyKey) -> Option<FamilyInfo<'_>> {
        Some(FamilyInfo { words: "malloc", leak: Issue::MemoryLeak })
    }

    fn callers(&self) -> Callers {
        Callers { is_main: false, begins_program: false, are_known: false, is_called: self.is_called }
    }
}

fn used() -> FnKey {
    FnKey::of(&["used"])
}

fn equal() -> Specialization {
    Specialization { equal: vec![(1, 0)], ..Specialization::default() }
}

/// Every question once, and what was kept of it. Positions are those of the project.
fn asked(project: &Project) -> Vec<Question> {
    let recorder = Recorder::new(project);
    let (unit, global) = (recorder.unit(), GlobalKey::of(&["table"]));
    let functions = &project.module.functions;
    let is_used = |func: FuncId| project.named(func) == used();
    let func = functions.iter_ids().map(|(func, _)| func).find(|&func| is_used(func)).expect("`used`");
    recorder.function(unit, func);
    recorder.global(unit, Id::new(0));
    recorder.symbol(global, SymbolRef::Func(func));
    recorder.targets(Id::new(0));
    let _ = recorder.callee(used());
    recorder.specialized(used(), &equal());
    recorder.stand_in(used());
    recorder.never_returns_null(used());
    recorder.code(used());
    recorder.digest_of_code(used());
    recorder.name(used());
    recorder.global_info(global);
    recorder.family(FamilyKey::of(&["malloc"]));
    recorder.callers();
    recorder.into_trace().into_keys().collect()
}

#[test]
fn every_question_is_kept_once() {
    let questions = asked(&project(UNIT));
    // `symbol` and `global_info` are one question, and so are `code` and its digest.
    assert_eq!(questions.len(), 12, "{questions:#?}");
    assert!(questions.contains(&Question::Function(UnitKey::of(&["unit"]), "used".to_owned())));
    assert!(questions.contains(&Question::Global(UnitKey::of(&["unit"]), "table".to_owned())));
}

#[test]
fn a_question_means_the_same_where_positions_are_others() {
    let moved = project(&UNIT.replace("func @used", "func @other() {\nb0():\n  return\n}\nfunc @used"));
    let before = project(UNIT);
    assert_eq!(asked(&before), asked(&moved));
    for question in asked(&before) {
        assert_eq!(answer(&before, &question), answer(&moved, &question), "{question:?}");
    }
}

/// The questions that another world answers in another way.
fn changed(change: impl FnOnce(&mut Project)) -> Vec<Question> {
    let before = project(UNIT);
    let mut after = before.clone();
    change(&mut after);
    let trace = asked(&before).into_iter().map(|it| (it.clone(), answer(&before, &it))).collect();
    assert!(holds(&before, &trace));
    let others: Vec<Question> =
        asked(&before).into_iter().filter(|it| answer(&before, it) != answer(&after, it)).collect();
    assert_eq!(holds(&after, &trace), others.is_empty());
    others
}

#[test]
fn another_answer_is_noticed_and_nothing_else() {
    assert_eq!(
        changed(|it| it.summary = Arc::new(Fact("others"))),
        [Question::Callee(used()), Question::Specialized(used(), equal())]
    );
    assert_eq!(changed(|it| it.model = Some(Fact("model"))), [Question::StandIn(used())]);
    assert_eq!(changed(|it| it.is_called = true), [Question::Callers]);
    assert_eq!(changed(|it| it.size = 16), [Question::GlobalInfo(GlobalKey::of(&["table"]))]);
    assert!(changed(|_| {}).is_empty());
}

#[test]
fn a_function_that_is_gone_is_another_answer() {
    let question = Question::Function(UnitKey::of(&["unit"]), "used".to_owned());
    let renamed = project(&UNIT.replace("@used", "@gone"));
    assert_ne!(answer(&project(UNIT), &question), answer(&renamed, &question));
}

#[test]
fn knowledge_of_different_sorts_differs() {
    let mut project = project(UNIT);
    let question = Question::Callee(FnKey::of(&["library"]));
    let unknown = answer(&project, &question);
    project.model = Some(Fact("triples"));
    let model = answer(&project, &question);
    assert_ne!(unknown, model);
    // A summary and a model that say the same are not the same answer.
    assert_ne!(model, answer(&project, &Question::Callee(used())));
}

#[test]
fn specializations_join_without_repeating() {
    let one = equal();
    let other = Specialization { functions: vec![(2, None, used())], ..one.clone() };
    let both = one.and(&other);
    assert_eq!((both.equal.len(), both.functions.len()), (1, 1));
    assert_eq!(both, other.and(&one));
    assert!(!both.is_empty() && Specialization::default().is_empty());
}
