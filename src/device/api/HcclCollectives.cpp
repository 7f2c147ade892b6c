//===- HcclCollectives.cpp - Collectives and messages ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Hccl.h"

#include "device/core/Configuration.h"

#include <utility>

using namespace belay::device;
using namespace belay::device::hccl;

namespace {

/// One call of a collective: who, where, and what is wrong with it.
class Request {
public:
  Request(Call &This, Kind What, int Type, void *Comm, void *StreamHandle)
      : This(This) {
    P.Call.What = What;
    P.Call.Type = static_cast<DataType>(Type);
    P.Call.Where = placeOf(This.Site);
    Error = begin(Comm, StreamHandle);
  }

  int error() const { return Error; }
  explicit operator bool() const { return Error == Ok; }
  Communicator &comm() { return *C; }
  uint64_t bytes(uint64_t Count) const { return Count * sizeOf(P.Call.Type); }

  void setReduction(int Op) {
    P.Call.Op = static_cast<ReduceOp>(Op);
    if (Error == Ok &&
        !canReduce(*configuration().Soc->arch, P.Call.Type, P.Call.Op))
      Error = This.fail(NotSupported, std::string(nameOf(P.Call.Op)) + " of " +
                                          nameOf(P.Call.Type) +
                                          " is not supported on " +
                                          configuration().Soc->name);
  }
  void setRoot(uint32_t Root) {
    P.Call.Root = Root;
    if (Error == Ok && Root >= C->Ranks)
      Error =
          This.fail(BadParameter, "there is no rank " + std::to_string(Root) +
                                      " of " + std::to_string(C->Ranks));
  }
  void setCount(uint64_t Count) {
    P.Call.Count = Count;
    constexpr uint64_t Most = uint64_t(1) << 48;
    if (Error == Ok && Count > Most)
      Error = This.fail(BadParameter, "a count of " + std::to_string(Count));
  }

  /// Memory that the call is given; empty if there is none to check.
  Piece memory(const char *Which, const void *Pointer, uint64_t Bytes);
  void mustNotOverlap(const Piece &A, const Piece &B, const char *Why);

  void show(const Piece &Memory) {
    P.Shown.push_back(Memory);
    P.Call.Bytes += Memory.Bytes;
  }
  int enqueue() {
    if (Error == Ok)
      C->enqueue(*S, std::move(P), This.Site);
    return Error;
  }
  /// HcclSend and HcclRecv.
  int enqueueMessage(const Piece &Memory);

  Plan P;

private:
  int begin(void *Comm, void *StreamHandle);
  void bad(const char *Which, const std::string &Why, const char *Help) {
    Error = This.mistake(BadParameter, DiagId::HcclBadBuffer,
                         std::string(Which) + " " + Why, Help);
  }

  Call &This;
  std::shared_ptr<Communicator> C;
  std::shared_ptr<Stream> S;
  int Error = Ok;
};

} // namespace

/// The stream that a communicator's task goes to; null if it cannot.
static std::shared_ptr<Stream> streamFor(Call &This, const Communicator &C,
                                         void *Handle) {
  std::shared_ptr<Stream> S = This.stream(Handle);
  if (!S || S->Device == C.Device)
    return S;
  This.mistake(BadParameter, DiagId::DeviceWrongContext,
               "the communicator's rank " + std::to_string(C.Rank) +
                   " is on device " + std::to_string(C.Device) +
                   ", the stream on device " + std::to_string(S->Device),
               "pass a stream of the device that was current when the "
               "communicator was made");
  return nullptr;
}

int Request::begin(void *Comm, void *StreamHandle) {
  C = communicator(This, Comm);
  if (!C)
    return BadParameter;
  if (!StreamHandle)
    return This.fail(NullPointer, "stream is null");
  if (C->Suspended)
    return This.fail(Suspending, "the communicator is suspended");
  S = streamFor(This, *C, StreamHandle);
  if (!S)
    return BadParameter;
  if (P.Call.What != Kind::Barrier &&
      !canMove(*configuration().Soc->arch, P.Call.Type))
    return This.fail(NotSupported, std::string(nameOf(P.Call.Type)) +
                                       " is not supported on " +
                                       configuration().Soc->name);
  return Ok;
}

