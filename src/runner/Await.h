//===- Await.h - A runner that is started in advance ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_RUNNER_AWAIT_H
#define BELAY_RUNNER_AWAIT_H

#include "sealed/SealedKernel.h"

namespace belay::sim {

/// What a runner was sent: its arguments, as if it had been started with them,
/// with the descriptors that they name.
struct SentLaunch {
  std::vector<std::string> Words;
  sealed::WaitingIssuer Issuer;
};

/// Has belay-issuer started in its sandbox, and waits for the launch. Ends the
/// process if nobody wants one any more.
SentLaunch awaitLaunch();

} // namespace belay::sim

#endif // BELAY_RUNNER_AWAIT_H
