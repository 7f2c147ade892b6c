//===- context.h - What tiling and inference functions are given *- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_CONTEXT_H
#define BELAY_OPHOST_CONTEXT_H

#include "ophost/attrs.h"
#include "ophost/platform.h"

#include <cstring>

namespace belay::ophost {

/// The instances of one parameter of the operator's definition: one if it is
/// required, none or one if optional, any number if dynamic. They are
/// consecutive in the list of all tensors.
struct Parameter {
  size_t First = 0, Num = 0;
};

/// All that a call has, built by the process that loads the operator.
struct Call {
  std::string Type, Name;
  std::vector<gert::Tensor> Inputs, Outputs;
  std::vector<Parameter> InputParameters, OutputParameters;
  gert::RuntimeAttrs Attrs;
  fe::PlatFormInfos Infos;
  bool Deterministic = false;
  void *CompileInfo = nullptr;

  // What the function answers.
  uint64_t TilingKey = 0;
  uint32_t Blocks = 0;
  uint32_t ScheduleMode = 0;
  bool NeedAtomic = false;
  std::vector<size_t> Workspaces;
  std::vector<uint8_t> Tiling;
  size_t TilingBytes = 0;
  std::vector<ge::DataType> OutputTypes;
};

} // namespace belay::ophost

namespace gert {

class TilingData {
public:
  explicit TilingData(belay::ophost::Call *Of) : Of(Of) {}
  void *GetData() { return Of->Tiling.data(); }
  const void *GetData() const { return Of->Tiling.data(); }
  size_t GetCapacity() const { return Of->Tiling.size(); }
  size_t GetDataSize() const { return Of->TilingBytes; }
  void SetDataSize(size_t Bytes) {
    if (Bytes <= Of->Tiling.size())
      Of->TilingBytes = Bytes;
  }
  ge::graphStatus Append(const void *Data, size_t Bytes) {
    if (Of->Tiling.size() - Of->TilingBytes < Bytes)
      return ge::GRAPH_FAILED;
    std::memcpy(Of->Tiling.data() + Of->TilingBytes, Data, Bytes);
    Of->TilingBytes += Bytes;
    return ge::GRAPH_SUCCESS;
  }
  template <typename T> ge::graphStatus Append(const T &Value) {
    return Append(&Value, sizeof(T));
  }

private:
  belay::ophost::Call *Of;
};

class AnchorInstanceInfo {
public:
  AnchorInstanceInfo(size_t First, size_t Num) : First(First), Num(Num) {}
  size_t GetInstanceNum() const { return Num; }
  size_t GetInstanceStart() const { return First; }

private:
  size_t First, Num;
};

class ComputeNodeInfo {
public:
  explicit ComputeNodeInfo(const belay::ophost::Call *Of) : Of(Of) {
    for (const belay::ophost::Parameter &P : Of->InputParameters)
      Inputs.emplace_back(P.First, P.Num);
  }
  const char *GetNodeType() const { return Of->Type.c_str(); }
  const char *GetNodeName() const { return Of->Name.c_str(); }
  size_t GetIrInputsNum() const { return Inputs.size(); }
  size_t GetInputsNum() const { return Of->Inputs.size(); }
  size_t GetOutputsNum() const { return Of->Outputs.size(); }
  const AnchorInstanceInfo *GetInputInstanceInfo(size_t Index) const {
    return Index < Inputs.size() ? &Inputs[Index] : nullptr;
  }
  const CompileTimeTensorDesc *GetInputTdInfo(size_t Index) const {
    return Index < Of->Inputs.size() ? &Of->Inputs[Index].Desc : nullptr;
  }
  const CompileTimeTensorDesc *GetOutputTdInfo(size_t Index) const {
    return Index < Of->Outputs.size() ? &Of->Outputs[Index].Desc : nullptr;
  }
  const RuntimeAttrs *GetAttrs() const { return &Of->Attrs; }

private:
  const belay::ophost::Call *Of;
  std::vector<AnchorInstanceInfo> Inputs;
};

class KernelContext {
public:
  explicit KernelContext(belay::ophost::Call *Of) : Of(Of), Info(Of) {}
  size_t GetComputeNodeInputNum() const { return Of->Inputs.size(); }
  size_t GetComputeNodeOutputNum() const { return Of->Outputs.size(); }

protected:
  belay::ophost::Call *Of;
  ComputeNodeInfo Info;
};

class ExtendedKernelContext : public KernelContext {
public:
  using KernelContext::KernelContext;
  const char *GetNodeType() const { return Of->Type.c_str(); }
  const char *GetNodeName() const { return Of->Name.c_str(); }
  const RuntimeAttrs *GetAttrs() const { return &Of->Attrs; }
  const ComputeNodeInfo *GetComputeNodeInfo() const { return &Info; }
  const AnchorInstanceInfo *GetIrInputInstanceInfo(size_t Index) const {
    return Info.GetInputInstanceInfo(Index);
  }
  const CompileTimeTensorDesc *GetInputDesc(size_t Index) const {
    return Info.GetInputTdInfo(Index);
  }
  const CompileTimeTensorDesc *GetOutputDesc(size_t Index) const {
    return Info.GetOutputTdInfo(Index);
  }
  const CompileTimeTensorDesc *GetOptionalInputDesc(size_t Parameter) const {
    return descOf(instance(Parameter, 0));
  }
  const CompileTimeTensorDesc *GetRequiredInputDesc(size_t Parameter) const {
    return descOf(instance(Parameter, 0));
  }
  const CompileTimeTensorDesc *GetDynamicInputDesc(size_t Parameter,
                                                   size_t Index) const {
    return descOf(instance(Parameter, Index));
  }

protected:
  const Tensor *input(size_t Index) const {
    return Index < Of->Inputs.size() ? &Of->Inputs[Index] : nullptr;
  }
  const Tensor *instance(size_t Parameter, size_t Index) const {
    if (Parameter >= Of->InputParameters.size() ||
        Index >= Of->InputParameters[Parameter].Num)
      return nullptr;
    return &Of->Inputs[Of->InputParameters[Parameter].First + Index];
  }
  static const CompileTimeTensorDesc *descOf(const Tensor *T) {
    return T ? &T->Desc : nullptr;
  }
  static const StorageShape *shapeOf(const Tensor *T) {
    return T ? &T->TheShape : nullptr;
  }
  static const Shape *storageOf(const Tensor *T) {
    return T ? &T->TheShape.GetStorageShape() : nullptr;
  }
};

class TilingContext : public ExtendedKernelContext {
public:
  explicit TilingContext(belay::ophost::Call *C)
      : ExtendedKernelContext(C), Raw(C) {}

