//===- Serve.cpp - Kernels of a host program ------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runner/Serve.h"

#include "abi/Serve.h"
#include "model/core/Core.h"
#include "model/core/Device.h"
#include "model/core/Failure.h"
#include "runner/KernelObject.h"
#include "sanitizer/Sanitizers.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <memory>
#include <poll.h>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace belay::sim {

namespace {

/// The device's memory as this process sees it: the regions, and nothing else.
class MappedMemory {
public:
  /// False if something else lies there.
  bool reserve(const Channel &C, int MemoryFd) {
    Fd = MemoryFd;
    Base = C.MemoryBase;
    HostPid = C.HostPid;
    void *Place = reinterpret_cast<void *>(Base);
    return mmap(Place, C.MemoryBytes, PROT_NONE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
                    MAP_FIXED_NOREPLACE,
                -1, 0) == Place;
  }

  void update(const Channel &C) {
    if (C.Generation == Generation)
      return;
    Generation = C.Generation;
    auto Old = Mapped.begin();
    const Region *New = C.Regions, *End = C.Regions + C.NumRegions;
    while (Old != Mapped.end() || New != End) {
      bool Same = Old != Mapped.end() && New != End &&
                  Old->Address == New->Address && Old->Bytes == New->Bytes &&
                  Old->File == New->File;
      if (Same) {
        ++Old, ++New;
      } else if (New == End ||
                 (Old != Mapped.end() && Old->Address <= New->Address)) {
        unmap(*Old++);
      } else {
        map(*New++);
      }
    }
    Mapped.assign(C.Regions, End);
  }

  /// The number of the region that contains Address; -1 if none does.
  int find(const Channel &C, uint64_t Address) const {
    for (uint32_t N = 0; N < C.NumRegions; ++N)
      if (Address - C.Regions[N].Address < C.Regions[N].Bytes)
        return static_cast<int>(N);
    return -1;
  }

private:
  static size_t mappedBytes(const Region &R) {
    static const auto Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    return (R.Bytes + R.SlackBytes + Page - 1) / Page * Page;
  }
  void map(const Region &R) {
    int File = Fd;
    uint64_t Offset = R.Address - Base;
    if (R.File >= 0) {
      char Path[64];
      std::snprintf(Path, sizeof(Path), "/proc/%d/fd/%d", HostPid, R.File);
      File = open(Path, O_RDWR | O_CLOEXEC);
      Offset = R.FileOffset;
    }
    if (mmap(reinterpret_cast<void *>(R.Address), mappedBytes(R),
             PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, File,
             static_cast<off_t>(Offset)) == MAP_FAILED)
      std::abort();
    if (File != Fd)
      close(File);
  }
  void unmap(const Region &R) {
    if (mmap(reinterpret_cast<void *>(R.Address), mappedBytes(R), PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
             0) == MAP_FAILED)
      std::abort();
  }

  int Fd = -1, HostPid = 0;
  uint64_t Base = 0;
  uint64_t Generation = 0;
  std::vector<Region> Mapped;
};

class Server {
public:
  Server(Channel &C, MappedMemory &Memory) : C(C), Memory(Memory) {}

  void launch() {
    Report &Answer = C.Run.Answer;
    Answer.State = Status::Loading;
    Memory.update(C);
    ServedCall &Call = C.Call;
    KernelObject &Kernel = load(Call.ObjectPath);
    setKernelRange(Kernel.begin(), Kernel.end());
    KernelObject *ForCube = &Kernel;
    setCubeRange(0, 0);
    if (Call.CubeObjectPath[0]) {
      ForCube = &load(Call.CubeObjectPath);
      setCubeRange(ForCube->begin(), ForCube->end());
      Kernel.add(*ForCube);
    }
    Answer.State = Status::Running;
    belay_sim_observed = C.Run.Ask.TracePath[0] != 0 || C.Run.Ask.Check;
    run(Kernel, *ForCube);
    std::fflush(stdout);
    Answer.State = Status::Passed;
  }

private:
  KernelObject &load(const char *Path) {
    std::unique_ptr<KernelObject> &Object = Objects[Path];
    if (!Object)
      Object = std::make_unique<KernelObject>(Path);
    return *Object;
  }

