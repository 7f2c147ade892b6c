//===- refused.cpp - What communicators do not let through ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One mistake per function, each with the line where both compilers have to
// refuse it; refused.test compiles the file and compares. H23 of docs/host.md.
//
//===----------------------------------------------------------------------===//

#include "belay/host.h"

using namespace belay::host;

// Expectations are one line each.
// clang-format off

struct Pair {
  float a, b;
};
template <> inline constexpr bool belay::host::sendable<Pair> = true;

struct Scene {
  const Device &device;
  Stream &stream;
  Communicator &rank;
  DeviceBuffer<float> &x, &y;
  const DeviceBuffer<float> &constant;
  DeviceBuffer<int32_t> &integers;
  DeviceBuffer<Pair> &pairs;
  DeviceBuffer<bool> &flags;
  float *pointer;
};

void noDestroy(Scene &s) {
  s.rank.destroy();
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}destroy
}
void ranksAreNotCopied(Scene &s) {
  Communicator other = s.rank;
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}delete
}
void typesDiffer(Scene &s) {
  s.rank.all_reduce(s.stream, s.x, s.integers, reduce::sum);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: no matching {{.*}}all_reduce
}
void notAType(Scene &s) {
  s.rank.all_gather(s.stream, s.pairs, s.pairs);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: no matching {{.*}}all_gather
}
void notANumber(Scene &s) {
  s.rank.all_reduce(s.stream, s.flags, reduce::max);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: no matching {{.*}}all_reduce
}
void hostMemory(Scene &s) {
  s.rank.broadcast(s.stream, s.pointer, Rank{0});
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: no matching {{.*}}broadcast
}
void constantResult(Scene &s) {
  s.rank.all_gather(s.stream, s.x, s.constant);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: no matching {{.*}}all_gather
}
void constantInPlace(Scene &s) {
  s.rank.all_reduce(s.stream, s.constant, reduce::sum);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: no matching {{.*}}all_reduce
}
void inputAsResult(Scene &s) {
  s.rank.all_gather(s.stream, s.x, s.y.in(0, 4));
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: no matching {{.*}}all_gather
}
void numberAsRank(Scene &s) {
  s.rank.broadcast(s.stream, s.x, 0);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}
}
void numberAsReduction(Scene &s) {
  s.rank.all_reduce(s.stream, s.x, 0);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: no matching {{.*}}all_reduce
}
RootInfo makeRoot(const Device &device) { return RootInfo(device); }
void droppedRoot(Scene &s) {
  makeRoot(s.device);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: ignoring {{.*}}nodiscard
}
