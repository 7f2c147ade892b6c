//===- Data.cpp - Descriptions of data ------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"
#include "device/api/Living.h"

#include "belay/elements.h"
#include "belay/floats.h"

#include <cmath>
#include <cstring>

using namespace belay;
using namespace belay::device;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

float aclFloat16ToFloat(uint16_t Bits) {
  return small_floats::float_from_half(Bits);
}

/// To the nearest, ties to even; what is too large becomes the largest, and so
/// does NaN, as the vendor's function has it.
uint16_t aclFloatToFloat16(float Value) {
  constexpr uint16_t Largest = 0x7bff;
  if (std::fabs(Value) < 65520.0f)
    return small_floats::half_from_float(Value);
  return (std::signbit(Value) ? 0x8000 : 0) | Largest;
}

size_t aclDataTypeSize(int Type) {
  return element_types::bytes_of(element_types::from_acl(Type));
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
