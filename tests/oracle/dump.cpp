// Prints what LLVM itself reads from a bitcode file, as canonical text: the oracle for the `bitcode` crate.
//
//     dump FILE.bc
//
// `cargo x oracle` builds this program (with llvm-19-dev or llvm-22-dev), prints our own module in the same format, and
// compares the two texts line by line. Each major reads only bitcode of its own clang (LLVM 22 also of rustc), so that
// LLVM's reader upgrades nothing.
//
// The format
// ----------
// One fact per line, in the order of the file; details of a thing are indented below it.
//  * Locals are `%N`: arguments first, then the instructions that have a value (those of type void have no number),
//    counted per function. Blocks are `bbN`. Names of locals are listed before the body, if the file has them; names of
//    blocks are not printed.
//  * Globals are `@name`; without a name `@$variable3`, `@$function0`: the kind and the position in the module.
//  * An operand is always `TYPE VALUE`. Integers up to 64 bits are unsigned decimal, wider ones hexadecimal; floats are
//    their bits. An array of i8 is `c"…"` with `\hh`. Aggregates longer than 256 elements are `#COUNT:FNV`, the FNV-1a
//    hash of the elements' text (of the bytes themselves for arrays of i8).
//  * Vectors, arrays and structs are printed by element, no matter how the file or LLVM stores them.
//  * Named structs are `%name`; the bodies of all that were mentioned close the dump, sorted.
//  * Attributes are sorted by their text: `name`, `name=INTEGER` (LLVM's raw encoding), `name(TYPE)`, `"key"="value"`,
//    `name(iN LOW, HIGH; …)`. `memory` is told by location (argument, inaccessible, errno, other: 0 nothing, 1 read,
//    2 write, 3 both), because its encoding changed with LLVM 21; before, errno was part of other.
//  * Operands stand in the order of the language reference (`br COND, TRUE, FALSE`), not of LLVM's use lists.
//  * Debug types are numbered: `ditype TN = TEXT` appears once, before the first thing that refers to it. The text follows
//    links (pointee, member, …) to depth 3.
//  * Metadata attachments: kind and shape, `tbaa(4)` for a node of 4 operands, `kind(Class)` for others.
//
// What LLVM's reader changes even in files of its own version, and what is printed
// --------------------------------------------------------------------------------
//  * Debug intrinsics become records: LLVM 22 always, LLVM 19 unless told to preserve them. Both forms are printed as one
//    `dbg KIND …` line at their position, and the calls of `llvm.dbg.*` are not instructions of the dump.
//    Declarations of `llvm.dbg.*` are left out: LLVM drops or keeps them depending on the form.
//  * Debug info that its verifier rejects is dropped: switched off by `-disable-auto-upgrade-debug-info`.
//  * Attributes of intrinsics' declarations are replaced by LLVM's own table, so they are not printed.
//  * Constant expressions are folded when built; the writer had folded them too, so nothing changes.
//  * `dso_local` is inferred for some linkages and is not printed. Use-list orders are ignored.
//  * What no analysis asks for is not printed: comdats, prefix and prologue data, garbage collectors, DLL storage,
//    `externally_initialized`, partitions, sanitizer bits of globals, atom groups of locations.
//  * All functions are materialized; a reader's diagnostic is an error of this program (status 2).

#include "debuginfo.h"
#include "instructions.h"
#include "values.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Triple.h"
#include <vector>