  const void *GetCompileInfo() const { return Of->CompileInfo; }
  template <typename T> const T *GetCompileInfo() const {
    return static_cast<const T *>(Of->CompileInfo);
  }
  fe::PlatFormInfos *GetPlatformInfo() const { return &Of->Infos; }

  const StorageShape *GetInputShape(size_t Index) const {
    return shapeOf(input(Index));
  }
  const StorageShape *GetRequiredInputShape(size_t Parameter) const {
    return shapeOf(instance(Parameter, 0));
  }
  const StorageShape *GetOptionalInputShape(size_t Parameter) const {
    return shapeOf(instance(Parameter, 0));
  }
  const StorageShape *GetDynamicInputShape(size_t Parameter,
                                           size_t Index) const {
    return shapeOf(instance(Parameter, Index));
  }
  const Tensor *GetInputTensor(size_t Index) const { return input(Index); }
  const Tensor *GetRequiredInputTensor(size_t Parameter) const {
    return instance(Parameter, 0);
  }
  const Tensor *GetOptionalInputTensor(size_t Parameter) const {
    return instance(Parameter, 0);
  }
  const Tensor *GetDynamicInputTensor(size_t Parameter, size_t Index) const {
    return instance(Parameter, Index);
  }
  const StorageShape *GetOutputShape(size_t Index) const {
    return Index < Of->Outputs.size() ? &Of->Outputs[Index].TheShape : nullptr;
  }

