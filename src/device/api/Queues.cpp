//===- Queues.cpp - Queues of data, and routes between them ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A queue holds blocks of bytes, each with up to 96 bytes for the program's own
// use. What comes into a queue with routes goes on to all of their ends as soon
// as all of them have room. Queues belong to the process.
//
//===----------------------------------------------------------------------===//

#include "device/api/Bounded.h"
#include "device/api/Living.h"

#include <algorithm>
#include <cstring>
#include <unistd.h>

using namespace belay::device;

struct acltdtQueueAttr;
struct acltdtQueueRoute;
struct acltdtQueueRouteList;
struct acltdtQueueRouteQueryInfo;

extern "C" {
#define BELAY_TDT_QUEUE(Result, Name, Params)                                  \
  __attribute__((visibility("default"))) Result Name Params;
#include "belay/host/tdt.def"
}

#define BELAY_BEGIN(Need)                                                      \
  Call This(__func__, BELAY_SITE, Call::Need);                                 \
  if (!This)                                                                   \
  return This.error()

struct acltdtQueueAttr {
  std::string Name;
  uint32_t Depth = 8;
};

struct acltdtQueueRoute {
  uint32_t From = 0, To = 0;
  int32_t Status = 0;
};

struct acltdtQueueRouteList {
  std::vector<acltdtQueueRoute> Routes;
};

struct acltdtQueueRouteQueryInfo {
  std::optional<int> Mode;
  std::optional<uint32_t> From, To;
};

namespace {

enum RouteStatus : int32_t { Unbound, Bound, Abnormal };

constexpr size_t OwnBytes = 96;

struct Block {
  std::vector<uint8_t> Bytes, Own;
};

struct Queue {
  std::string Name;
  size_t Depth;
  std::deque<std::shared_ptr<const Block>> Held;
  std::vector<uint32_t> Routes;
};

struct {
  std::mutex Mutex;
  std::condition_variable Changed;
  uint32_t Next = 0;
} State;
std::map<uint32_t, Queue> &queues() {
  static auto &Only = *new std::map<uint32_t, Queue>;
  return Only;
}

int notOne(Call &This, const char *What) {
  return This.mistake(InvalidParam, DiagId::DeviceBadHandle,
                      std::string("this is no ") + What +
                          ", or it was destroyed before");
}

int noQueue(Call &This, uint32_t Id) {
  return This.fail(InvalidParam, "there is no queue " + std::to_string(Id));
}

/// Moves what can go on along the routes. The mutex is held.
void flow() {
  for (bool Moved = true; Moved;) {
    Moved = false;
    for (auto &[Id, From] : queues()) {
      if (From.Held.empty() || From.Routes.empty())
        continue;
      bool Room =
          std::all_of(From.Routes.begin(), From.Routes.end(), [&](uint32_t To) {
            auto It = queues().find(To);
            return It != queues().end() &&
                   It->second.Held.size() < It->second.Depth;
          });
      if (!Room)
        continue;
      for (uint32_t To : From.Routes)
        queues().at(To).Held.push_back(From.Held.front());
      From.Held.pop_front();
      Moved = true;
    }
  }
  State.Changed.notify_all();
}

/// Whether data gets from one queue to the other. The mutex is held.
bool reaches(uint32_t From, uint32_t To) {
  if (From == To)
    return true;
  auto It = queues().find(From);
  if (It == queues().end())
    return false;
  return std::any_of(It->second.Routes.begin(), It->second.Routes.end(),
                     [&](uint32_t Next) { return reaches(Next, To); });
}

/// A value that the program gives or gets through a pointer.
template <typename T> bool isOf(size_t Bytes, const void *Value) {
  return Value && Bytes == sizeof(T);
}

int badValue(Call &This, size_t Bytes) {
  return This.fail(InvalidParam, "there is no such value of " +
                                     std::to_string(Bytes) + " bytes");
}

} // namespace

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