namespace oracle {

std::string linkage(GlobalValue::LinkageTypes Linkage) {
  switch (Linkage) {
  case GlobalValue::ExternalLinkage: return "external";
  case GlobalValue::AvailableExternallyLinkage: return "available_externally";
  case GlobalValue::LinkOnceAnyLinkage: return "linkonce";
  case GlobalValue::LinkOnceODRLinkage: return "linkonce_odr";
  case GlobalValue::WeakAnyLinkage: return "weak";
  case GlobalValue::WeakODRLinkage: return "weak_odr";
  case GlobalValue::AppendingLinkage: return "appending";
  case GlobalValue::InternalLinkage: return "internal";
  case GlobalValue::PrivateLinkage: return "private";
  case GlobalValue::ExternalWeakLinkage: return "extern_weak";
  case GlobalValue::CommonLinkage: return "common";
  }
  return "?";
}

std::string threadLocal(GlobalValue::ThreadLocalMode Mode) {
  switch (Mode) {
  case GlobalValue::NotThreadLocal: return "";
  case GlobalValue::GeneralDynamicTLSModel: return " tls=generaldynamic";
  case GlobalValue::LocalDynamicTLSModel: return " tls=localdynamic";
  case GlobalValue::InitialExecTLSModel: return " tls=initialexec";
  case GlobalValue::LocalExecTLSModel: return " tls=localexec";
  }
  return " tls=?";
}

std::string unnamedAddress(const GlobalValue &GV) {
  if (GV.hasGlobalUnnamedAddr())
    return " unnamed_addr";
  return GV.hasAtLeastLocalUnnamedAddr() ? " local_unnamed_addr" : "";
}

/// What all kinds of globals share: linkage, visibility, thread-local mode.
std::string globalFlags(const GlobalValue &GV) {
  std::string Text = " " + linkage(GV.getLinkage());
  if (GV.getVisibility() == GlobalValue::HiddenVisibility)
    Text += " hidden";
  if (GV.getVisibility() == GlobalValue::ProtectedVisibility)
    Text += " protected";
  return Text + threadLocal(GV.getThreadLocalMode());
}

/// Alignment and section; only the two classes below, not their base, tell their alignment in all versions.
template <typename Global> std::string placement(const Global &GO) {
  std::string Text;
  if (GO.getAlign())
    Text += " align=" + utostr(GO.getAlign()->value());
  if (GO.hasSection())
    Text += " section=" + quoted(GO.getSection());
  return Text;
}

class Dumper {
public:
  Dumper(const Module &M, raw_ostream &OS)
      : M(M), OS(OS), Types(Values.Types), Constants(Values.Constants), Instructions(Values) {
    M.getContext().getMDKindNames(KindNames);
  }

  void module() {
    OS << "triple " << quoted(tripleText(M.getTargetTriple())) << "\n";
    OS << "datalayout " << quoted(M.getDataLayoutStr()) << "\n";
    OS << "source " << quoted(M.getSourceFileName()) << "\n";
    if (!M.getModuleInlineAsm().empty())
      OS << "asm " << quoted(M.getModuleInlineAsm()) << "\n";
    namedMetadata();
    for (const GlobalVariable &GV : M.globals())
      globalVariable(GV);
    for (const GlobalAlias &GA : M.aliases())
      OS << "alias " << Constants.global(&GA) << " " << Types.text(GA.getValueType()) << globalFlags(GA) << " = "
         << Constants.text(GA.getAliasee()) << "\n";
    for (const GlobalIFunc &GI : M.ifuncs())
      OS << "ifunc " << Constants.global(&GI) << " " << Types.text(GI.getValueType()) << globalFlags(GI) << " = "
         << Constants.text(GI.getResolver()) << "\n";
    for (const Function &F : M)
      if (!F.getName().starts_with("llvm.dbg."))
        function(F);
    Types.printNamed(OS);
  }

private:
  const Module &M;
  raw_ostream &OS;
  ValuePrinter Values;
  TypePrinter &Types;
  ConstantPrinter &Constants;
  DebugPrinter Debug;
  InstructionPrinter Instructions;
  SmallVector<StringRef, 64> KindNames;

  static std::string tripleText(const std::string &Triple) { return Triple; }
  static std::string tripleText(const Triple &Triple) { return Triple.str(); }

  void globalVariable(const GlobalVariable &GV) {
    std::string Preamble, Variables;
    SmallVector<DIGlobalVariableExpression *, 1> Pairs;
    GV.getDebugInfo(Pairs);
    for (auto *Pair : Pairs)
      Variables += "  " + Debug.globalVariable(Pair, Preamble) + "\n";
    OS << Preamble << "global " << Constants.global(&GV) << " " << Types.text(GV.getValueType());
    if (GV.getAddressSpace())
      OS << " addrspace=" << GV.getAddressSpace();
    OS << (GV.isConstant() ? " constant" : "") << globalFlags(GV) << unnamedAddress(GV) << placement(GV) << "\n";
    attributeLine(GV.getAttributes(), "  ", "fn");
    if (GV.hasInitializer())
      OS << "  init " << Constants.text(GV.getInitializer()) << "\n";
    attachments(GV, "  ");
    OS << Variables;
  }

