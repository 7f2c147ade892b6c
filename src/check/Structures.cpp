//===- Structures.cpp - Structures of the launch and of the ABI -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Interpreter.h"
#include "check/KernelState.h"
#include "check/Runtime.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;
using namespace belay::check;

//===----------------------------------------------------------------------===//
// Structures of the launch
//===----------------------------------------------------------------------===//

/// A structure that lies in global memory: each field is what the launch says.
void Interpreter::readStructure(PathId Into, QualType Type, const Place &From) {
  touch(From, Type, /*Write=*/false);
  readStructure(Into, Type, *From.Memory, Device->nameOf(From.Memory->Id));
}

void Interpreter::readStructure(PathId Into, QualType Type, const Value &From,
                                const std::string &Name) {
  if (!spend())
    return;
  if (const auto *Array = AST.getAsConstantArrayType(Type)) {
    QualType Element = Array->getElementType();
    int64_t Bytes = AST.getTypeSizeInChars(Element).getQuantity();
    constexpr uint64_t Most = 128;
    for (uint64_t I = 0; I < std::min<uint64_t>(Array->getZExtSize(), Most);
         ++I) {
      Value At = From;
      At.N = At.N + Number(static_cast<int64_t>(I) * Bytes);
      readStructure(Memory.element(Into, I), Element, At,
                    Name + "[" + std::to_string(I) + "]");
    }
    return;
  }
  if (const RecordDecl *Record = Type->getAsRecordDecl()) {
    const ASTRecordLayout &Layout = AST.getASTRecordLayout(Record);
    if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
      for (const CXXBaseSpecifier &Base : Class->bases()) {
        Value At = From;
        if (const auto *Of = Base.getType()->getAsCXXRecordDecl())
          At.N = At.N + Number(Layout.getBaseClassOffset(Of).getQuantity());
        readStructure(Into, Base.getType(), At, Name);
      }
    for (const FieldDecl *Field : Record->fields()) {
      Value At = From;
      At.N = At.N + Number(static_cast<int64_t>(
                        Layout.getFieldOffset(Field->getFieldIndex()) / 8));
      PathId Path = Memory.field(Into, Field);
      readStructure(Path, Field->getType(), At,
                    Name + "." + Field->getNameAsString());
      // Some bits of a byte are no number that a launch is asked for.
      if (const Value *V = Memory.find(Path); V && Field->isBitField())
        V->N.forEachSymbol([&](SymbolId S) { symbols()[S].InLaunch.reset(); });
    }
    return;
  }
  Memory.set(Into, readSymbol(From, Name, Type));
}

/// Which part of an object of this type is the word so many bytes on; 0 if none
/// is. Kernels copy their tiling word by word.
PathId Interpreter::wordAt(PathId Of, QualType Type, int64_t Offset,
                           QualType Word) {
  if (Type->isArithmeticType())
    return !Offset && AST.getTypeSize(Type) == AST.getTypeSize(Word) ? Of : 0;
  auto Within = [&](QualType Part, int64_t At, PathId Path) {
    int64_t Bytes = AST.getTypeSizeInChars(Part).getQuantity();
    return Offset >= At && Offset < At + Bytes
               ? wordAt(Path, Part, Offset - At, Word)
               : 0;
  };
  if (const auto *Array = AST.getAsConstantArrayType(Type)) {
    QualType Each = Array->getElementType();
    int64_t Bytes = AST.getTypeSizeInChars(Each).getQuantity();
    int64_t Index = Bytes ? Offset / Bytes : -1;
    return Index >= 0 && Index < static_cast<int64_t>(Array->getZExtSize())
               ? Within(Each, Index * Bytes, Memory.element(Of, Index))
               : 0;
  }
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (!Record || !Record->isCompleteDefinition() || Record->isUnion())
    return 0;
  const ASTRecordLayout &Layout = AST.getASTRecordLayout(Record);
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
    for (const CXXBaseSpecifier &Base : Class->bases())
      if (const auto *From = Base.getType()->getAsCXXRecordDecl())
        if (PathId Path =
                Within(Base.getType(),
                       Layout.getBaseClassOffset(From).getQuantity(), Of))
          return Path;
  for (const FieldDecl *Field : Record->fields())
    if (!Field->isBitField() && !Field->getType()->isReferenceType())
      if (PathId Path =
              Within(Field->getType(),
                     static_cast<int64_t>(
                         Layout.getFieldOffset(Field->getFieldIndex()) / 8),
                     Memory.field(Of, Field)))
        return Path;
  return 0;
}

/// A word of the launch, by the type of the member that it becomes.
Value Interpreter::readAs(Value V, QualType Type, StringRef Name) {
  if (!V.isNumber() || V.N.constant() || V.N.terms().size() != 1)
    return V;
  const Number::Term &Only = V.N.terms()[0];
  if (Only.Factor != 1 || Only.Of.size() != 1)
    return V;
  const Symbol &Read = symbols()[Only.Of[0]];
  const auto From = Read.ReadAt;
  // A word, not something shorter that was widened.
  unsigned Bits = AST.getIntWidth(Type);
  if (!From || From->Contents != Device->contentsOf(From->Region) ||
      Read.Least != llvm::minIntN(Bits) || Read.Most != llvm::maxIntN(Bits))
    return V;
  Value At = Value::address(From->Region, 0);
  At.N = From->Offset;
  return readSymbol(At, Name, Type);
}

/// The element of a pointer to an object that is no array, as to its words.
std::optional<Place> Interpreter::wordOf(const Value &Base, const Value &Index,
                                         QualType Word) {
  const ValueDecl *Object = Base.isPointer() ? Memory.declOf(Base.Id) : nullptr;
  if (!Object || !Object->getType()->isRecordType() ||
      !Word->isArithmeticType())
    return std::nullopt;
  int64_t Bytes = AST.getTypeSizeInChars(Word).getQuantity();
  int64_t Has = AST.getTypeSizeInChars(Object->getType()).getQuantity();
  std::optional<int64_t> At = Index.constant();
  if (At && (*At < 0 || *At >= Has / Bytes))
    return Place(); // of something else
  PathId Path = At ? wordAt(Base.Id, Object->getType(), *At * Bytes, Word) : 0;
  return Path ? Place{Path, std::nullopt} : Place{0, std::nullopt, {}, Base.Id};
}

/// Bytes from P on are others, in an array those of any element.
void Interpreter::forgetBytes(PathId P) {
  Memory.clear(Memory.indexOf(P) >= 0 ? Memory.parentOf(P) : P);
}

void Interpreter::copyMemory(const Value &To, const Value &From,
                             const CallExpr *Call) {
  if (!To.isPointer())
    return;
  QualType Type = Call->getArg(0)->IgnoreParenImpCasts()->getType();
  if (Type->isPointerType())
    Type = Type->getPointeeType();
  // The whole of one object, or nothing is known of it.
  if (From.isPointer()) {
    std::optional<int64_t> Bytes = evaluate(Call->getArg(2)).constant();
    bool One = Memory.indexOf(To.Id) < 0 && Memory.indexOf(From.Id) < 0;
    if (One && Bytes && Type->isObjectType() && !Type->isIncompleteType() &&
        *Bytes == AST.getTypeSizeInChars(Type).getQuantity())
      return Memory.copy(From.Id, To.Id);
    return forgetBytes(To.Id);
  }
  if (!From.isAddress())
    return forgetBytes(To.Id);
  if (Type->isVoidType() || Type->isIncompleteType())
    return;
  readStructure(To.Id, Type, From, Memory.nameOf(To.Id));
}

//===----------------------------------------------------------------------===//
// Structures of the ABI
//===----------------------------------------------------------------------===//

static const FieldDecl *findField(const RecordDecl *Record, StringRef Name) {
  for (const FieldDecl *Field : Record->fields())
    if (Field->getName() == Name)
      return Field;
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
    for (const CXXBaseSpecifier &Base : Class->bases())
      if (const RecordDecl *Of = Base.getType()->getAsRecordDecl())
        if (const FieldDecl *Field = findField(Of, Name))
          return Field;
  return nullptr;
}

Value Interpreter::fieldByName(PathId Object, const RecordDecl *Record,
                               StringRef Name) {
  const FieldDecl *Field = Record ? findField(Record, Name) : nullptr;
  if (!Field || !Object)
    return {};
  PathId Path = Memory.field(Object, Field);
  if (const Value *V = Memory.find(Path))
    return *V;
  return Field->getType()->isScalarType() ? Value() : Value::pointer(Path);
}

const RecordDecl *Interpreter::abiRecord(StringRef Name) {
  return Kernel.abiRecord(AST, Name);
}

Value Interpreter::member(PathId Object, StringRef Name) {
  for (PathId Part : Memory.partsOf(Object))
    if (const FieldDecl *Field = Memory.fieldOf(Part))
      if (Field->getName() == Name) {
        if (const Value *V = Memory.find(Part))
          return *V;
        return Field->getType()->isScalarType() ? Value()
                                                : Value::pointer(Part);
      }
  return {};
}

void Interpreter::setMember(PathId Object, StringRef Name, Value V) {
  for (PathId Part : Memory.partsOf(Object))
    if (const FieldDecl *Field = Memory.fieldOf(Part))
      if (Field->getName() == Name)
        return Memory.set(Part, std::move(V));
}

PathId Interpreter::makeObject(const RecordDecl *Record) {
  PathId Path = Memory.makeRoot(nullptr);
  if (Record)
    for (const FieldDecl *Field : Record->fields())
      Memory.field(Path, Field);
  return Path;
}
