//===- Store.cpp - What a kernel's variables hold -------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Store.h"
#include "llvm/ADT/Sequence.h"

using namespace belay::check;

PathId Store::makeRoot(const clang::ValueDecl *Decl) {
  Nodes.emplace_back();
  Nodes.back().Root = Decl;
  return Nodes.size() - 1;
}

PathId Store::part(PathId Of, const clang::FieldDecl *Field, int64_t Index) {
  if (!Of)
    return 0;
  // The elements of most arrays are made in order.
  if (Index >= 0 && size_t(Index) < Nodes[Of].Parts.size())
    if (PathId P = Nodes[Of].Parts[Index]; Nodes[P].Index == Index)
      return P;
  for (PathId P : Nodes[Of].Parts)
    if (Nodes[P].Field == Field && Nodes[P].Index == Index)
      return P;
  PathId New = Nodes.size();
  Nodes.emplace_back();
  Nodes[New].Parent = Of;
  Nodes[New].Field = Field;
  Nodes[New].Index = Index;
  Nodes[Of].Parts.push_back(New);
  return New;
}

/// Members of a union that have the same type are one.
static const clang::FieldDecl *overlaid(const clang::FieldDecl *Field) {
  if (!Field->getParent()->isUnion() || Field->isBitField())
    return Field;
  auto TypeOf = [](const clang::FieldDecl *F) {
    return F->getType().getCanonicalType().getUnqualifiedType();
  };
  for (const clang::FieldDecl *Other : Field->getParent()->fields())
    if (!Other->isBitField() && TypeOf(Other) == TypeOf(Field))
      return Other;
  return Field;
}

PathId Store::field(PathId Of, const clang::FieldDecl *Field) {
  return part(Of, overlaid(Field)->getFirstDecl(), -1);
}

PathId Store::element(PathId Of, int64_t Index) {
  return Index < 0 ? 0 : part(Of, nullptr, Index);
}

PathId Store::sibling(PathId Element, int64_t Distance) {
  if (!Distance)
    return Element;
  const Node &N = Nodes[Element];
  return N.Index < 0 ? 0 : element(N.Parent, N.Index + Distance);
}

void Store::clear(PathId P) {
  willChange(P);
  Nodes[P].Set = false;
  for (size_t I = 0; I < Nodes[P].Parts.size(); ++I)
    clear(Nodes[P].Parts[I]);
}

void Store::copy(PathId From, PathId To) {
  if (!From || !To || From == To)
    return;
  willChange(To);
  Nodes[To].Set = Nodes[From].Set;
  if (Nodes[From].Set)
    Nodes[To].Holds = Nodes[From].Holds;
  for (size_t I = 0; I < Nodes[To].Parts.size(); ++I)
    clear(Nodes[To].Parts[I]);
  for (size_t I = 0; I < Nodes[From].Parts.size(); ++I) {
    PathId Each = Nodes[From].Parts[I];
    copy(Each, part(To, Nodes[Each].Field, Nodes[Each].Index));
  }
}

std::string Store::keyOf(PathId P) const {
  std::string Key;
  for (; P; P = Nodes[P].Parent) {
    const clang::ValueDecl *D = declOf(P);
    Key += "." + (D ? std::to_string(D->getLocation().getRawEncoding())
                    : "[" + std::to_string(Nodes[P].Index) + "]");
  }
  return Key;
}

std::string Store::nameOf(PathId P) const {
  if (!P)
    return {};
  const Node &N = Nodes[P];
  if (N.Root)
    return N.Root->getNameAsString();
  if (N.Field)
    return N.Field->getNameAsString();
  if (N.Index >= 0)
    return nameOf(N.Parent) + "[" + std::to_string(N.Index) + "]";
  return {};
}

const Value *Store::Snapshot::find(PathId P) const {
  if (P >= Size)
    return nullptr;
  auto At = Before.find(P);
  if (At == Before.end())
    return Of.find(P);
  return At->second ? &*At->second : nullptr;
}

void Store::Snapshot::update(PathId P) {
  const Value *Now = Of.find(P);
  if (P < Size)
    Before[P] = Now ? std::optional(*Now) : std::nullopt;
}

std::vector<PathId> Store::Snapshot::changed() const {
  auto Written = llvm::make_first_range(Before);
  std::vector<PathId> All(Written.begin(), Written.end());
  llvm::append_range(All, llvm::seq<PathId>(Size, Of.size()));
  return All;
}
