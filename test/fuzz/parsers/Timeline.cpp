//===- Timeline.cpp - What a runner says of time, made of noise -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing/Timeline.h"
#include "timing/Answer.h"

#include <cstring>
#include <memory>

using namespace belay::timing;

/// A runner of a plain run holds the kernel, which can write its answers. The
/// bytes come after a header that is right, since noise rarely is.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Timeline Read = readTimeline({Data, Size});
  double Sum = 0;
  for (const TimelineEvent &E : Read.Events)
    Sum += nameOf(E.Why)[0] + E.Waited +
           static_cast<double>(Read.Sites[E.Site].Frame) +
           Read.Cores[E.Core].Block;
  for (const TimelineFlow &F : Read.Flows)
    Sum += Read.Cores[F.FromCore].Block + Read.Cores[F.ToCore].Block;
  for (const TimelineSite &S : Read.Sites)
    Sum += static_cast<double>(std::strlen(S.Name));
  auto Time = std::make_unique<Answer>();
  std::memset(static_cast<void *>(Time.get()), 0, sizeof(*Time));
  std::memcpy(static_cast<void *>(Time.get()), Data,
              std::min(Size, sizeof(*Time)));
  clean(*Time);
  for (uint32_t N = 0; N < Time->NumSites; ++N)
    Sum += static_cast<double>(std::strlen(Time->Sites[N].Name));
  Sum += Time->Known ? 1 : static_cast<double>(std::strlen(Time->Why));
  return Sum == 1e300; // never; what was read must not be left out
}
