//===- Hccl.cpp - Communicators -------------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Hccl.h"

#include "device/core/Configuration.h"
#include "device/hccl/Rendezvous.h"

#include <cstring>

using namespace belay::device;
using namespace belay::device::hccl;

//===----------------------------------------------------------------------===//
// What the environment and the configuration say
//===----------------------------------------------------------------------===//

/// Seconds; Default if the variable is not set or is no number.
static double seconds(const char *Variable, double Default) {
  const char *Value = std::getenv(Variable);
  if (!Value || !*Value)
    return Default;
  char *End;
  double Result = std::strtod(Value, &End);
  return *End || Result < 0 ? Default : Result;
}

static Time after(double Seconds) {
  return std::chrono::steady_clock::now() +
         std::chrono::milliseconds(static_cast<int64_t>(Seconds * 1000));
}

/// Half an hour, as on a device, is a hang to whoever runs a test.
static double timeLimit(const HcclCommConfig *Config) {
  if (Config && Config->hcclExecTimeOut >= 0)
    return Config->hcclExecTimeOut;
  return seconds("HCCL_EXEC_TIMEOUT", 3 * configuration().TimeLimitSeconds);
}

static int checkConfig(Call &This, const HcclCommConfig *Config) {
  BELAY_HCCL_NOT_NULL(Config);
  uint32_t Magic;
  std::memcpy(&Magic, Config->reserved + sizeof(size_t), sizeof(Magic));
  if (Magic != HCCL_COMM_CONFIG_MAGIC_WORD)
    return This.fail(BadParameter, "HcclCommConfigInit has not been called for "
                                   "the configuration");
  return Ok;
}

//===----------------------------------------------------------------------===//
// Beginning
//===----------------------------------------------------------------------===//

static void *add(const std::shared_ptr<Communicator> &C,
                 const HcclCommConfig *Config, const std::string &Name) {
  C->TimeLimit = timeLimit(Config);
  C->Name = Config && Config->hcclCommName[0]
                ? std::string(Config->hcclCommName,
                              strnlen(Config->hcclCommName,
                                      sizeof(Config->hcclCommName)))
                : Name;
  C->RendezvousName = Name;
  C->Id = runtime().Objects.reserve();
  return runtime().Objects.add(C->Id, HandleKind::Communicator, C);
}

/// Waits until all ranks are there.
static int awaitAll(Call &This, Board &B, double Seconds) {
  auto Missing = [&](uint32_t R) {
    return B.slot(R).Where == RankSlot::Absent;
  };
  Board::Wait W =
      B.wait([&] { return B.allJoined(); }, after(Seconds), Missing);
  if (W == Board::Wait::Done)
    return Ok;
  std::string Who;
  for (uint32_t R = 0; R < B.ranks(); ++R)
    if (Missing(R))
      Who += (Who.empty() ? "" : ", ") + std::to_string(R);
  char Text[32];
  std::snprintf(Text, sizeof(Text), "%g", Seconds);
  return This.mistake(Timeout, DiagId::HcclMissingRank,
                      "these of " + std::to_string(B.ranks()) +
                          " ranks have not joined within " + Text +
                          " s (HCCL_CONNECT_TIMEOUT): " + Who,
                      "every rank has to join, each with its own number, and "
                      "all with the root's information");
}

