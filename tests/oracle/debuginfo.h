// Canonical text of debug information: types, variables, scopes, locations; see dump.cpp for the format.
#pragma once

#include "types.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Metadata.h"
#include <map>

namespace oracle {

/// A type is followed through this many links (pointee, element, member).
constexpr unsigned DeepestType = 3;

/// The class of a node, as in LLVM's Metadata.def; plain nodes also say how many operands they have.
inline std::string nodeShape(const Metadata *MD) {
  if (auto *Tuple = dyn_cast<MDTuple>(MD))
    return utostr(Tuple->getNumOperands());
  switch (MD->getMetadataID()) {
#define HANDLE_METADATA_LEAF(CLASS)                                                                                    \
  case Metadata::CLASS##Kind: return #CLASS;
#include "llvm/IR/Metadata.def"
  }
  return "?";
}

class DebugPrinter {
public:
  /// Numbers types by their first appearance; the text then goes to `Preamble`, once per module.
  std::string typeRef(const DIType *Ty, std::string &Preamble) {
    std::string Text = type(Ty, DeepestType);
    auto [It, IsNew] = Known.emplace(Text, "T" + utostr(Known.size()));
    if (IsNew)
      Preamble += "ditype " + It->second + " = " + Text + "\n";
    return It->second;
  }

  std::string variable(const DILocalVariable *Var, std::string &Preamble) {
    std::string Text = "var " + quoted(Var->getName()) + " arg=" + utostr(Var->getArg()) + " line=" + utostr(Var->getLine());
    Text += " flags=" + utostr(Var->getFlags()) + " align=" + utostr(Var->getAlignInBits());
    return Text + " type=" + typeRef(Var->getType(), Preamble) + " in " + scope(Var->getScope());
  }

  std::string globalVariable(const DIGlobalVariableExpression *Pair, std::string &Preamble) {
    const DIGlobalVariable *Var = Pair->getVariable();
    std::string Text = "dbg " + quoted(Var->getName()) + " linkage=" + quoted(Var->getLinkageName());
    Text += " file=" + quoted(Var->getFilename()) + " line=" + utostr(Var->getLine());
    Text += Var->isLocalToUnit() ? " local" : "";
    Text += Var->isDefinition() ? " definition" : "";
    Text += " type=" + typeRef(Var->getType(), Preamble) + " " + expression(Pair->getExpression());
    return Text + " in " + qualifier(Var->getScope());
  }

  std::string subprogram(const DISubprogram *SP, std::string &Preamble) {
    std::string Text = "subprogram " + quoted(SP->getName()) + " linkage=" + quoted(SP->getLinkageName());
    Text += " file=" + quoted(SP->getFilename()) + " directory=" + quoted(SP->getDirectory());
    Text += " line=" + utostr(SP->getLine()) + " scopeline=" + utostr(SP->getScopeLine());
    Text += " flags=" + utostr(SP->getFlags()) + " spflags=" + utostr(SP->getSPFlags());
    Text += " type=" + typeRef(SP->getType(), Preamble) + templates(SP->getTemplateParams());
    if (const DISubprogram *Declaration = SP->getDeclaration())
      Text += " declared=" + utostr(Declaration->getLine());
    return Text + " in " + qualifier(SP->getScope());
  }

  static std::string unit(const DICompileUnit *Unit) {
#if LLVM_VERSION_MAJOR >= 22
    DISourceLanguageName Language = Unit->getSourceLanguage();
    std::string Number = utostr(Language.hasVersionedName() ? Language.getName() : Language.getUnversionedName());
#else
    std::string Number = utostr(Unit->getSourceLanguage());
#endif
    return "unit language=" + Number + " file=" + quoted(Unit->getFilename()) + " directory=" +
           quoted(Unit->getDirectory()) + " producer=" + quoted(Unit->getProducer());
  }

  static std::string expression(const DIExpression *Expr) {
    std::string Text;
    for (uint64_t Element : Expr->getElements())
      Text += (Text.empty() ? "" : " ") + utostr(Element);
    return "expr[" + Text + "]";
  }

