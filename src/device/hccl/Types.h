//===- Types.h - What collectives move, and how they reduce it --*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_HCCL_TYPES_H
#define BELAY_DEVICE_HCCL_TYPES_H

#include "device/core/Errors.h"
#include "targets/Target.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace belay::device::hccl {

/// HcclResult.
enum Result : int {
  Ok = 0,
  BadParameter = 1,
  NullPointer = 2,
  Internal = 4,
  NotSupported = 5,
  NotFound = 6,
  Timeout = 9,
  CannotOpenFile = 10,
  RuntimeFailed = 15,
  Again = 20,
  Remote = 21,
  Suspending = 22,
};

/// HcclDataType.
enum class DataType : uint32_t {
#define BELAY_ELEMENT_HCCL(Id, Name, Text, Number) Id = Number,
#include "belay/elements.def"
};
/// 0 for a number that is no type.
BELAY_DEVICE_API size_t sizeOf(DataType T);
BELAY_DEVICE_API const char *nameOf(DataType T);

/// HcclReduceOp.
enum class ReduceOp : uint32_t { Sum = 0, Product = 1, Max = 2, Min = 3 };
BELAY_DEVICE_API const char *nameOf(ReduceOp Op);

/// What the SoC of that architecture moves, and reduces, by the vendor's
/// documentation of each function.
BELAY_DEVICE_API bool canMove(const targets::Arch &Arch, DataType T);
BELAY_DEVICE_API bool canReduce(const targets::Arch &Arch, DataType T,
                                ReduceOp Op);

/// Into[i] = Into[i] op From[i], each result rounded to the type, as a device
/// does that reduces in memory.
BELAY_DEVICE_API void reduce(void *Into, const void *From, size_t Count,
                             DataType T, ReduceOp Op);

/// The functions that ranks have to call in the same order.
enum class Kind : uint32_t {
  None,
  AllReduce,
  Broadcast,
  AllGather,
  AllGatherV,
  ReduceScatter,
  ReduceScatterV,
  Reduce,
  Scatter,
  AlltoAll,
  AlltoAllV,
  AlltoAllVC,
  Barrier,
  Send,
  Recv,
  BatchSendRecv,
};
/// "HcclAllReduce".
BELAY_DEVICE_API const char *nameOf(Kind K);
inline bool reduces(Kind K) {
  return K == Kind::AllReduce || K == Kind::ReduceScatter ||
         K == Kind::ReduceScatterV || K == Kind::Reduce;
}
inline bool hasRoot(Kind K) {
  return K == Kind::Broadcast || K == Kind::Reduce || K == Kind::Scatter;
}

} // namespace belay::device::hccl

#endif // BELAY_DEVICE_HCCL_TYPES_H