/// Joins the ranks that connect under a name.
static int join(Call &This, const std::string &Name, bool Serve, uint32_t Ranks,
                uint32_t Rank, const HcclCommConfig *Config, void **Handle,
                bool IsPart = false) {
  if (Ranks == 0 || Rank >= Ranks)
    return This.fail(BadParameter, "there is no rank " + std::to_string(Rank) +
                                       " of " + std::to_string(Ranks));
  constexpr uint32_t MostRanks = 512; // each pair has a channel
  if (Ranks > MostRanks)
    return This.fail(NotSupported, std::to_string(Ranks) + " ranks; at most " +
                                       std::to_string(MostRanks) +
                                       " are simulated");
  double Limit = seconds("HCCL_CONNECT_TIMEOUT", 120);
  std::string Problem;
  std::shared_ptr<Board> B = attach(Name, Ranks, Serve, after(Limit), Problem);
  if (!B)
    return This.mistake(Timeout, DiagId::HcclMissingRank, Problem,
                        "all ranks pass the same number of ranks, and what "
                        "HcclGetRootInfo gave to one of them, whose process "
                        "has to live until all have joined");
  if (!B->join(Rank))
    return This.mistake(BadParameter, DiagId::HcclMissingRank,
                        "rank " + std::to_string(Rank) +
                            " has joined before; somebody else is it",
                        "give every rank its own number");
  auto C = std::make_shared<Communicator>(B, Rank, This.context().Device);
  if (int E = awaitAll(This, *B, Limit)) {
    B->leave(Rank);
    return E;
  }
  C->IsPart = IsPart;
  *Handle = add(C, Config, Name);
  return Ok;
}

int HcclGetRootInfo(HcclRootInfo *Info) {
  BELAY_HCCL_BEGIN(CurrentContext);
  BELAY_HCCL_NOT_NULL(Info);
  std::memset(Info, 0, sizeof(*Info));
  std::string Name = uniqueName();
  std::memcpy(Info->internal, Name.data(), Name.size());
  if (!serve(Name))
    return This.fail(Internal, std::string("no socket can be opened: ") +
                                   std::strerror(errno));
  return Ok;
}

static int initRootInfo(Call &This, uint32_t Ranks, const HcclRootInfo *Info,
                        uint32_t Rank, const HcclCommConfig *Config,
                        void **Handle) {
  BELAY_HCCL_NOT_NULL(Info);
  BELAY_HCCL_NOT_NULL(Handle);
  std::string Name(Info->internal,
                   strnlen(Info->internal, sizeof(Info->internal)));
  if (Name.empty())
    return This.fail(BadParameter,
                     "rootInfo is empty; it comes from HcclGetRootInfo of one "
                     "rank, whole and unchanged");
  return join(This, Name, /*Serve=*/false, Ranks, Rank, Config, Handle);
}

int HcclCommInitRootInfo(uint32_t Ranks, const HcclRootInfo *Info,
                         uint32_t Rank, void **Handle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  return initRootInfo(This, Ranks, Info, Rank, nullptr, Handle);
}

int HcclCommInitRootInfoConfig(uint32_t Ranks, const HcclRootInfo *Info,
                               uint32_t Rank, const HcclCommConfig *Config,
                               void **Handle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  if (int E = checkConfig(This, Config))
    return E;
  return initRootInfo(This, Ranks, Info, Rank, Config, Handle);
}

int HcclCommInitAll(uint32_t Count, int32_t *Devices, void **Handles) {
  BELAY_HCCL_BEGIN(Initialised);
  BELAY_HCCL_NOT_NULL(Devices);
  BELAY_HCCL_NOT_NULL(Handles);
  for (uint32_t I = 0; I < Count; ++I) {
    if (!runtime().isDevice(Devices[I]))
      return This.fail(BadParameter, "there is no device " +
                                         std::to_string(Devices[I]) +
                                         " (BELAY_DEVICES)");
    for (uint32_t J = 0; J < I; ++J)
      if (Devices[I] == Devices[J])
        return This.fail(BadParameter, "device " + std::to_string(Devices[I]) +
                                           " is there twice");
  }
  std::shared_ptr<Board> B = Count ? Board::create(Count) : nullptr;
  if (!B)
    return This.fail(BadParameter,
                     "no " + std::to_string(Count) + " ranks can be made");
  std::string Name = uniqueName();
  for (uint32_t Rank = 0; Rank < Count; ++Rank) {
    B->join(Rank);
    Handles[Rank] = add(std::make_shared<Communicator>(B, Rank, Devices[Rank]),
                        nullptr, Name);
  }
  return Ok;
}

/// The same table may be used again, for a new communicator.
static std::string nameOfTable(const std::string &Text, uint32_t Rank) {
  static auto &Mutex = *new std::mutex;
  static auto &Uses = *new std::map<std::pair<size_t, uint32_t>, unsigned>;
  size_t Hash = std::hash<std::string>()(Text);
  std::lock_guard<std::mutex> Lock(Mutex);
  unsigned Count = Uses[{Hash, Rank}]++;
  return "table-" + std::to_string(Hash) + "-" + std::to_string(Count);
}