acltdtQueueAttr *acltdtCreateQueueAttr() {
  return Living<acltdtQueueAttr>::add(new acltdtQueueAttr);
}
int acltdtDestroyQueueAttr(const acltdtQueueAttr *Attr) {
  BELAY_BEGIN(Nothing);
  return Living<acltdtQueueAttr>::destroy(This, Attr, "set of attributes");
}

enum QueueAttribute : int { NameAttribute, DepthAttribute };

int acltdtSetQueueAttr(acltdtQueueAttr *Attr, int Which, size_t Bytes,
                       const void *Value) {
  BELAY_BEGIN(Nothing);
  if (!Living<acltdtQueueAttr>::get(Attr))
    return notOne(This, "set of attributes");
  if (Which == NameAttribute && isOf<const char *>(Bytes, Value)) {
    constexpr size_t MostLetters = 127;
    const char *Name;
    std::memcpy(&Name, Value, sizeof(Name));
    if (!Name || strnlen(Name, MostLetters + 1) > MostLetters)
      return This.fail(InvalidParam, "a name has at most 127 letters");
    Attr->Name = Name;
    return Success;
  }
  if (Which == DepthAttribute && isOf<uint32_t>(Bytes, Value)) {
    std::memcpy(&Attr->Depth, Value, sizeof(Attr->Depth));
    return Success;
  }
  return badValue(This, Bytes);
}

int acltdtGetQueueAttr(const acltdtQueueAttr *Attr, int Which, size_t Bytes,
                       size_t *Written, void *Value) {
  BELAY_BEGIN(Nothing);
  if (!Living<acltdtQueueAttr>::get(Attr))
    return notOne(This, "set of attributes");
  if (!Written)
    return This.fail(InvalidParam, "paramRetSize is null");
  if (Which == NameAttribute && isOf<const char *>(Bytes, Value)) {
    const char *Name = Attr->Name.c_str();
    std::memcpy(Value, &Name, *Written = sizeof(Name));
    return Success;
  }
  if (Which == DepthAttribute && isOf<uint32_t>(Bytes, Value)) {
    std::memcpy(Value, &Attr->Depth, *Written = sizeof(Attr->Depth));
    return Success;
  }
  return badValue(This, Bytes);
}

//===----------------------------------------------------------------------===//
// Queues
//===----------------------------------------------------------------------===//

int acltdtCreateQueue(const acltdtQueueAttr *Attr, uint32_t *Id) {
  BELAY_BEGIN(Initialised);
  if (!Id)
    return This.fail(InvalidParam, "qid is null");
  if (Attr && !Living<acltdtQueueAttr>::get(Attr))
    return notOne(This, "set of attributes");
  const acltdtQueueAttr Usual, &Theirs = Attr ? *Attr : Usual;
  if (Theirs.Depth == 0)
    return This.fail(InvalidParam, "a queue of depth 0 holds nothing");
  std::lock_guard<std::mutex> Lock(State.Mutex);
  for (const auto &[Number, Q] : queues())
    if (!Theirs.Name.empty() && Q.Name == Theirs.Name)
      return This.fail(InvalidParam, "queue " + std::to_string(Number) +
                                         " is called '" + Q.Name + "'");
  *Id = State.Next++;
  queues()[*Id] = {Theirs.Name, Theirs.Depth, {}, {}};
  return Success;
}

int acltdtDestroyQueue(uint32_t Id) {
  BELAY_BEGIN(Initialised);
  std::lock_guard<std::mutex> Lock(State.Mutex);
  if (!queues().erase(Id))
    return noQueue(This, Id);
  State.Changed.notify_all();
  return Success;
}