Piece Request::memory(const char *Which, const void *Pointer, uint64_t Bytes) {
  if (Error != Ok || Bytes == 0)
    return {};
  auto Address = reinterpret_cast<uint64_t>(Pointer);
  if (!Pointer) {
    Error = This.fail(NullPointer, std::string(Which) + " is null");
    return {};
  }
  Where Place = runtime().locate(Pointer);
  if (!Place.On) {
    bad(Which, "is host memory", "copy the data to the device first");
    return {};
  }
  if (Place.On->Id != C->Device) {
    bad(Which,
        ("is memory of device " + std::to_string(Place.On->Id) + ", rank " +
         std::to_string(C->Rank) + " of the communicator is on device " +
         std::to_string(C->Device)),
        "every rank passes memory of its own device");
    return {};
  }
  AllocationTable &Table = Place.On->Memory.Table;
  std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
  if (Table.find(Address, Bytes) == Table.Live.end()) {
    bad(Which,
        "has not that many: " + std::to_string(Bytes) + " bytes from " +
            Table.describe(Address),
        "counts are in elements; some buffers hold the elements of all ranks");
    return {};
  }
  if (Address % sizeOf(P.Call.Type))
    bad(Which,
        "is not aligned to the " + std::to_string(sizeOf(P.Call.Type)) +
            " bytes of a " + nameOf(P.Call.Type),
        "begin at a whole element");
  return {Address, Bytes};
}

