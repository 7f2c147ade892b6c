//===- Store.h - What a kernel's variables hold -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scalar unit's own memory: variables, members, elements of arrays. Each is
// a path from a variable. Global and local memories of the device are regions,
// whose contents are not kept; see Runtime.h.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_STORE_H
#define BELAY_CHECK_STORE_H

#include "check/Number.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <deque>
#include <map>
#include <optional>

namespace clang {
class LambdaExpr;
} // namespace clang

namespace belay::check {

using PathId = uint32_t; // 0: nowhere
using RegionId = uint32_t;

/// An operation whose result did not fit its type.
struct Wrap {
  clang::SourceLocation At;
  std::string Type;
  std::string Result;
  bool PerBlock = false;
  /// A loop goes through it, or a number of 64 bits that a cast cut: whether it
  /// fits is a condition, and no sign of a mistake.
  bool Looped = false;
  /// Of a product: what the launch decides.
  std::vector<SymbolId> Factors = {};
  /// What is left up to the largest number of its type.
  Number Room = {};

  /// Whether that it fits is a condition of the launch, which many launches of
  /// right kernels meet.
  bool isLooped() const { return Looped || Factors.size() < 2; }
};

struct Value {
  enum class Kind : uint8_t {
    Unknown,
    Number,
    Real,    ///< A floating-point value; which one is not followed.
    Pointer, ///< To a variable: Id is its path.
    Address, ///< In a memory of the device: Id is a region, N bytes into it.
    Null,
    Function,
  } What = Kind::Unknown;
  Number N;
  uint32_t Id = 0;
  const clang::FunctionDecl *Callee = nullptr;
  /// A result that wrapped and that this one was made from; a product that may
  /// have wrapped; a difference that may be below zero; 64 bits that became 32.
  const Wrap *Wrapped = nullptr;
  const Wrap *MayWrap = nullptr;
  const Wrap *MayBeNegative = nullptr;
  const Wrap *Narrowed = nullptr;

  bool isNumber() const { return What == Kind::Number; }
  bool isAddress() const { return What == Kind::Address; }
  bool isPointer() const { return What == Kind::Pointer; }
  std::optional<int64_t> constant() const {
    if (isNumber() && N.isConstant())
      return N.constant();
    return std::nullopt;
  }

  static Value number(Number N) {
    Value V;
    V.What = Kind::Number;
    V.N = std::move(N);
    return V;
  }
  static Value real() {
    Value V;
    V.What = Kind::Real;
    return V;
  }
  static Value null() {
    Value V;
    V.What = Kind::Null;
    return V;
  }
  static Value pointer(PathId To) {
    Value V;
    V.What = Kind::Pointer;
    V.Id = To;
    return V;
  }
  static Value address(RegionId Region, Number Offset) {
    Value V;
    V.What = Kind::Address;
    V.Id = Region;
    V.N = std::move(Offset);
    return V;
  }
};

/// Where an expression that can be assigned to lies.
struct Place {
  PathId Path = 0;               ///< A variable or a part of one, or
  std::optional<Value> Memory;   ///< an address of the device; else unknown.
  clang::SourceLocation At = {}; ///< Of the pointer that leads there.
  PathId Within = 0;             ///< Of an unknown place: what it is a part of.
};

class Store {
public:
  Store() : Nodes(1) {}
  Store(const Store &) = delete;
  Store &operator=(const Store &) = delete;

  /// What all variables held at some time. Only what is changed after it is
  /// kept: most variables of a kernel are the numbers of its tiling.
  class Snapshot {
  public:
    explicit Snapshot(Store &Of) : Of(Of), Size(Of.size()) {
      Of.Snapshots.push_back(this);
    }
    ~Snapshot() { llvm::erase(Of.Snapshots, this); }
    Snapshot(const Snapshot &) = delete;
    Snapshot &operator=(const Snapshot &) = delete;

    /// What P held then, if it held something.
    const Value *find(PathId P) const;
    /// As if what P holds now had been in it then.
    void update(PathId P);
    /// All that may hold something else by now, in order.
    std::vector<PathId> changed() const;

  private:
    friend class Store;
    Store &Of;
    PathId Size; ///< Those from here on were made later.
    std::map<PathId, std::optional<Value>> Before;
  };

  PathId makeRoot(const clang::ValueDecl *Decl);
  PathId field(PathId Of, const clang::FieldDecl *Field);
  PathId element(PathId Of, int64_t Index);
  /// The element so much further on in the same array; 0 if it is in none.
  PathId sibling(PathId Element, int64_t Distance);

  const Value *find(PathId P) const {
    return P < Nodes.size() && Nodes[P].Set ? &Nodes[P].Holds : nullptr;
  }
  void set(PathId P, Value V) {
    willChange(P);
    Nodes[P].Holds = std::move(V);
    Nodes[P].Set = true;
  }
  /// Forgets what P and all its parts hold.
  void clear(PathId P);
  void copy(PathId From, PathId To);
  /// What the user calls it: the last name on the path, with its index.
  std::string nameOf(PathId P) const;
  const clang::FieldDecl *fieldOf(PathId P) const { return Nodes[P].Field; }
  llvm::ArrayRef<PathId> partsOf(PathId P) const { return Nodes[P].Parts; }
  PathId parentOf(PathId P) const { return Nodes[P].Parent; }
  /// The variable that P is a part of.
  const clang::ValueDecl *rootOf(PathId P) const {
    while (Nodes[P].Parent)
      P = Nodes[P].Parent;
    return Nodes[P].Root;
  }
  int64_t indexOf(PathId P) const { return Nodes[P].Index; }
  size_t size() const { return Nodes.size(); }
  PathId rootIdOf(PathId P) const {
    while (Nodes[P].Parent)
      P = Nodes[P].Parent;
    return P;
  }
  /// The variable or the member, if it is one and no element.
  const clang::ValueDecl *declOf(PathId P) const {
    return Nodes[P].Field ? Nodes[P].Field : Nodes[P].Root;
  }
  /// Names the same variable on all paths through a kernel.
  std::string keyOf(PathId P) const;

private:
  struct Node {
    PathId Parent = 0;
    const clang::FieldDecl *Field = nullptr; // of a member
    int64_t Index = -1;                      // of an element
    const clang::ValueDecl *Root = nullptr;
    std::vector<PathId> Parts;
    Value Holds;
    bool Set = false;
  };
  PathId part(PathId Of, const clang::FieldDecl *Field, int64_t Index);
  void willChange(PathId P) {
    for (Snapshot *Each : Snapshots)
      if (P < Each->Size)
        Each->Before.try_emplace(P, Nodes[P].Set ? std::optional(Nodes[P].Holds)
                                                 : std::nullopt);
  }

  llvm::SmallVector<Snapshot *> Snapshots;
  std::deque<Node> Nodes; // never moved
};

} // namespace belay::check

#endif // BELAY_CHECK_STORE_H
