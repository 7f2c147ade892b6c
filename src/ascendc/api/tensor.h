//===- tensor.h - LocalTensor and GlobalTensor ------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_TENSOR_H
#define BELAY_ASCENDC_API_TENSOR_H

#include "api/basic.h"

namespace AscendC {

struct ShapeInfo {
  ShapeInfo() = default;
  __aicore__ inline ShapeInfo(const uint8_t dims, const uint32_t dim[],
                              const uint8_t originalDims,
                              const uint32_t originalDim[],
                              const DataFormat format)
      : shapeDim(dims), originalShapeDim(originalDims), dataFormat(format) {
    for (int i = 0; i < dims; ++i)
      shape[i] = dim[i];
    for (int i = 0; i < originalDims; ++i)
      originalShape[i] = originalDim[i];
  }
  __aicore__ inline ShapeInfo(const uint8_t dims, const uint32_t dim[],
                              const DataFormat format = DataFormat::ND)
      : ShapeInfo(dims, dim, dims, dim, format) {}

  uint8_t shapeDim = 0;
  uint8_t originalShapeDim = 0;
  uint32_t shape[K_MAX_SHAPE_DIM];
  uint32_t originalShape[K_MAX_SHAPE_DIM];
  DataFormat dataFormat;
};

__aicore__ inline uint64_t GetShapeSize(const ShapeInfo &info) {
  uint64_t size = 1;
  for (int i = 0; i < info.shapeDim; ++i)
    size *= info.shape[i];
  return size;
}

/// Where a local tensor lies. bufferAddr is the offset in its memory, absAddr
/// the address in this process.
struct TBuffAddr {
  uint32_t dataLen = 0; // bytes
  uint32_t bufferAddr = 0;
  TBufHandle bufferHandle = nullptr;
  TPosition logicPos = TPosition::MAX;
  uint8_t *absAddr = nullptr;
  uint32_t generation = 0; // of the buffer, when the tensor was taken from it
};

template <typename T> class BaseLocalTensor {
public:
  using PrimType = PrimT<T>;
  __aicore__ inline void SetAddr(const TBuffAddr &a) { address_ = a; }
  BELAY_API void SetAddr(const uint32_t offset) {
    address_.absAddr += offset * sizeof(PrimType);
    address_.bufferAddr += offset * sizeof(PrimType);
  }
  BELAY_API TBufHandle GetBufferHandle() const { return address_.bufferHandle; }
  TBuffAddr address_;
};

namespace belay_detail {

/// Two elements of int4b_t share a byte, the first in its low half.
template <typename T>
inline constexpr bool isHalfByte = std::is_same_v<T, int4b_t>;
BELAY_API int4b_t halfByteOf(const int4b_t *first, uint64_t index) {
  return {
      static_cast<uint8_t>(first[index / 2].storage >> index % 2 * 4 & 0xf)};
}
BELAY_API void setHalfByte(int4b_t *first, uint64_t index, int4b_t value) {
  uint8_t &byte = first[index / 2].storage;
  uint32_t low = index % 2 * 4;
  byte = static_cast<uint8_t>((byte & ~(0xf << low)) | (value.storage & 0xf)
                                                           << low);
}

} // namespace belay_detail

/// Tensor expressions of the deprecated operator forms: `dst = a + b`.
template <typename T> class LocalTensor;
template <typename T, int Op> struct TensorExpression {
  const LocalTensor<T> &src0;
  const LocalTensor<T> &src1;
};

template <typename T> class LocalTensor : public BaseLocalTensor<T> {
public:
  using PrimType = PrimT<T>;
  using BaseLocalTensor<T>::address_;

  LocalTensor() = default;
  BELAY_API explicit LocalTensor(const TBuffAddr &a) { address_ = a; }
  /// A tensor at a fixed place, without TPipe: an offset in its memory, or what
  /// GetPhyAddr returned, which on the device is the same.
  template <typename Address,
            typename = std::enable_if_t<std::is_integral_v<Address> ||
                                        std::is_enum_v<Address>>>
  BELAY_API LocalTensor(TPosition pos, Address addr, uint32_t tileSize) {
    uint8_t *memory = belay_sim_memory(belay_detail::spaceOf(pos));
    auto offset = static_cast<uint32_t>(addr);
    if constexpr (sizeof(Address) > sizeof(offset))
      if (static_cast<uint64_t>(addr) >> 32)
        offset = static_cast<uint32_t>(static_cast<uint64_t>(addr) -
                                       reinterpret_cast<uint64_t>(memory));
    address_.logicPos = pos;
    address_.bufferAddr = offset;
    address_.dataLen = tileSize * sizeof(PrimType);
    address_.absAddr = memory + offset;
  }

  BELAY_API uint64_t GetPhyAddr() const {
    return reinterpret_cast<uint64_t>(address_.absAddr);
  }
  BELAY_API uint64_t GetPhyAddr(const uint32_t offset) const {
    return reinterpret_cast<uint64_t>(elements() + offset);
  }
  /// The address, for an instruction that has this tensor as an operand.
  BELAY_API PrimType *data() const {
    if (__builtin_expect(belay_sim_observed, 0))
      belay_sim_note_tensor(address_.absAddr, address_.dataLen,
                            address_.bufferHandle, address_.generation);
    return elements();
  }

  BELAY_API PrimType GetValue(const uint32_t index) const {
    if constexpr (belay_detail::isHalfByte<PrimType>) {
      checkHalfByte(index, false);
      return belay_detail::halfByteOf(elements(), index);
    } else {
      check(index, false);
      return elements()[index];
    }
  }
  template <typename S>
  BELAY_API void SetValue(const uint32_t index, const S value) const {
    if constexpr (belay_detail::isHalfByte<PrimType>) {
      checkHalfByte(index, true);
      belay_detail::setHalfByte(elements(), index, value);
    } else {
      check(index, true);
      elements()[index] = static_cast<PrimType>(value);
    }
  }
  /// Whether the reference is read or written cannot be seen from here; a read
  /// is what it certainly allows.
  BELAY_API PrimType &operator()(const uint32_t index) const {
    check(index, false);
    return elements()[index];
  }
  BELAY_API LocalTensor operator[](const uint32_t offset) const {
    if (__builtin_expect(belay_sim_observed, 0))
      belay_sim_note_offset(offset);
    LocalTensor t = *this;
    uint32_t bytes = bytesOf(offset);
    t.address_.absAddr += bytes;
    t.address_.bufferAddr += bytes;
    t.address_.dataLen = belay_detail::isMistake(bytes > address_.dataLen)
                             ? 0
                             : address_.dataLen - bytes;
    return t;
  }
  template <typename U> BELAY_API LocalTensor<U> ReinterpretCast() const {
    return LocalTensor<U>(address_);
  }

  BELAY_API int32_t GetPosition() const {
    return static_cast<int32_t>(address_.logicPos);
  }
  BELAY_API void SetSize(const uint32_t size) {
    address_.dataLen = bytesOf(size);
  }
  BELAY_API uint32_t GetSize() const {
    return address_.dataLen / sizeof(PrimType) * perByte;
  }
  BELAY_API uint32_t GetLength() const { return address_.dataLen; }
  BELAY_API void SetBufferLen(uint32_t bytes) { address_.dataLen = bytes; }
  BELAY_API void SetUserTag(const TTagType tag) { tag_ = tag; }
  BELAY_API TTagType GetUserTag() const { return tag_; }
  template <typename S>
  BELAY_API void SetAddrWithOffset(LocalTensor<S> &src, uint32_t offset) {
    address_ = src.address_;
    address_.absAddr += offset * sizeof(S);
    address_.bufferAddr += offset * sizeof(S);
  }

  BELAY_API void SetShapeInfo(const ShapeInfo &info) { shapeInfo_ = info; }
  BELAY_API ShapeInfo GetShapeInfo() const { return shapeInfo_; }

  template <typename U, int Op>
  BELAY_API void operator=(const TensorExpression<U, Op> &e);

  ShapeInfo shapeInfo_;

private:
  BELAY_API PrimType *elements() const {
    return reinterpret_cast<PrimType *>(address_.absAddr);
  }
  /// Two elements of int4b_t share a byte.
  static constexpr uint32_t perByte = std::is_same_v<PrimType, int4b_t> ? 2 : 1;
  static constexpr uint32_t bytesOf(uint32_t count) {
    return count * sizeof(PrimType) / perByte;
  }
  BELAY_API uint64_t bytesFrom(uint32_t index) const {
    uint64_t before = uint64_t(index) * sizeof(PrimType);
    return belay_detail::isMistake(before + sizeof(PrimType) > address_.dataLen)
               ? sizeof(PrimType)
               : address_.dataLen - before;
  }
  BELAY_API void checkHalfByte(uint32_t index, bool write) const {
    if (__builtin_expect(index >= GetSize(), 0))
      belay_sim_element_past_end(elements() + index / 2, 1, index, GetSize());
    check(index / 2, write);
  }
  BELAY_API void check(uint32_t index, bool write) const {
    if (__builtin_expect(index >= GetSize(), 0))
      belay_sim_element_past_end(elements() + index, sizeof(PrimType), index,
                                 GetSize());
    if (__builtin_expect(belay_sim_observed, 0)) {
      // From the element on: a tensor is known by where it ends.
      belay_sim_note_tensor(elements() + index, bytesFrom(index),
                            address_.bufferHandle, address_.generation);
      belay_sim_scalar_local(elements() + index, sizeof(PrimType), write);
    }
  }
  TTagType tag_ = 0;
};

template <typename T> class BaseGlobalTensor {
public:
  using PrimType = PrimT<T>;
  __gm__ PrimType *address_ = nullptr;
  __gm__ PrimType *oriAddress_ = nullptr;
};

template <typename T> class GlobalTensor : public BaseGlobalTensor<T> {
public:
  using PrimType = PrimT<T>;
  using BaseGlobalTensor<T>::address_;

  GlobalTensor() = default;
  BELAY_API void SetGlobalBuffer(__gm__ PrimType *buffer, uint64_t size) {
    if (__builtin_expect(belay_sim_observed, 0))
      belay_sim_note_buffer(buffer, sizeof(PrimType));
    address_ = this->oriAddress_ = buffer;
    bufferSize_ = size;
  }
  BELAY_API void SetGlobalBuffer(__gm__ PrimType *buffer) {
    SetGlobalBuffer(buffer, 0);
  }
  BELAY_API const __gm__ PrimType *GetPhyAddr() const { return GetPhyAddr(0); }
  BELAY_API __gm__ PrimType *GetPhyAddr(const uint64_t offset) const {
    if (__builtin_expect(belay_sim_observed && bufferSize_, 0))
      note(offset);
    if constexpr (belay_detail::isHalfByte<PrimType>)
      return address_ + offset / 2;
    else
      return address_ + offset;
  }

  BELAY_API PrimType GetValue(const uint64_t index) const {
    if constexpr (belay_detail::isHalfByte<PrimType>) {
      belay_sim_scalar_global(address_ + index / 2, 1, false);
      return belay_detail::halfByteOf(address_, index);
    } else {
      belay_sim_scalar_global(address_ + index, sizeof(PrimType), false);
      return address_[index];
    }
  }
  BELAY_API void SetValue(const uint64_t index, PrimType value) const {
    if constexpr (belay_detail::isHalfByte<PrimType>) {
      belay_sim_scalar_global(address_ + index / 2, 1, true);
      belay_detail::setHalfByte(address_, index, value);
    } else {
      belay_sim_scalar_global(address_ + index, sizeof(PrimType), true);
      address_[index] = value;
    }
  }
  BELAY_API __gm__ PrimType &operator()(const uint64_t index) const {
    belay_sim_scalar_global(address_ + index, sizeof(PrimType), false);
    return address_[index];
  }
  BELAY_API GlobalTensor operator[](const uint64_t offset) const {
    if (__builtin_expect(belay_sim_observed, 0))
      belay_sim_note_offset(offset);
    GlobalTensor t = *this;
    if constexpr (belay_detail::isHalfByte<PrimType>)
      t.address_ += offset / 2;
    else
      t.address_ += offset;
    return t;
  }
  template <typename U> BELAY_API GlobalTensor<U> ReinterpretCast() const {
    GlobalTensor<U> t;
    t.SetGlobalBuffer(reinterpret_cast<__gm__ U *>(address_),
                      bufferSize_ * sizeof(PrimType) / sizeof(U));
    return t;
  }

  BELAY_API uint64_t GetSize() const { return bufferSize_; }
  BELAY_API void SetShapeInfo(const ShapeInfo &info) { shapeInfo_ = info; }
  BELAY_API ShapeInfo GetShapeInfo() const { return shapeInfo_; }
  template <CacheRwMode mode = CacheRwMode::RW>
  BELAY_API void SetL2CacheHint(CacheMode) {}

  uint64_t bufferSize_ = 0;
  ShapeInfo shapeInfo_;

private:
  /// Tells how far the memory goes that SetGlobalBuffer promised.
  BELAY_API void note(uint64_t offset) const {
    if constexpr (belay_detail::isHalfByte<PrimType>) {
      int64_t left =
          this->oriAddress_ + bufferSize_ / 2 - (address_ + offset / 2);
      belay_sim_note_tensor(address_ + offset / 2,
                            belay_detail::isMistake(left <= 0) ? 0 : left,
                            nullptr, 0);
    } else {
      int64_t left = this->oriAddress_ + bufferSize_ - (address_ + offset);
      belay_sim_note_tensor(
          address_ + offset,
          belay_detail::isMistake(left <= 0) ? 0 : left * sizeof(PrimType),
          nullptr, 0);
    }
  }
};

} // namespace AscendC

#endif // BELAY_ASCENDC_API_TENSOR_H
