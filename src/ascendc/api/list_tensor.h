//===- list_tensor.h - Tensors that come as a list --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// The layout in global memory, in 64-bit words: the offset in bytes of a table
// of addresses; then for each tensor one word (its number of extents, and above
// bit 32 its index) and its extents; then the table. A list without shapes has
// one word (0, and above bit 32 the number of tensors), 0xffffffff, the table.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_LIST_TENSOR_H
#define BELAY_ASCENDC_API_LIST_TENSOR_H

#include "api/tensor.h"

namespace AscendC {

template <class T> class TensorDesc {
public:
  BELAY_API void SetShapeAddr(uint64_t *shapePtr) { shape = shapePtr; }
  BELAY_API uint64_t GetDim() const { return dim; }
  BELAY_API uint64_t GetIndex() const { return index; }
  BELAY_API uint64_t GetShape(uint32_t offset) const {
    if (offset >= dim)
      belay_sim_fail("local-out-of-bounds",
                     "TensorDesc::GetShape asks for an extent that the tensor "
                     "does not have",
                     "GetDim() says how many there are");
    return shape[offset];
  }
  BELAY_API __gm__ T *GetDataPtr() const { return data; }
  BELAY_API GlobalTensor<T> GetDataObj() const {
    uint64_t size = 1;
    for (uint32_t i = 0; i < dim; ++i)
      size *= shape[i];
    GlobalTensor<T> result;
    result.SetGlobalBuffer(data, size);
    return result;
  }

private:
  friend class ListTensorDesc;
  uint64_t *shape = nullptr;
  __gm__ T *data = nullptr;
  uint32_t dim = 0, index = 0;
};

class ListTensorDesc {
public:
  ListTensorDesc() = default;
  BELAY_API ListTensorDesc(__gm__ void *data, uint32_t length = 0xffffffff,
                           uint32_t shapeSize = 0xffffffff) {
    Init(data, length, shapeSize);
  }
  BELAY_API void Init(__gm__ void *data, uint32_t length = 0xffffffff,
                      uint32_t shapeSize = 0xffffffff) {
    words = static_cast<__gm__ uint64_t *>(data);
    table = words + word(0) / sizeof(uint64_t);
    count = 0;
    if (static_cast<uint32_t>(word(1)) == 0 && word(0) == 24 &&
        word(2) == 0xffffffff)
      count = static_cast<uint32_t>(word(1) >> 32);
    else
      for (__gm__ uint64_t *at = words + 1; at < table; at += 1 + dims(at))
        ++count;
    if (length != 0xffffffff && shapeSize != 0xffffffff &&
        (count != shapeSize || length != word(0) + count * sizeof(uint64_t)))
      belay_sim_fail("gm-out-of-bounds",
                     "ListTensorDesc: the list is not as long as stated",
                     "check length and shapeSize of ListTensorDesc::Init");
  }
  template <class T>
  BELAY_API void GetDesc(TensorDesc<T> &desc, uint32_t index) {
    __gm__ uint64_t *at = words + 1;
    for (uint32_t i = 0; i < index; ++i)
      at += 1 + dims(at);
    desc.data = GetDataPtr<T>(index);
    desc.index = index;
    desc.dim = dims(at);
    for (uint32_t i = 0; i < desc.dim; ++i)
      desc.shape[i] = at[1 + i];
  }
  template <class T> BELAY_API __gm__ T *GetDataPtr(uint32_t index) {
    if (index >= count)
      belay_sim_fail("gm-out-of-bounds",
                     "ListTensorDesc: there is no tensor with this index",
                     "GetSize() says how many there are");
    belay_sim_scalar_global(table + index, sizeof(uint64_t), false);
    return reinterpret_cast<__gm__ T *>(table[index]);
  }
  BELAY_API uint32_t GetSize() const { return count; }

private:
  BELAY_API uint64_t word(uint32_t index) const {
    belay_sim_scalar_global(words + index, sizeof(uint64_t), false);
    return words[index];
  }
  static BELAY_API uint32_t dims(__gm__ uint64_t *at) {
    belay_sim_scalar_global(at, sizeof(uint64_t), false);
    return static_cast<uint32_t>(*at);
  }

  __gm__ uint64_t *words = nullptr;
  __gm__ uint64_t *table = nullptr;
  uint32_t count = 0;
};

} // namespace AscendC

#endif // BELAY_ASCENDC_API_LIST_TENSOR_H