static int initClusterInfo(Call &This, const char *Path, uint32_t Rank,
                           const HcclCommConfig *Config, void **Handle) {
  BELAY_HCCL_NOT_NULL(Path);
  BELAY_HCCL_NOT_NULL(Handle);
  std::string Text, Problem;
  uint32_t Ranks = ranksOfTable(Path, Text, Problem);
  if (!Ranks)
    return This.fail(Text.empty() ? CannotOpenFile : BadParameter, Problem);
  if (Rank >= Ranks)
    return This.fail(BadParameter, std::string(Path) + ": there is no rank " +
                                       std::to_string(Rank));
  return join(This, nameOfTable(Text, Rank), /*Serve=*/Rank == 0, Ranks, Rank,
              Config, Handle);
}

int HcclCommInitClusterInfo(const char *Path, uint32_t Rank, void **Handle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  return initClusterInfo(This, Path, Rank, nullptr, Handle);
}

int HcclCommInitClusterInfoConfig(const char *Path, uint32_t Rank,
                                  HcclCommConfig *Config, void **Handle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  if (int E = checkConfig(This, Config))
    return E;
  return initClusterInfo(This, Path, Rank, Config, Handle);
}

int HcclCreateSubCommConfig(void **Parent, uint32_t Ranks, uint32_t *RankIds,
                            uint64_t PartId, uint32_t Rank,
                            HcclCommConfig *Config, void **Handle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  BELAY_HCCL_NOT_NULL(Parent);
  if (!RankIds && PartId == 0xffffffff)
    return Ok; // this rank is in no part
  BELAY_HCCL_NOT_NULL(RankIds);
  BELAY_HCCL_NOT_NULL(Handle);
  if (int E = checkConfig(This, Config))
    return E;
  auto Source = communicator(This, *Parent);
  if (!Source)
    return BadParameter;
  if (Source->IsPart)
    return This.fail(NotSupported, "a part of a communicator cannot be divided "
                                   "again");
  if (Rank >= Ranks || RankIds[Rank] != Source->Rank)
    return This.fail(BadParameter, "subCommRankId is not the place of rank " +
                                       std::to_string(Source->Rank) +
                                       " in rankIds");
  std::string Name = Source->RendezvousName + "_sub_" + std::to_string(PartId);
  for (uint32_t R = 0; R < Ranks; ++R)
    Name += "-" + std::to_string(RankIds[R]);
  // Long names are cut where sockets are named.
  return join(This, "part-" + std::to_string(std::hash<std::string>()(Name)),
              /*Serve=*/Rank == 0, Ranks, Rank, Config, Handle,
              /*IsPart=*/true);
}

//===----------------------------------------------------------------------===//
// End
//===----------------------------------------------------------------------===//

int HcclCommDestroy(void *Handle) {
  BELAY_HCCL_BEGIN(Initialised);
  auto C = communicator(This, Handle);
  if (!C)
    return BadParameter;
  bool Busy = C->isBusy(); // before a report takes its time
  if (std::optional<Use> U = C->unfinished())
    This.mistake(Ok, DiagId::HcclDestroyedInFlight,
                 std::string("the communicator is destroyed while ") + U->What +
                     " on it may still run",
                 "synchronise with the stream first",
                 std::string(U->What) + " was enqueued", U->Site);
  if (Busy)
    return This.fail(Again, "the communicator is in use");
  C->board().leave(C->Rank);
  runtime().Objects.remove(Handle, This.Name, This.Site);
  return Ok;
}

//===----------------------------------------------------------------------===//
// What they are
//===----------------------------------------------------------------------===//

/// Writes one fact about a communicator to `To`.
template <typename T, typename Fact>
static int tell(Call &This, void *Handle, T *To, Fact Of) {
  BELAY_HCCL_NOT_NULL(To);
  auto C = communicator(This, Handle);
  if (!C)
    return BadParameter;
  *To = static_cast<T>(Of(*C));
  return Ok;
}

