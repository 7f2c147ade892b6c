//===- Types.cpp - What collectives move, and how they reduce it ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/hccl/Types.h"

#include <cmath>
#include <cstring>
#include <type_traits>

namespace belay::device::hccl {

size_t sizeOf(DataType T) {
  switch (T) {
  case DataType::Int8:
  case DataType::Uint8:
  case DataType::Hif8:
  case DataType::Fp8E4M3:
  case DataType::Fp8E5M2:
  case DataType::Fp8E8M0:
    return 1;
  case DataType::Int16:
  case DataType::Uint16:
  case DataType::Fp16:
  case DataType::Bf16:
    return 2;
  case DataType::Int32:
  case DataType::Uint32:
  case DataType::Fp32:
    return 4;
  case DataType::Int64:
  case DataType::Uint64:
  case DataType::Fp64:
    return 8;
  case DataType::Int128:
    return 16;
  }
  return 0;
}

const char *nameOf(DataType T) {
  switch (T) {
  case DataType::Int8:
    return "int8";
  case DataType::Int16:
    return "int16";
  case DataType::Int32:
    return "int32";
  case DataType::Fp16:
    return "fp16";
  case DataType::Fp32:
    return "fp32";
  case DataType::Int64:
    return "int64";
  case DataType::Uint64:
    return "uint64";
  case DataType::Uint8:
    return "uint8";
  case DataType::Uint16:
    return "uint16";
  case DataType::Uint32:
    return "uint32";
  case DataType::Fp64:
    return "fp64";
  case DataType::Bf16:
    return "bfp16";
  case DataType::Int128:
    return "int128";
  case DataType::Hif8:
    return "hif8";
  case DataType::Fp8E4M3:
    return "fp8e4m3";
  case DataType::Fp8E5M2:
    return "fp8e5m2";
  case DataType::Fp8E8M0:
    return "fp8e8m0";
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
  case DataType::Hif8:
  case DataType::Fp8E4M3:
  case DataType::Fp8E5M2:
  case DataType::Fp8E8M0:
    return Arch.hasFloat8;
  case DataType::Bf16:
    return Arch.hasBf16;
  case DataType::Int128:
    return false;
  default:
    return sizeOf(T) != 0;
  }
}

bool canReduce(const targets::Arch &Arch, DataType T, ReduceOp Op) {
  if (static_cast<uint32_t>(Op) > 3)
    return false;
  switch (T) {
  case DataType::Int8:
  case DataType::Int32:
  case DataType::Fp16:
  case DataType::Fp32:
    return true;
  case DataType::Int16:
    return Arch.hcclReducesInts ? Op != ReduceOp::Product : Op == ReduceOp::Sum;
  case DataType::Bf16:
    return Arch.hasBf16 && Op != ReduceOp::Product;
  case DataType::Int64:
    return Arch.hcclReducesInts;
  case DataType::Uint64:
  case DataType::Fp64:
    return Arch.hcclReducesWide;
  default:
    return false;
  }
}

namespace {

/// The upper half of a float.
struct BFloat {
  uint16_t Bits;
  operator float() const {
    uint32_t Wide = uint32_t(Bits) << 16;
    float Value;
    std::memcpy(&Value, &Wide, sizeof(Value));
    return Value;
  }
  /// To the nearest, ties to even.
  static BFloat round(float Value) {
    uint32_t Wide;
    std::memcpy(&Wide, &Value, sizeof(Value));
    if (std::isnan(Value))
      return {static_cast<uint16_t>(Wide >> 16 | 0x40)};
    Wide += 0x7fff + (Wide >> 16 & 1);
    return {static_cast<uint16_t>(Wide >> 16)};
  }
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
  static BFloat round(float Value) { return BFloat::round(Value); }
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
  case DataType::Int8:
    return reduceAs<int8_t>(Into, From, Count, Op);
  case DataType::Int16:
    return reduceAs<int16_t>(Into, From, Count, Op);
  case DataType::Int32:
    return reduceAs<int32_t>(Into, From, Count, Op);
  case DataType::Int64:
    return reduceAs<int64_t>(Into, From, Count, Op);
  case DataType::Uint64:
    return reduceAs<uint64_t>(Into, From, Count, Op);
  case DataType::Fp16:
    return reduceAs<_Float16>(Into, From, Count, Op);
  case DataType::Bf16:
    return reduceAs<BFloat>(Into, From, Count, Op);
  case DataType::Fp32:
    return reduceAs<float>(Into, From, Count, Op);
  case DataType::Fp64:
    return reduceAs<double>(Into, From, Count, Op);
  default:
    return; // canReduce() said no
  }
}

} // namespace belay::device::hccl
