//===- Meta.cpp - Handles of tensors, values and executors ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"
#include "device/nn/Executor.h"

#include <cstring>

using namespace belay::device;
using namespace belay::device::nn;

namespace {

template <typename Handle, typename Object>
Handle *give(HandleKind Kind, std::shared_ptr<Object> What) {
  Handles &Objects = runtime().Objects;
  return static_cast<Handle *>(
      Objects.add(Objects.reserve(), Kind, std::move(What)));
}

/// What a handle names; null, and the error told.
template <typename Object>
std::shared_ptr<Object> get(Call &This, const void *Handle, HandleKind Kind) {
  if (!Handle) {
    This.fail(NullPointer, "the handle is null");
    return nullptr;
  }
  auto What = runtime().Objects.find<Object>(Handle, Kind, This.Name, This.Site,
                                             InvalidParameter);
  return What;
}

/// Ends a handle. Null is no error, as with free().
int end(Call &This, const void *Handle, HandleKind Kind) {
  if (!Handle)
    return Success;
  if (!get<void>(This, Handle, Kind))
    return InvalidParameter;
  runtime().Objects.remove(Handle, This.Name, This.Site);
  return Success;
}

template <typename T> std::vector<T> toVector(const T *Values, uint64_t Count) {
  return Values ? std::vector<T>(Values, Values + Count) : std::vector<T>();
}

Shape contiguous(const Shape &Extents) {
  Shape Strides(Extents.size(), 1);
  for (size_t D = Extents.size(); D-- > 1;)
    Strides[D - 1] = Strides[D] * Extents[D];
  return Strides;
}

/// Arrays that a getter gives out belong to who asked.
int giveOut(const Shape &Values, int64_t **To, uint64_t *Count) {
  *To = new int64_t[Values.size()];
  std::copy(Values.begin(), Values.end(), *To);
  *Count = Values.size();
  return Success;
}

} // namespace

#define BELAY_NN_BEGIN()                                                       \
  Call This(__func__, BELAY_SITE, Call::Nothing);                              \
  if (!This)                                                                   \
  return This.error()
#define BELAY_NN_GET(Object, Variable, Handle, Kind)                           \
  auto Variable = get<Object>(This, Handle, HandleKind::Kind);                 \
  if (!(Variable))                                                             \
  return InvalidParameter

int aclnnInit(const char *) { return Success; }
int aclnnFinalize() { return Success; }

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

aclTensor *aclCreateTensor(const int64_t *Extents, uint64_t Rank, int Type,
                           const int64_t *Strides, int64_t Offset, int Format,
                           const int64_t *Storage, uint64_t StorageRank,
                           void *Data) {
  auto T = std::make_shared<Tensor>();
  Shape Of = toVector(Extents, Rank);
  for (int64_t Extent : Of)
    if (Extent < 0) {
      fail(InvalidParameter, "aclCreateTensor: an extent is below zero");
      return nullptr;
    }
  T->Of = {Type, Of, Strides ? toVector(Strides, Rank) : contiguous(Of),
           Offset};
  T->Storage = toVector(Storage, StorageRank);
  T->Format = Format;
  T->Data = Data;
  return give<aclTensor>(HandleKind::Tensor, std::move(T));
}
int aclDestroyTensor(const aclTensor *Handle) {
  BELAY_NN_BEGIN();
  return end(This, Handle, HandleKind::Tensor);
}

aclTensorList *aclCreateTensorList(const aclTensor *const *Tensors,
                                   uint64_t Count) {
  auto L = std::make_shared<TensorList>();
  L->Handles = toVector(Tensors, Count);
  return give<aclTensorList>(HandleKind::TensorList, std::move(L));
}
int aclDestroyTensorList(const aclTensorList *Handle) {
  BELAY_NN_BEGIN();
  BELAY_NN_GET(TensorList, L, Handle, TensorList);
  // The list owns its tensors from the moment it was made.
  for (const aclTensor *Each : L->Handles)
    runtime().Objects.remove(Each, This.Name, This.Site);
  return end(This, Handle, HandleKind::TensorList);
}
int aclGetTensorListSize(const aclTensorList *Handle, uint64_t *Count) {
  BELAY_NN_BEGIN();
  BELAY_NOT_NULL(Count);
  BELAY_NN_GET(TensorList, L, Handle, TensorList);
  *Count = L->Handles.size();
  return Success;
}

