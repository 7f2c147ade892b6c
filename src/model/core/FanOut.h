//===- FanOut.h - Several observers of one core -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_CORE_FANOUT_H
#define BELAY_MODEL_CORE_FANOUT_H

#include "model/core/Observer.h"

#include <algorithm>

namespace belay::sim {

/// Tells several observers of the same core, in order.
class FanOut : public Observer {
public:
  explicit FanOut(std::vector<std::unique_ptr<Observer>> Observers)
      : All(std::move(Observers)) {}

  void onInstruction(const InstructionRecord &I) override {
    for (const auto &Each : All)
      Each->onInstruction(I);
  }
  void onArrive(const InstructionRecord &I) override {
    for (const auto &Each : All)
      Each->onArrive(I);
  }
  void onWrap(const WrapRecord &W) override {
    for (const auto &Each : All)
      Each->onWrap(W);
  }
  void onTruncation(const WrapRecord &W, uint64_t Before) override {
    for (const auto &Each : All)
      Each->onTruncation(W, Before);
  }
  void onOffset(uint64_t Offset, const void *PC) override {
    for (const auto &Each : All)
      Each->onOffset(Offset, PC);
  }
  void onSlice(const void *Address, uint64_t Bytes, const BufferRecord &B,
               const void *PC) override {
    for (const auto &Each : All)
      Each->onSlice(Address, Bytes, B, PC);
  }
  uint32_t executionOf(const void *PC) const override {
    uint32_t Most = 0;
    for (const auto &Each : All)
      Most = std::max(Most, Each->executionOf(PC));
    return Most;
  }
  void onGap(uint64_t Bytes, const void *PC) override {
    for (const auto &Each : All)
      Each->onGap(Bytes, PC);
  }
  void onCounterMode(const InstructionRecord &I, uint32_t Requested,
                     uint64_t Made) override {
    for (const auto &Each : All)
      Each->onCounterMode(I, Requested, Made);
  }
  void undefinedBytes(const void *Address, uint64_t Bytes,
                      uint8_t *Flags) override {
    for (const auto &Each : All)
      Each->undefinedBytes(Address, Bytes, Flags);
  }
  void onFunctionStore(const void *Address, uint64_t Bytes,
                       const uint8_t *Flags, const void *Root,
                       const char *Name) override {
    for (const auto &Each : All)
      Each->onFunctionStore(Address, Bytes, Flags, Root, Name);
  }
  void onDelivery(const void *Address, uint64_t Bytes) override {
    for (const auto &Each : All)
      Each->onDelivery(Address, Bytes);
  }
  void onMisuse(const char *Id, const void *PC, const void *Other,
                const char *Role, const std::string &Message,
                const char *Hint) override {
    for (const auto &Each : All)
      Each->onMisuse(Id, PC, Other, Role, Message, Hint);
  }
  void onEnd() override {
    for (const auto &Each : All)
      Each->onEnd();
  }

private:
  std::vector<std::unique_ptr<Observer>> All;
};

} // namespace belay::sim

#endif // BELAY_MODEL_CORE_FANOUT_H
