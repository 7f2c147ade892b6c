//===- Names.cpp - Names of the source in emitted code --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Names.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace belay::emit;

/// What a variable cannot be called: keywords, types, and what emitted code
/// says itself.
static constexpr const char *Reserved[] = {
    "alignas",   "alignof",   "and",      "asm",     "auto",     "break",
    "case",      "catch",     "char",     "class",   "const",    "continue",
    "default",   "delete",    "do",       "else",    "enum",     "extern",
    "false",     "for",       "goto",     "if",      "inline",   "int",
    "long",      "namespace", "new",      "not",     "operator", "or",
    "private",   "public",    "register", "return",  "short",    "signed",
    "sizeof",    "static",    "struct",   "switch",  "template", "this",
    "throw",     "true",      "try",      "typedef", "typename", "union",
    "unsigned",  "using",     "virtual",  "void",    "volatile", "while",
    "xor",       "pipe",      "l1",       "l0a",     "l0b",      "l0c",
    "noPadding", "ub",        "tail",     "AscendC", "alone",
#define BELAY_ELEMENT_KERNEL(Id, Type, Dump) #Type,
#include "targets/Elements.def"
};

Names::Names() {
  for (const char *Word : Reserved)
    Taken.insert(Word);
}

std::optional<StringRef> belay::emit::sourceNameOf(Location Loc) {
  if (auto Name = dyn_cast<NameLoc>(Loc))
    return Name.getName().getValue();
  if (auto Fused = dyn_cast<FusedLoc>(Loc))
    for (Location Part : Fused.getLocations())
      if (std::optional<StringRef> Name = sourceNameOf(Part))
        return Name;
  return std::nullopt;
}

std::string belay::emit::parameterName(BlockArgument Argument) {
  auto NameInSource = [](BlockArgument Other) {
    return sourceNameOf(Other.getLoc()).value_or("");
  };
  if (!NameInSource(Argument).empty())
    return NameInSource(Argument).str();
  std::string Name = "arg" + std::to_string(Argument.getArgNumber());
  while (llvm::is_contained(
      llvm::map_range(Argument.getOwner()->getArguments(), NameInSource), Name))
    Name += "_";
  return Name;
}

static std::string asIdentifier(StringRef Wanted) {
  std::string Name;
  for (char C : Wanted)
    Name += llvm::isAlnum(C) || C == '_' ? C : '_';
  if (Name.empty() || llvm::isDigit(Name[0]))
    Name.insert(Name.begin(), 'v');
  // AscendC's functions begin with a capital, and so do ours.
  if (Name.size() > 1 && llvm::isUpper(Name[0]))
    Name += '_';
  return Name;
}

void Names::claim(Operation *Kernel) {
  auto Claim = [&](Location Loc) {
    if (std::optional<StringRef> Name = sourceNameOf(Loc))
      Claimed.insert(asIdentifier(*Name));
  };
  Kernel->walk([&](Operation *Op) {
    if (Op != Kernel)
      Claim(Op->getLoc());
    for (Region &Region : Op->getRegions())
      for (BlockArgument Argument : Region.getArguments())
        Claim(Argument.getLoc());
  });
}

std::string Names::fresh(StringRef Wanted) {
  std::string Base = asIdentifier(Wanted), Name = Base;
  for (unsigned I = 2; Claimed.contains(Name) || !Taken.insert(Name).second;
       ++I)
    Name = Base + "_" + std::to_string(I);
  return Name;
}

std::string Names::declare(Value Value, StringRef Fallback) {
  std::optional<StringRef> Source = sourceNameOf(Value.getLoc());
  std::string Name = asIdentifier(Source.value_or(Fallback));
  // A claimed name is for the first that the source calls so.
  if (!Source || !Taken.insert(Name).second)
    Name = fresh(Name);
  Known[Value] = Name;
  return Name;
}

void Names::alias(Value Value, StringRef Name) { Known[Value] = Name.str(); }

StringRef Names::lookup(Value Value) const {
  auto Found = Known.find(Value);
  return Found == Known.end() ? StringRef() : StringRef(Found->second);
}
