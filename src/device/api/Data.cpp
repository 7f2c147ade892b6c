//===- Data.cpp - Descriptions of data ------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"
#include "device/api/Living.h"

#include <cmath>
#include <cstring>

using namespace belay::device;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

float aclFloat16ToFloat(uint16_t Bits) {
  int Exponent = Bits >> 10 & 0x1f;
  float Mantissa = static_cast<float>(Bits & 0x3ff);
  float Value;
  if (Exponent == 0)
    Value = std::ldexp(Mantissa, -24);
  else if (Exponent == 31)
    Value = Bits & 0x3ff ? NAN : INFINITY;
  else
    Value = std::ldexp(Mantissa + 1024, Exponent - 25);
  return Bits & 0x8000 ? -Value : Value;
}

/// To the nearest, ties to even; what is too large becomes the largest, and so
/// does NaN, as the vendor's function has it.
uint16_t aclFloatToFloat16(float Value) {
  constexpr uint16_t Largest = 0x7bff;
  uint16_t Sign = std::signbit(Value) ? 0x8000 : 0;
  float Size = std::fabs(Value);
  if (!(Size < 65520.0f))
    return Sign | Largest;
  int Exponent;
  std::frexp(Size, &Exponent);
  // The weight of the last bit: of subnormals it is 2^-24.
  int Last = std::max(Exponent - 11, -24);
  auto Units = static_cast<uint32_t>(std::nearbyint(std::ldexp(Size, -Last)));
  // Subnormals count units from 0; normals add their exponent. A carry from
  // rounding moves into the exponent by itself.
  if (Units >= 1024)
    Units += static_cast<uint32_t>(Last + 24) << 10;
  return Sign | static_cast<uint16_t>(Units);
}

size_t aclDataTypeSize(int Type) {
  // float, half, int8, int32, uint8, -, int16, uint16, uint32, int64, uint64,
  // double, bool
  constexpr uint8_t Sizes[] = {4, 2, 1, 4, 1, 0, 2, 2, 4, 8, 8, 8, 1};
  constexpr int Complex64 = 16, Complex128 = 17, Bf16 = 27;
  switch (Type) {
  case Complex64:
    return 8;
  case Complex128:
    return 16;
  case Bf16:
    return 2;
  default:
    return Type >= 0 && Type < static_cast<int>(sizeof(Sizes)) ? Sizes[Type]
                                                               : 0;
  }
}

//===----------------------------------------------------------------------===//
// Data buffers: a pointer and a size that belong to someone else
//===----------------------------------------------------------------------===//

struct aclDataBuffer {
  void *Data;
  size_t Bytes;
};

aclDataBuffer *aclCreateDataBuffer(void *Data, size_t Bytes) {
  return Living<aclDataBuffer>::add(new aclDataBuffer{Data, Bytes});
}
int aclDestroyDataBuffer(const aclDataBuffer *Buffer) {
  BELAY_BEGIN(Nothing);
  return Living<aclDataBuffer>::destroy(This, Buffer, "data buffer");
}
int aclUpdateDataBuffer(aclDataBuffer *Buffer, void *Data, size_t Bytes) {
  if (!Living<aclDataBuffer>::get(Buffer))
    return fail(InvalidParam, "aclUpdateDataBuffer: this is no data buffer");
  *Buffer = {Data, Bytes};
  return Success;
}
void *aclGetDataBufferAddr(const aclDataBuffer *Buffer) {
  return Living<aclDataBuffer>::get(Buffer) ? Buffer->Data : nullptr;
}
size_t aclGetDataBufferSizeV2(const aclDataBuffer *Buffer) {
  return Living<aclDataBuffer>::get(Buffer) ? Buffer->Bytes : 0;
}
uint32_t aclGetDataBufferSize(const aclDataBuffer *Buffer) {
  return static_cast<uint32_t>(aclGetDataBufferSizeV2(Buffer));
}
