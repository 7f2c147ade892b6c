//===- Wording.h - What findings say ----------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same mistake reads the same whether a run found it (sanitizer) or the
// source shows it (check). {buffer|...}, {here} and {other} are filled in where
// the source is known. Kernels do not include this.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_WORDING_H
#define BELAY_ABI_WORDING_H

#include "abi/Buffers.h"

#include <string>

namespace belay::sim::wording {

struct Text {
  std::string Message, Hint;
  std::string Insert = {}; // statements that fix it if they stand before
};

/// One side of a pair of accesses.
struct Actor {
  std::string Name;
  Pipe On = Pipe::S;
  bool Writes = false;
  bool ByPointer = false; ///< The compiler inserts no flags for it.
};

inline std::string shortName(Pipe P) { return nameOf(P) + 5; }
/// "MTE2_V"
inline std::string eventName(Pipe From, Pipe To) {
  return shortName(From) + "_" + shortName(To);
}
/// "written by DataCopy on PIPE_MTE2"
inline std::string roleOf(const Actor &A) {
  return std::string(A.Writes ? "written" : "read") + " by " + A.Name + " on " +
         nameOf(A.On);
}
inline const char *verb(bool Writes) { return Writes ? "writes" : "reads"; }

// --- order -------------------------------------------------------------------
inline const char *raceId(const Actor &Before, const Actor &After) {
  return Before.On == After.On ? "missing-barrier" : "missing-sync";
}
inline Text race(const Actor &Before, const Actor &After, Space Where) {
  Text T;
  T.Message = After.Name + " on " + nameOf(After.On) + " " +
              verb(After.Writes) + " {buffer|" + nameOf(Where) + "}, which " +
              Before.Name + " on " + nameOf(Before.On) +
              (Before.Writes ? " wrote" : " read") +
              ", and nothing makes it wait";
  if (Before.On == After.On) {
    std::string Barrier =
        "PipeBarrier<" + std::string(nameOf(After.On)) + ">()";
    T.Hint = "insert " + Barrier + " after {other} and before {here}";
    T.Insert = Barrier + ";";
    return T;
  }
  std::string Event = "HardEvent::" + eventName(Before.On, After.On);
  T.Hint = "insert SetFlag<" + Event + ">(id) after {other} and WaitFlag<" +
           Event + ">(id) before {here}";
  if (Before.ByPointer || After.ByPointer)
    T.Hint += "; for a pointer the compiler inserts none";
  auto Call = [&](const char *Name) {
    return std::string(Name) + "<" + Event + ">(GetTPipePtr()->FetchEventID(" +
           Event + "));";
  };
  T.Insert = Call("SetFlag") + " " + Call("WaitFlag");
  return T;
}
inline Text raceBetweenCores(const Actor &Other, const Actor &Here) {
  return {Here.Name + " on " + nameOf(Here.On) + " " + verb(Here.Writes) +
              " {buffer|GM}, which another core's " + Other.Name + " on " +
              nameOf(Other.On) + (Other.Writes ? " wrote" : " read") +
              ", and nothing makes it wait",
          "separate the two phases with SyncAll, or let the cores work on "
          "different bytes, or add atomically"};
}

inline Text staleCache(const std::string &Name, bool Own) {
  return {Name + " reads what SetValue wrote into the data cache of " +
              (Own ? "this" : "another") +
              " core: global memory still has the old value",
          "call DataCacheCleanAndInvalid on the writing core, before the two "
          "are synchronised"};
}

// --- flags -------------------------------------------------------------------
inline Text flagSetTwice(Pipe From, Pipe To, int32_t Id) {
  return {"SetFlag<HardEvent::" + eventName(From, To) + ">(" +
              std::to_string(Id) +
              ") while the flag is still set: a flag is one bit, so one of the "
              "two sets is lost",
          "wait for the flag between the two sets, or use another id"};
}
inline Text flagRunAhead(Pipe From, Pipe To, int32_t Id) {
  return {"SetFlag<HardEvent::" + eventName(From, To) + ">(" +
              std::to_string(Id) +
              ") may run before the previous WaitFlag of the same id has "
              "cleared the flag: nothing holds " +
              std::string(nameOf(From)) + " back",
          "make " + std::string(nameOf(From)) + " wait for " + nameOf(To) +
              " first (HardEvent::" + eventName(To, From) +
              "), or alternate between two ids"};
}
/// "PIPE_V waits for HardEvent::MTE2_V id 0"
inline std::string waiting(Pipe From, Pipe To, int32_t Id) {
  return std::string(nameOf(To)) +
         " waits for HardEvent::" + eventName(From, To) + " id " +
         std::to_string(Id);
}
inline Text flagDeadlock(const std::string &Chain) {
  return {"the core stops here for ever: " + Chain,
          "set the flag before it is waited for, once for each wait, on every "
          "path"};
}
inline Text flagSetLost(Pipe From, Pipe To, int32_t Waits, int32_t Sets) {
  std::string Event = "HardEvent::" + eventName(From, To);
  return {
      "WaitFlag<" + Event + ">(" + std::to_string(Waits) +
          ") stands before its set, so that " + nameOf(To) +
          " is delayed when SetFlag<" + Event + ">(" + std::to_string(Sets) +
          ") comes again: if it coincides with the earlier set, one of them "
          "is lost and the core stops for ever",
      "wait for the id that was set for the same data, after its set"};
}
inline Text flagLeftSet(Pipe From, Pipe To, int32_t Id, uint32_t Sets,
                        uint32_t Waits) {
  return {"HardEvent::" + eventName(From, To) + " id " + std::to_string(Id) +
              " is still set when the kernel ends (" + std::to_string(Sets) +
              " sets, " + std::to_string(Waits) +
              " waits): the next kernel on this core starts with it",
          "wait for it after the loop, or do not set it in the last iteration"};
}

// --- tensors -----------------------------------------------------------------
inline Text useAfterFree(const std::string &Name, bool Writes) {
  return {Name + " " + verb(Writes) +
              " a tensor of {buffer|a queue} that was freed: the buffer may "
              "hold the next tile already",
          "free the tensor after its last use"};
}
inline Text tensorOutOfBounds(const std::string &Name, bool Writes,
                              const std::string &Span, Space Where,
                              const std::string &Bytes) {
  return {Name + " " + verb(Writes) + " " + Span +
              " bytes of a tensor in {buffer|" + nameOf(Where) + "} that has " +
              Bytes,
          Where == Space::GM
              ? "clamp the length to what SetGlobalBuffer was told"
              : "check count, repeat and strides against GetSize()"};
}
inline Text bufferOutOfBounds(const std::string &Name, bool Writes,
                              const std::string &First, const std::string &Last,
                              Space Where, const std::string &Bytes) {
  return {Name + " " + verb(Writes) + " bytes " + First + " to " + Last +
              " of {buffer|a buffer in " + nameOf(Where) + "}, which has " +
              Bytes + ": the tensor reaches past its buffer",
          "check the size and the offset given to Get or GetWithOffset "
          "(elements and bytes) against InitBuffer"};
}
inline Text misaligned(const std::string &Name, bool Writes, Space Where,
                       const std::string &Offset, uint32_t Alignment) {
  return {Name + " " + verb(Writes) + " " + nameOf(Where) + " at byte " +
              Offset + ", but the instruction needs addresses aligned to " +
              std::to_string(Alignment) + " bytes there",
          "start the tensor at a multiple of the alignment, or move the data "
          "first"};
}
inline Text sliceOverlap(const std::string &Name, const std::string &Slice,
                         const std::string &Other) {
  return {Name + " reads bytes " + Slice +
              " of {buffer|a buffer}, part of which was overwritten through "
              "another slice of it, bytes " +
              Other,
          "check the offsets and sizes of the two slices: GetWithOffset takes "
          "elements, then bytes"};
}
inline Text writesOverSource(const std::string &Name) {
  return {Name + " writes over its own source in {buffer|local memory}: the "
                 "routine is many instructions, and the manual wants source "
                 "and destination apart",
          "give the result a tensor of its own"};
}
inline Text overItsSource(const std::string &Name) {
  return {Name +
              " writes over its own source in {buffer|local memory}: it reads "
              "and writes in an order of its own",
          "give the result a tensor of its own"};
}
inline Text missingApi(const std::string &Name, uint32_t Arch) {
  return {Name + " does not exist on arch " + std::to_string(Arch),
          "use an API that all your targets have"};
}
inline Text unsupportedType(const std::string &Name, Elem T, uint32_t Arch) {
  return {Name + " has no form for " + nameOf(T) + " on arch " +
              std::to_string(Arch),
          "cast to a type that the instruction has"};
}
inline Text onlyByCount(const std::string &Name, Elem T, uint32_t Arch) {
  return {Name + " takes " + nameOf(T) + " on arch " + std::to_string(Arch) +
              " only in the form with a count, not with a mask",
          "use the form with a count"};
}
inline Text unsupportedCast(const std::string &Name, Elem From, Elem To,
                            uint32_t Arch) {
  return {Name + " has no form from " + nameOf(From) + " to " + nameOf(To) +
              " on arch " + std::to_string(Arch),
          "go through a type that both have, usually float"};
}
inline Text unsupportedRounding(const std::string &Name, Elem From, Elem To,
                                uint32_t Arch) {
  return {Name + " from " + nameOf(From) + " to " + nameOf(To) +
              " does not round like this on arch " + std::to_string(Arch),
          "round in a way that this conversion has"};
}
inline Text partialOverlap(const std::string &Name, const std::string &Apart) {
  return {Name + " overwrites part of its own source: the two start " + Apart +
              " bytes apart and overlap",
          "give the result a tensor of its own, or compute in place"};
}
inline Text uninitialised(const std::string &Name, const char *Where,
                          const std::string &Count = "") {
  return {Name + " passes " + Count + (Count.empty() ? "" : " ") +
              "uninitialised bytes of {buffer|a tensor} to " + Where,
          "initialise the tensor (Duplicate), or leave out the lanes that have "
          "no value"};
}
inline Text unwritten(const std::string &Name, const std::string &Missing,
                      const std::string &All, const std::string &First,
                      bool StoreKnown) {
  return {Missing + " of the " + All + " elements of output '" + Name +
              "' were written by nobody; the first is " + Name + "[" + First +
              "]" + (StoreKnown ? ", after what is stored here" : ""),
          "store the rest, or say that it is meant: --allow-unwritten " + Name};
}
inline Text tensorLeak() {
  return {"a tensor of {buffer|this queue} is never freed",
          "FreeTensor after its last use, on every path"};
}

// --- buffers and queues ------------------------------------------------------
inline const char *nameOf(BufferState S) {
  const char *Names[] = {"free", "allocated", "in the queue",
                         "taken from the queue"};
  return Names[static_cast<unsigned>(S)];
}
inline Text localCapacity(const std::string &Num, const std::string &Bytes,
                          Space S, const std::string &Used,
                          const std::string &All, uint32_t Capacity) {
  return {"InitBuffer asks for " + Num + " x " + Bytes + " bytes of " +
              sim::nameOf(S) + ": with the " + Used +
              " already given out that is " + All + ", and there are " +
              std::to_string(Capacity),
          "use a smaller tile, fewer buffers, or free one before the next"};
}
inline Text bufferNumber(uint32_t Num) {
  return {"InitBuffer was asked for " + std::to_string(Num) + " buffers",
          "give the queue one or two buffers"};
}
inline Text tooManyTensors(uint32_t Live, Pipe From, Pipe To, uint32_t Ids) {
  return {"AllocTensor of tensor number " + std::to_string(Live) +
              " of the queues from " + sim::nameOf(From) + " to " +
              sim::nameOf(To) + ", which have " + std::to_string(Ids) +
              " event ids between them",
          "free a tensor first, or put tensors that travel together into one "
          "buffer"};
}
inline Text wrongQueue(const std::string &What) {
  return {What + " was given a tensor that this queue did not allocate",
          "hand a tensor back to the queue that it came from"};
}
inline Text noBuffers() {
  return {"AllocTensor on a queue that has no buffers",
          "call pipe.InitBuffer(queue, num, bytes) first"};
}
inline Text queueExhausted(uint32_t Num, BufferState First) {
  return {"AllocTensor finds none of the queue's " + std::to_string(Num) +
              " buffers free: the first is " + nameOf(First),
          "free a tensor first, or give InitBuffer one more buffer"};
}
inline Text enqueFreed() {
  return {"EnQue of a tensor that was freed",
          "EnQue the tensor before it is freed"};
}
inline Text enqueState(BufferState S) {
  return {std::string("EnQue of a tensor that is ") + nameOf(S),
          "EnQue each tensor once, after AllocTensor"};
}
inline Text enqueDepth(uint32_t Depth, uint32_t Length) {
  return {"EnQue into a queue of depth " + std::to_string(Depth) +
              " that holds " + std::to_string(Length) + " tensors already",
          "DeQue before the next EnQue, or give the queue more depth"};
}
inline Text queueEmpty() {
  return {"DeQue from a queue that is empty",
          "EnQue a tensor before each DeQue"};
}
inline Text doubleFree() {
  return {"FreeTensor of a tensor that is free already",
          "free each tensor once, on every path"};
}

// --- instructions ------------------------------------------------------------
inline Text badMask(const std::string &Name, const std::string &Lanes,
                    uint32_t PerRepeat) {
  return {Name + " has a mask of " + Lanes + " lanes, but a repeat has " +
              std::to_string(PerRepeat),
          "use at most one repeat's lanes, or the count form of the API"};
}
inline Text badRepeat(const std::string &Name, const std::string &Repeat,
                      uint32_t Most) {
  return {Name + " has a repeat of " + Repeat +
              "; the instruction's field ends at " + std::to_string(Most),
          "split the work, or use the count form of the API"};
}
inline Text counterMode(const std::string &Name, const std::string &Requested,
                        const std::string &Made) {
  return {Name + " asks for " + Requested +
              " repeats, but counter mode is on: its mask is taken for the "
              "number of elements in all, and " +
              Made + " are made",
          "call SetMaskNorm() when the work in counter mode is done"};
}
inline Text counterModeAtEnd() {
  return {"counter mode is still on when the kernel ends",
          "call SetMaskNorm() when the work in counter mode is done"};
}
inline Text atomicType(const std::string &Name, const std::string &Stored,
                       const std::string &Atomic) {
  return {Name + " stores " + Stored + " to {buffer|GM} while stores combine " +
              Atomic +
              ": the bits of several elements are taken for one, or "
              "of one for several",
          "call SetAtomicAdd, SetAtomicMax or SetAtomicMin with the type of "
          "the tensor"};
}
inline Text atomicAtEnd() {
  return {"stores are still atomic when the kernel ends: those of the next "
          "kernel on this core would be added to what is there",
          "call SetAtomicNone() after the stores that are meant"};
}

// --- integers ----------------------------------------------------------------
/// Type comes in quotes, as Clang writes it.
inline Text truncated(const std::string &Before, const std::string &Type,
                      const std::string &After) {
  return {Before + " does not fit " + Type + " and becomes " + After,
          "split the work into pieces that fit, or use the form of the API "
          "with wider fields"};
}
inline Text wrapped(const std::string &Type, const std::string &Result,
                    const std::string &Use) {
  return {"the result does not fit " + Type + " and wraps to " + Result +
              ", which is then " + Use,
          "widen the first operand (static_cast<uint64_t>(a) * b), or treat "
          "the case in which a difference is below zero"};
}

} // namespace belay::sim::wording

#endif // BELAY_ABI_WORDING_H
