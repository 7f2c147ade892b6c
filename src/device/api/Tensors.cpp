//===- Tensors.cpp - Tensor descriptions and datasets ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"
#include "device/api/Living.h"

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
      if (__builtin_mul_overflow(Count, static_cast<size_t>(Dim), &Count))
        return 0; // no memory has them
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
  return Living<aclTensorDesc>::add(new aclTensorDesc{
      Type, Format, std::vector<int64_t>(Dims, Dims + NumDims), ""});
}
void aclDestroyTensorDesc(const aclTensorDesc *Desc) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  if (Desc)
    Living<aclTensorDesc>::destroy(This, Desc, "description of a tensor");
}
int aclGetTensorDescType(const aclTensorDesc *Desc) {
  return Living<aclTensorDesc>::get(Desc) ? Desc->Type : -1;
}
int aclGetTensorDescFormat(const aclTensorDesc *Desc) {
  return Living<aclTensorDesc>::get(Desc) ? Desc->Format : -1;
}
size_t aclGetTensorDescElementCount(const aclTensorDesc *Desc) {
  return Living<aclTensorDesc>::get(Desc) ? Desc->elements() : 0;
}
size_t aclGetTensorDescSize(const aclTensorDesc *Desc) {
  return Living<aclTensorDesc>::get(Desc)
             ? Desc->elements() * aclDataTypeSize(Desc->Type)
             : 0;
}
size_t aclGetTensorDescNumDims(const aclTensorDesc *Desc) {
  return Living<aclTensorDesc>::get(Desc) ? Desc->Dims.size() : 0;
}
int64_t aclGetTensorDescDim(const aclTensorDesc *Desc, size_t Index) {
  return Living<aclTensorDesc>::get(Desc) && Index < Desc->Dims.size()
             ? Desc->Dims[Index]
             : -1;
}
int aclGetTensorDescDimV2(const aclTensorDesc *Desc, size_t Index,
                          int64_t *Extent) {
  if (!Living<aclTensorDesc>::get(Desc) || !Extent ||
      Index >= Desc->Dims.size())
    return fail(InvalidParam, "aclGetTensorDescDimV2: there is no such extent");
  *Extent = Desc->Dims[Index];
  return Success;
}
void aclSetTensorDescName(aclTensorDesc *Desc, const char *Name) {
  if (Living<aclTensorDesc>::get(Desc))
    Desc->Name = Name ? Name : "";
}
const char *aclGetTensorDescName(aclTensorDesc *Desc) {
  return Living<aclTensorDesc>::get(Desc) ? Desc->Name.c_str() : "";
}

struct aclmdlDataset {
  std::vector<aclDataBuffer *> Buffers;
};

aclmdlDataset *aclmdlCreateDataset() {
  return Living<aclmdlDataset>::add(new aclmdlDataset);
}
int aclmdlAddDatasetBuffer(aclmdlDataset *Set, aclDataBuffer *Buffer) {
  if (!Living<aclmdlDataset>::get(Set) || !Buffer)
    return fail(InvalidParam, "aclmdlAddDatasetBuffer: an argument is null");
  Set->Buffers.push_back(Buffer);
  return Success;
}
size_t aclmdlGetDatasetNumBuffers(const aclmdlDataset *Set) {
  return Living<aclmdlDataset>::get(Set) ? Set->Buffers.size() : 0;
}
aclDataBuffer *aclmdlGetDatasetBuffer(const aclmdlDataset *Set, size_t Index) {
  return Living<aclmdlDataset>::get(Set) && Index < Set->Buffers.size()
             ? Set->Buffers[Index]
             : nullptr;
}
int aclmdlDestroyDataset(const aclmdlDataset *Set) {
  BELAY_BEGIN(Nothing);
  return Living<aclmdlDataset>::destroy(This, Set, "dataset");
}
