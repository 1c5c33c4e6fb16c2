// Canonical text of instructions; see dump.cpp for the format.
#pragma once

#include "values.h"

#include "llvm/IR/Instructions.h"

namespace oracle {

class InstructionPrinter {
public:
  explicit InstructionPrinter(ValuePrinter &Values) : Values(Values), Types(Values.Types) {}

  std::string text(const Instruction &I) {
    std::string Result = I.getType()->isVoidTy() ? "" : Values.local(&I) + " = ";
    return Result + I.getOpcodeName() + flags(I) + " : " + Types.text(I.getType()) + details(I);
  }

private:
  ValuePrinter &Values;
  TypePrinter &Types;

  std::string operand(const Value *V) { return Values.operand(V); }

  /// Flags between the opcode and the colon, in this order.
  std::string flags(const Instruction &I) {
    std::string Text;
    if (auto *Overflow = dyn_cast<OverflowingBinaryOperator>(&I))
      Text += wrapFlags(Overflow->hasNoUnsignedWrap(), Overflow->hasNoSignedWrap());
    if (auto *Trunc = dyn_cast<TruncInst>(&I))
      Text += wrapFlags(Trunc->hasNoUnsignedWrap(), Trunc->hasNoSignedWrap());
    if (auto *Exact = dyn_cast<PossiblyExactOperator>(&I))
      Text += Exact->isExact() ? " exact" : "";
    if (auto *Disjoint = dyn_cast<PossiblyDisjointInst>(&I))
      Text += Disjoint->isDisjoint() ? " disjoint" : "";
    if (auto *NonNeg = dyn_cast<PossiblyNonNegInst>(&I))
      Text += NonNeg->hasNonNeg() ? " nneg" : "";
    if (auto *Gep = dyn_cast<GEPOperator>(&I))
      Text += ConstantPrinter::gepFlags(Gep);
#if LLVM_VERSION_MAJOR >= 20
    if (auto *Compare = dyn_cast<ICmpInst>(&I))
      Text += Compare->hasSameSign() ? " samesign" : "";
#endif
    if (isa<FPMathOperator>(&I))
      Text += fastMath(I.getFastMathFlags());
    if (auto *Compare = dyn_cast<CmpInst>(&I))
      Text += " " + CmpInst::getPredicateName(Compare->getPredicate()).str();
    if (auto *Call = dyn_cast<CallInst>(&I))
      Text += tailKind(Call->getTailCallKind());
    return Text + memoryFlags(I);
  }

  static std::string wrapFlags(bool Unsigned, bool Signed) {
    return std::string(Unsigned ? " nuw" : "") + (Signed ? " nsw" : "");
  }

  static std::string fastMath(FastMathFlags Flags) {
    std::string Text;
    Text += Flags.allowReassoc() ? " reassoc" : "";
    Text += Flags.noNaNs() ? " nnan" : "";
    Text += Flags.noInfs() ? " ninf" : "";
    Text += Flags.noSignedZeros() ? " nsz" : "";
    Text += Flags.allowReciprocal() ? " arcp" : "";
    Text += Flags.allowContract() ? " contract" : "";
    Text += Flags.approxFunc() ? " afn" : "";
    return Text;
  }

  static std::string tailKind(CallInst::TailCallKind Kind) {
    switch (Kind) {
    case CallInst::TCK_None: return "";
    case CallInst::TCK_Tail: return " tail";
    case CallInst::TCK_MustTail: return " musttail";
    case CallInst::TCK_NoTail: return " notail";
    }
    return " ?";
  }

  std::string memoryFlags(const Instruction &I) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return volatility(Load->isVolatile()) + ordering(Load->getOrdering()) + scope(Load->getSyncScopeID(), Load->isAtomic()) +
             alignment(Load->getAlign());
    if (auto *Store = dyn_cast<StoreInst>(&I))
      return volatility(Store->isVolatile()) + ordering(Store->getOrdering()) +
             scope(Store->getSyncScopeID(), Store->isAtomic()) + alignment(Store->getAlign());
    if (auto *Fence = dyn_cast<FenceInst>(&I))
      return ordering(Fence->getOrdering()) + scope(Fence->getSyncScopeID(), true);
    if (auto *Rmw = dyn_cast<AtomicRMWInst>(&I))
      return " " + AtomicRMWInst::getOperationName(Rmw->getOperation()).str() + volatility(Rmw->isVolatile()) +
             ordering(Rmw->getOrdering()) + scope(Rmw->getSyncScopeID(), true) + alignment(Rmw->getAlign());
    if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
      return std::string(Exchange->isWeak() ? " weak" : "") + volatility(Exchange->isVolatile()) +
             ordering(Exchange->getSuccessOrdering()) + ordering(Exchange->getFailureOrdering()) +
             scope(Exchange->getSyncScopeID(), true) + alignment(Exchange->getAlign());
    if (auto *Alloca = dyn_cast<AllocaInst>(&I))
      return std::string(Alloca->isUsedWithInAlloca() ? " inalloca" : "") + (Alloca->isSwiftError() ? " swifterror" : "") +
             alignment(Alloca->getAlign());
    return "";
  }

  static std::string volatility(bool Volatile) { return Volatile ? " volatile" : ""; }
  static std::string alignment(Align Alignment) { return " align=" + utostr(Alignment.value()); }

