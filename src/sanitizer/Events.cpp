//===- Events.cpp - Event ids that queues use up --------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/core/Core.h"
#include "model/core/Device.h"
#include "sanitizer/Sanitizer.h"

namespace belay::sim {

/// Every tensor that a queue has given out needs an event id of the queue's
/// pair of pipes, and all queues between two pipes share the ids.
void Sanitizer::countBuffers(const InstructionRecord &I) {
  if (I.Kind != InstructionKind::Alloc)
    return;
  uint32_t Ids = C.machine().EventIds, Live = 0;
  for (const Core::BufferBlock &Block : C.BufferBlocks)
    for (uint32_t N = 0; N < Block.Num; ++N) {
      const BufferRecord &B = Block.Records[N];
      Live += B.Owner && B.State != BufferState::Free && B.Producer == I.On &&
              B.Consumer == I.To;
    }
  if (Live <= Ids)
    return;
  wording::Text T = wording::tooManyTensors(Live, I.On, I.To, Ids);
  Shared.Out.add("buffer-count", {&C, I.PC, ""}, {}, T.Message, T.Hint);
}

} // namespace belay::sim
