//===- host.h - A binding as the tiling function of an operator -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included once in each candidate that launches its kernel itself. The function
// that its Python calls is called with the shapes of a case; the launch that it
// makes becomes blocks, tiling key (which launch of the source) and tiling data
// (the arguments). belayForward() is made for each candidate.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MULTIKERNELBENCH_HOST_H
#define BELAY_MULTIKERNELBENCH_HOST_H

#include "multikernelbench/torch.h"
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

#include <cstdio>
#include <cstdlib>

static at::Tensor belayForward(const std::vector<at::Tensor> &Inputs);

namespace belay::record {

static std::vector<Launch> Launches;
static std::vector<uint64_t> Allocated;

void refuse(const std::string &Why) {
  std::fprintf(stderr, "%s\n", Why.c_str());
  std::fflush(nullptr);
  std::_Exit(3);
}

uint64_t allocate(uint64_t Bytes) {
  if (Allocated.size() == MaxAllocated)
    refuse("the binding allocates too many tensors");
  Allocated.push_back(Bytes);
  return (FirstAllocated + Allocated.size() - 1) << AddressBits;
}

void keep(Launch L) { Launches.push_back(std::move(L)); }

std::map<std::string, Function> &functions() {
  static std::map<std::string, Function> All;
  return All;
}

static at::ScalarType typeOf(ge::DataType Type) {
  switch (Type) {
  case ge::DT_FLOAT16:
    return at::kHalf;
  case ge::DT_BF16:
    return at::kBFloat16;
  case ge::DT_INT8:
    return at::kChar;
  case ge::DT_UINT8:
    return at::kByte;
  case ge::DT_INT16:
    return at::kShort;
  case ge::DT_INT32:
    return at::kInt;
  case ge::DT_INT64:
    return at::kLong;
  case ge::DT_DOUBLE:
    return at::kDouble;
  case ge::DT_BOOL:
    return at::kBool;
  default:
    return at::kFloat;
  }
}

static at::IntArrayRef extentsOf(const gert::Shape &Shape) {
  at::IntArrayRef Extents;
  for (size_t I = 0; I < Shape.GetDimNum(); ++I)
    Extents.push_back(Shape.GetDim(I));
  return Extents;
}

} // namespace belay::record

namespace optiling {

BEGIN_TILING_DATA_DEF(DirectLaunchTilingData)
TILING_DATA_FIELD_DEF(uint64_t, result);
TILING_DATA_FIELD_DEF_ARR(uint64_t, 16, places);
TILING_DATA_FIELD_DEF_ARR(uint64_t, 96, words);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(DirectLaunch, DirectLaunchTilingData)

static ge::graphStatus tileDirectLaunch(gert::TilingContext *Context) {
  using namespace belay::record;
  std::vector<at::Tensor> Inputs;
  for (size_t I = 0; I < Context->GetComputeNodeInputNum(); ++I)
    Inputs.emplace_back(extentsOf(Context->GetInputShape(I)->GetStorageShape()),
                        typeOf(Context->GetInputDesc(I)->GetDataType()),
                        (I + 1) << AddressBits);
  at::Tensor Result = belayForward(Inputs);
  uint64_t Number =
      reinterpret_cast<uint64_t>(Result.data_ptr()) >> AddressBits;
  if (Number < FirstAllocated)
    refuse("the result is not memory that the binding has allocated");
  at::IntArrayRef Wanted =
      extentsOf(Context->GetOutputShape(0)->GetStorageShape());
  // What has no dimension is written as one element.
  if (Result.sizes() != Wanted && !(Result.dim() == 0 && Wanted.size() == 1))
    refuse("the result has another shape than the reference's");
  if (Launches.size() != 1)
    refuse("the binding launches " + std::to_string(Launches.size()) +
           " kernels for one call; one is understood");
  const Launch &Only = Launches.front();
  if (Only.Words.size() > MaxWords)
    refuse("the kernel's arguments are too long");
  uint64_t Places[MaxAllocated] = {}, Words[MaxWords] = {}, Room = 0;
  for (size_t I = 0; I < Allocated.size(); ++I) {
    Places[I] = Room;
    if (FirstAllocated + I != Number)
      Room += (Allocated[I] + 511) / 512 * 512;
  }
  std::copy(Only.Words.begin(), Only.Words.end(), Words);
  DirectLaunchTilingData Tiling;
  Tiling.set_result(Number);
  Tiling.set_places(Places);
  Tiling.set_words(Words);
  Tiling.SaveToBuffer(Context->GetRawTilingData()->GetData(),
                      Context->GetRawTilingData()->GetCapacity());
  Context->GetRawTilingData()->SetDataSize(Tiling.GetDataSize());
  Context->SetBlockDim(Only.Blocks);
  Context->SetTilingKey(Only.Site);
  Context->GetWorkspaceSizes(1)[0] = Room;
  return ge::GRAPH_SUCCESS;
}

} // namespace optiling

#endif // BELAY_MULTIKERNELBENCH_HOST_H