/// Copies between host or device memory and the host.
static int copyTo(Call &This, void *To, const void *From, size_t Bytes) {
  for (const void *Side : {static_cast<const void *>(To), From}) {
    Where Place = runtime().locate(Side);
    if (!Place.On)
      continue;
    auto Address = reinterpret_cast<uint64_t>(Side);
    AllocationTable &Table = Place.On->Memory.Table;
    std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
    if (Table.find(Address, Bytes) == Table.Live.end()) {
      std::string What = Table.describe(Address);
      Lock.unlock();
      return This.mistake(InvalidParam, DiagId::DeviceBadCopy,
                          std::to_string(Bytes) + " bytes from " + What);
    }
    uint8_t *There = Place.On->Memory.bytes(Address);
    std::memcpy(Side == To ? There : static_cast<uint8_t *>(To),
                Side == To ? static_cast<const uint8_t *>(From) : There, Bytes);
    Lock.unlock();
    if (Side == To)
      Place.On->Memory.markWritten({Address});
    return Success;
  }
  if (Bytes)
    std::memcpy(To, From, Bytes);
  return Success;
}

int acltdtEnqueueData(uint32_t Id, const void *Data, size_t Bytes,
                      const void *Own, size_t OwnSize, int32_t Timeout,
                      uint32_t) {
  BELAY_BEGIN(Initialised);
  if (!Data || Bytes == 0)
    return This.fail(InvalidParam, "there is no data");
  if (OwnSize > OwnBytes || (OwnSize && !Own))
    return This.fail(InvalidParam, "the program's own data has at most 96 "
                                   "bytes");
  auto What = std::make_shared<Block>();
  What->Bytes.resize(Bytes);
  if (int E = copyTo(This, What->Bytes.data(), Data, Bytes))
    return E;
  const auto *From = static_cast<const uint8_t *>(Own);
  What->Own.assign(From, From + OwnSize);
  std::unique_lock<std::mutex> Lock(State.Mutex);
  if (!queues().count(Id))
    return noQueue(This, Id);
  auto Ready = [&] {
    auto It = queues().find(Id);
    return It == queues().end() || It->second.Held.size() < It->second.Depth;
  };
  if (!waitMilliseconds(State.Changed, Lock, Timeout, Ready))
    return This.fail(RtQueueFull, "the queue is full");
  if (!queues().count(Id))
    return noQueue(This, Id);
  queues().at(Id).Held.push_back(std::move(What));
  flow();
  return Success;
}

int acltdtDequeueData(uint32_t Id, void *Data, size_t Room, size_t *Bytes,
                      void *Own, size_t OwnRoom, int32_t Timeout) {
  BELAY_BEGIN(Initialised);
  if (!Data || !Bytes)
    return This.fail(InvalidParam, "an argument is null");
  if (OwnRoom > OwnBytes || (OwnRoom && !Own))
    return This.fail(InvalidParam, "the program's own data has at most 96 "
                                   "bytes");
  std::unique_lock<std::mutex> Lock(State.Mutex);
  if (!queues().count(Id))
    return noQueue(This, Id);
  auto Ready = [&] {
    auto It = queues().find(Id);
    return It == queues().end() || !It->second.Held.empty();
  };
  if (!waitMilliseconds(State.Changed, Lock, Timeout, Ready))
    return This.fail(RtQueueEmpty, "the queue is empty");
  if (!queues().count(Id))
    return noQueue(This, Id);
  Queue &Q = queues().at(Id);
  std::shared_ptr<const Block> Got = Q.Held.front();
  if (Got->Bytes.size() > Room)
    return This.fail(InvalidParam, std::to_string(Got->Bytes.size()) +
                                       " bytes do not fit into " +
                                       std::to_string(Room));
  if (int E = copyTo(This, Data, Got->Bytes.data(), Got->Bytes.size()))
    return E;
  *Bytes = Got->Bytes.size();
  if (Own)
    std::copy_n(Got->Own.begin(), std::min(OwnRoom, Got->Own.size()),
                static_cast<uint8_t *>(Own));
  Q.Held.pop_front();
  flow();
  return Success;
}