  ge::graphStatus SetTilingKey(uint64_t Key) {
    Of->TilingKey = Key;
    return ge::GRAPH_SUCCESS;
  }
  uint64_t GetTilingKey() const { return Of->TilingKey; }
  ge::graphStatus SetBlockDim(uint32_t Blocks) {
    Of->Blocks = Blocks;
    return ge::GRAPH_SUCCESS;
  }
  uint32_t GetBlockDim() const { return Of->Blocks; }
  ge::graphStatus SetSimdNumBlocks(uint32_t Blocks) {
    return SetBlockDim(Blocks);
  }
  ge::graphStatus SetNeedAtomic(bool Need) {
    Of->NeedAtomic = Need;
    return ge::GRAPH_SUCCESS;
  }
  ge::graphStatus SetScheduleMode(uint32_t Mode) {
    Of->ScheduleMode = Mode;
    return ge::GRAPH_SUCCESS;
  }
  size_t *GetWorkspaceSizes(size_t Count) {
    if (Of->Workspaces.size() < Count)
      Of->Workspaces.resize(Count);
    return Of->Workspaces.data();
  }
  size_t GetWorkspaceNum() const { return Of->Workspaces.size(); }
  TilingData *GetRawTilingData() { return &Raw; }
  /// The structure itself, in the memory that the kernel will read.
  template <typename T> T *GetTilingData() {
    if (Of->Tiling.size() < sizeof(T))
      return nullptr;
    Of->TilingBytes = sizeof(T);
    return reinterpret_cast<T *>(Of->Tiling.data());
  }
  int32_t GetDeterministic() const { return Of->Deterministic; }

private:
  TilingData Raw;
};

class TilingParseContext : public ExtendedKernelContext {
public:
  using ExtendedKernelContext::ExtendedKernelContext;
  template <typename T> T *GetCompiledInfo() {
    return static_cast<T *>(Of->CompileInfo);
  }
  const char *GetCompiledJson() const { return "{}"; }
  fe::PlatFormInfos *GetPlatformInfo() const { return &Of->Infos; }
};

class InferShapeContext : public ExtendedKernelContext {
public:
  using ExtendedKernelContext::ExtendedKernelContext;
  const Shape *GetInputShape(size_t Index) const {
    return storageOf(input(Index));
  }
  const Shape *GetOptionalInputShape(size_t Parameter) const {
    return storageOf(instance(Parameter, 0));
  }
  const Shape *GetRequiredInputShape(size_t Parameter) const {
    return storageOf(instance(Parameter, 0));
  }
  const Shape *GetDynamicInputShape(size_t Parameter, size_t Index) const {
    return storageOf(instance(Parameter, Index));
  }
  const Tensor *GetInputTensor(size_t Index) const { return input(Index); }
  const Tensor *GetOptionalInputTensor(size_t Parameter) const {
    return instance(Parameter, 0);
  }
  Shape *GetOutputShape(size_t Index) {
    return Index < Of->Outputs.size()
               ? &Of->Outputs[Index].TheShape.MutableStorageShape()
               : nullptr;
  }
};

class InferShapeRangeContext : public ExtendedKernelContext {
public:
  using ExtendedKernelContext::ExtendedKernelContext;
  const Range<Shape> *GetInputShapeRange(size_t) const { return nullptr; }
  Range<Shape> *GetOutputShapeRange(size_t) { return nullptr; }
};

class InferDataTypeContext : public ExtendedKernelContext {
public:
  using ExtendedKernelContext::ExtendedKernelContext;
  ge::DataType GetInputDataType(size_t Index) const {
    const Tensor *T = input(Index);
    return T ? T->GetDataType() : ge::DT_UNDEFINED;
  }
  ge::DataType GetOptionalInputDataType(size_t Parameter) const {
    const Tensor *T = instance(Parameter, 0);
    return T ? T->GetDataType() : ge::DT_UNDEFINED;
  }
  ge::DataType GetDynamicInputDataType(size_t Parameter, size_t Index) const {
    const Tensor *T = instance(Parameter, Index);
    return T ? T->GetDataType() : ge::DT_UNDEFINED;
  }
  ge::DataType GetOutputDataType(size_t Index) const {
    return Index < Of->OutputTypes.size() ? Of->OutputTypes[Index]
                                          : ge::DT_UNDEFINED;
  }
  ge::graphStatus SetOutputDataType(size_t Index, ge::DataType Type) {
    if (Of->OutputTypes.size() <= Index)
      Of->OutputTypes.resize(Index + 1, ge::DT_UNDEFINED);
    Of->OutputTypes[Index] = Type;
    return ge::GRAPH_SUCCESS;
  }
};

} // namespace gert

#endif // BELAY_OPHOST_CONTEXT_H
