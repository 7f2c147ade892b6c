//===- Hccl.h - The C functions of HCCL -------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_API_HCCL_H
#define BELAY_DEVICE_API_HCCL_H

#include "belay/compat/hccl/hccl_types.h"
#include "device/hccl/Communicator.h"

/// Definitions have to agree with what programs and the host library believe.
extern "C" {
#define BELAY_HCCL(Result, Name, Params)                                       \
  __attribute__((visibility("default"))) Result Name Params;
#include "belay/host/hccl.def"
}

/// Begins a function, as BELAY_BEGIN does; HCCL has codes of its own.
#define BELAY_HCCL_BEGIN(Need)                                                 \
  ::belay::device::Call This(__func__, BELAY_SITE,                             \
                             ::belay::device::Call::Need);                     \
  if (!This)                                                                   \
  return ::belay::device::hccl::RuntimeFailed

#define BELAY_HCCL_NOT_NULL(Pointer)                                           \
  if (!(Pointer))                                                              \
  return This.fail(::belay::device::hccl::NullPointer, #Pointer " is null")

namespace belay::device::hccl {

/// The communicator of a handle; null if it has none: then that was told.
inline std::shared_ptr<Communicator> communicator(Call &This, void *Handle) {
  return runtime().Objects.find<Communicator>(
      Handle, HandleKind::Communicator, This.Name, This.Site, BadParameter);
}

} // namespace belay::device::hccl

#endif // BELAY_DEVICE_API_HCCL_H
