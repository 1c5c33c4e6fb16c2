// Canonical text of constants, global names and inline assembly; see dump.cpp for the format.
#pragma once

#include "types.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Operator.h"
#include <algorithm>
#include <iterator>

namespace oracle {

/// Aggregates with more elements than this are printed as a count and a hash.
constexpr uint64_t LongestAggregate = 256;

class ConstantPrinter {
public:
  explicit ConstantPrinter(TypePrinter &Types) : Types(Types) {}

  /// The constant with its type.
  std::string text(const Constant *C) { return Types.text(C->getType()) + " " + bare(C); }

  /// Unnamed globals go by their kind and their position in the module.
  std::string global(const GlobalValue *GV) {
    if (GV->hasName())
      return "@" + escaped(GV->getName());
    const Module *M = GV->getParent();
    if (isa<GlobalVariable>(GV))
      return "@$variable" + position(M->globals(), GV);
    if (isa<Function>(GV))
      return "@$function" + position(M->functions(), GV);
    if (isa<GlobalAlias>(GV))
      return "@$alias" + position(M->aliases(), GV);
    return "@$ifunc" + position(M->ifuncs(), GV);
  }

  std::string block(const BasicBlock *BB) {
    const Function *F = BB->getParent();
    if (F != BlocksOf) {
      Blocks.clear();
      BlocksOf = F;
      for (const BasicBlock &Each : *F)
        Blocks.emplace(&Each, Blocks.size());
    }
    return "bb" + utostr(Blocks.at(BB));
  }

  std::string assembly(const InlineAsm *Asm) {
    std::string Text = "asm";
    if (Asm->hasSideEffects())
      Text += " sideeffect";
    if (Asm->isAlignStack())
      Text += " alignstack";
    if (Asm->getDialect() == InlineAsm::AD_Intel)
      Text += " inteldialect";
    if (Asm->canThrow())
      Text += " unwind";
    return Text + " " + quoted(Asm->getAsmString()) + " " + quoted(Asm->getConstraintString());
  }

private:
  TypePrinter &Types;
  const Function *BlocksOf = nullptr;
  std::map<const BasicBlock *, size_t> Blocks;

  template <typename Range> static std::string position(Range &&Globals, const GlobalValue *GV) {
    size_t Position = 0;
    for (const GlobalValue &Each : Globals) {
      if (&Each == GV)
        break;
      ++Position;
    }
    return utostr(Position);
  }

  std::string bare(const Constant *C) {
    if (auto *GV = dyn_cast<GlobalValue>(C))
      return global(GV);
    if (isa<PoisonValue>(C))
      return "poison";
    if (isa<UndefValue>(C))
      return "undef";
    if (isa<ConstantPointerNull>(C))
      return "null";
    if (isa<ConstantAggregateZero>(C) || isa<ConstantTargetNone>(C))
      return "zeroinitializer";
    if (isa<ConstantTokenNone>(C))
      return "none";
    if (C->getType()->isAggregateType() || isa<FixedVectorType>(C->getType()))
      if (!isa<ConstantExpr>(C))
        return aggregate(C);
    if (auto *Int = dyn_cast<ConstantInt>(C))
      return integer(Int->getValue());
    if (auto *Float = dyn_cast<ConstantFP>(C))
      return floating(Float->getValueAPF());
    if (auto *Address = dyn_cast<BlockAddress>(C))
      // The block's function is not always the one being printed.
      return "blockaddress(" + global(Address->getFunction()) + ", bb" + blockIn(Address) + ")";
    if (auto *Same = dyn_cast<DSOLocalEquivalent>(C))
      return "dso_local_equivalent(" + global(Same->getGlobalValue()) + ")";
    if (auto *NoCfi = dyn_cast<NoCFIValue>(C))
      return "no_cfi(" + global(NoCfi->getGlobalValue()) + ")";
    if (auto *Signed = dyn_cast<ConstantPtrAuth>(C))
      return "ptrauth(" + text(Signed->getPointer()) + ", " + text(Signed->getKey()) + ", " +
             text(Signed->getDiscriminator()) + ", " + text(Signed->getAddrDiscriminator()) + ")";
    return expression(cast<ConstantExpr>(C));
  }

