//===- Rendezvous.h - How ranks find each other -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_HCCL_RENDEZVOUS_H
#define BELAY_DEVICE_HCCL_RENDEZVOUS_H

#include "device/hccl/Board.h"

namespace belay::device::hccl {

/// A name that nobody else has.
BELAY_DEVICE_API std::string uniqueName();

/// Gives the board of that name to all processes of this user that ask, from
/// now on until all ranks have joined it. False if there can be no socket.
BELAY_DEVICE_API bool serve(const std::string &Name);

/// The board of that name: made here if \p Serve, else had from the process
/// that serves it, which may not have begun yet. Null, with the problem, if
/// that did not come in time or has another number of ranks.
BELAY_DEVICE_API std::shared_ptr<Board> attach(const std::string &Name,
                                               uint32_t Ranks, bool Serve,
                                               Time Until,
                                               std::string &Problem);

/// The number of ranks of a rank table (a file in JSON); 0 with the problem.
BELAY_DEVICE_API uint32_t ranksOfTable(const std::string &Path,
                                       std::string &Text, std::string &Problem);

} // namespace belay::device::hccl

#endif // BELAY_DEVICE_HCCL_RENDEZVOUS_H
