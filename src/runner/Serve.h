//===- Serve.h - Kernels of a host program ----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_RUNNER_SERVE_H
#define BELAY_RUNNER_SERVE_H

namespace belay::sim {

/// Launches what arrives over the socket until its other end is closed; see
/// abi/Serve.h. Returns the status to exit with.
int serve(int SocketFd, int ChannelFd, int MemoryFd);

} // namespace belay::sim

#endif // BELAY_RUNNER_SERVE_H