  /// Line, column, file and scopes from the inside out; then the same of every inlining site.
  static std::string location(const DILocation *Loc) {
    std::string Text;
    for (; Loc; Loc = Loc->getInlinedAt()) {
      Text += Text.empty() ? "" : " inlined at ";
      Text += utostr(Loc->getLine()) + ":" + utostr(Loc->getColumn());
      Text += Loc->isImplicitCode() ? " implicit " : " ";
      Text += quoted(Loc->getFilename()) + " " + scope(Loc->getScope());
    }
    return Text;
  }

  static std::string scope(const DIScope *Scope) {
    std::string Text;
    for (; Scope; Scope = Scope->getScope()) {
      Text += Text.empty() ? "" : " < ";
      if (auto *Block = dyn_cast<DILexicalBlock>(Scope)) {
        Text += "block " + utostr(Block->getLine()) + ":" + utostr(Block->getColumn());
      } else if (auto *File = dyn_cast<DILexicalBlockFile>(Scope)) {
        Text += "file " + utostr(File->getDiscriminator());
      } else if (auto *SP = dyn_cast<DISubprogram>(Scope)) {
        return Text + "fn " + quoted(SP->getName());
      } else {
        return Text + nodeShape(Scope);
      }
    }
    return Text + "none";
  }

  /// Kind and name of a scope and of all scopes around it.
  static std::string qualifier(const DIScope *Scope) {
    std::string Text = scopeName(Scope);
    for (; Scope && Scope->getScope(); Scope = Scope->getScope())
      Text += " < " + scopeName(Scope->getScope());
    return Text;
  }

private:
  std::map<std::string, std::string> Known;

  static std::string scopeName(const DIScope *Scope) {
    if (!Scope)
      return "none";
    if (auto *Block = dyn_cast<DILexicalBlockBase>(Scope))
      return isa<DILexicalBlock>(Block) ? "block" : "file";
    if (auto *Ty = dyn_cast<DIType>(Scope))
      return "type " + quoted(Ty->getName());
    if (auto *File = dyn_cast<DIFile>(Scope))
      return "DIFile " + quoted(File->getFilename());
    if (isa<DINamespace>(Scope))
      return "namespace " + quoted(Scope->getName());
    if (isa<DISubprogram>(Scope))
      return "fn " + quoted(Scope->getName());
    return nodeShape(Scope);
  }

  static std::string templates(DITemplateParameterArray Parameters) {
    std::string Text;
    for (const DITemplateParameter *Parameter : Parameters) {
      Text += (Text.empty() ? "" : "; ") + quoted(Parameter->getName()) + " " + name(Parameter->getType());
      if (auto *Value = dyn_cast<DITemplateValueParameter>(Parameter))
        Text += " = " + bound(Value->getValue());
    }
    return Text.empty() ? "" : " <" + Text + ">";
  }

  /// Tag and name of a type.
  static std::string name(const DIType *Ty) {
    return Ty ? tag(Ty->getTag()) + " " + quoted(Ty->getName()) : "void";
  }

  /// Where a type stands in the source. Members stand in their own struct.
  static std::string place(const DIType *Ty) {
    std::string Text = Ty->getLine() ? " line=" + utostr(Ty->getLine()) : "";
    if (Ty->getTag() == dwarf::DW_TAG_member || Ty->getTag() == dwarf::DW_TAG_inheritance)
      return Text;
    if (Ty->getFile())
      Text += " file=" + quoted(Ty->getFilename());
    return Text + (Ty->getScope() ? " in " + scopeName(Ty->getScope()) : "");
  }

