//===- host.h - AscendCL without its traps ----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host programs in C++20 over AscendCL. Handles own what they hang on, launches
// and copies keep what they use until the device has passed them, types carry
// what a kernel takes. CANN is found at run time; without an NPU the same
// binary runs on Belay's simulated device. docs/host.md
//
//   using namespace belay::host;
//   Device device;
//   Stream stream(device);
//   auto x = DeviceBuffer<float>::from(stream, numbers);
//   auto y = DeviceBuffer<float>::uninitialised(device, x.size());
//   Kernel<void(In<float>, Out<float>)> relu(Module(device, "relu.o"), "relu");
//   relu.launch(stream, 8, x, y);
//   std::vector<float> result = y.download(stream).wait();
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_HOST_H
#define BELAY_HOST_H

#if __cplusplus < 202002L
#error "belay/host.h is C++20: compile with -std=c++20"
#else

#include "belay/host/collectives.h"
#include "belay/host/language.h"
#include "belay/host/memory.h"
#include "belay/host/model.h"
#include "belay/host/module.h"
#include "belay/host/operators.h"
#include "belay/host/picture.h"
#include "belay/host/profiling.h"
#include "belay/host/runtime.h"

#endif // C++20

#endif // BELAY_HOST_H
