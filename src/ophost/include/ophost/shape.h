//===- shape.h - Shapes and tensors as tiling code sees them ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_OPHOST_SHAPE_H
#define BELAY_OPHOST_OPHOST_SHAPE_H

#include "ophost/types.h"

#include <initializer_list>
#include <vector>

namespace gert {

class Shape {
public:
  static constexpr size_t kMaxDimNum = 25;
  static constexpr int64_t kInvalidDimValue = INT64_MIN;

  Shape() = default;
  Shape(std::initializer_list<int64_t> Values) {
    for (int64_t Value : Values)
      AppendDim(Value);
  }

  size_t GetDimNum() const { return Num; }
  int64_t GetDim(size_t Index) const {
    return Index < kMaxDimNum ? Dims[Index] : kInvalidDimValue;
  }
  const int64_t &operator[](size_t Index) const { return Dims[Index]; }
  int64_t &operator[](size_t Index) { return Dims[Index]; }
  /// 1 for a scalar, -1 if a dimension is not known.
  int64_t GetShapeSize() const {
    int64_t Size = 1;
    for (size_t I = 0; I < Num; ++I) {
      if (Dims[I] < 0)
        return -1;
      Size *= Dims[I];
    }
    return Size;
  }
  bool IsScalar() const { return Num == 0; }
  void SetScalar() { Num = 0; }
  void SetDimNum(size_t NewNum) {
    Num = NewNum < kMaxDimNum ? NewNum : kMaxDimNum;
  }
  void SetDim(size_t Index, int64_t Value) {
    if (Index < kMaxDimNum)
      Dims[Index] = Value;
  }
  Shape &AppendDim(int64_t Value) {
    if (Num < kMaxDimNum)
      Dims[Num++] = Value;
    return *this;
  }
  bool operator==(const Shape &Other) const {
    if (Num != Other.Num)
      return false;
    for (size_t I = 0; I < Num; ++I)
      if (Dims[I] != Other.Dims[I])
        return false;
    return true;
  }
  bool operator!=(const Shape &Other) const { return !(*this == Other); }

private:
  size_t Num = 0;
  int64_t Dims[kMaxDimNum] = {};
};

class StorageShape {
public:
  StorageShape() = default;
  StorageShape(const Shape &Origin, const Shape &Storage)
      : Origin(Origin), Storage(Storage) {}
  StorageShape(std::initializer_list<int64_t> Origin,
               std::initializer_list<int64_t> Storage)
      : Origin(Origin), Storage(Storage) {}

  const Shape &GetOriginShape() const { return Origin; }
  const Shape &GetStorageShape() const { return Storage; }
  Shape &MutableOriginShape() { return Origin; }
  Shape &MutableStorageShape() { return Storage; }
  bool operator==(const StorageShape &Other) const {
    return Origin == Other.Origin && Storage == Other.Storage;
  }

private:
  Shape Origin, Storage;
};

class StorageFormat {
public:
  StorageFormat() = default;
  StorageFormat(ge::Format Origin, ge::Format Storage)
      : Origin(Origin), Storage(Storage) {}
  ge::Format GetOriginFormat() const { return Origin; }
  ge::Format GetStorageFormat() const { return Storage; }
  void SetOriginFormat(ge::Format F) { Origin = F; }
  void SetStorageFormat(ge::Format F) { Storage = F; }

private:
  ge::Format Origin = ge::FORMAT_ND, Storage = ge::FORMAT_ND;
};

class CompileTimeTensorDesc {
public:
  ge::DataType GetDataType() const { return Type; }
  ge::Format GetStorageFormat() const { return Formats.GetStorageFormat(); }
  ge::Format GetOriginFormat() const { return Formats.GetOriginFormat(); }
  const StorageFormat &GetFormat() const { return Formats; }
  void SetDataType(ge::DataType T) { Type = T; }
  void SetStorageFormat(ge::Format F) { Formats.SetStorageFormat(F); }
  void SetOriginFormat(ge::Format F) { Formats.SetOriginFormat(F); }

private:
  ge::DataType Type = ge::DT_UNDEFINED;
  StorageFormat Formats;
};

/// The values of an attribute that is a list.
class ContinuousVector {
public:
  size_t GetSize() const { return Bytes / ElementBytes; }
  size_t GetCapacity() const { return GetSize(); }
  const void *GetData() const { return Values.data(); }

protected:
  std::vector<uint8_t> Values;
  size_t Bytes = 0, ElementBytes = 1;
};
template <typename T> class TypedContinuousVector : public ContinuousVector {
public:
  TypedContinuousVector() { ElementBytes = sizeof(T); }
  explicit TypedContinuousVector(const std::vector<T> &From)
      : TypedContinuousVector() {
    Bytes = From.size() * sizeof(T);
    auto *Begin = reinterpret_cast<const uint8_t *>(From.data());
    Values.assign(Begin, Begin + Bytes);
  }
  const T *GetData() const {
    return reinterpret_cast<const T *>(Values.data());
  }
};

/// An input whose values are known to the host only if the operator asks for
/// them (ValueDepend); the address is null otherwise.
class Tensor {
public:
  StorageShape TheShape;
  CompileTimeTensorDesc Desc;
  std::vector<uint8_t> Values;
  bool HasValues = false;

  const Shape &GetStorageShape() const { return TheShape.GetStorageShape(); }
  const Shape &GetOriginShape() const { return TheShape.GetOriginShape(); }
  const StorageShape &GetShape() const { return TheShape; }
  int64_t GetShapeSize() const { return GetStorageShape().GetShapeSize(); }
  size_t GetSize() const {
    return ge::GetSizeInBytes(GetShapeSize(), GetDataType());
  }
  ge::DataType GetDataType() const { return Desc.GetDataType(); }
  ge::Format GetStorageFormat() const { return Desc.GetStorageFormat(); }
  ge::Format GetOriginFormat() const { return Desc.GetOriginFormat(); }
  const StorageFormat &GetFormat() const { return Desc.GetFormat(); }
  const void *GetAddr() const { return HasValues ? Values.data() : nullptr; }
  template <typename T> const T *GetData() const {
    return static_cast<const T *>(GetAddr());
  }
};

template <typename T> class Range {
public:
  T *GetMin() const { return Low; }
  T *GetMax() const { return High; }
  void SetMin(T *To) { Low = To; }
  void SetMax(T *To) { High = To; }

private:
  T *Low = nullptr, *High = nullptr;
};

} // namespace gert

#endif // BELAY_OPHOST_OPHOST_SHAPE_H
