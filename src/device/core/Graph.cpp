//===- Graph.cpp - Tasks that are kept and run often ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/core/Graph.h"

#include "device/core/Runtime.h"

#include <cstring>

namespace belay::device {

//===----------------------------------------------------------------------===//
// Words that conditions read
//===----------------------------------------------------------------------===//

ConditionWord::~ConditionWord() {
  DeviceMemory &Memory = runtime().device(Device).Memory;
  Allocation Taken;
  {
    std::unique_lock<std::shared_mutex> Lock(Memory.Table.Mutex);
    auto It = Memory.Table.Live.find(Address);
    if (It == Memory.Table.Live.end())
      return; // it went with its device
    Taken = It->second;
    Memory.Table.remove(It, nullptr);
  }
  Memory.release(Address, Taken);
}

Outcome ConditionWord::read(uint64_t &Value) const {
  DeviceMemory &Memory = runtime().device(Device).Memory;
  std::shared_lock<std::shared_mutex> Lock(Memory.Table.Mutex);
  if (Memory.Table.find(Address, sizeof(Value)) == Memory.Table.Live.end())
    return {RtInternal, "the memory of a condition is gone"};
  std::memcpy(&Value, Memory.bytes(Address), sizeof(Value));
  return {};
}

void ConditionWord::assignDefault() const {
  if (!Assigned)
    return;
  DeviceMemory &Memory = runtime().device(Device).Memory;
  {
    std::shared_lock<std::shared_mutex> Lock(Memory.Table.Mutex);
    uint64_t Value = Default;
    if (Memory.Table.find(Address, sizeof(Value)) == Memory.Table.Live.end())
      return;
    std::memcpy(Memory.bytes(Address), &Value, sizeof(Value));
  }
  Memory.markWritten({Address});
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

namespace {

/// One execution of a graph.
class Execution {
public:
  Execution(Graph &G, bool StopOnFailure)
      : G(G), StopOnFailure(StopOnFailure), Lanes(G.Lanes.size()) {}

  Outcome run() {
    begin();
    std::vector<size_t> Heads;
    for (size_t N = 0; N < Lanes.size(); ++N)
      if (G.Lanes[N].IsHead)
        Heads.push_back(N);
    for (size_t N = 1; N < Heads.size(); ++N)
      start(Heads[N]);
    if (!Heads.empty())
      follow(Heads.front(), 0);
    // A thread may start others while it is waited for.
    for (;;) {
      std::thread Next;
      {
        std::lock_guard<std::mutex> Lock(Mutex);
        if (Threads.empty())
          break;
        Next = std::move(Threads.back());
        Threads.pop_back();
      }
      Next.join();
    }
    if (HasEnd && !Ended && !First.Error)
      return {RtInternal, "no stream has come to the end of the graph "
                          "(aclmdlRIEndTask); a device waits for ever"};
    return First;
  }

private:
  /// Where a lane goes on; Lane is none at the end.
  struct Place {
    size_t Lane, Task;
  };
  static constexpr size_t None = SIZE_MAX;

  void begin() {
    std::lock_guard<std::mutex> Lock(G.Mutex);
    for (const auto &[Word, Handle] : G.Conditions)
      Word->assignDefault();
    for (const Graph::Lane &L : G.Lanes)
      for (const Stream::Kept &K : L.Tasks) {
        // Events that the graph records have not happened in this run.
        if (K.Records)
          K.Records->restart();
        HasEnd |= K.Where && K.Where->What == Branch::Kind::End;
      }
  }

  void start(size_t Lane) {
    std::lock_guard<std::mutex> Lock(Mutex);
    Threads.emplace_back([this, Lane] { follow(Lane, 0); });
  }

  void follow(size_t Lane, size_t Task) {
    for (Place Now = {Lane, Task}; Now.Lane != None;) {
      // A stream is in one place at a time.
      const size_t Here = Now.Lane;
      std::lock_guard<std::mutex> Lock(Lanes[Here]);
      while (Now.Lane == Here)
        Now = step(Now);
    }
  }

  void failed(Outcome O) {
    std::lock_guard<std::mutex> Lock(Mutex);
    if (!First.Error)
      First = std::move(O);
  }

  Place step(Place At) {
    constexpr Place Over = {None, 0};
    Stream::Kept K;
    {
      // Tasks may be replaced while the graph runs.
      std::lock_guard<std::mutex> Lock(G.Mutex);
      if (At.Lane >= G.Lanes.size() || At.Task >= G.Lanes[At.Lane].Tasks.size())
        return Over;
      K = G.Lanes[At.Lane].Tasks[At.Task];
    }
    Place Next = {At.Lane, At.Task + 1};
    Outcome O = K.Where ? decide(*K.Where, Next) : K.Run();
    if (!O.Error)
      return Next;
    failed(std::move(O));
    return StopOnFailure || K.Where ? Over : Next;
  }

  Outcome decide(const Branch &B, Place &Next) {
    uint64_t Choice = 0;
    if (B.Choose)
      if (Outcome O = B.Choose(Choice); O.Error)
        return O;
    switch (B.What) {
    case Branch::Kind::Label:
      return {};
    case Branch::Kind::ToLabel:
      Choice = std::min<uint64_t>(Choice, B.Labels.size() - 1);
      Next = find(B.Labels[Choice]);
      if (Next.Lane == None)
        return {RtParam, "label " + std::to_string(Choice) +
                             " of the list is set in no stream of the graph"};
      return {};
    case Branch::Kind::Activate:
    case Branch::Kind::ToStream: {
      if (B.What == Branch::Kind::ToStream && !Choice)
        return {};
      size_t Lane = laneOf(B.Target);
      if (Lane == None)
        return {RtParam, "a stream that is not bound to the graph any more"};
      if (B.What == Branch::Kind::Activate)
        start(Lane);
      else
        Next = {Lane, 0};
      return {};
    }
    case Branch::Kind::Condition:
      return choose(B, Choice);
    case Branch::Kind::End:
      Ended = true;
      Next = {None, 0};
      return {};
    }
    return {};
  }

  Outcome choose(const Branch &B, uint64_t Value) {
    enum { If, While, Switch };
    if (B.Type == While) {
      while (Value) {
        if (Outcome O = B.Bodies.front()->run(StopOnFailure); O.Error)
          return O;
        if (Outcome O = B.Choose(Value); O.Error)
          return O;
      }
      return {};
    }
    uint64_t Body = B.Type == If ? (Value ? 0 : 1) : Value;
    return Body < B.Bodies.size() ? B.Bodies[Body]->run(StopOnFailure)
                                  : Outcome();
  }

  Place find(uint64_t Label) {
    std::lock_guard<std::mutex> Lock(G.Mutex);
    for (size_t Lane = 0; Lane < G.Lanes.size(); ++Lane)
      for (size_t Task = 0; Task < G.Lanes[Lane].Tasks.size(); ++Task) {
        const auto &Where = G.Lanes[Lane].Tasks[Task].Where;
        if (Where && Where->What == Branch::Kind::Label &&
            Where->Target == Label)
          return {Lane, Task};
      }
    return {None, 0};
  }

  size_t laneOf(uint64_t StreamId) {
    std::lock_guard<std::mutex> Lock(G.Mutex);
    for (size_t Lane = 0; Lane < G.Lanes.size(); ++Lane)
      if (G.Lanes[Lane].StreamId == StreamId)
        return Lane;
    return None;
  }

  Graph &G;
  const bool StopOnFailure;
  std::vector<std::mutex> Lanes;
  bool HasEnd = false;
  std::atomic<bool> Ended{false};
  std::mutex Mutex; // of what follows
  std::vector<std::thread> Threads;
  Outcome First;
};

} // namespace

Outcome Graph::run(bool StopOnFailure) {
  std::lock_guard<std::mutex> Lock(Running);
  return Execution(*this, StopOnFailure).run();
}

} // namespace belay::device
