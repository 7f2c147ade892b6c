//===- Types.cpp - What collectives move, and how they reduce it ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/hccl/Types.h"

#include "belay/elements.h"
#include "belay/floats.h"

#include <cmath>
#include <cstring>
#include <type_traits>

namespace belay::device::hccl {

size_t sizeOf(DataType T) {
  switch (T) {
#define BELAY_ELEMENT_HCCL(Id, Name, Text, Number)                             \
  case DataType::Id:                                                           \
    return element_types::bytes_of(element_types::id::Id);
#include "belay/elements.def"
  }
  return 0;
}

const char *nameOf(DataType T) {
  switch (T) {
#define BELAY_ELEMENT_HCCL(Id, Name, Text, Number)                             \
  case DataType::Id:                                                           \
    return Text;
#include "belay/elements.def"
  }
  return "a type that does not exist";
}

const char *nameOf(ReduceOp Op) {
  constexpr const char *Names[] = {"sum", "prod", "max", "min"};
  auto Index = static_cast<unsigned>(Op);
  return Index < 4 ? Names[Index] : "a reduction that does not exist";
}

const char *nameOf(Kind K) {
  constexpr const char *Names[] = {"nothing",
                                   "HcclAllReduce",
                                   "HcclBroadcast",
                                   "HcclAllGather",
                                   "HcclAllGatherV",
                                   "HcclReduceScatter",
                                   "HcclReduceScatterV",
                                   "HcclReduce",
                                   "HcclScatter",
                                   "HcclAlltoAll",
                                   "HcclAlltoAllV",
                                   "HcclAlltoAllVC",
                                   "HcclBarrier",
                                   "HcclSend",
                                   "HcclRecv",
                                   "HcclBatchSendRecv"};
  return Names[static_cast<unsigned>(K)];
}

bool canMove(const targets::Arch &Arch, DataType T) {
  switch (T) {
  case DataType::HIF8:
  case DataType::F8E4M3:
  case DataType::F8E5M2:
  case DataType::F8E8M0:
    return Arch.hasFloat8;
  case DataType::BF16:
    return Arch.hasBf16;
  case DataType::S128:
    return false;
  default:
    return sizeOf(T) != 0;
  }
}

bool canReduce(const targets::Arch &Arch, DataType T, ReduceOp Op) {
  if (static_cast<uint32_t>(Op) > 3)
    return false;
  switch (T) {
  case DataType::S8:
  case DataType::S32:
  case DataType::F16:
  case DataType::F32:
    return true;
  case DataType::S16:
    return Arch.hcclReducesInts ? Op != ReduceOp::Product : Op == ReduceOp::Sum;
  case DataType::BF16:
    return Arch.hasBf16 && Op != ReduceOp::Product;
  case DataType::S64:
    return Arch.hcclReducesInts;
  case DataType::U64:
  case DataType::F64:
    return Arch.hcclReducesWide;
  default:
    return false;
  }
}

namespace {

/// The upper half of a float.
struct BFloat {
  uint16_t Bits;
  operator float() const { return small_floats::float_from_bfloat(Bits); }
};

template <typename T> struct Arithmetic {
  using Wide = T;
  static T round(T Value) { return Value; }
};
// Sums and products of two of these are exact in float, or rounded twice to the
// same effect.
template <> struct Arithmetic<_Float16> {
  using Wide = float;
  static _Float16 round(float Value) { return static_cast<_Float16>(Value); }
};
template <> struct Arithmetic<BFloat> {
  using Wide = float;
  static BFloat round(float Value) {
    return {small_floats::bfloat_from_float(Value)};
  }
};

template <typename T> T combine(T A, T B, ReduceOp Op) {
  if constexpr (std::is_integral_v<T>) {
    // Integers wrap.
    using U = std::make_unsigned_t<std::common_type_t<T, int>>;
    if (Op == ReduceOp::Sum)
      return static_cast<T>(static_cast<U>(A) + static_cast<U>(B));
    if (Op == ReduceOp::Product)
      return static_cast<T>(static_cast<U>(A) * static_cast<U>(B));
  } else {
    if (Op == ReduceOp::Sum)
      return A + B;
    if (Op == ReduceOp::Product)
      return A * B;
    if (std::isnan(A) || std::isnan(B))
      return A + B;
  }
  return (Op == ReduceOp::Max) == (A < B) ? B : A;
}

template <typename T>
void reduceAs(void *Into, const void *From, size_t Count, ReduceOp Op) {
  using Wide = typename Arithmetic<T>::Wide;
  auto *To = static_cast<T *>(Into);
  const auto *Of = static_cast<const T *>(From);
  for (size_t I = 0; I < Count; ++I)
    To[I] = Arithmetic<T>::round(
        combine(static_cast<Wide>(To[I]), static_cast<Wide>(Of[I]), Op));
}

} // namespace

void reduce(void *Into, const void *From, size_t Count, DataType T,
            ReduceOp Op) {
  switch (T) {
  case DataType::S8:
    return reduceAs<int8_t>(Into, From, Count, Op);
  case DataType::S16:
    return reduceAs<int16_t>(Into, From, Count, Op);
  case DataType::S32:
    return reduceAs<int32_t>(Into, From, Count, Op);
  case DataType::S64:
    return reduceAs<int64_t>(Into, From, Count, Op);
  case DataType::U64:
    return reduceAs<uint64_t>(Into, From, Count, Op);
  case DataType::F16:
    return reduceAs<_Float16>(Into, From, Count, Op);
  case DataType::BF16:
    return reduceAs<BFloat>(Into, From, Count, Op);
  case DataType::F32:
    return reduceAs<float>(Into, From, Count, Op);
  case DataType::F64:
    return reduceAs<double>(Into, From, Count, Op);
  default:
    return; // canReduce() said no
  }
}

} // namespace belay::device::hccl
