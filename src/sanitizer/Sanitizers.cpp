//===- Sanitizers.cpp - Has a launch checked ------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sanitizer/Sanitizers.h"

#include "model/core/Device.h"
#include "sanitizer/Sanitizer.h"

#include <cstring>
#include <map>

namespace belay::sim {

namespace {

/// One sanitizer for each core, and what they share.
class Sanitizers : public LaunchObserver {
public:
  explicit Sanitizers(Device &D) : Launch(D), Shared(*report(), D) {
    for (const GlobalBuffer &B : D.globals())
      if (B.MustWrite && B.Bytes >= B.ElementBytes)
        Blank[B.Address].assign(B.Address, B.Address + B.ElementBytes);
  }

  std::unique_ptr<Observer> makeFor(Core &C) override {
    return std::make_unique<Sanitizer>(C, Shared, Launch.plan().CompilerSync);
  }
  void onEnd() override {
    Shared.Flags.end(Launch, Shared.Out);
    for (const GlobalBuffer &B : Launch.globals())
      if (Blank.count(B.Address))
        reportGaps(B);
  }

private:
  /// Elements of an output that nobody wrote, not even a byte. They have no
  /// line; the store in front of the first is the one that ended too early.
  void reportGaps(const GlobalBuffer &B) {
    uint64_t Size = B.ElementBytes, First = ~uint64_t(0), Missing = 0, Next = 0;
    const uint8_t *Was = Blank[B.Address].data();
    Shared.Values.forEachGap(B.Address, [&](uint64_t Begin, uint64_t End) {
      Next = std::max(Next, Begin / Size);
      for (; Next * Size < End && (Next + 1) * Size <= B.Bytes; ++Next)
        if (std::memcmp(B.Address + Next * Size, Was, Size) == 0) {
          First = std::min(First, Next);
          ++Missing;
        }
    });
    if (!Missing)
      return;
    auto Begin = reinterpret_cast<uint64_t>(B.Address);
    const GlobalAccess *Store =
        Shared.Global.writeBefore(Begin, Begin + First * Size);
    Side Here;
    if (Store)
      Here = {Store->Who, Store->Where.PC, "", Store->Block,
              Store->Where.Execution};
    wording::Text T = wording::unwritten(
        B.Name, std::to_string(Missing), std::to_string(B.Bytes / Size),
        std::to_string(First), Store != nullptr);
    Shared.Out.add("unwritten-output", Here, {}, T.Message, T.Hint);
  }

  Device &Launch;
  /// An element of each output as it was before: all are the same. A kernel may
  /// write through a plain pointer, which the stream does not show.
  std::map<const uint8_t *, std::vector<uint8_t>> Blank;
  SharedChecks Shared;
};

} // namespace

void checkIfRequested(Device &D) {
  if (D.plan().Check)
    D.observeWith(std::make_unique<Sanitizers>(D));
}

} // namespace belay::sim