  std::string type(const DIType *Ty, unsigned Depth) {
    if (!Ty)
      return "void";
    std::string Text = name(Ty);
    if (Depth == 0)
      return Text;
    Text += " size=" + utostr(Ty->getSizeInBits());
    if (Ty->getAlignInBits())
      Text += " align=" + utostr(Ty->getAlignInBits());
    if (Ty->getOffsetInBits())
      Text += " offset=" + utostr(Ty->getOffsetInBits());
    // Basic types have flags only where the compiler made them up; our reader leaves them.
    if (Ty->getFlags() && !isa<DIBasicType>(Ty))
      Text += " flags=" + utostr(Ty->getFlags());
    if (auto *Basic = dyn_cast<DIBasicType>(Ty))
      return Text + " encoding=" + utostr(Basic->getEncoding());
    if (auto *Derived = dyn_cast<DIDerivedType>(Ty))
      return Text + place(Ty) + extra(Derived->getExtraData()) + " -> " + type(Derived->getBaseType(), Depth - 1);
    if (auto *Composite = dyn_cast<DICompositeType>(Ty))
      return Text + place(Ty) + templates(Composite->getTemplateParams()) + composite(Composite, Depth - 1);
    if (auto *Function = dyn_cast<DISubroutineType>(Ty))
      return Text + signature(Function, Depth - 1);
    return Text;
  }

  /// The values of constants (enumerator-like members, bit-field storage offsets).
  static std::string extra(const Metadata *MD) {
    auto *Value = dyn_cast_or_null<ConstantAsMetadata>(MD);
    auto *Int = Value ? dyn_cast<ConstantInt>(Value->getValue()) : nullptr;
    return Int ? " extra=" + integer(Int->getValue()) : "";
  }

  std::string composite(const DICompositeType *Ty, unsigned Depth) {
    std::string Text;
    if (!Ty->getIdentifier().empty())
      Text += " id=" + quoted(Ty->getIdentifier());
    if (Ty->getBaseType())
      Text += " -> " + type(Ty->getBaseType(), Depth);
    std::string Elements;
    for (const DINode *Element : Ty->getElements())
      Elements += (Elements.empty() ? "" : "; ") + this->element(Element, Depth);
    return Text + " {" + Elements + "}";
  }

  std::string element(const DINode *Node, unsigned Depth) {
    if (!Node)
      return "null";
    if (auto *Ty = dyn_cast<DIType>(Node))
      return type(Ty, Depth);
    if (auto *Range = dyn_cast<DISubrange>(Node))
      return "subrange count=" + bound(Range->getRawCountNode()) + " lower=" + bound(Range->getRawLowerBound()) +
             " upper=" + bound(Range->getRawUpperBound());
    if (auto *Enumerator = dyn_cast<DIEnumerator>(Node))
      return "enumerator " + quoted(Enumerator->getName()) + "=" + enumerator(Enumerator);
    if (auto *Method = dyn_cast<DISubprogram>(Node))
      return "method " + quoted(Method->getName()) + " linkage=" + quoted(Method->getLinkageName());
    return nodeShape(Node);
  }

  static std::string enumerator(const DIEnumerator *Enumerator) {
    const APInt &Value = Enumerator->getValue();
    if (Value.getBitWidth() > 64)
      return integer(Value);
    return Enumerator->isUnsigned() ? utostr(Value.getZExtValue()) : itostr(Value.getSExtValue());
  }

  static std::string bound(const Metadata *MD) {
    if (!MD)
      return "none";
    auto *Value = dyn_cast<ConstantAsMetadata>(MD);
    if (auto *Int = Value ? dyn_cast<ConstantInt>(Value->getValue()) : nullptr)
      return integer(Int->getValue());
    if (auto *Var = dyn_cast<DIVariable>(MD))
      return quoted(Var->getName());
    if (auto *Expr = dyn_cast<DIExpression>(MD))
      return expression(Expr);
    return nodeShape(MD);
  }

  std::string signature(const DISubroutineType *Ty, unsigned Depth) {
    std::string Types;
    for (const DIType *Each : Ty->getTypeArray())
      Types += (Types.empty() ? "" : ", ") + type(Each, Depth);
    return " (" + Types + ")";
  }

  /// DWARF's name of the tag without `DW_TAG_`.
  static std::string tag(unsigned Tag) {
    StringRef Name = dwarf::TagString(Tag);
    return Name.empty() ? "tag" + utostr(Tag) : Name.drop_front(strlen("DW_TAG_")).str();
  }
};

} // namespace oracle
