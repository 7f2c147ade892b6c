//===- Helpers.cpp - What emitted code defines for itself -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Helpers.h"

#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace belay::emit;

static StringRef nameOf(Helper Which) {
  switch (Which) {
  case Helper::CeilDiv:
    return "CeilDiv";
  case Helper::FloorDiv:
    return "FloorDiv";
  case Helper::Guard:
    return "BELAY_GUARD";
  }
  llvm_unreachable("all helpers are listed");
}

static StringRef codeOf(Helper Which) {
  switch (Which) {
  case Helper::CeilDiv:
    return R"(__aicore__ inline int64_t CeilDiv(int64_t a, int64_t b) {
  return a / b + ((a % b != 0) && ((a < 0) == (b < 0)) ? 1 : 0);
}
)";
  case Helper::FloorDiv:
    return R"(__aicore__ inline int64_t FloorDiv(int64_t a, int64_t b) {
  return a / b - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0);
}
)";
  case Helper::Guard:
    return R"(// Ends the kernel where something does not hold that could not be proven, before it can
// do harm. On the device the launch fails; the simulator says what it was.
#ifdef BELAY_SIMULATOR
#define BELAY_GUARD(holds, id, property) \
  if (!(holds))                          \
  belay_sim_guard(id, property)
#else
#define BELAY_GUARD(holds, id, property) \
  if (!(holds))                          \
  Trap()
#endif
)";
  }
  llvm_unreachable("all helpers are listed");
}

StringRef Helpers::use(Helper Helper) {
  Used.insert(Helper);
  return nameOf(Helper);
}

void Helpers::print(raw_ostream &Out) const {
  for (Helper Helper : Used)
    Out << codeOf(Helper) << "\n";
}