int acltdtGrantQueue(uint32_t Id, int32_t Process, uint32_t, int32_t) {
  BELAY_BEGIN(Initialised);
  std::lock_guard<std::mutex> Lock(State.Mutex);
  if (!queues().count(Id))
    return noQueue(This, Id);
  return Process == getpid()
             ? Success
             : This.fail(RtFeatureNotSupported,
                         "queues of the simulated device belong to the "
                         "process that made them");
}

int acltdtAttachQueue(uint32_t Id, int32_t, uint32_t *Permission) {
  BELAY_BEGIN(Initialised);
  if (!Permission)
    return This.fail(InvalidParam, "permission is null");
  std::lock_guard<std::mutex> Lock(State.Mutex);
  if (!queues().count(Id))
    return noQueue(This, Id);
  *Permission = 7; // to manage, to take and to put
  return Success;
}

//===----------------------------------------------------------------------===//
// Routes
//===----------------------------------------------------------------------===//

acltdtQueueRoute *acltdtCreateQueueRoute(uint32_t From, uint32_t To) {
  return Living<acltdtQueueRoute>::add(new acltdtQueueRoute{From, To, Unbound});
}
int acltdtDestroyQueueRoute(const acltdtQueueRoute *Route) {
  BELAY_BEGIN(Nothing);
  return Living<acltdtQueueRoute>::destroy(This, Route, "route");
}

int acltdtGetQueueRouteParam(const acltdtQueueRoute *Route, int Which,
                             size_t Bytes, size_t *Written, void *Value) {
  BELAY_BEGIN(Nothing);
  if (!Living<acltdtQueueRoute>::get(Route))
    return notOne(This, "route");
  if (!Written)
    return This.fail(InvalidParam, "paramRetSize is null");
  const void *Places[] = {&Route->From, &Route->To, &Route->Status};
  if (Which < 0 || Which > 2 || !isOf<uint32_t>(Bytes, Value))
    return badValue(This, Bytes);
  std::memcpy(Value, Places[Which], *Written = sizeof(uint32_t));
  return Success;
}

acltdtQueueRouteList *acltdtCreateQueueRouteList() {
  return Living<acltdtQueueRouteList>::add(new acltdtQueueRouteList);
}
int acltdtDestroyQueueRouteList(const acltdtQueueRouteList *List) {
  BELAY_BEGIN(Nothing);
  return Living<acltdtQueueRouteList>::destroy(This, List, "list of routes");
}

int acltdtAddQueueRoute(acltdtQueueRouteList *List,
                        const acltdtQueueRoute *Route) {
  BELAY_BEGIN(Nothing);
  if (!Living<acltdtQueueRouteList>::get(List))
    return notOne(This, "list of routes");
  if (!Living<acltdtQueueRoute>::get(Route))
    return notOne(This, "route");
  List->Routes.push_back(*Route);
  return Success;
}

int acltdtGetQueueRoute(const acltdtQueueRouteList *List, size_t Index,
                        acltdtQueueRoute *Route) {
  BELAY_BEGIN(Nothing);
  if (!Living<acltdtQueueRouteList>::get(List))
    return notOne(This, "list of routes");
  if (!Living<acltdtQueueRoute>::get(Route))
    return notOne(This, "route");
  if (Index >= List->Routes.size())
    return This.fail(InvalidParam, "the list has " +
                                       std::to_string(List->Routes.size()) +
                                       " routes");
  *Route = List->Routes[Index];
  return Success;
}

size_t acltdtGetQueueRouteNum(const acltdtQueueRouteList *List) {
  return Living<acltdtQueueRouteList>::get(List) ? List->Routes.size() : 0;
}

