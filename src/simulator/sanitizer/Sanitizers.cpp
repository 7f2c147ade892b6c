//===- Sanitizers.cpp - Has a launch checked ------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sanitizer/Sanitizers.h"

#include "sanitizer/Sanitizer.h"

namespace belay::sim {

namespace {

/// One sanitizer for each core, and what they share.
class Sanitizers : public LaunchObserver {
public:
  explicit Sanitizers(Device &D) : Launch(D), Shared(*report(), D) {}

  std::unique_ptr<Observer> makeFor(Core &C) override {
    return std::make_unique<Sanitizer>(C, Shared, Launch.plan().CompilerSync);
  }
  void onEnd() override { Shared.Flags.end(Launch, Shared.Out); }

private:
  Device &Launch;
  SharedChecks Shared;
};

} // namespace

void checkIfAsked(Device &D) {
  if (D.plan().Check)
    D.observeWith(std::make_unique<Sanitizers>(D));
}

} // namespace belay::sim