  void function(const Function &F) {
    std::string Preamble, Subprogram;
    if (const DISubprogram *SP = F.getSubprogram())
      Subprogram = "  " + Debug.subprogram(SP, Preamble) + "\n";
    OS << Preamble << (F.isDeclaration() ? "declare " : "define ") << Constants.global(&F) << " "
       << Types.text(F.getFunctionType()) << globalFlags(F) << unnamedAddress(F)
       << " cc=" << F.getCallingConv() << placement(F) << "\n";
    if (F.hasPersonalityFn())
      OS << "  personality " << Constants.text(F.getPersonalityFn()) << "\n";
    if (!F.isIntrinsic())
      attributes(F.getAttributes(), "  ");
    attachments(F, "  ");
    OS << Subprogram;
    if (!F.isDeclaration())
      body(F);
  }

  void body(const Function &F) {
    Values.number(F);
    names(F);
    for (const BasicBlock &BB : F) {
      OS << Constants.block(&BB) << ":\n";
      for (const Instruction &I : BB) {
        for (const DbgRecord &Record : I.getDbgRecordRange())
          debugRecord(Record);
        if (auto *Intrinsic = dyn_cast<DbgInfoIntrinsic>(&I))
          debugIntrinsic(*Intrinsic);
        else
          instruction(I);
      }
    }
  }

  // ---- attributes -------------------------------------------------------------------------------------------------

  void attributes(const AttributeList &List, StringRef Indent) {
    attributeLine(List.getFnAttrs(), Indent, "fn");
    attributeLine(List.getRetAttrs(), Indent, "ret");
    for (unsigned Argument = 0; Argument + 2 < List.getNumAttrSets(); ++Argument)
      attributeLine(List.getParamAttrs(Argument), Indent, "arg" + utostr(Argument));
  }

  void attributeLine(const AttributeSet &Set, StringRef Indent, StringRef Where) {
    std::vector<std::string> Texts;
    for (const Attribute &A : Set)
      Texts.push_back(Values.attribute(A));
    if (Texts.empty())
      return;
    std::sort(Texts.begin(), Texts.end());
    OS << Indent << "attr " << Where << ": " << join(Texts, ", ") << "\n";
  }

  // ---- debug records ----------------------------------------------------------------------------------------------

  void debugRecord(const DbgRecord &Record) {
    if (auto *Label = dyn_cast<DbgLabelRecord>(&Record))
      return debugLabel(Label->getLabel(), Record.getDebugLoc());
    auto &Var = cast<DbgVariableRecord>(Record);
    std::string Operands = Values.metadata(Var.getRawLocation()) + " " + DebugPrinter::expression(Var.getExpression());
    if (Var.isDbgAssign())
      Operands += " address " + Values.metadata(Var.getRawAddress()) + " " + DebugPrinter::expression(Var.getAddressExpression());
    debugVariable(kindText(Var.getType()), Var.getVariable(), Operands, Record.getDebugLoc());
  }

  static StringRef kindText(DbgVariableRecord::LocationType Kind) {
    switch (Kind) {
    case DbgVariableRecord::LocationType::Declare: return "declare";
    case DbgVariableRecord::LocationType::Value: return "value";
    case DbgVariableRecord::LocationType::Assign: return "assign";
#if LLVM_VERSION_MAJOR >= 22
    case DbgVariableRecord::LocationType::DeclareValue: return "declare_value";
#endif
    default: return "?";
    }
  }

  void debugIntrinsic(const DbgInfoIntrinsic &I) {
    if (auto *Label = dyn_cast<DbgLabelInst>(&I))
      return debugLabel(Label->getLabel(), I.getDebugLoc());
    auto &Var = cast<DbgVariableIntrinsic>(I);
    std::string Operands = Values.metadata(Var.getRawLocation()) + " " + DebugPrinter::expression(Var.getExpression());
    StringRef Kind = isa<DbgDeclareInst>(Var) ? "declare" : "value";
    if (auto *Assign = dyn_cast<DbgAssignIntrinsic>(&Var)) {
      Kind = "assign";
      Operands += " address " + Values.metadata(Assign->getRawAddress()) + " " + DebugPrinter::expression(Assign->getAddressExpression());
    }
    debugVariable(Kind, Var.getVariable(), Operands, I.getDebugLoc());
  }

  void debugVariable(StringRef Kind, const DILocalVariable *Var, StringRef Operands, const DebugLoc &Loc) {
    std::string Preamble;
    std::string Text = Debug.variable(Var, Preamble);
    OS << Preamble << "  dbg " << Kind << " " << Operands << "\n    " << Text << "\n";
    location(Loc);
  }