  static std::string ordering(AtomicOrdering Ordering) {
    return Ordering == AtomicOrdering::NotAtomic ? "" : std::string(" ") + toIRString(Ordering);
  }

  /// The whole system goes without saying.
  static std::string scope(SyncScope::ID Scope, bool Atomic) {
    return !Atomic || Scope == SyncScope::System ? "" : " scope=" + utostr(Scope);
  }

  /// Everything after the result type: types, operands, indices.
  std::string details(const Instruction &I) {
    switch (I.getOpcode()) {
    case Instruction::Br: return branch(cast<BranchInst>(I));
    case Instruction::Switch: return switchCases(cast<SwitchInst>(I));
    case Instruction::PHI: return incoming(cast<PHINode>(I));
    case Instruction::LandingPad: return clauses(cast<LandingPadInst>(I));
    case Instruction::Call:
    case Instruction::Invoke:
    case Instruction::CallBr: return call(cast<CallBase>(I));
    case Instruction::CatchSwitch: return catchSwitch(cast<CatchSwitchInst>(I));
    case Instruction::CleanupRet: return cleanupRet(cast<CleanupReturnInst>(I));
    case Instruction::CatchPad:
    case Instruction::CleanupPad: return funcletPad(cast<FuncletPadInst>(I));
    case Instruction::Alloca: return " ; " + Types.text(cast<AllocaInst>(I).getAllocatedType()) + operands(I);
    case Instruction::GetElementPtr: return " ; " + Types.text(cast<GetElementPtrInst>(I).getSourceElementType()) + operands(I);
    case Instruction::ExtractValue: return operands(I) + indices(cast<ExtractValueInst>(I).getIndices());
    case Instruction::InsertValue: return operands(I) + indices(cast<InsertValueInst>(I).getIndices());
    case Instruction::ShuffleVector: return operands(I) + " ; " + ConstantPrinter::mask(cast<ShuffleVectorInst>(I).getShuffleMask());
    default: return operands(I);
    }
  }

  /// Operands in LLVM's own order, which is that of the language reference for all but the terminators.
  std::string operands(const Instruction &I) {
    std::string Text;
    for (const Value *V : I.operands())
      Text += (Text.empty() ? " ; " : ", ") + operand(V);
    return Text;
  }

  static std::string indices(ArrayRef<unsigned> Indices) {
    std::string Text;
    for (unsigned Index : Indices)
      Text += (Text.empty() ? " ; " : ", ") + utostr(Index);
    return Text;
  }

  std::string branch(const BranchInst &I) {
    if (I.isUnconditional())
      return " ; " + operand(I.getSuccessor(0));
    return " ; " + operand(I.getCondition()) + ", " + operand(I.getSuccessor(0)) + ", " + operand(I.getSuccessor(1));
  }

  std::string switchCases(const SwitchInst &I) {
    std::string Text = " ; " + operand(I.getCondition()) + ", " + operand(I.getDefaultDest());
    for (auto &Case : I.cases())
      Text += ", " + operand(Case.getCaseValue()) + " -> " + operand(Case.getCaseSuccessor());
    return Text;
  }

  std::string incoming(const PHINode &I) {
    std::string Text;
    for (unsigned Index = 0; Index < I.getNumIncomingValues(); ++Index)
      Text += (Index ? ", " : " ; ") + operand(I.getIncomingValue(Index)) + " from " + operand(I.getIncomingBlock(Index));
    return Text;
  }

  std::string clauses(const LandingPadInst &I) {
    std::string Text = I.isCleanup() ? " ; cleanup" : " ;";
    for (unsigned Index = 0; Index < I.getNumClauses(); ++Index)
      Text += std::string(I.isCatch(Index) ? ", catch " : ", filter ") + operand(I.getClause(Index));
    return Text;
  }

  std::string call(const CallBase &I) {
    std::string Text = " ; cc=" + utostr(I.getCallingConv()) + " " + Types.text(I.getFunctionType()) + " ; " + operand(I.getCalledOperand());
    for (const Value *Argument : I.args())
      Text += ", " + operand(Argument);
    if (auto *Invoke = dyn_cast<InvokeInst>(&I))
      Text += " ; to " + operand(Invoke->getNormalDest()) + " unwind " + operand(Invoke->getUnwindDest());
    if (auto *Branch = dyn_cast<CallBrInst>(&I)) {
      Text += " ; to " + operand(Branch->getDefaultDest()) + " or";
      for (unsigned Index = 0; Index < Branch->getNumIndirectDests(); ++Index)
        Text += " " + operand(Branch->getIndirectDest(Index));
    }
    return Text;
  }

  std::string catchSwitch(const CatchSwitchInst &I) {
    std::string Text = " ; " + operand(I.getParentPad());
    for (const BasicBlock *Handler : I.handlers())
      Text += ", " + operand(Handler);
    return Text + (I.hasUnwindDest() ? " ; unwind " + operand(I.getUnwindDest()) : " ; unwind caller");
  }

  std::string cleanupRet(const CleanupReturnInst &I) {
    return " ; " + operand(I.getCleanupPad()) + (I.hasUnwindDest() ? " ; unwind " + operand(I.getUnwindDest()) : " ; unwind caller");
  }

  std::string funcletPad(const FuncletPadInst &I) {
    std::string Text = " ; " + operand(I.getParentPad());
    for (const Value *Argument : I.arg_operands())
      Text += ", " + operand(Argument);
    return Text;
  }
};

} // namespace oracle
