//===- CrossFlags.cpp - Flags between cores -------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sanitizer/CrossFlags.h"

#include "model/core/Core.h"
#include "model/core/CrossCore.h"
#include "model/core/Device.h"
#include "sanitizer/Sanitizer.h"

namespace belay::sim {

namespace {

constexpr int32_t FirstOfSyncAll = 11, LastOfSyncAll = 14;

} // namespace

void CrossFlags::reportReserved(const Use &U, Findings &Out) {
  Out.add("flag-reserved", {U.Who, U.PC, ""}, {},
          std::string(U.Name) + " uses flag " + std::to_string(U.Id) +
              " in a kernel that calls SyncAll, which is made of the flags 11 "
              "to 14",
          "use a flag id from 0 to 10");
}

void CrossFlags::reserve(const Core &C, const InstructionRecord &I,
                         Findings &Out) {
  if (I.Mode > 2 || I.Id < FirstOfSyncAll || I.Id > LastOfSyncAll)
    return;
  Use U = {&C, I.PC, I.Name, I.Id};
  if (SyncAllUsed)
    reportReserved(U, Out);
  else
    Reserved.emplace(I.PC, U);
}

void CrossFlags::syncAll(Findings &Out) {
  std::lock_guard<std::mutex> Lock(M);
  SyncAllUsed = true;
  for (const auto &[PC, U] : Reserved)
    reportReserved(U, Out);
  Reserved.clear();
}

void CrossFlags::set(const Core &C, const InstructionRecord &I, Findings &Out) {
  std::lock_guard<std::mutex> Lock(M);
  reserve(C, I, Out);
  Sets[{&C, flagKey(I.Mode, I.Id)}] = I.PC;
  if (I.Raised > CrossCore::MostRaised)
    Out.add("flag-overflow", {&C, I.PC, "set"}, {},
            "flag " + std::to_string(I.Id) + " is raised " +
                std::to_string(I.Raised) +
                " times and not waited for: its counter ends at " +
                std::to_string(CrossCore::MostRaised),
            "let the setting core wait for the other one before it runs so far "
            "ahead");
}

void CrossFlags::wait(const Core &C, const InstructionRecord &I,
                      Findings &Out) {
  std::lock_guard<std::mutex> Lock(M);
  reserve(C, I, Out);
  Waits[{&C, flagKey(I.Mode, I.Id)}] = I.PC;
}

void CrossFlags::end(Device &D, Findings &Out) {
  D.crossCore().forEachLeft([&](const Core &To, const Arrival &A,
                                unsigned Flag) {
    int Key = flagKey(A.Mode, static_cast<int32_t>(Flag));
    for (const auto &[Who, PC] : Sets) {
      if (Who.second != Key || !CrossCore::feeds(*Who.first, To, A.Mode))
        continue;
      Out.add("flag-left-set", {Who.first, PC, "set"},
              {&To, Waits[{&To, Key}], "last waited for"},
              "cross-core flag " + std::to_string(Flag) +
                  " is still raised when the kernel ends: the next kernel on "
                  "these cores starts with it",
              "wait as often as the flag is set, on every path");
      return; // one of the setters is enough
    }
  });
}

/// What the other cores learn has to be known before they can go on. SyncAll
/// drains the core first, a flag waits for its own pipe.
void Sanitizer::onArrive(const InstructionRecord &I) {
  catchUp();
  if (I.Kind == InstructionKind::CrossSet) {
    // The scalar unit is done with all it did before it issued the set.
    Clocks.issue(I.On, Clocks.scalarNow());
    if (I.Soft)
      return Shared.Cross.post(C, I.Id, Clocks, I.On);
    int Key = CrossFlags::flagKey(I.Mode, I.Id);
    if (CrossCore::feeds(C, C, I.Mode))
      OwnSets[Key].push_back(Clocks.publish(I.On));
    return Shared.Cross.announce(C, Key, Clocks, I.On);
  }
  Clocks.barrierAll();
  Shared.Cross.announce(C, CrossFlags::syncKey(I.VectorOnly), Clocks, Pipe::S);
}

void Sanitizer::crossSet(const InstructionRecord &I) {
  if (!I.Soft) // announced when the core arrived at it
    Shared.Flags.set(C, I, Shared.Out);
}

void Sanitizer::crossWait(const InstructionRecord &I, const Clock &Scalar) {
  Epoch Now = Clocks.issue(carrierOf(I), Scalar);
  if (I.Soft)
    return Clocks.receive(carrierOf(I), Shared.Cross.read(C, I.Id, Now));
  Shared.Flags.wait(C, I, Shared.Out);
  int Key = CrossFlags::flagKey(I.Mode, I.Id);
  // One's own set is among those that the flag was raised by.
  if (auto Own = OwnSets.find(Key);
      Own != OwnSets.end() && !Own->second.empty()) {
    Clocks.receive(carrierOf(I), Own->second.front());
    Own->second.pop_front();
  }
  Clock Mine =
      Shared.Cross.learn(C, Key, Now, I.Ordinal, [&](const Core &Other) {
        return CrossCore::feeds(Other, C, I.Mode);
      });
  Clocks.receive(carrierOf(I), Mine);
}

} // namespace belay::sim