  void debugLabel(const DILabel *Label, const DebugLoc &Loc) {
    OS << "  dbg label " << quoted(Label->getName()) << " line=" << Label->getLine() << " in "
       << DebugPrinter::scope(Label->getScope()) << "\n";
    location(Loc);
  }

  void location(const DebugLoc &Loc) {
    if (Loc)
      OS << "    loc " << DebugPrinter::location(Loc.get()) << "\n";
  }

  // ---- instructions -----------------------------------------------------------------------------------------------

  void instruction(const Instruction &I) {
    OS << "  " << Instructions.text(I) << "\n";
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      bundles(*Call);
      attributes(Call->getAttributes(), "    ");
    }
    attachments(I, "    ");
    location(I.getDebugLoc());
  }

  void bundles(const CallBase &I) {
    for (unsigned Index = 0; Index < I.getNumOperandBundles(); ++Index) {
      OperandBundleUse Bundle = I.getOperandBundleAt(Index);
      OS << "    bundle " << quoted(Bundle.getTagName()) << "(";
      for (const Use &U : Bundle.Inputs)
        OS << (&U == Bundle.Inputs.begin() ? "" : ", ") << Values.operand(U.get());
      OS << ")\n";
    }
  }

  /// All but debug info, which has lines of its own.
  template <typename Owner> void attachments(const Owner &Thing, StringRef Indent) {
    SmallVector<std::pair<unsigned, MDNode *>, 4> Nodes;
    Thing.getAllMetadata(Nodes);
    std::vector<std::string> Texts;
    for (auto &[Kind, Node] : Nodes)
      if (Kind != LLVMContext::MD_dbg)
        Texts.push_back(KindNames[Kind].str() + "(" + nodeShape(Node) + ")");
    if (Texts.empty())
      return;
    std::sort(Texts.begin(), Texts.end());
    OS << Indent << "md " << join(Texts, " ") << "\n";
  }

  /// Named lists of nodes with the nodes' own operands, one level deep.
  void namedMetadata() {
    for (const NamedMDNode &List : M.named_metadata()) {
      OS << "named " << quoted(List.getName()) << "\n";
      for (const MDNode *Node : List.operands()) {
        if (auto *Unit = dyn_cast<DICompileUnit>(Node)) {
          OS << "  " << DebugPrinter::unit(Unit) << "\n";
          continue;
        }
        std::string Text;
        for (const MDOperand &Operand : Node->operands())
          Text += (Text.empty() ? "" : ", ") + (Operand ? Values.metadata(Operand) : "null");
        OS << "  {" << Text << "}\n";
      }
    }
  }

  /// Names of arguments and instructions that have one.
  void names(const Function &F) {
    for (const Argument &A : F.args())
      valueName(A);
    for (const BasicBlock &BB : F)
      for (const Instruction &I : BB)
        valueName(I);
  }

  void valueName(const Value &V) {
    if (V.hasName())
      OS << "  name " << Values.local(&V) << " " << quoted(V.getName()) << "\n";
  }
};

/// A diagnostic means that LLVM changed or refused something: the dump would not be the file's.
void onDiagnostic(const DiagnosticInfo *Diagnostic, void *Failed) {
  DiagnosticPrinterRawOStream Printer(errs());
  errs() << "dump: ";
  Diagnostic->print(Printer);
  errs() << "\n";
  *static_cast<bool *>(Failed) = true;
}

int run(const char *Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer) {
    errs() << "dump: " << Path << ": " << Buffer.getError().message() << "\n";
    return 2;
  }
  bool Failed = false;
  LLVMContext Context;
  Context.setDiagnosticHandlerCallBack(onDiagnostic, &Failed);
  Expected<std::unique_ptr<Module>> M = parseBitcodeFile((*Buffer)->getMemBufferRef(), Context);
  if (!M) {
    errs() << "dump: " << Path << ": " << toString(M.takeError()) << "\n";
    return 2;
  }
  Dumper(**M, outs()).module();
  return Failed ? 2 : 0;
}

} // namespace oracle

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: dump FILE.bc\n";
    return 2;
  }
  const char *Options[] = {"dump", "-disable-auto-upgrade-debug-info",
#if LLVM_VERSION_MAJOR == 19
                           "-preserve-input-debuginfo-format=true",
#endif
  };
  llvm::cl::ParseCommandLineOptions(std::size(Options), Options);
  return oracle::run(argv[1]);
}