int aclGetDataType(const aclTensor *Handle, int *Type) {
  BELAY_NN_BEGIN();
  BELAY_NOT_NULL(Type);
  BELAY_NN_GET(Tensor, T, Handle, Tensor);
  *Type = T->Of.Type;
  return Success;
}
int aclGetFormat(const aclTensor *Handle, int *Format) {
  BELAY_NN_BEGIN();
  BELAY_NOT_NULL(Format);
  BELAY_NN_GET(Tensor, T, Handle, Tensor);
  *Format = T->Format;
  return Success;
}
int aclGetViewShape(const aclTensor *Handle, int64_t **Extents,
                    uint64_t *Rank) {
  BELAY_NN_BEGIN();
  BELAY_NOT_NULL(Extents);
  BELAY_NOT_NULL(Rank);
  BELAY_NN_GET(Tensor, T, Handle, Tensor);
  return giveOut(T->Of.Extents, Extents, Rank);
}
int aclGetViewStrides(const aclTensor *Handle, int64_t **Strides,
                      uint64_t *Rank) {
  BELAY_NN_BEGIN();
  BELAY_NOT_NULL(Strides);
  BELAY_NOT_NULL(Rank);
  BELAY_NN_GET(Tensor, T, Handle, Tensor);
  return giveOut(T->Of.Strides, Strides, Rank);
}
int aclGetStorageShape(const aclTensor *Handle, int64_t **Extents,
                       uint64_t *Rank) {
  BELAY_NN_BEGIN();
  BELAY_NOT_NULL(Extents);
  BELAY_NOT_NULL(Rank);
  BELAY_NN_GET(Tensor, T, Handle, Tensor);
  return giveOut(T->Storage, Extents, Rank);
}
int aclGetViewOffset(const aclTensor *Handle, int64_t *Offset) {
  BELAY_NN_BEGIN();
  BELAY_NOT_NULL(Offset);
  BELAY_NN_GET(Tensor, T, Handle, Tensor);
  *Offset = T->Of.Offset;
  return Success;
}
int aclGetRawTensorAddr(const aclTensor *Handle, void **Data) {
  BELAY_NN_BEGIN();
  BELAY_NOT_NULL(Data);
  BELAY_NN_GET(Tensor, T, Handle, Tensor);
  *Data = T->Data;
  return Success;
}
int aclSetRawTensorAddr(aclTensor *Handle, void *Data) {
  BELAY_NN_BEGIN();
  BELAY_NN_GET(Tensor, T, Handle, Tensor);
  T->Data = Data;
  return Success;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

aclScalar *aclCreateScalar(void *Value, int Type) {
  if (!Value || !isKnown(Type)) {
    fail(InvalidParameter, "aclCreateScalar: no value, or a type with which "
                           "the simulated operators do not compute");
    return nullptr;
  }
  View One = {{Type, {}, {}, 0}, static_cast<uint8_t *>(Value)};
  auto S = std::make_shared<Scalar>();
  S->Type = Type;
  S->Real = read<double>(One)[0];
  S->Integer =
      isReal(Type) ? static_cast<int64_t>(S->Real) : read<int64_t>(One)[0];
  return give<aclScalar>(HandleKind::Scalar, std::move(S));
}
int aclDestroyScalar(const aclScalar *Handle) {
  BELAY_NN_BEGIN();
  return end(This, Handle, HandleKind::Scalar);
}

aclIntArray *aclCreateIntArray(const int64_t *Values, uint64_t Count) {
  auto A = std::make_shared<Array>();
  A->Integers = toVector(Values, Count);
  return give<aclIntArray>(HandleKind::Array, std::move(A));
}
aclFloatArray *aclCreateFloatArray(const float *Values, uint64_t Count) {
  auto A = std::make_shared<Array>();
  A->Reals = toVector(Values, Count);
  return give<aclFloatArray>(HandleKind::Array, std::move(A));
}
aclBoolArray *aclCreateBoolArray(const bool *Values, uint64_t Count) {
  auto A = std::make_shared<Array>();
  if (Values)
    A->Integers.assign(Values, Values + Count);
  return give<aclBoolArray>(HandleKind::Array, std::move(A));
}
int aclDestroyIntArray(const aclIntArray *Handle) {
  BELAY_NN_BEGIN();
  return end(This, Handle, HandleKind::Array);
}
int aclDestroyFloatArray(const aclFloatArray *Handle) {
  BELAY_NN_BEGIN();
  return end(This, Handle, HandleKind::Array);
}
int aclDestroyBoolArray(const aclBoolArray *Handle) {
  BELAY_NN_BEGIN();
  return end(This, Handle, HandleKind::Array);
}
int aclGetIntArraySize(const aclIntArray *Handle, uint64_t *Count) {
  BELAY_NN_BEGIN();
  BELAY_NOT_NULL(Count);
  BELAY_NN_GET(Array, A, Handle, Array);
  *Count = A->Integers.size();
  return Success;
}
int aclGetFloatArraySize(const aclFloatArray *Handle, uint64_t *Count) {
  BELAY_NN_BEGIN();
  BELAY_NOT_NULL(Count);
  BELAY_NN_GET(Array, A, Handle, Array);
  *Count = A->Reals.size();
  return Success;
}
int aclGetBoolArraySize(const aclBoolArray *Handle, uint64_t *Count) {
  BELAY_NN_BEGIN();
  BELAY_NOT_NULL(Count);
  BELAY_NN_GET(Array, A, Handle, Array);
  *Count = A->Integers.size();
  return Success;
}

//===----------------------------------------------------------------------===//
// Executors
//===----------------------------------------------------------------------===//

int aclSetAclOpExecutorRepeatable(aclOpExecutor *Handle) {
  BELAY_NN_BEGIN();
  BELAY_NN_GET(Executor, E, Handle, Executor);
  E->Repeatable = true;
  return Success;
}
int aclDestroyAclOpExecutor(aclOpExecutor *Handle) {
  BELAY_NN_BEGIN();
  return end(This, Handle, HandleKind::Executor);
}

/// Gives a tensor of the executor another address: the Index-th of those that
/// Fits accepts.
template <typename Predicate>
static int setAddress(Call &This, aclOpExecutor *Handle, size_t Index,
                      aclTensor *TensorHandle, void *Address, Predicate Fits) {
  BELAY_NN_GET(Executor, E, Handle, Executor);
  BELAY_NN_GET(Tensor, T, TensorHandle, Tensor);
  for (Operand &O : E->Operands) {
    if (!Fits(O) || Index-- > 0)
      continue;
    if (O.What != T)
      return This.fail(InvalidParameter,
                       "this is not the tensor that the executor has there");
    T->Data = Address;
    return Success;
  }
  return This.fail(InvalidParameter, "the executor has not so many tensors");
}

int aclSetTensorAddr(aclOpExecutor *Handle, size_t Index, aclTensor *Tensor,
                     void *Address) {
  BELAY_NN_BEGIN();
  return setAddress(This, Handle, Index, Tensor, Address,
                    [](const Operand &) { return true; });
}
int aclSetInputTensorAddr(aclOpExecutor *Handle, size_t Index,
                          aclTensor *Tensor, void *Address) {
  BELAY_NN_BEGIN();
  return setAddress(This, Handle, Index, Tensor, Address,
                    [](const Operand &O) { return !O.Writes; });
}
int aclSetOutputTensorAddr(aclOpExecutor *Handle, size_t Index,
                           aclTensor *Tensor, void *Address) {
  BELAY_NN_BEGIN();
  return setAddress(This, Handle, Index, Tensor, Address,
                    [](const Operand &O) { return O.Writes; });
}
