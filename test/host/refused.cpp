//===- refused.cpp - What the host library does not let through -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One mistake per function, each with the line where both compilers have to
// refuse it; refused.test compiles the file and compares. The names are those
// of docs/host.md.
//
//===----------------------------------------------------------------------===//

#include "belay/host.h"

using namespace belay::host;

// Expectations are one line each.
// clang-format off

struct WithPointer {
  float *data;
};

struct Scene {
  const Device &device;
  const Module &module;
  Stream &stream;
  DeviceBuffer<float> &x, &y;
  DeviceBuffer<int32_t> &integers;
  Kernel<void(In<float>, Out<float>)> &kernel;
  const float *pointer;
};

void noReset(Scene &s) { // H1
  s.device.reset();
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}reset
}
void streamsAreNotCopied(Scene &s) { // H2
  Stream other = s.stream;
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}delete
}
void oneOwner(Scene &s) { // H4
  auto copy = DeviceBuffer<float>(s.x);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}delete
}
void borrowedSource(Scene &s) { // H5
  s.x.upload(s.stream, s.pointer, 3);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}delete
}
void noForce(Scene &s) { // H6
  s.stream.destroy_force();
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}destroy_force
}
void eventWithoutTime(const Event &start, const Event &end) { // H10
  auto time = end - start;
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}{{operator|operands}}
}
void nothingToReset(Scene &s, Event &event) { // H10
  event.reset(s.stream);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}reset
}
void timeIsNotForOrder(Scene &s, const TimingEvent &event) { // H10
  s.stream.wait(event);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}{{TimingEvent|wait}}
}
void droppedResult(Scene &s) { // H11
  s.y.download(s.stream);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}the result is not there before wait()
}
void resultOnce(Pending<float> &pending) { // H11
  auto values = pending.wait();
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}{{this|wait}}
}
void otherElements(Scene &s) { // H16
  s.kernel.launch(s.stream, 1, s.x, s.integers);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}DeviceBuffer<int>
}
void tooFew(Scene &s) { // H16
  s.kernel.launch(s.stream, 1, s.x);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}{{no matching|too few}}
}
void hostPointer(Scene &s) { // H16
  s.kernel.launch(s.stream, 1, s.pointer, s.y);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}const float{{ ?}}*
}
void constantOutput(Scene &s, const DeviceBuffer<float> &constant) { // H16
  s.kernel.launch(s.stream, 1, s.x, constant);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}const {{.*}}DeviceBuffer<float>
}
void structureOfPointers(Scene &s) { // H16
  auto bad = DeviceBuffer<WithPointer>::uninitialised(s.device, 1);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}constraint
}
void pointersAsElements(Scene &s) { // H16
  auto bad = DeviceBuffer<float *>::uninitialised(s.device, 1);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}constraint
}
void pointerParameter(Scene &s) { // H16
  Kernel<void(float *)> bad(s.module, "k");
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}Kernel<void
}
void unsaidContents(Scene &s) { // H17
  DeviceBuffer<float> bad(s.device, 3);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}{{no matching|private}}
}
void operationWithoutMove(Scene &s, Operation &operation) { // H18
  operation.run(s.stream);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}{{this|run}}
}
void droppedOperation(Tensor<float> &x) { // H18
  operations::relu(x, x);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}an operation does nothing before run()
}
void operationTwice(Operation &operation) { // H18
  Operation other = operation;
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}delete
}
void borrowedTensor(const DeviceBuffer<float> &buffer) { // H19
  Tensor<float> tensor(buffer, {1});
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}{{no matching|cannot bind}}
}
void otherTypes(Scene &s, Tensor<float> &x, Tensor<half> &y) { // H16
  matmul(s.stream, x, y, x);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}matmul
}
void constantTensor(Scene &s, const Tensor<float> &x) { // H16
  relu(s.stream, x, x);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}relu
}
void noSuchProduct(Scene &s, Tensor<float> &x) { // H16
  gemm(s.stream, x, x, x);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}gemm
}
void modelsAreNotShared(const Model &model, Scene &s) { // H20
  model.execute(s.stream, {}, {});
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}const
}
void modelsAreNotCopied(Model &model) { // H20
  Model other = model;
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}delete
}
void memoryIsNoPicture(Scene &s, PictureChannel &channel, DeviceBuffer<uint8_t> &bytes, Picture &picture) { // H24
  channel.resize(s.stream, bytes, picture);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}{{Picture|resize}}
}
void picturesAreNoArguments(Scene &s, Picture &picture) { // H24
  s.kernel.launch(s.stream, 1, s.x, picture);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}Picture
}
void noStrides(const Device &device) { // H24
  auto picture = Picture::uninitialised(device, pixels::rgb, 30, 20, 96);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}{{no matching|too many}}
}
void constantPicture(Scene &s, PictureChannel &channel, const Picture &picture, const Picture &other) { // H24
  channel.resize(s.stream, picture, other);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}{{const|qualifiers}}
}
void noSessionBefore(const Device &device) { // H25
  ProfilingSession session(device, profile::task_time);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}{{no matching|private}}
}
void droppedSession(Profiler &profiler, const Device &device) { // H25
  profiler.start(device, profile::task_time);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}nothing is measured once the session has ended
}
void stoppedWithoutMove(ProfilingSession &session) { // H25
  session.stop();
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}{{this|stop}}
}
void noFinalize(Profiler &profiler) { // H25
  profiler.finalize();
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}finalize
}
void noExceptionInformation(Scene &s) { // H14
  s.stream.set_exception_callback(nullptr);
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}set_exception_callback
}
void outputIsABuffer(Model &model, Scene &s) { // H22
  model.execute(s.stream, {s.x}, {nullptr});
  // CHECK-DAG: refused.cpp:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*}}{{no matching|could not convert|cannot convert}}
}
