//===- Findings.cpp - What the sanitizer has to say -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sanitizer/Findings.h"

#include "abi/Buffers.h"
#include "model/core/Core.h"
#include "model/core/Device.h"
#include "model/core/Failure.h"
#include "model/core/Observer.h"

#include <cstdio>

namespace belay::sim {

template <size_t N> static void put(char (&To)[N], const std::string &Text) {
  std::snprintf(To, N, "%s", Text.c_str());
}

About::About(const OperandRecord &O) : Address(O.Address), Buffer(O.Buffer) {}
About::About(const BufferRecord &B) : Address(B.Address), Buffer(&B) {}

/// The newest buffer that holds an address: TPipe::Reset gives bytes out again.
static const BufferRecord *findBuffer(const Core &C, const void *Address) {
  for (auto Block = C.BufferBlocks.rbegin(); Block != C.BufferBlocks.rend();
       ++Block)
    for (uint32_t N = 0; N < Block->Num; ++N) {
      const BufferRecord &B = Block->Records[N];
      if (Address >= B.Address && Address < B.Address + B.Bytes)
        return &B;
    }
  return nullptr;
}

static void nameBuffer(Finding &F, Core *C, const About &Bytes) {
  F.BufferSetUp = Place();
  F.BufferName[0] = '\0';
  if (!Bytes.Address || !C)
    return;
  if (const BufferRecord *B =
          Bytes.Buffer ? Bytes.Buffer : findBuffer(*C, Bytes.Address))
    return describePlace(F.BufferSetUp, C, B->InitializedAt, nullptr);
  if (const GlobalBuffer *B = C->device().findGlobal(Bytes.Address))
    put(F.BufferName, B->Name);
}

static void describeSide(Place &P, const Side &S, const void *Frame) {
  describePlace(P, S.Where, S.PC, Frame);
  P.Block = S.Block.value_or(P.Block);
  P.Execution = S.Execution;
  // The instruction under way is the newest of its line.
  if (!P.Execution && S.Where && S.Where->LastPC == S.PC &&
      S.Where == Core::currentOrNull())
    P.Execution = S.Where->Watcher->executionOf(S.PC);
}

void Findings::add(const char *Id, const Side &Here, const Side &Other,
                   const std::string &Message, const std::string &Hint,
                   const About &Bytes, const std::string &Insert) {
  std::lock_guard<std::mutex> Lock(M);
  auto [It, New] = Known.try_emplace({Id, Here.PC, Other.PC}, Out.NumFindings);
  if (!New) {
    if (It->second < MaxFindings)
      ++Out.Findings[It->second].Count;
    return;
  }
  if (Out.NumFindings == MaxFindings) {
    ++Out.FindingsLost;
    return;
  }
  Finding &F = Out.Findings[Out.NumFindings];
  F.Count = 1;
  put(F.Id, Id);
  put(F.Message, Message);
  put(F.Hint, Hint);
  put(F.HereRole, Here.Role);
  put(F.OtherRole, Other.Role);
  put(F.Insert, Insert);
  describeSide(F.Here, Here, __builtin_frame_address(0));
  describeSide(F.Other, Other, nullptr);
  nameBuffer(F, Core::currentOrNull(), Bytes);
  ++Out.NumFindings; // last, so that a reader never sees half a finding
}

} // namespace belay::sim
