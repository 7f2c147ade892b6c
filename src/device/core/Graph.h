//===- Graph.h - Tasks that are kept and run often --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph (aclmdlRI) is what streams were given between two calls: one stream
// that was captured, or several that were bound to a graph while it was built.
// Some of its tasks decide what comes next: jumps to labels and other streams,
// streams that are activated, and conditions with graphs of their own.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_CORE_GRAPH_H
#define BELAY_DEVICE_CORE_GRAPH_H

#include "device/core/Stream.h"

namespace belay::device {

struct Graph;

/// A task that decides what comes next.
struct Branch {
  enum class Kind : uint8_t {
    Label,     // a place to jump to
    ToLabel,   // goes on at a label, and not here
    Activate,  // another stream of the graph starts beside
    ToStream,  // if Choose says 1, goes on in another stream
    Condition, // runs one of the graphs, or one again and again
    End,       // of the graph
  };
  Kind What;
  /// The label, or the stream.
  uint64_t Target = 0;
  /// Of ToLabel: all labels.
  std::vector<uint64_t> Labels = {};
  /// Reads device memory when it is asked.
  std::function<Outcome(uint64_t &)> Choose = nullptr;
  /// Of a condition: aclmdlRICondTaskType.
  int Type = 0;
  std::vector<std::shared_ptr<Graph>> Bodies = {};
};

/// A word in device memory that conditions read.
struct BELAY_DEVICE_API ConditionWord {
  ConditionWord(int Device, uint64_t Address, uint32_t Default, bool Assigned)
      : Device(Device), Address(Address), Default(Default), Assigned(Assigned) {
  }
  ~ConditionWord();
  const int Device;
  const uint64_t Address;
  const uint32_t Default;
  /// Each execution of the graph begins with the default.
  const bool Assigned;
  /// An error if the memory is gone.
  Outcome read(uint64_t &Value) const;
  void assignDefault() const;
};

/// What an aclmdlRI refers to.
struct BELAY_DEVICE_API Graph {
  uint64_t Id = 0;
  /// What one stream was given.
  struct Lane {
    std::shared_ptr<Stream> Bound; // null: captured
    uint64_t StreamId = 0;
    /// Runs from the start of the graph on; else when it is activated.
    bool IsHead = true;
    std::vector<Stream::Kept> Tasks;
  };
  std::mutex Mutex; // of what follows
  std::vector<Lane> Lanes;
  /// Words that conditions read, and their handles.
  std::vector<std::pair<std::shared_ptr<ConditionWord>, void *>> Conditions;
  bool Building = false;
  /// A condition's: it runs and ends with the graph that has the condition.
  bool IsBody = false;

  /// Runs all of it, in the calling thread and others; the first failure.
  Outcome run(bool StopOnFailure);

private:
  std::mutex Running; // one run at a time
};

/// Some tasks of a captured stream that can be replaced.
struct TaskGroup {
  std::weak_ptr<Graph> Of;
  size_t First = 0, Count = 0;
};

} // namespace belay::device

#endif // BELAY_DEVICE_CORE_GRAPH_H
