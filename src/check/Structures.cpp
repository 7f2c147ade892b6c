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