int HcclGetRankSize(void *Handle, uint32_t *Ranks) {
  BELAY_HCCL_BEGIN(Initialised);
  return tell(This, Handle, Ranks, [](Communicator &C) { return C.Ranks; });
}
int HcclGetRankId(void *Handle, uint32_t *Rank) {
  BELAY_HCCL_BEGIN(Initialised);
  return tell(This, Handle, Rank, [](Communicator &C) { return C.Rank; });
}
int HcclGetCommAsyncError(void *Handle, int *Error) {
  BELAY_HCCL_BEGIN(Initialised);
  return tell(This, Handle, Error,
              [](Communicator &C) { return C.failure() ? Remote : Ok; });
}
int HcclCommGetStatus(void *Handle, int *Status) {
  BELAY_HCCL_BEGIN(Initialised);
  return tell(This, Handle, Status,
              [](Communicator &C) -> int { return C.Suspended; });
}

static int suspend(Call &This, void *Handle, bool Value) {
  auto C = communicator(This, Handle);
  if (!C)
    return BadParameter;
  C->Suspended = Value;
  return Ok;
}
int HcclCommSuspend(void *Handle) {
  BELAY_HCCL_BEGIN(Initialised);
  return suspend(This, Handle, true);
}
int HcclCommResume(void *Handle) {
  BELAY_HCCL_BEGIN(Initialised);
  return suspend(This, Handle, false);
}

int HcclGetCommName(void *Handle, char *Name) {
  BELAY_HCCL_BEGIN(Initialised);
  BELAY_HCCL_NOT_NULL(Name);
  auto C = communicator(This, Handle);
  if (!C)
    return BadParameter;
  std::snprintf(Name, COMM_NAME_MAX_LENGTH, "%s", C->Name.c_str());
  return Ok;
}

int HcclCommGetHandleWithName(const char *Name, void **Handle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  BELAY_HCCL_NOT_NULL(Name);
  BELAY_HCCL_NOT_NULL(Handle);
  for (const auto &Each : runtime().Objects.all(HandleKind::Communicator)) {
    auto &C = *static_cast<Communicator *>(Each.get());
    if (C.Name != Name || C.Device != This.context().Device)
      continue;
    *Handle = Handles::toHandle(C.Id);
    return Ok;
  }
  return This.fail(NotFound, std::string("there is no communicator ") + Name +
                                 " on this device");
}

uint32_t HcclGetCommConfigCapability() {
  return 12; // the number of fields that the vendor counts
}

const char *HcclGetErrorString(int Code) {
  constexpr const char *Texts[] = {
      "no error",
      "parameter error",
      "empty pointer",
      "memory error",
      "internal error",
      "feature not supported",
      "resource not found",
      "resource unavailable",
      "system call failed",
      "timeout",
      "file cannot be opened",
      "TCP connection failed",
      "RoCE connection failed",
      "TCP transfer failed",
      "RoCE transfer failed",
      "runtime call failed",
      "driver call failed",
      "profiling call failed",
      "CCE call failed",
      "network call failed",
      "in use, try again",
      "error at a remote rank",
      "communicator is suspended",
      "retry is not possible",
      "out of memory",
  };
  return Code >= 0 && static_cast<size_t>(Code) < std::size(Texts)
             ? Texts[Code]
             : "unknown error";
}

static std::atomic<int32_t> Deterministic{0};

int HcclSetConfig(int Config, HcclConfigValue Value) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  if (Config != HCCL_DETERMINISTIC)
    return This.fail(NotSupported, "only HCCL_DETERMINISTIC can be set");
  // Reductions are always in the order of ranks here.
  Deterministic = Value.value;
  return Ok;
}
int HcclGetConfig(int Config, HcclConfigValue *Value) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  BELAY_HCCL_NOT_NULL(Value);
  if (Config != HCCL_DETERMINISTIC)
    return This.fail(NotSupported, "only HCCL_DETERMINISTIC can be asked for");
  Value->value = Deterministic;
  return Ok;
}
