//===- Tensors.cpp - Tensor descriptions and datasets ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

using namespace belay::device;

struct aclTensorDesc {
  int Type, Format;
  std::vector<int64_t> Dims;
  std::string Name;

  size_t elements() const {
    size_t Count = 1;
    for (int64_t Dim : Dims) {
      if (Dim < 0)
        return 0; // not known yet
      Count *= static_cast<size_t>(Dim);
    }
    return Count;
  }
};

aclTensorDesc *aclCreateTensorDesc(int Type, int NumDims, const int64_t *Dims,
                                   int Format) {
  if (NumDims < 0 || (NumDims > 0 && !Dims)) {
    fail(InvalidParam, "aclCreateTensorDesc: there are no extents");
    return nullptr;
  }
  return new aclTensorDesc{Type, Format,
                           std::vector<int64_t>(Dims, Dims + NumDims), ""};
}
void aclDestroyTensorDesc(const aclTensorDesc *Desc) { delete Desc; }
int aclGetTensorDescType(const aclTensorDesc *Desc) {
  return Desc ? Desc->Type : -1;
}
int aclGetTensorDescFormat(const aclTensorDesc *Desc) {
  return Desc ? Desc->Format : -1;
}
size_t aclGetTensorDescElementCount(const aclTensorDesc *Desc) {
  return Desc ? Desc->elements() : 0;
}
size_t aclGetTensorDescSize(const aclTensorDesc *Desc) {
  return Desc ? Desc->elements() * aclDataTypeSize(Desc->Type) : 0;
}
size_t aclGetTensorDescNumDims(const aclTensorDesc *Desc) {
  return Desc ? Desc->Dims.size() : 0;
}
int64_t aclGetTensorDescDim(const aclTensorDesc *Desc, size_t Index) {
  return Desc && Index < Desc->Dims.size() ? Desc->Dims[Index] : -1;
}
int aclGetTensorDescDimV2(const aclTensorDesc *Desc, size_t Index,
                          int64_t *Extent) {
  if (!Desc || !Extent || Index >= Desc->Dims.size())
    return fail(InvalidParam, "aclGetTensorDescDimV2: there is no such extent");
  *Extent = Desc->Dims[Index];
  return Success;
}
void aclSetTensorDescName(aclTensorDesc *Desc, const char *Name) {
  if (Desc)
    Desc->Name = Name ? Name : "";
}
const char *aclGetTensorDescName(aclTensorDesc *Desc) {
  return Desc ? Desc->Name.c_str() : "";
}

struct aclmdlDataset {
  std::vector<aclDataBuffer *> Buffers;
};

aclmdlDataset *aclmdlCreateDataset() { return new aclmdlDataset; }
int aclmdlAddDatasetBuffer(aclmdlDataset *Set, aclDataBuffer *Buffer) {
  if (!Set || !Buffer)
    return fail(InvalidParam, "aclmdlAddDatasetBuffer: an argument is null");
  Set->Buffers.push_back(Buffer);
  return Success;
}
size_t aclmdlGetDatasetNumBuffers(const aclmdlDataset *Set) {
  return Set ? Set->Buffers.size() : 0;
}
aclDataBuffer *aclmdlGetDatasetBuffer(const aclmdlDataset *Set, size_t Index) {
  return Set && Index < Set->Buffers.size() ? Set->Buffers[Index] : nullptr;
}
int aclmdlDestroyDataset(const aclmdlDataset *Set) {
  if (!Set)
    return fail(InvalidParam, "aclmdlDestroyDataset: the dataset is null");
  delete Set;
  return Success;
}
