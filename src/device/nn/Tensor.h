//===- Tensor.h - Tensors of the simulated operators ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_NN_TENSOR_H
#define BELAY_DEVICE_NN_TENSOR_H

#include "device/core/Errors.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace belay::device::nn {

/// ACL's numbers of element types.
enum DataType : int {
#define BELAY_ELEMENT_GE(Id, Name, Number)
#define BELAY_ELEMENT_ACL(Id, Name, Number) Id = Number,
#include "belay/elements.def"
};

/// Whether the operators compute with it.
BELAY_DEVICE_API bool isKnown(int Type);
BELAY_DEVICE_API bool isReal(int Type);
BELAY_DEVICE_API size_t sizeOf(int Type);
BELAY_DEVICE_API const char *nameOfType(int Type);

/// The type of a result of both, as PyTorch has it.
BELAY_DEVICE_API int promote(int A, int B);

using Shape = std::vector<int64_t>;
BELAY_DEVICE_API int64_t countOf(const Shape &Extents);
/// False if the shapes do not fit.
BELAY_DEVICE_API bool broadcast(const Shape &A, const Shape &B, Shape &Result);
BELAY_DEVICE_API std::string toString(const Shape &Extents);

/// Where elements are: extents, and strides in elements.
struct BELAY_DEVICE_API Layout {
  int Type = F32;
  Shape Extents, Strides;
  int64_t Offset = 0;

  /// The first and the last element that it reaches; nothing is reached if it
  /// is empty.
  int64_t lowest() const;
  int64_t highest() const;
  /// The same elements, repeated along dimensions of extent 1.
  Layout expandedTo(const Shape &To) const;
};

/// Elements that can be touched now.
struct View {
  Layout Of;
  uint8_t *Data = nullptr; // of element 0
};

/// Elements in row-major order. Real numbers are computed as doubles and
/// rounded once, which gives the same as arithmetic in the type itself with one
/// rounding for each operation; integers wrap.
template <typename T> BELAY_DEVICE_API std::vector<T> read(const View &From);
template <typename T>
BELAY_DEVICE_API void write(const View &To, const std::vector<T> &Values);

/// The bytes of the elements, in row-major order.
BELAY_DEVICE_API std::vector<uint8_t> gather(const View &From);

/// Whether one of them, as 16-bit floats, is infinite or no number. If
/// Saturate, they become the largest finite ones and 0. As the vector unit has
/// it; other types do not count.
BELAY_DEVICE_API bool findOverflow(const View &In, bool Saturate);

/// As if it had been stored with the type and read again.
BELAY_DEVICE_API double narrow(int Type, double Value);
BELAY_DEVICE_API int64_t narrow(int Type, int64_t Value);

} // namespace belay::device::nn

#endif // BELAY_DEVICE_NN_TENSOR_H
