//===- Trace.cpp - Instruction streams on disk ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/core/Trace.h"

#include "model/core/Core.h"
#include "model/core/Failure.h"
#include "model/core/Observer.h"

#include <cinttypes>
#include <cstdio>
#include <string>

namespace belay::sim {

static const char *kindName(CoreKind K) {
  return K == CoreKind::Cube ? "aic" : K == CoreKind::Vector ? "aiv" : "core";
}

static const char *kindName(InstructionKind K) {
  constexpr const char *Names[] = {
      "compute",   "copy",    "scalar",    "set-flag",
      "wait-flag", "barrier", "cross-set", "cross-wait",
      "sync-all",  "alloc",   "enque",     "deque",
      "free",      "lock",    "unlock",    "cache-clean"};
  return Names[static_cast<unsigned>(K)];
}

namespace {

class TraceWriter : public Observer {
public:
  TraceWriter(const std::string &Path, const Core &C)
      : Owner(C), Out(std::fopen(Path.c_str(), "w")) {}
  ~TraceWriter() override {
    if (Out)
      std::fclose(Out);
  }

  void onInstruction(const InstructionRecord &I) override {
    if (!Out)
      return;
    std::fprintf(Out,
                 "{\"n\":%" PRIu64 ",\"name\":\"%s\",\"kind\":\"%s\","
                 "\"pipe\":\"%s\",\"block\":%u,\"pc\":%" PRIu64,
                 I.Serial, I.Name, kindName(I.Kind), nameOf(I.On), Owner.Block,
                 kernelOffset(I.PC));
    if (I.Kind > InstructionKind::ScalarAccess)
      std::fprintf(Out,
                   ",\"to\":\"%s\",\"id\":%d,\"mode\":%u,\"vectorOnly\":%s",
                   nameOf(I.To), I.Id, I.Mode, I.VectorOnly ? "true" : "false");
    if (I.Object)
      std::fprintf(Out, ",\"buffer\":%" PRIuPTR,
                   reinterpret_cast<uintptr_t>(I.Object));
    if (I.Atomic)
      std::fputs(",\"atomic\":true", Out);
    if (I.UnitFlag)
      std::fputs(",\"unitFlag\":true", Out);
    if (I.Interlocked)
      std::fputs(",\"interlocked\":true", Out);
    std::fputs(",\"operands\":[", Out);
    for (unsigned N = 0; N < I.NumOperands; ++N)
      writeOperand(I.Operands[N], N != 0);
    std::fputs("]}\n", Out);
  }

private:
  void writeOperand(const OperandRecord &O, bool Comma) {
    uint64_t Address = O.Where == Space::GM
                           ? reinterpret_cast<uintptr_t>(O.Address)
                           : static_cast<const uint8_t *>(O.Address) -
                                 Owner.Memories.base(O.Where);
    std::fprintf(Out,
                 "%s{\"access\":\"%s\",\"space\":\"%s\",\"type\":\"%s\","
                 "\"address\":%" PRIu64 ",\"blockBytes\":%" PRIu64
                 ",\"blocks\":%" PRIu64 ","
                 "\"blockStride\":%" PRId64 ",\"repeats\":%" PRIu64 ","
                 "\"repeatStride\":%" PRId64 "}",
                 Comma ? "," : "", O.Write ? "write" : "read", nameOf(O.Where),
                 nameOf(O.Type), Address, O.Bytes.BlockBytes, O.Bytes.Blocks,
                 O.Bytes.BlockStride, O.Bytes.Repeats, O.Bytes.RepeatStride);
  }

  const Core &Owner;
  std::FILE *Out;
};

} // namespace

std::unique_ptr<Observer> makeTraceWriter(const char *Path, const Core &C) {
  std::string Name = std::string(Path) + "." + kindName(C.Kind) +
                     std::to_string(C.Block) + "." + std::to_string(C.SubBlock);
  return std::make_unique<TraceWriter>(Name, C);
}

} // namespace belay::sim
