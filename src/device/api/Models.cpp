//===- Models.cpp - Models that are executed as a whole -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Offline models (.om) hold NPU code, which nothing here can run. What is
// loaded instead is a text that names a kernel which stands for the model;
// docs/device.md has its form.
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"
#include "device/api/Living.h"
#include "device/core/Subscriptions.h"

#include "belay/elements.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace belay;
using namespace belay::device;

namespace {

struct ModelTensor {
  std::string Name;
  int Type = 0;
  std::vector<int64_t> Dims;

  size_t bytes() const {
    size_t Count = aclDataTypeSize(Type);
    for (int64_t Dim : Dims)
      Count *= static_cast<size_t>(Dim);
    return Count;
  }
};

struct Description {
  std::string Object, Kernel;
  uint32_t Blocks = 1;
  size_t WorkBytes = 0, WeightBytes = 0;
  std::vector<ModelTensor> Inputs, Outputs;
};

/// A loaded model. Its number is that of its handle.
struct Model {
  uint32_t Id = 0;
  uint64_t Context = 0;
  Description What;
  std::shared_ptr<Function> Code;
  const void *Site = nullptr;
  std::mutex Mutex;
  /// The last execution.
  uint64_t Stream = 0, Sequence = 0;
  const void *ExecutedAt = nullptr;
};

/// ACL's number of a type; -1 for what is no type, or has no size.
int typeNamed(const std::string &Name) {
#define BELAY_ELEMENT(Id, Kind, Bits, Text)                                    \
  if (Name == Text && element_types::bytes_of(element_types::id::Id))          \
    return element_types::acl_number(element_types::id::Id);
#include "belay/elements.def"
  return -1;
}

/// "x float 2x512"
bool readTensor(std::istream &From, ModelTensor &To) {
  std::string Type, Shape;
  if (!(From >> To.Name >> Type >> Shape))
    return false;
  To.Type = typeNamed(Type);
  std::istringstream Extents(Shape);
  for (std::string Extent; std::getline(Extents, Extent, 'x');) {
    To.Dims.push_back(std::atoll(Extent.c_str()));
    if (To.Dims.back() <= 0)
      return false;
  }
  return To.Type >= 0 && !To.Dims.empty();
}

/// One line; false if it cannot be understood.
bool readLine(const std::string &Line, const std::string &Folder,
              Description &To) {
  std::istringstream Words(Line);
  std::string Key;
  if (!(Words >> Key) || Key[0] == '#')
    return true;
  if (Key == "object" && Words >> To.Object) {
    if (To.Object[0] != '/')
      To.Object = Folder + To.Object;
    return true;
  }
  if (Key == "kernel")
    return bool(Words >> To.Kernel);
  if (Key == "blocks")
    return bool(Words >> To.Blocks);
  if (Key == "work")
    return bool(Words >> To.WorkBytes);
  if (Key == "weight")
    return bool(Words >> To.WeightBytes);
  if (Key == "input" || Key == "output") {
    ModelTensor T;
    bool Good = readTensor(Words, T);
    (Key == "input" ? To.Inputs : To.Outputs).push_back(std::move(T));
    return Good;
  }
  return false;
}

constexpr char FirstLine[] = "belay-model 1";

/// Reads PATH.belay, or PATH itself; an error is told.
int readModel(Call &This, const char *Path, Description &To) {
  std::string Name = std::string(Path) + ".belay";
  std::ifstream File(Name);
  if (!File) {
    Name = Path;
    File.open(Name);
  }
  std::string Line;
  if (!File)
    return This.fail(InvalidFile, Name + ": " + std::strerror(errno));
  if (std::error_code Ignored; !std::filesystem::is_regular_file(Name, Ignored))
    return This.fail(InvalidFile, Name + ": not a regular file");
  if (!std::getline(File, Line) || Line != FirstLine)
    return This.fail(
        WrongFileContent,
        Name +
            ": offline models hold NPU code, which the simulated device "
            "cannot run; put " +
            Path +
            ".belay beside it, which names a kernel that stands for the model "
            "(docs/device.md)");
  std::string Folder = Name.substr(0, Name.find_last_of('/') + 1);
  for (int Number = 2; std::getline(File, Line); ++Number)
    if (!readLine(Line, Folder, To))
      return This.fail(WrongFileContent, Name + ":" + std::to_string(Number) +
                                             ": cannot be understood: " + Line);
  if (To.Object.empty() || To.Kernel.empty() || To.Outputs.empty())
    return This.fail(WrongFileContent,
                     Name + ": a model has an object, a kernel and outputs");
  return Success;
}

std::shared_ptr<Model> modelOf(Call &This, uint32_t Id) {
  auto M =
      runtime().Objects.find<Model>(Handles::toHandle(Id), HandleKind::Model,
                                    This.Name, This.Site, InvalidModelId);
  if (!M)
    return nullptr;
  if (M->Context != This.context().Id) {
    This.mistake(RtNoContext, DiagId::DeviceWrongContext,
                 "the model was loaded in another context",
                 "load, execute and unload a model in one context", "loaded",
                 M->Site);
    return nullptr;
  }
  return M;
}

int load(Call &This, const char *Path, uint32_t *Id,
         std::shared_ptr<Model> &Loaded) {
  BELAY_NOT_NULL(Path);
  BELAY_NOT_NULL(Id);
  auto M = std::make_shared<Model>();
  if (int E = readModel(This, Path, M->What))
    return E;
  void *Binary = nullptr, *Handle = nullptr;
  if (int E = aclrtBinaryLoadFromFile(M->What.Object.c_str(), nullptr, &Binary))
    return E;
  if (int E = aclrtBinaryGetFunction(Binary, M->What.Kernel.c_str(), &Handle))
    return E;
  M->Code = runtime().Objects.find<Function>(Handle, HandleKind::Function,
                                             This.Name, This.Site);
  // The model owns its code; nobody else can unload it.
  runtime().Objects.remove(Handle, This.Name, This.Site);
  runtime().Objects.remove(Binary, This.Name, This.Site);
  size_t Tensors = M->What.Inputs.size() + M->What.Outputs.size();
  if (M->Code->What->Params.size() != Tensors)
    return This.fail(WrongFileContent,
                     "kernel '" + M->What.Kernel + "' takes " +
                         std::to_string(M->Code->What->Params.size()) +
                         " arguments, the model has " +
                         std::to_string(Tensors) + " tensors");
  M->Id = static_cast<uint32_t>(runtime().Objects.reserve());
  M->Context = This.context().Id;
  M->Site = This.Site;
  runtime().Objects.add(M->Id, HandleKind::Model, M);
  *Id = M->Id;
  Loaded = M;
  return Success;
}

/// Memory that belongs to the model until it is unloaded.
int lend(Call &This, const Model &M, void *Pointer, size_t Provided,
         size_t Needed, const char *Which) {
  if (Needed == 0)
    return Success;
  if (!Pointer || Provided < Needed)
    return This.fail(InvalidParam, std::string("the model needs ") +
                                       std::to_string(Needed) + " bytes of " +
                                       Which + " memory; got " +
                                       std::to_string(Pointer ? Provided : 0));
  Where Place = runtime().locate(Pointer);
  if (!Place.On)
    return This.mistake(InvalidParam, DiagId::DeviceBadLaunch,
                        std::string("the ") + Which +
                            " memory of a model has to be device memory");
  AllocationTable &Table = Place.On->Memory.Table;
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  auto It = Table.find(reinterpret_cast<uint64_t>(Pointer), Needed);
  if (It == Table.Live.end())
    return This.fail(InvalidParam,
                     Table.describe(reinterpret_cast<uint64_t>(Pointer)));
  It->second.Uses[M.Id] = {1, "the model", This.Site, "unload the model first"};
  return Success;
}

/// Pointers of a dataset's buffers, which have to be as large as the tensors.
int addressesOf(Call &This, const aclmdlDataset *Set,
                const std::vector<ModelTensor> &Tensors, const char *Which,
                bool MayAllocate, std::vector<uint64_t> &To) {
  if (!Set || aclmdlGetDatasetNumBuffers(Set) != Tensors.size())
    return This.fail(InvalidParam,
                     "the model has " + std::to_string(Tensors.size()) + " " +
                         Which + "s, the dataset " +
                         std::to_string(aclmdlGetDatasetNumBuffers(Set)));
  for (size_t N = 0; N < Tensors.size(); ++N) {
    aclDataBuffer *Buffer = aclmdlGetDatasetBuffer(Set, N);
    void *Data = aclGetDataBufferAddr(Buffer);
    size_t Bytes = aclGetDataBufferSizeV2(Buffer);
    if (!Data && Bytes == 0 && MayAllocate) {
      // Who executes the model has to free it.
      Bytes = Tensors[N].bytes();
      Data = This.device().Memory.allocate(Bytes, /*Extra=*/true, This.Site);
      if (!Data)
        return This.fail(RtMemoryAllocation, "no room for an output");
      aclUpdateDataBuffer(Buffer, Data, Bytes);
    }
    std::string Name = std::string(Which) + " '" + Tensors[N].Name + "': ";
    if (Bytes < Tensors[N].bytes())
      return This.mistake(InvalidParam, DiagId::DeviceBadLaunch,
                          Name + std::to_string(Tensors[N].bytes()) +
                              " bytes are needed; got " +
                              std::to_string(Bytes));
    Where Place = runtime().locate(Data);
    if (Place.On) {
      AllocationTable &Table = Place.On->Memory.Table;
      std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
      auto Address = reinterpret_cast<uint64_t>(Data);
      if (Table.find(Address, Tensors[N].bytes()) == Table.Live.end()) {
        std::string What = Table.describe(Address);
        Lock.unlock();
        return This.mistake(InvalidParam, DiagId::DeviceBadLaunch,
                            Name + std::to_string(Tensors[N].bytes()) +
                                " bytes from " + What);
      }
    }
    To.push_back(reinterpret_cast<uint64_t>(Data));
  }
  return Success;
}

int execute(Call &This, uint32_t Id, const aclmdlDataset *Inputs,
            aclmdlDataset *Outputs, void *StreamHandle) {
  auto M = modelOf(This, Id);
  if (!M)
    return This.error() ? This.error() : int(InvalidModelId);
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  std::vector<uint64_t> Addresses;
  if (int E =
          addressesOf(This, Inputs, M->What.Inputs, "input", false, Addresses))
    return E;
  if (int E = addressesOf(This, Outputs, M->What.Outputs, "output", true,
                          Addresses))
    return E;
  std::lock_guard<std::mutex> Lock(M->Mutex);
  if (M->Stream && !S->follows(M->Stream, M->Sequence) &&
      !HostKnowledge::knows(M->Stream, M->Sequence))
    return This.mistake(InvalidParam, DiagId::DeviceModelBusy,
                        "the model may still be executed in another stream",
                        "synchronise with that stream first, or load the "
                        "model a second time",
                        "it was executed", M->ExecutedAt);
  LaunchRequest R;
  R.NumBlocks = M->What.Blocks;
  for (size_t N = 0; N < Addresses.size(); ++N)
    R.Args.push_back({static_cast<uint32_t>(N * sizeof(uint64_t)),
                      static_cast<uint32_t>(sizeof(uint64_t))});
  R.Blob.resize(Addresses.size() * sizeof(uint64_t));
  std::memcpy(R.Blob.data(), Addresses.data(), R.Blob.size());
  std::shared_ptr<Subscription> Told = subscriptions().of(Id);
  auto Record = std::make_shared<RunRecord>();
  if (Told)
    S->submit([Record] {
      Record->Start = profilingTime();
      return Outcome();
    });
  if (int E = launchKernel(This, *M->Code, StreamHandle, std::move(R)))
    return E;
  if (Told) {
    Record->Model = Id;
    std::snprintf(Record->Type, sizeof(Record->Type), "%s",
                  M->What.Kernel.c_str());
    std::snprintf(Record->Name, sizeof(Record->Name), "%s",
                  M->What.Kernel.c_str());
    S->submit([Record, Told] {
      Record->End = profilingTime();
      Told->write(*Record);
      return Outcome();
    });
  }
  M->Stream = S->Id;
  M->Sequence = S->submitted();
  M->ExecutedAt = This.Site;
  return Success;
}

} // namespace

struct aclmdlDesc {
  Description What;
};

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

int aclmdlQuerySize(const char *Path, size_t *WorkBytes, size_t *WeightBytes) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Path);
  BELAY_NOT_NULL(WorkBytes);
  BELAY_NOT_NULL(WeightBytes);
  Description D;
  if (int E = readModel(This, Path, D))
    return E;
  *WorkBytes = D.WorkBytes;
  *WeightBytes = D.WeightBytes;
  return Success;
}

int aclmdlLoadFromFile(const char *Path, uint32_t *Id) {
  BELAY_BEGIN(CurrentContext);
  std::shared_ptr<Model> M;
  return load(This, Path, Id, M);
}

int aclmdlLoadFromFileWithMem(const char *Path, uint32_t *Id, void *Work,
                              size_t WorkBytes, void *Weights,
                              size_t WeightBytes) {
  BELAY_BEGIN(CurrentContext);
  std::shared_ptr<Model> M;
  if (int E = load(This, Path, Id, M))
    return E;
  if (int E = lend(This, *M, Work, WorkBytes, M->What.WorkBytes, "working"))
    return E;
  return lend(This, *M, Weights, WeightBytes, M->What.WeightBytes, "weight");
}

int aclmdlLoadFromMem(const void *, size_t, uint32_t *) {
  BELAY_BEGIN(CurrentContext);
  return This.fail(WrongFileContent,
                   "offline models hold NPU code, which the simulated device "
                   "cannot run; load the model from a file (docs/device.md)");
}

int aclmdlUnload(uint32_t Id) {
  BELAY_BEGIN(CurrentContext);
  auto M = modelOf(This, Id);
  if (!M)
    return This.error() ? This.error() : int(InvalidModelId);
  std::lock_guard<std::mutex> Lock(M->Mutex);
  if (M->Stream && !HostKnowledge::knows(M->Stream, M->Sequence))
    This.mistake(Success, DiagId::DeviceFreedInFlight,
                 "the model is unloaded while it may still be executed",
                 "synchronise with the stream first", "it was executed",
                 M->ExecutedAt);
  HostKnowledge::learn(Id, 1); // what was lent to it is free again
  runtime().Objects.remove(Handles::toHandle(Id), This.Name, This.Site);
  return Success;
}

//===----------------------------------------------------------------------===//
// What models are like
//===----------------------------------------------------------------------===//

aclmdlDesc *aclmdlCreateDesc() {
  return Living<aclmdlDesc>::add(new aclmdlDesc);
}
int aclmdlDestroyDesc(aclmdlDesc *Desc) {
  BELAY_BEGIN(Nothing);
  return Living<aclmdlDesc>::destroy(This, Desc, "description of a model");
}
int aclmdlGetDesc(aclmdlDesc *Desc, uint32_t Id) {
  BELAY_BEGIN(CurrentContext);
  BELAY_NOT_NULL(Living<aclmdlDesc>::get(Desc));
  auto M = modelOf(This, Id);
  if (!M)
    return This.error() ? This.error() : int(InvalidModelId);
  Desc->What = M->What;
  return Success;
}

static const ModelTensor *at(const std::vector<ModelTensor> &Tensors,
                             size_t Index) {
  return Index < Tensors.size() ? &Tensors[Index] : nullptr;
}

static int writeDims(const ModelTensor *T, aclmdlIODims *To) {
  if (!T || !To)
    return fail(InvalidParam, "the model has no such tensor");
  std::snprintf(To->name, sizeof(To->name), "%s", T->Name.c_str());
  To->dimCount = std::min(T->Dims.size(), std::size(To->dims));
  std::copy_n(T->Dims.begin(), To->dimCount, To->dims);
  return Success;
}

static int indexOf(const std::vector<ModelTensor> &Tensors, const char *Name,
                   size_t *Index) {
  for (size_t N = 0; Name && Index && N < Tensors.size(); ++N)
    if (Tensors[N].Name == Name) {
      *Index = N;
      return Success;
    }
  return fail(InvalidParam, "the model has no such tensor");
}

#define BELAY_MODEL_SIDE(Side, Tensors)                                        \
  size_t aclmdlGetNum##Side##s(aclmdlDesc *Desc) {                             \
    return Living<aclmdlDesc>::get(Desc) ? Desc->What.Tensors.size() : 0;      \
  }                                                                            \
  size_t aclmdlGet##Side##SizeByIndex(aclmdlDesc *Desc, size_t Index) {        \
    const ModelTensor *T = Living<aclmdlDesc>::get(Desc)                       \
                               ? at(Desc->What.Tensors, Index)                 \
                               : nullptr;                                      \
    return T ? T->bytes() : 0;                                                 \
  }                                                                            \
  const char *aclmdlGet##Side##NameByIndex(const aclmdlDesc *Desc,             \
                                           size_t Index) {                     \
    const ModelTensor *T = Living<aclmdlDesc>::get(Desc)                       \
                               ? at(Desc->What.Tensors, Index)                 \
                               : nullptr;                                      \
    return T ? T->Name.c_str() : "";                                           \
  }                                                                            \
  int aclmdlGet##Side##DataType(const aclmdlDesc *Desc, size_t Index) {        \
    const ModelTensor *T = Living<aclmdlDesc>::get(Desc)                       \
                               ? at(Desc->What.Tensors, Index)                 \
                               : nullptr;                                      \
    return T ? T->Type : -1;                                                   \
  }                                                                            \
  int aclmdlGet##Side##Format(const aclmdlDesc *, size_t) {                    \
    constexpr int Plain = 2;                                                   \
    return Plain;                                                              \
  }                                                                            \
  int aclmdlGet##Side##Dims(const aclmdlDesc *Desc, size_t Index,              \
                            aclmdlIODims *Dims) {                              \
    return writeDims(Living<aclmdlDesc>::get(Desc)                             \
                         ? at(Desc->What.Tensors, Index)                       \
                         : nullptr,                                            \
                     Dims);                                                    \
  }                                                                            \
  int aclmdlGet##Side##IndexByName(const aclmdlDesc *Desc, const char *Name,   \
                                   size_t *Index) {                            \
    return Living<aclmdlDesc>::get(Desc)                                       \
               ? indexOf(Desc->What.Tensors, Name, Index)                      \
               : fail(InvalidParam, "the description is null");                \
  }
BELAY_MODEL_SIDE(Input, Inputs)
BELAY_MODEL_SIDE(Output, Outputs)

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

int aclmdlExecuteAsync(uint32_t Id, const aclmdlDataset *Inputs,
                       aclmdlDataset *Outputs, void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  return execute(This, Id, Inputs, Outputs, StreamHandle);
}

int aclmdlExecute(uint32_t Id, const aclmdlDataset *Inputs,
                  aclmdlDataset *Outputs) {
  BELAY_BEGIN(CurrentContext);
  if (int E = execute(This, Id, Inputs, Outputs, nullptr))
    return E;
  return synchronize(*This.context().DefaultStream);
}
