//===- Tasks.cpp - Tasks that are no kernels, and what they may use -------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

#include "belay/elements.h"
#include "device/core/Configuration.h"
#include "device/hccl/Types.h"

#include <cstring>

using namespace belay;
using namespace belay::device;

//===----------------------------------------------------------------------===//
// Reductions in memory
//===----------------------------------------------------------------------===//

namespace {

/// The collectives' number of a type of ACL; nothing if memory cannot reduce
/// it.
std::optional<hccl::DataType> reducible(int Type) {
  element_types::id Element = element_types::from_acl(Type);
  switch (Element) {
  case element_types::id::S8:
  case element_types::id::S16:
  case element_types::id::S32:
  case element_types::id::F16:
  case element_types::id::BF16:
  case element_types::id::F32:
    return static_cast<hccl::DataType>(element_types::hccl_number(Element));
  default:
    return std::nullopt;
  }
}

std::optional<hccl::ReduceOp> operationOf(int Kind) {
  enum { Sum = 10, Max = 11, Min = 12 };
  switch (Kind) {
  case Sum:
    return hccl::ReduceOp::Sum;
  case Max:
    return hccl::ReduceOp::Max;
  case Min:
    return hccl::ReduceOp::Min;
  default:
    return std::nullopt;
  }
}

/// Null and an error told if the bytes are not memory of the stream's device.
Device *deviceOf(Call &This, const Stream &S, const void *Pointer, size_t Bytes,
                 const char *Which) {
  Where Place = runtime().locate(Pointer);
  auto Address = reinterpret_cast<uint64_t>(Pointer);
  std::string What = "it is not memory of the stream's device";
  if (Place.On && Place.On->Id == S.Device) {
    AllocationTable &Table = Place.On->Memory.Table;
    std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
    if (Table.find(Address, Bytes) != Table.Live.end())
      return Place.On;
    What = std::to_string(Bytes) + " bytes from " + Table.describe(Address);
  }
  This.mistake(RtParam, DiagId::DeviceBadCopy,
               "the " + std::string(Which) + ": " + What);
  return nullptr;
}

} // namespace

int aclrtReduceAsync(void *To, const void *From, uint64_t Bytes, int Kind,
                     int Type, void *StreamHandle, void *) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(To);
  BELAY_NOT_NULL(From);
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  auto Element = reducible(Type);
  auto Operation = operationOf(Kind);
  if (!Element || !Operation)
    return This.fail(RtFeatureNotSupported,
                     "memory reduces int8, int16, int32, fp16, fp32 and bf16, "
                     "by sum, maximum or minimum");
  if (Bytes == 0 || Bytes % hccl::sizeOf(*Element))
    return This.fail(RtParam,
                     std::to_string(Bytes) + " bytes are no whole elements");
  Device *D = deviceOf(This, *S, To, Bytes, "destination");
  if (!D || !deviceOf(This, *S, From, Bytes, "source"))
    return This.error();
  auto Target = reinterpret_cast<uint64_t>(To);
  auto Source = reinterpret_cast<uint64_t>(From);
  uint64_t Sequence = S->submit(
      [=]() -> Outcome {
        AllocationTable &Table = D->Memory.Table;
        {
          std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
          if (Table.find(Target, Bytes) == Table.Live.end() ||
              Table.find(Source, Bytes) == Table.Live.end())
            return {RtCopyFailed, "memory of a reduction is gone"};
          hccl::reduce(D->Memory.bytes(Target), D->Memory.bytes(Source),
                       Bytes / hccl::sizeOf(*Element), *Element, *Operation);
        }
        D->Memory.markWritten({Target});
        return {};
      },
      "REDUCE_ASYNC");
  std::unique_lock<std::shared_mutex> Lock(D->Memory.Table.Mutex);
  for (uint64_t Address : {Target, Source})
    if (auto It = D->Memory.Table.find(Address);
        It != D->Memory.Table.Live.end())
      It->second.Uses[S->Id] = {Sequence, "the reduction", This.Site};
  return Success;
}

int aclrtGetThreadLastTaskId(uint32_t *Id) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Id);
  *Id = static_cast<uint32_t>(lastTaskOfThread());
  return Success;
}

//===----------------------------------------------------------------------===//
// Cores that streams and threads may use; told, not kept
//===----------------------------------------------------------------------===//

static thread_local uint64_t StreamOfThread = 0; // aclrtUseStreamRes...

int aclrtSetStreamResLimit(void *Handle, int Kind, uint32_t Value) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(Handle);
  if (!S)
    return This.error();
  uint32_t Most = 0;
  if (int E = aclrtGetDeviceResLimit(S->Device, Kind, &Most))
    return E;
  if (Value == 0 || Value > Most)
    return This.fail(RtParam, "the device has " + std::to_string(Most) +
                                  " of these, not " + std::to_string(Value));
  std::lock_guard<std::mutex> Lock(runtime().Mutex);
  S->CoreLimits[Kind] = Value;
  return Success;
}

int aclrtResetStreamResLimit(void *Handle) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(Handle);
  if (!S)
    return This.error();
  std::lock_guard<std::mutex> Lock(runtime().Mutex);
  S->CoreLimits.clear();
  return Success;
}

/// The stream's own limit, else that of its device.
static int limitOf(const Stream &S, int Kind, uint32_t *Value) {
  {
    std::lock_guard<std::mutex> Lock(runtime().Mutex);
    if (auto It = S.CoreLimits.find(Kind); It != S.CoreLimits.end()) {
      *Value = It->second;
      return Success;
    }
  }
  return aclrtGetDeviceResLimit(S.Device, Kind, Value);
}

int aclrtGetStreamResLimit(void *Handle, int Kind, uint32_t *Value) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Value);
  auto S = This.stream(Handle);
  return S ? limitOf(*S, Kind, Value) : This.error();
}

int aclrtUseStreamResInCurrentThread(void *Handle) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(Handle);
  if (!S)
    return This.error();
  StreamOfThread = S->Id;
  return Success;
}

int aclrtUnuseStreamResInCurrentThread(void *Handle) {
  BELAY_BEGIN(CurrentContext);
  auto S = This.stream(Handle);
  if (!S)
    return This.error();
  if (StreamOfThread == S->Id)
    StreamOfThread = 0;
  return Success;
}

int aclrtGetResInCurrentThread(int Kind, uint32_t *Value) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Value);
  auto S = std::static_pointer_cast<Stream>(runtime().Objects.peek(
      Handles::toHandle(StreamOfThread), HandleKind::Stream));
  return S ? limitOf(*S, Kind, Value)
           : aclrtGetDeviceResLimit(This.context().Device, Kind, Value);
}

//===----------------------------------------------------------------------===//
// What the simulated parts do not have, as their documentation says
//===----------------------------------------------------------------------===//

static int notOnThisPart(Call &This, const char *What) {
  return This.fail(RtFeatureNotSupported,
                   std::string(configuration().Soc->name) + " has no " + What);
}

int aclrtSubscribeHostFunc(uint64_t, void *) {
  BELAY_BEGIN(Initialised);
  return notOnThisPart(This, "threads for host functions; "
                             "aclrtLaunchHostFunc needs none");
}
int aclrtProcessHostFunc(int32_t) {
  BELAY_BEGIN(Initialised);
  return notOnThisPart(This, "threads for host functions");
}
int aclrtUnSubscribeHostFunc(uint64_t, void *) {
  BELAY_BEGIN(Initialised);
  return notOnThisPart(This, "threads for host functions");
}
