//===- Lists.cpp - Tensors of lists ---------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An argument may be a list of tensors, whose addresses the kernel reads from
// it. All tensors of one list are taken for one memory, in which each begins
// nobody knows where: the addresses themselves are the places in it. So what
// goes through one of them is compared with what goes through any other.
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"

using namespace belay;
using namespace belay::check;
using sim::Space;

/// What an argument points to, and next to it what the addresses in it do.
RegionId Runtime::makeArgument(const std::string &Name, Origin From) {
  RegionId R = Regions.size();
  Regions.push_back({Space::GM, Name, {}, false, From, 0});
  Regions.push_back(
      {Space::GM, "a tensor of " + Name, {}, false, Origin::Data, 0});
  return R;
}

std::optional<unsigned> Runtime::listOfTensor(RegionId R) const {
  return R ? argumentOf(R - 1) : std::nullopt;
}

unsigned Runtime::globalNumber(RegionId R) const {
  auto At = llvm::find(Arguments, R);
  if (At != Arguments.end())
    return At - Arguments.begin();
  return MostArguments + listOfTensor(R).value_or(MostArguments);
}

/// The number in an address that was read from an argument, if it is one.
static std::optional<SymbolId> readIn(const Number &Address,
                                      const Symbols &Names) {
  std::optional<SymbolId> Read;
  bool Several = false;
  Address.forEachSymbol([&](SymbolId S) {
    const Symbol &Each = Names[S];
    if (!Each.ReadAt || Each.ReadAt->Contents || Address.factorOf(S) != 1)
      return;
    Several |= Read.has_value();
    Read = S;
  });
  return Several ? std::nullopt : Read;
}

/// Where a number leads that a kernel takes for an address of global memory:
/// one that it has read from an argument, and moved at most.
std::optional<Value> Runtime::tensorAt(const Value &Address,
                                       clang::SourceLocation At) {
  if (!Address.isNumber())
    return std::nullopt;
  std::optional<SymbolId> Read = readIn(Address.N, I.symbols());
  if (!Read)
    return std::nullopt;
  RegionId List = I.symbols()[*Read].ReadAt->Region;
  std::optional<unsigned> Argument = argumentOf(List);
  if (!Argument || isWorkspace(List))
    return std::nullopt;
  Kernel.Lists.try_emplace(*Argument, At);
  return Value::address(List + 1, Address.N);
}

std::optional<SymbolId> Runtime::tensorOf(const Operand &O) const {
  return listOfTensor(O.In) ? readIn(O.Begin, I.symbols()) : std::nullopt;
}

/// As arguments do, the tensors of a list have no bytes in common.
bool Runtime::inOtherTensors(const Operand &A, const Operand &B) {
  if (A.In != B.In)
    return false;
  const Symbols &Names = I.symbols();
  std::optional<SymbolId> OfA = tensorOf(A), OfB = tensorOf(B);
  if (!OfA || !OfB || *OfA == *OfB)
    return false;
  Number Apart = Names[*OfB].ReadAt->Offset - Names[*OfA].ReadAt->Offset;
  return Apart.fits() && (I.facts().holds(Apart - Number(8)) ||
                          I.facts().holds(Number(-8) - Apart));
}

/// Addresses that the kernel writes lead where nobody knows.
void KernelState::doubtChangedLists() {
  for (const auto &[Argument, At] : Lists)
    if (ChangedArguments.count(Argument))
      for (Topic T : {Topic::Sync, Topic::Bounds, Topic::Values, Topic::Queues,
                      Topic::Cores})
        unknown(T, At,
                "a tensor's address is read from an argument that the kernel "
                "also writes");
}
