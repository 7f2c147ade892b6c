//===- Plan.h - What went where, and in which order -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the compiler decided of a kernel, for people: which memory each tile is
// in and how often, what moves between them on which pipe, which flags order
// that, and how full each memory is, which is what limits the tiles.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_EMIT_PLAN_H
#define BELAY_EMIT_PLAN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "targets/Target.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace belay::emit {

struct PlannedMemory {
  std::string Name;
  int64_t Used = 0, Bytes = 0;
};

struct PlannedBuffer {
  std::string Name, Memory, Type;
  int64_t Offset, Bytes, Slots;
  unsigned Line;
};

struct PlannedStep {
  enum class Kind { Loop, Branch, Instruction, Set, Wait, Barrier };
  Kind What;
  /// In how many loops and branches it is.
  unsigned Depth = 0;
  unsigned Line = 0;
  std::string Text;
  /// Of an instruction, or of a barrier of one pipe.
  std::string Core, Pipe;
  std::vector<std::string> Reads, Writes;
  /// Of flags: between which pipes, the event, and whether each slot has its
  /// own.
  std::string From, To;
  int64_t Event = 0;
  bool BySlot = false;
};

struct KernelPlan {
  std::string Kernel, Soc, Cores;
  std::vector<PlannedMemory> Memories;
  std::vector<PlannedBuffer> Buffers;
  std::vector<PlannedStep> Steps;
};

/// Reads the plan of a kernel whose memory is planned and whose instructions
/// are ordered, before they are expanded.
KernelPlan planOf(mlir::func::FuncOp Kernel, const targets::Soc &Soc);

void writePlan(const KernelPlan &Plan, llvm::raw_ostream &Out);
void writePlanAsJson(const KernelPlan &Plan, llvm::raw_ostream &Out);

} // namespace belay::emit

#endif // BELAY_EMIT_PLAN_H
