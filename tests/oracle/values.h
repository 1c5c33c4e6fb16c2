// Canonical text of operands, metadata operands and attributes; see dump.cpp for the format.
#pragma once

#include "constants.h"
#include "debuginfo.h"

#include "llvm/IR/ConstantRange.h"
#if LLVM_VERSION_MAJOR >= 20
#include "llvm/IR/ConstantRangeList.h"
#endif
#include "llvm/IR/Instructions.h"

namespace oracle {

/// Prints operands of one function at a time: `number` begins the next.
class ValuePrinter {
public:
  TypePrinter Types;
  ConstantPrinter Constants{Types};

  void number(const Function &F) {
    Numbers.clear();
    for (const Argument &A : F.args())
      Numbers.emplace(&A, Numbers.size());
    for (const BasicBlock &BB : F)
      for (const Instruction &I : BB)
        if (!I.getType()->isVoidTy())
          Numbers.emplace(&I, Numbers.size());
  }

  std::string local(const Value *V) { return "%" + utostr(Numbers.at(V)); }

  std::string operand(const Value *V) {
    if (auto *BB = dyn_cast<BasicBlock>(V))
      return Constants.block(BB);
    if (auto *MD = dyn_cast<MetadataAsValue>(V))
      return "metadata " + metadata(MD->getMetadata());
    if (auto *Asm = dyn_cast<InlineAsm>(V))
      return Types.text(V->getType()) + " " + Constants.assembly(Asm);
    if (auto *C = dyn_cast<Constant>(V))
      return Constants.text(C);
    return Types.text(V->getType()) + " " + local(V);
  }

  std::string metadata(const Metadata *MD) {
    if (auto *String = dyn_cast<MDString>(MD))
      return quoted(String->getString());
    if (auto *V = dyn_cast<ValueAsMetadata>(MD))
      return operand(V->getValue());
    if (auto *Arguments = dyn_cast<DIArgList>(MD)) {
      std::string Text;
      for (const ValueAsMetadata *V : Arguments->getArgs())
        Text += (Text.empty() ? "" : ", ") + operand(V->getValue());
      return "arguments(" + Text + ")";
    }
    return "node(" + nodeShape(MD) + ")";
  }

  std::string attribute(const Attribute &A) {
    if (A.isStringAttribute())
      return quoted(A.getKindAsString()) + (A.getValueAsString().empty() ? "" : "=" + quoted(A.getValueAsString()));
    std::string Name = Attribute::getNameFromAttrKind(A.getKindAsEnum()).str();
    if (A.hasAttribute(Attribute::Memory))
      return Name + memoryEffects(A.getMemoryEffects());
    if (A.isIntAttribute())
      return Name + "=" + utostr(A.getValueAsInt());
    if (A.isTypeAttribute())
      return Name + "(" + (A.getValueAsType() ? Types.text(A.getValueAsType()) : "") + ")";
    if (A.isConstantRangeAttribute())
      return Name + "(" + ranges({A.getValueAsConstantRange()}) + ")";
#if LLVM_VERSION_MAJOR >= 20
    if (A.isConstantRangeListAttribute())
      return Name + "(" + ranges(A.getValueAsConstantRangeList()) + ")";
#endif
    return Name;
  }

  static std::string memoryEffects(MemoryEffects Effects) {
    using Location = MemoryEffects::Location;
    auto Text = [&](Location Where) { return utostr(unsigned(Effects.getModRef(Where))); };
#if LLVM_VERSION_MAJOR >= 21
    std::string Errno = Text(Location::ErrnoMem);
#else
    std::string Errno = Text(Location::Other);
#endif
    return "(" + Text(Location::ArgMem) + " " + Text(Location::InaccessibleMem) + " " + Errno + " " + Text(Location::Other) + ")";
  }

  static std::string ranges(ArrayRef<ConstantRange> Ranges) {
    std::string Text = "i" + utostr(Ranges.empty() ? 0 : Ranges[0].getBitWidth());
    for (const ConstantRange &Range : Ranges)
      Text += (&Range == Ranges.begin() ? " " : "; ") + integer(Range.getLower()) + ", " + integer(Range.getUpper());
    return Text;
  }

private:
  std::map<const Value *, size_t> Numbers;
};

} // namespace oracle