  static std::string blockIn(const BlockAddress *Address) {
    size_t Position = 0;
    for (const BasicBlock &Each : *Address->getFunction()) {
      if (&Each == Address->getBasicBlock())
        break;
      ++Position;
    }
    return utostr(Position);
  }

  /// All bits in hexadecimal, as many digits as the width has nibbles.
  static std::string floating(const APFloat &Value) {
    APInt Bits = Value.bitcastToAPInt();
    SmallString<40> Digits;
    Bits.toStringUnsigned(Digits, 16);
    std::string Text = StringRef(Digits).lower();
    return "0x" + std::string(Bits.getBitWidth() / 4 - Text.size(), '0') + Text;
  }

  static uint64_t elementCount(Type *Ty) {
    if (auto *Struct = dyn_cast<StructType>(Ty))
      return Struct->getNumElements();
    if (auto *Array = dyn_cast<ArrayType>(Ty))
      return Array->getNumElements();
    return cast<FixedVectorType>(Ty)->getNumElements();
  }

  std::string aggregate(const Constant *C) {
    Type *Ty = C->getType();
    uint64_t Count = elementCount(Ty);
    auto *Data = dyn_cast<ConstantDataSequential>(C);
    if (Data && Ty->isArrayTy() && Data->getElementType()->isIntegerTy(8)) {
      StringRef Bytes = Data->getRawDataValues();
      return Count > LongestAggregate ? shortened(Count, Bytes) : "c" + quoted(Bytes);
    }
    std::string Elements;
    for (uint64_t Index = 0; Index < Count; ++Index) {
      if (Index)
        Elements += ", ";
      Elements += text(C->getAggregateElement(Index));
    }
    if (Count > LongestAggregate)
      return shortened(Count, Elements);
    if (Ty->isStructTy())
      return "{" + Elements + "}";
    return Ty->isArrayTy() ? "[" + Elements + "]" : "<" + Elements + ">";
  }

  static std::string shortened(uint64_t Count, StringRef Text) {
    return "#" + utostr(Count) + ":" + hex16(fnv(Text));
  }

  std::string expression(const ConstantExpr *E) {
    std::string Text = E->getOpcodeName();
    if (auto *Overflow = dyn_cast<OverflowingBinaryOperator>(E)) {
      if (Overflow->hasNoUnsignedWrap())
        Text += " nuw";
      if (Overflow->hasNoSignedWrap())
        Text += " nsw";
    }
    if (auto *Exact = dyn_cast<PossiblyExactOperator>(E))
      if (Exact->isExact())
        Text += " exact";
    if (auto *Gep = dyn_cast<GEPOperator>(E))
      Text += gepFlags(Gep) + " " + Types.text(Gep->getSourceElementType());
    Text += "(";
    for (unsigned Index = 0; Index < E->getNumOperands(); ++Index)
      Text += (Index ? ", " : "") + text(cast<Constant>(E->getOperand(Index)));
    if (E->getOpcode() == Instruction::ShuffleVector)
      Text += ", mask" + mask(E->getShuffleMask());
    return Text + ")";
  }

public:
  static std::string gepFlags(const GEPOperator *Gep) {
    std::string Text;
    if (Gep->isInBounds())
      Text += " inbounds";
    // `inbounds` implies `nusw`; it is said only where it stands alone.
    else if (Gep->hasNoUnsignedSignedWrap())
      Text += " nusw";
    if (Gep->hasNoUnsignedWrap())
      Text += " nuw";
    if (auto Range = Gep->getInRange())
      Text += " inrange(" + integer(Range->getLower()) + ", " + integer(Range->getUpper()) + ")";
    return Text;
  }

  static std::string mask(ArrayRef<int> Mask) {
    std::string Text;
    for (int Index : Mask)
      Text += (Text.empty() ? "" : " ") + (Index < 0 ? std::string("poison") : itostr(Index));
    return "[" + Text + "]";
  }
};

} // namespace oracle
