//===- consumed.cpp - What clang refuses of communicators -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Use after move is an error with -Werror=consumed; refused.test compiles this.
//
//===----------------------------------------------------------------------===//

#include "belay/host.h"

using namespace belay::host;

// Expectations are one line each.
// clang-format off

/// Nothing here is refused: buffers that are passed stay what they are.
void right(const Device &device, const RootInfo &root) {
  Stream stream(device);
  Communicator first(device, root, Rank{0}, 2);
  Communicator rank = std::move(first);
  auto x = DeviceBuffer<float>::zeroed(stream, 8);
  auto all = DeviceBuffer<float>::zeroed(stream, 16);
  for (int step = 0; step < 3; ++step) {
    rank.all_reduce(stream, x, reduce::sum);
    rank.all_gather(stream, x, all);
    rank.all_reduce(stream, all.inout(0, 4), reduce::max);
  }
  auto y = x.download(stream);
  std::move(y).wait();
}

void movedCommunicator(const Device &device, const RootInfo &root) {
  Stream stream(device);
  Communicator rank(device, root, Rank{0}, 2);
  Communicator other = std::move(rank);
  rank.barrier(stream);
  // CHECK: consumed.cpp:[[#@LINE-1]]:{{.*}}error: {{.*}}'barrier' on object 'rank' while it is in the 'consumed' state
}
// CHECK-NOT: error: {{.*}}consumed
// CHECK: 1 error generated