int acltdtBindQueueRoutes(acltdtQueueRouteList *List) {
  BELAY_BEGIN(Initialised);
  if (!Living<acltdtQueueRouteList>::get(List))
    return notOne(This, "list of routes");
  std::lock_guard<std::mutex> Lock(State.Mutex);
  int First = Success;
  for (acltdtQueueRoute &Each : List->Routes) {
    auto From = queues().find(Each.From);
    bool Exist = From != queues().end() && queues().count(Each.To);
    if (!Exist || reaches(Each.To, Each.From)) {
      Each.Status = Abnormal;
      First = This.fail(InvalidParam,
                        "route " + std::to_string(Each.From) + " to " +
                            std::to_string(Each.To) +
                            (Exist ? " makes a circle" : ": no such queue"));
      continue;
    }
    std::vector<uint32_t> &Routes = From->second.Routes;
    if (std::find(Routes.begin(), Routes.end(), Each.To) == Routes.end())
      Routes.push_back(Each.To);
    Each.Status = Bound;
  }
  flow();
  return First;
}

int acltdtUnbindQueueRoutes(acltdtQueueRouteList *List) {
  BELAY_BEGIN(Initialised);
  if (!Living<acltdtQueueRouteList>::get(List))
    return notOne(This, "list of routes");
  std::lock_guard<std::mutex> Lock(State.Mutex);
  int First = Success;
  for (acltdtQueueRoute &Each : List->Routes) {
    auto From = queues().find(Each.From);
    bool Was =
        From != queues().end() && std::erase(From->second.Routes, Each.To);
    if (!Was)
      First = This.fail(InvalidParam, "route " + std::to_string(Each.From) +
                                          " to " + std::to_string(Each.To) +
                                          " is not bound");
    else
      Each.Status = Unbound;
  }
  return First;
}

acltdtQueueRouteQueryInfo *acltdtCreateQueueRouteQueryInfo() {
  return Living<acltdtQueueRouteQueryInfo>::add(new acltdtQueueRouteQueryInfo);
}
int acltdtDestroyQueueRouteQueryInfo(const acltdtQueueRouteQueryInfo *Info) {
  BELAY_BEGIN(Nothing);
  return Living<acltdtQueueRouteQueryInfo>::destroy(This, Info, "query");
}

int acltdtSetQueueRouteQueryInfo(acltdtQueueRouteQueryInfo *Info, int Which,
                                 size_t Bytes, const void *Value) {
  BELAY_BEGIN(Nothing);
  if (!Living<acltdtQueueRouteQueryInfo>::get(Info))
    return notOne(This, "query");
  enum { Mode, From, To };
  if (!isOf<uint32_t>(Bytes, Value) || Which < Mode || Which > To)
    return badValue(This, Bytes);
  uint32_t Number;
  std::memcpy(&Number, Value, sizeof(Number));
  if (Which == Mode)
    Info->Mode = static_cast<int>(Number);
  else
    (Which == From ? Info->From : Info->To) = Number;
  return Success;
}

int acltdtQueryQueueRoutes(const acltdtQueueRouteQueryInfo *Info,
                           acltdtQueueRouteList *List) {
  BELAY_BEGIN(Initialised);
  if (!Living<acltdtQueueRouteQueryInfo>::get(Info))
    return notOne(This, "query");
  if (!Living<acltdtQueueRouteList>::get(List))
    return notOne(This, "list of routes");
  enum { BySource, ByEnd, ByBoth, ByAbnormal = 100 };
  int Mode = Info->Mode.value_or(-1);
  bool NeedsFrom = Mode == BySource || Mode == ByBoth;
  bool NeedsTo = Mode == ByEnd || Mode == ByBoth;
  if ((!NeedsFrom && !NeedsTo && Mode != ByAbnormal) ||
      (NeedsFrom && !Info->From) || (NeedsTo && !Info->To))
    return This.fail(InvalidParam, "the query lacks its mode or a queue");
  List->Routes.clear();
  std::lock_guard<std::mutex> Lock(State.Mutex);
  for (const auto &[Id, From] : queues())
    for (uint32_t To : From.Routes) {
      int32_t Status = queues().count(To) ? Bound : Abnormal;
      if (Mode == ByAbnormal ? Status == Abnormal
                             : (!NeedsFrom || *Info->From == Id) &&
                                   (!NeedsTo || *Info->To == To))
        List->Routes.push_back({Id, To, Status});
    }
  return Success;
}
