//===- Dtypes.cpp - What exists on which architecture ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/Dtypes.h"

#include "abi/Wording.h"
#include "model/core/Issue.h"

#include <cstring>

namespace belay::sim {

namespace {

constexpr uint32_t None = 0;
constexpr uint32_t Any = ~uint32_t(0);
#define BELAY_ELEMENT_KERNEL(Id, Type, Dump)                                   \
  [[maybe_unused]] constexpr uint32_t Id = uint32_t(1)                         \
                                           << static_cast<unsigned>(Elem::Id);
#include "belay/elements.def"

constexpr DtypeRow Rows[] = {
#define BELAY_DTYPES(Name, On2002, On2201, On3510, CountOnly)                  \
  {#Name, On2002, On2201, On3510, CountOnly},
#include "targets/Instructions.def"
};

} // namespace

const DtypeRow *findDtypes(const char *Name) {
  for (const DtypeRow &R : Rows)
    if (std::strcmp(R.Name, Name) == 0)
      return &R;
  return nullptr;
}

void checkDtype(Issue &I, const DtypeRow *Row, Elem T, MaskMode Mode) {
  if (!Row)
    return;
  uint32_t Legal = Any, ByCount = 0;
  switch (I.core().machine().Arch) {
  case 2002:
    Legal = Row->On2002;
    break;
  case 2201:
    Legal = Row->On2201;
    break;
  case 3510:
    Legal = Row->On3510;
    ByCount = Row->CountOnly3510;
    break;
  default: // no complete reference for the others
    return;
  }
  uint32_t Bit = uint32_t(1) << static_cast<unsigned>(T);
  if (Legal & Bit)
    return;
  if (!Legal && !ByCount)
    requireFact(I, false);
  if (!(ByCount & Bit))
    I.unsupported(T);
  if (Mode == MaskMode::Count)
    return;
  const wording::Text Says =
      wording::onlyByCount(I.name(), T, I.core().machine().Arch);
  fail("unsupported-dtype", I.pc(), Says.Hint.c_str(), "%s",
       Says.Message.c_str());
}

void requireFact(const Issue &I, bool Has) {
  if (Has)
    return;
  const wording::Text Says =
      wording::missingApi(I.name(), I.core().arch().number);
  fail("unsupported-api", I.pc(), Says.Hint.c_str(), "%s",
       Says.Message.c_str());
}

} // namespace belay::sim