void Request::mustNotOverlap(const Piece &A, const Piece &B, const char *Why) {
  if (Error == Ok && A.Address < B.Address + B.Bytes &&
      B.Address < A.Address + A.Bytes)
    bad("recvBuf", std::string("overlaps sendBuf") + Why,
        "use memory of its own for what is received");
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

int HcclAllReduce(void *Send, void *Recv, uint64_t Count, int Type, int Op,
                  void *Comm, void *StreamHandle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  Request R(This, Kind::AllReduce, Type, Comm, StreamHandle);
  R.setReduction(Op);
  R.setCount(Count);
  Piece From = R.memory("sendBuf", Send, R.bytes(Count));
  Piece To = R.memory("recvBuf", Recv, R.bytes(Count));
  if (Send != Recv)
    R.mustNotOverlap(From, To, ", and is not the same");
  R.show(From);
  R.P.Reduced = Fetch{0, 0, To};
  R.P.Shared = true;
  return R.enqueue();
}

int HcclBroadcast(void *Buffer, uint64_t Count, int Type, uint32_t Root,
                  void *Comm, void *StreamHandle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  Request R(This, Kind::Broadcast, Type, Comm, StreamHandle);
  R.setRoot(Root);
  R.setCount(Count);
  Piece Memory = R.memory("buf", Buffer, R.bytes(Count));
  if (R && R.comm().Rank == Root)
    R.show(Memory);
  else
    R.P.Fetches.push_back({Root, 0, Memory});
  return R.enqueue();
}

int HcclAllGather(void *Send, void *Recv, uint64_t Count, int Type, void *Comm,
                  void *StreamHandle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  Request R(This, Kind::AllGather, Type, Comm, StreamHandle);
  R.setCount(Count);
  if (!R)
    return R.error();
  uint64_t Each = R.bytes(Count);
  Piece From = R.memory("sendBuf", Send, Each);
  Piece To = R.memory("recvBuf", Recv, Each * R.comm().Ranks);
  if (From.Address != To.Address + Each * R.comm().Rank)
    R.mustNotOverlap(From, To, ", and not where the rank's own part goes");
  R.show(From);
  for (uint32_t Rank = 0; Rank < R.comm().Ranks; ++Rank)
    R.P.Fetches.push_back({Rank, 0, {To.Address + Each * Rank, Each}});
  return R.enqueue();
}

int HcclReduceScatter(void *Send, void *Recv, uint64_t Count, int Type, int Op,
                      void *Comm, void *StreamHandle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  Request R(This, Kind::ReduceScatter, Type, Comm, StreamHandle);
  R.setReduction(Op);
  R.setCount(Count);
  if (!R)
    return R.error();
  uint64_t Each = R.bytes(Count);
  Piece From = R.memory("sendBuf", Send, Each * R.comm().Ranks);
  Piece To = R.memory("recvBuf", Recv, Each);
  if (To.Address != From.Address + Each * R.comm().Rank)
    R.mustNotOverlap(From, To, ", and not where the rank's own part lies");
  R.show(From);
  R.P.Reduced = Fetch{0, Each * R.comm().Rank, To};
  return R.enqueue();
}

int HcclReduce(void *Send, void *Recv, uint64_t Count, int Type, int Op,
               uint32_t Root, void *Comm, void *StreamHandle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  Request R(This, Kind::Reduce, Type, Comm, StreamHandle);
  R.setReduction(Op);
  R.setRoot(Root);
  R.setCount(Count);
  Piece From = R.memory("sendBuf", Send, R.bytes(Count));
  R.show(From);
  // Others may pass null.
  if (R && R.comm().Rank == Root) {
    Piece To = R.memory("recvBuf", Recv, R.bytes(Count));
    if (Send != Recv)
      R.mustNotOverlap(From, To, ", and is not the same");
    R.P.Reduced = Fetch{0, 0, To};
  }
  return R.enqueue();
}

int HcclScatter(void *Send, void *Recv, uint64_t Count, int Type, uint32_t Root,
                void *Comm, void *StreamHandle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  Request R(This, Kind::Scatter, Type, Comm, StreamHandle);
  R.setRoot(Root);
  R.setCount(Count);
  if (!R)
    return R.error();
  uint64_t Each = R.bytes(Count);
  Piece To = R.memory("recvBuf", Recv, Each);
  if (R.comm().Rank == Root) {
    Piece From = R.memory("sendBuf", Send, Each * R.comm().Ranks);
    if (To.Address != From.Address + Each * Root)
      R.mustNotOverlap(From, To, ", and not where the root's own part lies");
    R.show(From);
  }
  R.P.Fetches.push_back({Root, Each * R.comm().Rank, To});
  return R.enqueue();
}

int HcclBarrier(void *Comm, void *StreamHandle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  Request R(This, Kind::Barrier, 0, Comm, StreamHandle);
  return R.enqueue();
}

//===----------------------------------------------------------------------===//
// Counts that differ from rank to rank
//===----------------------------------------------------------------------===//

/// Elements from Displacement on.
static const void *offset(Request &R, const void *Pointer,
                          uint64_t Displacement) {
  return static_cast<const uint8_t *>(Pointer) + R.bytes(Displacement);
}

static int alltoall(Call &This, Request &R, const void *Send,
                    const std::vector<uint64_t> &SendCounts,
                    const std::vector<uint64_t> &SendAt, const void *Recv,
                    const std::vector<uint64_t> &RecvCounts,
                    const std::vector<uint64_t> &RecvAt) {
  if (Send && Send == Recv)
    return This.mistake(BadParameter, DiagId::HcclBadBuffer,
                        "recvBuf is sendBuf, which the function cannot do",
                        "use memory of its own for what is received");
  uint32_t Ranks = R.comm().Ranks;
  for (uint32_t Rank = 0; Rank < Ranks; ++Rank) {
    R.show(R.memory("sendBuf", offset(R, Send, SendAt[Rank]),
                    R.bytes(SendCounts[Rank])));
    R.P.Fetches.push_back({Rank, 0,
                           R.memory("recvBuf", offset(R, Recv, RecvAt[Rank]),
                                    R.bytes(RecvCounts[Rank]))});
  }
  for (const Piece &From : R.P.Shown)
    for (const Fetch &F : R.P.Fetches)
      R.mustNotOverlap(From, F.To, "");
  R.P.Gives = SendCounts;
  R.P.Takes = RecvCounts;
  R.P.AfterOthers = true;
  return R.enqueue();
}

/// An array of one number for each rank.
static std::vector<uint64_t> numbers(const void *Array, uint32_t Ranks) {
  const auto *First = static_cast<const uint64_t *>(Array);
  return {First, First + Ranks};
}

/// One after the other.
static std::vector<uint64_t> packed(const std::vector<uint64_t> &Counts) {
  std::vector<uint64_t> Result;
  Result.reserve(Counts.size());
  uint64_t At = 0;
  for (uint64_t Count : Counts) {
    Result.push_back(At);
    At += Count;
  }
  return Result;
}

/// All ranks' types have to be the same; so one of them is enough.
static int sameTypes(Call &This, int SendType, int RecvType) {
  return SendType == RecvType
             ? Ok
             : This.fail(BadParameter, "sendType and recvType differ");
}

int HcclAlltoAll(const void *Send, uint64_t SendCount, int SendType,
                 const void *Recv, uint64_t RecvCount, int RecvType, void *Comm,
                 void *StreamHandle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  if (int E = sameTypes(This, SendType, RecvType))
    return E;
  if (SendCount != RecvCount)
    return This.fail(BadParameter, "sendCount and recvCount differ");
  Request R(This, Kind::AlltoAll, SendType, Comm, StreamHandle);
  R.setCount(SendCount);
  if (!R)
    return R.error();
  std::vector<uint64_t> Counts(R.comm().Ranks, SendCount);
  return alltoall(This, R, Send, Counts, packed(Counts), Recv, Counts,
                  packed(Counts));
}

int HcclAlltoAllV(const void *Send, const void *SendCounts, const void *SendAt,
                  int SendType, const void *Recv, const void *RecvCounts,
                  const void *RecvAt, int RecvType, void *Comm,
                  void *StreamHandle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  BELAY_HCCL_NOT_NULL(SendCounts);
  BELAY_HCCL_NOT_NULL(SendAt);
  BELAY_HCCL_NOT_NULL(RecvCounts);
  BELAY_HCCL_NOT_NULL(RecvAt);
  if (int E = sameTypes(This, SendType, RecvType))
    return E;
  Request R(This, Kind::AlltoAllV, SendType, Comm, StreamHandle);
  if (!R)
    return R.error();
  uint32_t Ranks = R.comm().Ranks;
  return alltoall(This, R, Send, numbers(SendCounts, Ranks),
                  numbers(SendAt, Ranks), Recv, numbers(RecvCounts, Ranks),
                  numbers(RecvAt, Ranks));
}

int HcclAlltoAllVC(const void *Send, const void *Matrix, int SendType,
                   const void *Recv, int RecvType, void *Comm,
                   void *StreamHandle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  BELAY_HCCL_NOT_NULL(Matrix);
  if (int E = sameTypes(This, SendType, RecvType))
    return E;
  Request R(This, Kind::AlltoAllVC, SendType, Comm, StreamHandle);
  if (!R)
    return R.error();
  uint32_t Ranks = R.comm().Ranks, Me = R.comm().Rank;
  const auto *Counts = static_cast<const uint64_t *>(Matrix);
  std::vector<uint64_t> Gives = numbers(Counts + uint64_t(Me) * Ranks, Ranks);
  std::vector<uint64_t> Takes;
  Takes.reserve(Ranks);
  for (uint32_t Rank = 0; Rank < Ranks; ++Rank)
    Takes.push_back(Counts[uint64_t(Rank) * Ranks + Me]);
  return alltoall(This, R, Send, Gives, packed(Gives), Recv, Takes,
                  packed(Takes));
}

int HcclAllGatherV(void *Send, uint64_t SendCount, void *Recv,
                   const void *RecvCounts, const void *RecvAt, int Type,
                   void *Comm, void *StreamHandle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  BELAY_HCCL_NOT_NULL(RecvCounts);
  BELAY_HCCL_NOT_NULL(RecvAt);
  Request R(This, Kind::AllGatherV, Type, Comm, StreamHandle);
  if (!R)
    return R.error();
  uint32_t Ranks = R.comm().Ranks;
  R.P.Gives.assign(Ranks, SendCount);
  R.P.Takes = numbers(RecvCounts, Ranks);
  std::vector<uint64_t> At = numbers(RecvAt, Ranks);
  Piece From = R.memory("sendBuf", Send, R.bytes(SendCount));
  R.show(From);
  for (uint32_t Rank = 0; Rank < Ranks; ++Rank) {
    Piece To = R.memory("recvBuf", offset(R, Recv, At[Rank]),
                        R.bytes(R.P.Takes[Rank]));
    if (From.Address != To.Address)
      R.mustNotOverlap(From, To, ", and not where the rank's own part goes");
    R.P.Fetches.push_back({Rank, 0, To});
  }
  return R.enqueue();
}

int HcclReduceScatterV(void *Send, const void *SendCounts, const void *SendAt,
                       void *Recv, uint64_t RecvCount, int Type, int Op,
                       void *Comm, void *StreamHandle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  BELAY_HCCL_NOT_NULL(SendCounts);
  BELAY_HCCL_NOT_NULL(SendAt);
  Request R(This, Kind::ReduceScatterV, Type, Comm, StreamHandle);
  R.setReduction(Op);
  if (!R)
    return R.error();
  uint32_t Ranks = R.comm().Ranks;
  R.P.Gives = numbers(SendCounts, Ranks);
  R.P.Takes.assign(Ranks, RecvCount);
  std::vector<uint64_t> At = numbers(SendAt, Ranks);
  Piece To = R.memory("recvBuf", Recv, R.bytes(RecvCount));
  uint64_t Before = 0;
  for (uint32_t Rank = 0; Rank < Ranks; ++Rank) {
    Piece From = R.memory("sendBuf", offset(R, Send, At[Rank]),
                          R.bytes(R.P.Gives[Rank]));
    if (From.Address != To.Address)
      R.mustNotOverlap(From, To, ", and not where the rank's own part lies");
    R.show(From);
    if (Rank < R.comm().Rank)
      Before += R.P.Gives[Rank];
  }
  R.P.Reduced = Fetch{0, R.bytes(Before), To};
  return R.enqueue();
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

namespace {

/// What was called between HcclGroupStart and HcclGroupEnd in this thread.
struct Pending {
  std::shared_ptr<Communicator> C;
  std::shared_ptr<Stream> S;
  std::vector<Message> Messages;
  const void *Site;
};
thread_local unsigned GroupDepth = 0;
thread_local std::vector<Pending> Group;

void addToGroup(Pending New) {
  for (Pending &Each : Group)
    if (Each.C == New.C && Each.S == New.S) {
      Each.Messages.insert(Each.Messages.end(), New.Messages.begin(),
                           New.Messages.end());
      return;
    }
  Group.push_back(std::move(New));
}

} // namespace

int Request::enqueueMessage(const Piece &Memory) {
  if (Error == Ok && P.Call.Root == C->Rank)
    Error = This.fail(BadParameter, "a rank cannot send to itself, nor "
                                    "receive from itself, but in a batch");
  if (Error != Ok)
    return Error;
  Message M = {P.Call, Memory};
  if (GroupDepth)
    addToGroup({C, S, {M}, This.Site});
  else
    C->enqueue(*S, std::vector<Message>{M}, This.Site);
  return Ok;
}

int HcclSend(void *Buffer, uint64_t Count, int Type, uint32_t Rank, void *Comm,
             void *StreamHandle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  Request R(This, Kind::Send, Type, Comm, StreamHandle);
  R.setRoot(Rank);
  R.setCount(Count);
  return R.enqueueMessage(R.memory("sendBuf", Buffer, R.bytes(Count)));
}

int HcclRecv(void *Buffer, uint64_t Count, int Type, uint32_t Rank, void *Comm,
             void *StreamHandle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  Request R(This, Kind::Recv, Type, Comm, StreamHandle);
  R.setRoot(Rank);
  R.setCount(Count);
  return R.enqueueMessage(R.memory("recvBuf", Buffer, R.bytes(Count)));
}

int HcclBatchSendRecv(HcclSendRecvItem *Items, uint32_t Count, void *Comm,
                      void *StreamHandle) {
  BELAY_HCCL_BEGIN(CurrentContext);
  BELAY_HCCL_NOT_NULL(Items);
  auto C = communicator(This, Comm);
  if (!C)
    return BadParameter;
  auto S = streamFor(This, *C, StreamHandle);
  if (!S)
    return BadParameter;
  std::vector<Message> All;
  for (uint32_t I = 0; I < Count; ++I) {
    const HcclSendRecvItem &Item = Items[I];
    bool IsSend = Item.sendRecvType == HCCL_SEND;
    Request R(This, IsSend ? Kind::Send : Kind::Recv, Item.dataType, Comm,
              StreamHandle);
    R.setRoot(Item.remoteRank);
    R.setCount(Item.count);
    Piece Memory = R.memory("buf", Item.buf, R.bytes(Item.count));
    if (!R)
      return R.error();
    All.push_back({R.P.Call, Memory});
  }
  if (!All.empty())
    C->enqueue(*S, std::move(All), This.Site);
  return Ok;
}

int HcclGroupStart() {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  ++GroupDepth;
  return Ok;
}

int HcclGroupEnd() {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  if (GroupDepth == 0)
    return This.fail(BadParameter, "there was no HcclGroupStart");
  if (--GroupDepth)
    return Ok;
  for (Pending &Each : std::exchange(Group, {}))
    Each.C->enqueue(*Each.S, std::move(Each.Messages), Each.Site);
  return Ok;
}