  /// Gives regions the numbers of the arguments that point to them.
  void nameRegions(const Entry &E) {
    Names.assign(C.NumRegions, "device memory");
    for (uint32_t N = 0; N < E.NumParams && N < C.Call.NumArgs; ++N) {
      if (E.Params[N].Kind != ParamKind::Pointer)
        continue;
      uint64_t Address;
      std::memcpy(&Address, C.Call.Blob + C.Call.Args[N].Offset,
                  sizeof(Address));
      if (int R = Memory.find(C, Address); R >= 0)
        Names[R] = "argument " + std::to_string(N);
    }
  }

  void run(const KernelObject &Kernel, const KernelObject &ForCube) {
    ServedCall &Call = C.Call;
    nameRegions(Kernel.entry());
    Device D(C.Run.Ask);
    for (uint32_t N = 0; N < C.NumRegions; ++N) {
      const Region &R = C.Regions[N];
      D.addGlobal({reinterpret_cast<uint8_t *>(R.Address), R.Bytes,
                   /*Writable=*/true, Names[N].c_str(), R.SlackBytes,
                   R.HasValues});
    }
    uint32_t FirstData = Call.BlobBytes;
    for (uint32_t N = 0; N < Call.NumPlaceholders; ++N) {
      const ServedPlaceholder &P = Call.Placeholders[N];
      uint8_t *Data = Call.Blob + P.DataOffset;
      std::memcpy(Call.Blob + P.AddressOffset, &Data, sizeof(Data));
      FirstData = P.DataOffset < FirstData ? P.DataOffset : FirstData;
    }
    if (FirstData < Call.BlobBytes)
      D.addGlobal({Call.Blob + FirstData, Call.BlobBytes - FirstData,
                   /*Writable=*/false, "data of the launch"});
    void *Args[MaxServedArgs];
    for (uint32_t N = 0; N < Call.NumArgs; ++N)
      Args[N] = Call.Blob + Call.Args[N].Offset;
    checkIfRequested(D);
    auto Start = std::chrono::steady_clock::now();
    D.run(Kernel.entry(), ForCube.entry(), Kernel.taskKind(C.Run.Ask), Args);
    Report &Answer = C.Run.Answer;
    Answer.Overflowed = D.overflowed();
    Answer.Instructions = D.instructions();
    Answer.KernelNanoseconds = static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(
            std::chrono::steady_clock::now() - Start)
            .count());
  }

  Channel &C;
  MappedMemory &Memory;
  std::map<std::string, std::unique_ptr<KernelObject>> Objects;
  std::vector<std::string> Names;
};

/// A program that is killed takes its runner with it, even from a kernel that
/// never ends.
void endWith(int SocketFd) {
  std::thread([SocketFd] {
    sigset_t All;
    sigfillset(&All);
    pthread_sigmask(SIG_BLOCK, &All, nullptr);
    pollfd Poll = {SocketFd, POLLRDHUP, 0};
    while (poll(&Poll, 1, -1) < 0)
      ;
    _exit(0);
  }).detach();
}

} // namespace

int serve(int SocketFd, int ChannelFd, int MemoryFd) {
  void *Shared = mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE,
                      MAP_SHARED, ChannelFd, 0);
  if (Shared == MAP_FAILED)
    return 2;
  auto &C = *static_cast<Channel *>(Shared);
  if (C.Version != ServeVersion)
    return 2;
  MappedMemory Memory;
  if (!Memory.reserve(C, MemoryFd))
    return ExitPlaceTaken;
  setReport(&C.Run.Answer);
  installSignalHandlers();
  endWith(SocketFd);
  Server S(C, Memory);
  char Byte = 'r'; // ready
  while (write(SocketFd, &Byte, 1) == 1 && read(SocketFd, &Byte, 1) == 1)
    S.launch();
  return 0;
}

} // namespace belay::sim
