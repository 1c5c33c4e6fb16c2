// Canonical text of LLVM types, strings and numbers; see dump.cpp for the format.
#pragma once

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <string>

namespace oracle {

using namespace llvm;

/// FNV-1a, 64 bits: stands for texts that are too long to print.
inline uint64_t fnv(StringRef Text) {
  uint64_t Hash = 0xcbf29ce484222325ULL;
  for (unsigned char Byte : Text) {
    Hash ^= Byte;
    Hash *= 0x100000001b3ULL;
  }
  return Hash;
}

inline std::string hex16(uint64_t Value) {
  std::string Text = utohexstr(Value, /*LowerCase=*/true);
  return std::string(16 - Text.size(), '0') + Text;
}

/// Bytes other than printable ASCII, quotes and backslashes become `\hh`.
inline std::string escaped(StringRef Bytes) {
  static const char Digits[] = "0123456789abcdef";
  std::string Text;
  for (unsigned char Byte : Bytes) {
    if (Byte >= 0x20 && Byte < 0x7f && Byte != '"' && Byte != '\\') {
      Text += char(Byte);
    } else {
      Text += '\\';
      Text += Digits[Byte >> 4];
      Text += Digits[Byte & 15];
    }
  }
  return Text;
}

inline std::string quoted(StringRef Bytes) { return "\"" + escaped(Bytes) + "\""; }

/// Up to 64 bits: unsigned decimal; wider: hexadecimal without leading zeros.
inline std::string integer(const APInt &Value) {
  if (Value.getBitWidth() <= 64)
    return utostr(Value.getZExtValue());
  SmallString<64> Digits;
  Value.toStringUnsigned(Digits, 16);
  return "0x" + StringRef(Digits).lower();
}

/// Prints types and remembers the named structs it met, whose bodies close the dump.
class TypePrinter {
public:
  std::string text(Type *Ty) {
    switch (Ty->getTypeID()) {
    case Type::VoidTyID: return "void";
    case Type::HalfTyID: return "half";
    case Type::BFloatTyID: return "bfloat";
    case Type::FloatTyID: return "float";
    case Type::DoubleTyID: return "double";
    case Type::X86_FP80TyID: return "x86_fp80";
    case Type::FP128TyID: return "fp128";
    case Type::PPC_FP128TyID: return "ppc_fp128";
    case Type::X86_AMXTyID: return "x86_amx";
#if LLVM_VERSION_MAJOR < 20
    case Type::X86_MMXTyID: return "x86_mmx";
#endif
    case Type::LabelTyID: return "label";
    case Type::MetadataTyID: return "metadata";
    case Type::TokenTyID: return "token";
    case Type::IntegerTyID: return "i" + utostr(Ty->getIntegerBitWidth());
    case Type::PointerTyID: return pointer(Ty->getPointerAddressSpace());
    case Type::FunctionTyID: return function(cast<FunctionType>(Ty));
    case Type::StructTyID: return structure(cast<StructType>(Ty));
    case Type::ArrayTyID:
      return "[" + utostr(Ty->getArrayNumElements()) + " x " + text(Ty->getArrayElementType()) + "]";
    case Type::FixedVectorTyID: {
      auto *Vector = cast<FixedVectorType>(Ty);
      return "<" + utostr(Vector->getNumElements()) + " x " + text(Vector->getElementType()) + ">";
    }
    case Type::ScalableVectorTyID: {
      auto *Vector = cast<ScalableVectorType>(Ty);
      return "<vscale x " + utostr(Vector->getMinNumElements()) + " x " + text(Vector->getElementType()) + ">";
    }
    case Type::TargetExtTyID: return target(cast<TargetExtType>(Ty));
    default: return "type#" + utostr(Ty->getTypeID());
    }
  }

  static std::string pointer(unsigned AddressSpace) {
    return AddressSpace == 0 ? "ptr" : "ptr addrspace(" + utostr(AddressSpace) + ")";
  }

  /// `type %name = body` for every named struct printed so far, sorted by name.
  void printNamed(raw_ostream &OS) {
    // The text of one body can name further structs.
    std::map<std::string, std::string> Bodies;
    while (Bodies.size() < Named.size())
      for (auto &[Name, Struct] : std::map<std::string, StructType *>(Named))
        if (!Bodies.count(Name))
          Bodies[Name] = body(Struct);
    for (auto &[Name, Body] : Bodies)
      OS << "type %" << Name << " = " << Body << "\n";
  }

private:
  std::map<std::string, StructType *> Named;

  std::string structure(StructType *Struct) {
    if (!Struct->hasName())
      return body(Struct);
    std::string Name = escaped(Struct->getName());
    Named.emplace(Name, Struct);
    return "%" + Name;
  }

  std::string body(StructType *Struct) {
    if (Struct->isOpaque())
      return "opaque";
    std::string Fields = list(Struct->elements());
    return Struct->isPacked() ? "<{" + Fields + "}>" : "{" + Fields + "}";
  }

  std::string function(FunctionType *Function) {
    std::string Parameters = list(Function->params());
    if (Function->isVarArg())
      Parameters += Parameters.empty() ? "..." : ", ...";
    return text(Function->getReturnType()) + " (" + Parameters + ")";
  }

  std::string target(TargetExtType *Target) {
    std::string Text = "target(" + quoted(Target->getName());
    for (Type *Parameter : Target->type_params())
      Text += ", " + text(Parameter);
    for (unsigned Parameter : Target->int_params())
      Text += ", " + utostr(Parameter);
    return Text + ")";
  }

  std::string list(ArrayRef<Type *> Types) {
    std::string Text;
    for (Type *Ty : Types)
      Text += (Text.empty() ? "" : ", ") + text(Ty);
    return Text;
  }
};

} // namespace oracle
