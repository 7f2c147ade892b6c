//===- Dumps.cpp - Tensors in files, for those who debug ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

#include "device/core/Dump.h"

#include <cstring>
#include <filesystem>
#include <iterator>

using namespace belay::device;

/// The vendor's layout.
struct acldumpTensorInfo {
  int type;
  size_t tensorSize;
  int32_t format, dataType;
  int64_t *tensorAddr;
  int addrType, placement;
  uint32_t argsOffset, shapeNum, originShapeNum;
  uint64_t shape[25], originShape[25];
};

int aclmdlInitDump() {
  BELAY_BEGIN(Initialised);
  std::string Problem;
  int E = dumps().begin(Problem);
  return E ? This.fail(E, Problem) : Success;
}

int aclmdlSetDump(const char *Config) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Config);
  std::string Problem;
  int E = dumps().configure(Config, /*AtStart=*/false, Problem);
  return E ? This.fail(E, Problem) : Success;
}

int aclmdlFinalizeDump() {
  BELAY_BEGIN(Initialised);
  std::string Problem;
  int E = dumps().end(Problem);
  return E ? This.fail(E, Problem) : Success;
}

const char *acldumpGetPath(int Type) { return dumps().pathOf(Type); }

int acldumpRegCallback(int32_t (*Function)(const acldumpChunk *, int32_t),
                       int32_t Flag) {
  BELAY_BEGIN(Nothing);
  BELAY_NOT_NULL(Function);
  if (Flag != 0)
    return This.fail(InvalidParam, "the flag has to be 0");
  return dumps().setCallback(Function)
             ? Success
             : This.fail(InvalidParam, "a function is registered already");
}

void acldumpUnregCallback() { dumps().setCallback(nullptr); }

//===----------------------------------------------------------------------===//
// Descriptions of operators
//===----------------------------------------------------------------------===//

static constexpr uint32_t OperatorArguments = 1;

int aclopStartDumpArgs(uint32_t Type, const char *Path) {
  BELAY_BEGIN(Nothing);
  BELAY_NOT_NULL(Path);
  if (Type != OperatorArguments)
    return This.fail(InvalidParam,
                     "there is no dump of type " + std::to_string(Type));
  return dumps().setDescriptions(Path)
             ? Success
             : This.fail(InvalidParam,
                         std::string("'") + Path + "' cannot be made");
}

int aclopStopDumpArgs(uint32_t Type) {
  BELAY_BEGIN(Nothing);
  if (Type != OperatorArguments)
    return This.fail(InvalidParam,
                     "there is no dump of type " + std::to_string(Type));
  dumps().endDescriptions();
  return Success;
}

//===----------------------------------------------------------------------===//
// Data of exceptions
//===----------------------------------------------------------------------===//

int acldumpGetExceptionInfoPath(char *Path, size_t MaxBytes) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Path);
  std::string Folder = dumps().exceptionFolder(This.context().Device);
  if (Folder.empty())
    return This.fail(DumpNotRun, "exceptions are not dumped; name a dump_scene "
                                 "for aclInit or aclmdlSetDump");
  if (Folder.size() >= MaxBytes)
    return This.fail(InvalidParam,
                     "the path has " + std::to_string(Folder.size() + 1) +
                         " bytes, the buffer " + std::to_string(MaxBytes));
  std::memcpy(Path, Folder.c_str(), Folder.size() + 1);
  return Success;
}

/// A name below the folder, and not outside.
static bool isBelow(const char *Name) {
  std::filesystem::path Path = Name;
  if (Path.empty() || Path.is_absolute() || !Path.has_filename())
    return false;
  for (const std::filesystem::path &Part : Path)
    if (Part == "..")
      return false;
  return true;
}

/// One tensor as it is now.
static int takeTensor(Call &This, size_t Number, const acldumpTensorInfo &From,
                      DumpedTensor &To) {
  constexpr int RawAddress = 2, OnDevice = 0, LastRole = 2;
  std::string Which = "tensor " + std::to_string(Number) + ": ";
  if (!From.tensorAddr || From.tensorSize == 0)
    return This.fail(InvalidParam, Which + "there is nothing to save");
  if (From.type < 0 || From.type > LastRole ||
      From.shapeNum > std::size(From.shape) ||
      From.originShapeNum > std::size(From.originShape))
    return This.fail(InvalidParam, Which + "the type or a shape is wrong");
  if (From.addrType != RawAddress || From.placement != OnDevice)
    return This.fail(InvalidParam,
                     Which + "only ACL_DUMP_ADDR_RAW and "
                             "ACL_DUMP_PLACEMENT_DEVICE are supported");
  auto Address = reinterpret_cast<uint64_t>(From.tensorAddr);
  Where Place = runtime().locate(From.tensorAddr);
  if (!Place.On)
    return This.fail(InvalidParam, Which + "this is no device memory");
  AllocationTable &Table = Place.On->Memory.Table;
  std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
  if (Table.find(Address, From.tensorSize) == Table.Live.end())
    return This.fail(InvalidParam, Which + std::to_string(From.tensorSize) +
                                       " bytes from " +
                                       Table.describe(Address));
  const uint8_t *Bytes = Place.On->Memory.bytes(Address);
  To = {static_cast<DumpRole>(From.type),
        From.dataType,
        From.format,
        {From.shape, From.shape + From.shapeNum},
        {From.originShape, From.originShape + From.originShapeNum},
        Address,
        {Bytes, Bytes + From.tensorSize}};
  return Success;
}

int acldumpSaveExceptionInfo(const char *Name, const char *Tag,
                             const acldumpTensorInfo *Tensors, size_t Count) {
  BELAY_BEGIN(CurrentContext);
  if (!Name || !isBelow(Name))
    return This.fail(InvalidParam, "the name of the file has to lie below the "
                                   "folder of exceptions");
  if (!Tensors || Count == 0)
    return This.fail(InvalidParam, "there are no tensors");
  std::string Folder = dumps().exceptionFolder(This.context().Device);
  if (Folder.empty())
    return This.fail(DumpNotRun, "exceptions are not dumped; name a dump_scene "
                                 "for aclInit or aclmdlSetDump");
  Dump D;
  D.Name = Name;
  if (Tag)
    D.Attributes = {{"userTag", Tag}};
  for (size_t N = 0; N < Count; ++N)
    if (int E = takeTensor(This, N, Tensors[N], D.Tensors.emplace_back()))
      return E;
  std::string Problem =
      writeDumpFile(Folder + Name + ".custom." + dumpTimestamp(), D.encode());
  return Problem.empty() ? Success : This.fail(RtInternal, Problem);
}
