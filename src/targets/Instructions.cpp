//===- Instructions.cpp - Which instruction has which types ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "targets/Elements.h"

namespace belay::targets {

namespace {

constexpr uint32_t bit(Element Type) {
  return uint32_t(1) << static_cast<unsigned>(Type);
}

struct Row {
  std::string_view Name;
  uint32_t On2002, On2201, On3510, ByCount3510;
};

constexpr uint32_t None = 0, Any = ~uint32_t(0);
#define BELAY_ELEMENT_KERNEL(Id, Type, Dump)                                   \
  [[maybe_unused]] constexpr uint32_t Id =                                     \
      uint32_t(1) << static_cast<unsigned>(element_types::id::Id);
#include "targets/Elements.def"

constexpr Row Rows[] = {
#define BELAY_DTYPES(Name, On2002, On2201, On3510, CountOnly)                  \
  {#Name, On2002, On2201, On3510, CountOnly},
#include "targets/Instructions.def"
};

struct Conversion {
  uint32_t Arch;
  Element From, To;
  uint32_t Modes;
};

constexpr uint32_t bit(CastMode Mode) {
  return uint32_t(1) << static_cast<unsigned>(Mode);
}

constexpr Conversion Conversions[] = {
#define BELAY_CAST(Arch, From, To, Modes)                                      \
  {Arch, Element::From, Element::To, [] {                                      \
     [[maybe_unused]] constexpr uint32_t N = bit(CastMode::N),                 \
                                         R = bit(CastMode::R),                 \
                                         F = bit(CastMode::F),                 \
                                         C = bit(CastMode::C),                 \
                                         A = bit(CastMode::A),                 \
                                         T = bit(CastMode::T),                 \
                                         O = bit(CastMode::O);                 \
     return Modes;                                                             \
   }()},
#include "targets/Casts.def"
};

} // namespace

bool hasCast(const Arch &Arch, Element From, Element To, CastMode Mode) {
  for (const Conversion &C : Conversions)
    if (C.Arch == Arch.number && C.From == From && C.To == To)
      return C.Modes & bit(Mode);
  return false;
}

bool isListed(std::string_view Instruction) {
  for (const Row &R : Rows)
    if (R.Name == Instruction)
      return true;
  return false;
}

bool hasForm(const Arch &Arch, std::string_view Instruction, Element Type,
             bool ByCount) {
  for (const Row &R : Rows) {
    if (R.Name != Instruction)
      continue;
    switch (Arch.number) {
    case 2002:
      return R.On2002 & bit(Type);
    case 2201:
      return R.On2201 & bit(Type);
    case 3510:
      return (R.On3510 | (ByCount ? R.ByCount3510 : None)) & bit(Type);
    default:
      return false;
    }
  }
  return false;
}

} // namespace belay::targets
