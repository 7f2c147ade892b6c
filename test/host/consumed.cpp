//===- consumed.cpp - What clang refuses in addition ----------------------===//
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

void right(const Device &device) {
  Stream stream(device);
  auto x = DeviceBuffer<float>::from(stream, {1, 2, 3});
  auto moved = std::move(x);
  auto pending = moved.download(stream);
  auto values = std::move(pending).wait();
  moved.upload(stream, std::move(values));
}

void resultTwice(const Device &device) {
  Stream stream(device);
  auto pending = DeviceBuffer<float>::zeroed(stream, 3).download(stream);
  auto first = std::move(pending).wait();
  auto second = std::move(pending).wait();
  // CHECK: consumed.cpp:[[#@LINE-1]]:{{.*}}error: {{.*}}'wait' on {{.*}} while it is in the 'consumed' state
}
void movedBuffer(const Device &device) {
  Stream stream(device);
  auto x = DeviceBuffer<float>::from(stream, {1, 2, 3});
  auto other = std::move(x);
  x.upload(stream, {1, 2, 3});
  // CHECK: consumed.cpp:[[#@LINE-1]]:{{.*}}error: {{.*}}'upload' on object 'x' while it is in the 'consumed' state
}
void movedStream(const Device &device) {
  Stream stream(device);
  Stream other = std::move(stream);
  stream.synchronize();
  // CHECK: consumed.cpp:[[#@LINE-1]]:{{.*}}error: {{.*}}'synchronize' on object 'stream' while it is in the 'consumed' state
}
void operationTwice(const Device &device) {
  Stream stream(device);
  auto x = Tensor<float>::zeroed(stream, {3});
  Operation operation = operations::relu(x, x);
  std::move(operation).run(stream);
  std::move(operation).run(stream);
  // CHECK: consumed.cpp:[[#@LINE-1]]:{{.*}}error: {{.*}}'run' on {{.*}} while it is in the 'consumed' state
}
void movedTensor(const Device &device) {
  Stream stream(device);
  auto x = Tensor<float>::zeroed(stream, {3});
  auto other = std::move(x);
  x.reshape({1, 3});
  // CHECK: consumed.cpp:[[#@LINE-1]]:{{.*}}error: {{.*}}'reshape' on object 'x' while it is in the 'consumed' state
}
void stoppedTwice(const Device &device) {
  Profiler profiler("folder");
  ProfilingSession session = profiler.start(device, profile::task_time);
  std::move(session).stop();
  std::move(session).stop();
  // CHECK: consumed.cpp:[[#@LINE-1]]:{{.*}}error: {{.*}}'stop' on {{.*}} while it is in the 'consumed' state
}
void movedPicture(const Device &device) {
  Stream stream(device);
  auto picture = Picture::uninitialised(device, pixels::rgb, 30, 20);
  auto other = std::move(picture);
  auto bytes = picture.download(stream).wait();
  // CHECK: consumed.cpp:[[#@LINE-1]]:{{.*}}error: {{.*}}'download' on object 'picture' while it is in the 'consumed' state
}
// CHECK-NOT: error:
