//===- Binaries.cpp - Loading kernels and finding them --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"
#include "device/api/Living.h"

#include "device/core/Configuration.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace belay;
using namespace belay::device;

/// A file in memory that the runner opens through this process.
static int writeObject(const uint8_t *Data, uint64_t Bytes) {
  int Fd = memfd_create("belay-kernel", MFD_CLOEXEC);
  for (uint64_t Done = 0; Fd >= 0 && Done < Bytes;) {
    ssize_t Written = write(Fd, Data + Done, Bytes - Done);
    if (Written <= 0) {
      close(Fd);
      return -1;
    }
    Done += static_cast<uint64_t>(Written);
  }
  return Fd;
}

/// The runner, and dlopen in it, know objects by their paths, but the numbers
/// of descriptors come back when a binary is unloaded. So each object gets a
/// path of its own: a number in bits, "/." for 1 and "/" for 0, which leads
/// nowhere.
static std::string pathOf(int Fd) {
  static std::atomic<uint64_t> Next{1};
  std::string Path = "/proc/" + std::to_string(getpid());
  for (uint64_t Bits = Next++; Bits; Bits >>= 1)
    Path += Bits & 1 ? "/." : "/";
  return Path + "/fd/" + std::to_string(Fd);
}

static bool inside(uint64_t Offset, uint64_t Bytes, size_t Total) {
  return Offset <= Total && Bytes <= Total - Offset;
}

/// "scale<4>" for "_ZN5belay7program8LaunchedIXadL_Z5scaleILi4EEvPhEEE5entryE".
static std::string readable(const std::string &Key) {
  char *Text = abi::__cxa_demangle(Key.c_str(), nullptr, nullptr, nullptr);
  std::string Name = Text ? Text : "";
  std::free(Text);
  const std::string Back = ">::entry",
                    Threads = "belay::program::LaunchedThreads<&";
  std::string Front = "belay::program::Launched<&";
  if (Name.find(Threads) == 0)
    Front = Threads;
  if (Name.size() < Front.size() + Back.size() || Name.find(Front) != 0)
    return Key;
  Name = Name.substr(Front.size(), Name.size() - Front.size() - Back.size());
  // "(void scale<4>(unsigned char*))", "(add(unsigned char*))", "add"
  if (Name[0] != '(')
    return Name;
  const std::string Result = "(void ";
  Name.erase(0, Name.find(Result) == 0 ? Result.size() : 1);
  int Depth = 0;
  for (size_t At = 0; At < Name.size(); ++At) {
    Depth += (Name[At] == '<') - (Name[At] == '>');
    if (Depth == 0 && Name[At] == '(')
      return Name.substr(0, At);
  }
  return Name;
}

/// Of the device that is current in this thread, or that comes first: stubs
/// load in static constructors, before there is a context.
static const targets::Soc &currentSoc() {
  auto C = runtime().Objects.peek(currentContextHandle(), HandleKind::Context);
  if (!C)
    return *configuration().Soc;
  return *runtime().device(static_cast<Context *>(C.get())->Device).Kind.Soc;
}

/// What belay check asks of the launches of a kernel. One that it was not asked
/// about has no condition that could be known to hold.
static std::shared_ptr<const conditions::KernelConditions>
conditionsOf(const std::vector<conditions::KernelConditions> &Table,
             const Kernel &K) {
  for (const conditions::KernelConditions &Each : Table)
    if (Each.Kernel == K.Name || Each.Kernel == K.Key)
      return std::make_shared<conditions::KernelConditions>(Each);
  return std::make_shared<conditions::KernelConditions>();
}

static int load(Call &This, const uint8_t *Data, size_t Bytes, void **Handle) {
  BELAY_NOT_NULL(Handle);
  sim::DeviceObjectHeader Header;
  if (Bytes < sizeof(Header) ||
      std::memcmp(Data, sim::DeviceObjectMagic, sizeof(Header.Magic)) != 0)
    return This.fail(
        InvalidFile,
        "this is no object for the simulated device; make one with 'belay "
        "object kernel.cpp -o kernel.o' (objects of the vendor's compiler "
        "hold NPU code)");
  std::memcpy(&Header, Data, sizeof(Header));
  const targets::Soc &Soc = currentSoc();
  if (Header.Arch != Soc.arch->number)
    return This.fail(InvalidFile, std::string("the object was made for ") +
                                      Header.Soc + ", but the device is a " +
                                      Soc.name + " (BELAY_SOC)");
  if (!inside(Header.ConditionsOffset, Header.ConditionsBytes, Bytes))
    return This.fail(WrongFileContent, "the object is cut off");
  auto Table = conditions::decode(
      {Data + Header.ConditionsOffset, Header.ConditionsBytes});
  if (Header.ConditionsBytes && !Table)
    return This.fail(WrongFileContent, "the conditions of launches cannot be "
                                       "read; make the object anew");
  auto B = std::make_shared<Binary>();
  for (uint32_t N = 0; N < Header.NumKernels; ++N) {
    sim::DeviceObjectKernel K;
    size_t At = sizeof(Header) + N * sizeof(K);
    if (!inside(At, sizeof(K), Bytes))
      return This.fail(WrongFileContent, "the object is cut off");
    std::memcpy(&K, Data + At, sizeof(K));
    if (!inside(K.Offset, K.Bytes, Bytes) ||
        !inside(K.CubeOffset, K.CubeBytes, Bytes) ||
        K.NumParams > sim::MaxServedArgs)
      return This.fail(WrongFileContent, "the object is cut off");
    auto Made = std::make_shared<Kernel>();
    Made->Key.assign(K.Name, strnlen(K.Name, sizeof(K.Name)));
    Made->Name = readable(Made->Key);
    B->Fds.push_back(writeObject(Data + K.Offset, K.Bytes));
    Made->ObjectPath = pathOf(B->Fds.back());
    if (K.CubeBytes) {
      B->Fds.push_back(writeObject(Data + K.CubeOffset, K.CubeBytes));
      Made->CubeObjectPath = pathOf(B->Fds.back());
    }
    Made->Params.assign(K.Params, K.Params + K.NumParams);
    Made->NeedsLauncher = K.NeedsLauncher;
    if (Table && !K.NeedsLauncher) // its launcher asks for what was proven
      Made->Conditions = conditionsOf(*Table, *Made);
    B->Kernels.push_back(std::move(Made));
  }
  B->Id = runtime().Objects.reserve();
  // Stubs load in static constructors, before there is a context.
  B->Context = Handles::toId(currentContextHandle());
  *Handle = runtime().Objects.add(B->Id, HandleKind::Binary, B);
  return Success;
}

static bool readFile(const std::string &Path, std::vector<uint8_t> &Data) {
  constexpr off_t MaxBytes = off_t(1) << 30;
  int Fd = open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat Status;
  if (Fd < 0)
    return false;
  // Devices and pipes have no end that is known before they are read.
  bool Read = fstat(Fd, &Status) == 0 && S_ISREG(Status.st_mode) &&
              Status.st_size <= MaxBytes;
  if (!Read)
    errno = EINVAL;
  Data.resize(Read ? static_cast<size_t>(Status.st_size) : 0);
  for (size_t Done = 0; Read && Done < Data.size();) {
    ssize_t Got = pread(Fd, Data.data() + Done, Data.size() - Done,
                        static_cast<off_t>(Done));
    Read = Got > 0;
    Done += static_cast<size_t>(std::max<ssize_t>(Got, 0));
  }
  close(Fd);
  return Read;
}

int aclrtBinaryLoadFromFile(const char *Path, void *, void **Handle) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  if (!This)
    return This.error();
  BELAY_NOT_NULL(Path);
  std::vector<uint8_t> Data;
  // NPU code may have a twin for the simulated device beside it. 'belay run' of
  // a program answers for files that are not there with the kernels it made.
  const char *Program = std::getenv("BELAY_PROGRAM_KERNELS");
  if (!readFile(std::string(Path) + ".belay", Data) && !readFile(Path, Data) &&
      !(Program && readFile(Program, Data)))
    return This.fail(InvalidFile,
                     std::string(Path) + ": " + std::strerror(errno));
  return load(This, Data.data(), Data.size(), Handle);
}

int aclrtBinaryLoadFromData(const void *Data, size_t Bytes, const void *,
                            void **Handle) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  if (!This)
    return This.error();
  BELAY_NOT_NULL(Data);
  return load(This, static_cast<const uint8_t *>(Data), Bytes, Handle);
}

// The older way: a description first, then the load.
namespace {
struct BinaryData {
  const void *Data;
  size_t Bytes;
};
} // namespace

void *aclrtCreateBinary(const void *Data, size_t Bytes) {
  return Living<BinaryData>::add(new BinaryData{Data, Bytes});
}
int aclrtDestroyBinary(void *Description) {
  BELAY_BEGIN(Nothing);
  return Living<BinaryData>::destroy(
      This, static_cast<BinaryData *>(Description), "description of code");
}
int aclrtBinaryLoad(void *Description, void **Handle) {
  BELAY_BEGIN(Initialised);
  auto *D = Living<BinaryData>::get(static_cast<BinaryData *>(Description));
  BELAY_NOT_NULL(D);
  return load(This, static_cast<const uint8_t *>(D->Data), D->Bytes, Handle);
}

int aclrtBinaryUnLoad(void *Handle) {
  Call This(__func__, BELAY_SITE, Call::Nothing); // also after aclFinalize
  if (!This)
    return This.error();
  auto B = runtime().Objects.find<Binary>(Handle, HandleKind::Binary, This.Name,
                                          This.Site);
  if (!B)
    return RtInvalidHandle;
  std::map<std::string, void *> Functions;
  {
    std::lock_guard<std::mutex> Lock(B->Mutex);
    for (const auto &[StreamId, U] : B->Uses)
      if (!HostKnowledge::knows(StreamId, U.Sequence)) {
        This.mistake(Success, DiagId::DeviceFreedInFlight,
                     "the code is unloaded while a kernel of it may still run",
                     "synchronise with the stream first",
                     "the kernel was launched", U.Site);
        break;
      }
    Functions = B->Functions;
  }
  for (const auto &[Name, Function] : Functions)
    runtime().Objects.remove(Function, This.Name, This.Site);
  runtime().Objects.remove(Handle, This.Name, This.Site);
  return Success;
}

static int getFunction(Call &This, Binary &B, std::shared_ptr<Binary> Owner,
                       const std::shared_ptr<const Kernel> &K, void **Handle) {
  std::lock_guard<std::mutex> Lock(B.Mutex);
  void *&Known = B.Functions[K->Key];
  if (!Known) {
    auto F = std::make_shared<Function>();
    F->From = std::move(Owner);
    F->What = K;
    Known = runtime().Objects.add(runtime().Objects.reserve(),
                                  HandleKind::Function, F);
  }
  *Handle = Known;
  return Success;
}

int aclrtBinaryGetFunction(void *BinaryHandle, const char *Name,
                           void **Handle) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Name);
  BELAY_NOT_NULL(Handle);
  auto B = runtime().Objects.find<Binary>(BinaryHandle, HandleKind::Binary,
                                          This.Name, This.Site);
  if (!B)
    return RtInvalidHandle;
  std::string Known;
  for (const auto &K : B->Kernels) {
    if (K->Key == Name)
      return getFunction(This, *B, B, K, Handle);
    Known += (Known.empty() ? "" : ", ") + K->Name;
  }
  return This.fail(KernelNotFound, std::string("there is no kernel '") + Name +
                                       "'; the object has " + Known);
}

int aclrtBinaryGetFunctionByEntry(void *BinaryHandle, uint64_t Entry,
                                  void **Handle) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Handle);
  auto B = runtime().Objects.find<Binary>(BinaryHandle, HandleKind::Binary,
                                          This.Name, This.Site);
  if (!B)
    return RtInvalidHandle;
  if (Entry >= B->Kernels.size())
    return This.fail(KernelNotFound,
                     "there is no entry " + std::to_string(Entry));
  return getFunction(This, *B, B, B->Kernels[Entry], Handle);
}

int aclrtGetFunctionName(void *Handle, uint32_t Room, char *Name) {
  BELAY_BEGIN(Initialised);
  BELAY_NOT_NULL(Name);
  auto F = runtime().Objects.find<Function>(Handle, HandleKind::Function,
                                            This.Name, This.Site);
  if (!F)
    return RtInvalidHandle;
  std::snprintf(Name, Room, "%s", F->What->Name.c_str());
  return Success;
}
