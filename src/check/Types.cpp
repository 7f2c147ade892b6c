//===- Types.cpp - Whether instructions have their element types ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By the tables that the simulator has: src/targets/Instructions.def,
// Casts.def.
//
//===----------------------------------------------------------------------===//

#include "abi/Atomics.h"
#include "check/Runtime.h"
#include "targets/Instructions.h"
#include "llvm/ADT/StringSwitch.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::Elem;
namespace wording = sim::wording;

/// As the table calls it: several calls are one instruction.
static StringRef rowOf(InstructionCall Which, StringRef Name) {
  if (Which == InstructionCall::scalar)
    return StringSwitch<StringRef>(Name)
        .Case("ShiftLeft", "ShiftLefts")
        .Case("ShiftRight", "ShiftRights")
        .Default(Name);
  return Which == InstructionCall::compare ? "Compare" : Name;
}

static targets::Element elementOf(Elem T) {
  return static_cast<targets::Element>(T);
}

/// By which the instruction is chosen: what it compares, or what it makes.
static std::optional<Elem> chosenBy(InstructionCall Which, const Event &E) {
  for (const Operand &O : E.Operands)
    if (!O.Bits && O.Write == (Which != InstructionCall::compare))
      return O.Type;
  return std::nullopt;
}

void Runtime::checkExists(StringRef Name, bool Has) {
  const targets::Arch &Arch = *Kernel.Target.arch;
  if (!Has && Arch.coverage == targets::Coverage::Simulated)
    Kernel.find("unsupported-api", {I.here(), ""}, {},
                wording::missingApi(Name.str(), Arch.number));
}

void Runtime::checkInstruction(InstructionCall Which) {
  const targets::Arch &Arch = *Kernel.Target.arch;
  auto Has = [&] {
    switch (Which) {
    case InstructionCall::copy_pad:
      return Arch.hasDataCopyPad;
    case InstructionCall::cube_fixpipe:
      return Arch.hasFixpipe;
    case InstructionCall::cube_load_squares:
      return Arch.hasLoadTransposed;
    case InstructionCall::gather_blocks:
      return Arch.hasGatherb;
    default:
      return true;
    }
  };
  checkExists(I.apiName(), Has());
}

void Runtime::checkTypes(const Event &E, InstructionCall Which, Args A,
                         bool ByCount) {
  const targets::Arch &Arch = *Kernel.Target.arch;
  if (Arch.coverage != targets::Coverage::Simulated)
    return; // no complete reference
  if (Which == InstructionCall::cast)
    return checkConversion(E, A);
  bool Reduces = Which == InstructionCall::reduce_parts ||
                 Which == InstructionCall::reduce_all;
  if (Reduces && Arch.reducesIntegers)
    return; // more than the table has
  StringRef Row = rowOf(Which, E.Name);
  std::optional<Elem> T = chosenBy(Which, E);
  if (!T || !targets::isListed(Row) ||
      targets::hasForm(Arch, Row, elementOf(*T), ByCount))
    return;
  if (!ByCount && targets::hasForm(Arch, Row, elementOf(*T), true))
    Kernel.find("unsupported-dtype", {E.At, ""}, {},
                wording::onlyByCount(E.Name, *T, Arch.number));
  else
    Kernel.find("unsupported-dtype", {E.At, ""}, {},
                wording::unsupportedType(E.Name, *T, Arch.number));
}

void Runtime::checkAtomicType(const Event &E) {
  const Operand *Dst = E.Operands.empty() ? nullptr : &E.Operands.back();
  if (!Dst || !Dst->Write || !Dst->Atomic)
    return;
  if (!AtomicType)
    return Kernel.unknown(Topic::Parameters, E.At,
                          "what atomic copies add is not followed");
  if (sim::addsAs(Dst->Type, *AtomicType))
    return;
  // The right data may be seen as integers.
  if (sim::isFloat(Dst->Type))
    Kernel.find("type-confusion", {E.At, ""}, {AtomicAt, "made atomic"},
                wording::atomicType(E.Name, sim::nameOf(Dst->Type),
                                    sim::nameOf(*AtomicType)),
                bufferOf(*Dst));
  else
    Kernel.unknown(Topic::Parameters, E.At,
                   "whether " + E.Name + " stores numbers of type " +
                       sim::nameOf(*AtomicType) + " is not known");
}

void Runtime::checkConversion(const Event &E, Args A) {
  const targets::Arch &Arch = *Kernel.Target.arch;
  std::optional<int64_t> To = A[0].constant(), From = A[1].constant(),
                         Mode = A[2].constant();
  if (!To || !From || !Mode)
    return Kernel.unknown(Topic::Parameters, E.At,
                          "how " + E.Name + " converts is not followed");
  auto Has = [&](targets::CastMode M) {
    return targets::hasCast(Arch, elementOf(static_cast<Elem>(*From)),
                            elementOf(static_cast<Elem>(*To)), M);
  };
  if (Has(static_cast<targets::CastMode>(*Mode)))
    return;
  using targets::CastMode;
  bool Any = any_of(
      ArrayRef<CastMode>({CastMode::N, CastMode::R, CastMode::F, CastMode::C,
                          CastMode::A, CastMode::T, CastMode::O}),
      Has);
  auto Src = static_cast<Elem>(*From), Dst = static_cast<Elem>(*To);
  Kernel.find("unsupported-dtype", {E.At, ""}, {},
              Any ? wording::unsupportedRounding(E.Name, Src, Dst, Arch.number)
                  : wording::unsupportedCast(E.Name, Src, Dst, Arch.number));
}
