//===- AbiCalls.h - Calls of the simulator's functions ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One enumeration for each group of abi/Functions.def, so that a switch without
// a default has to handle each function of its group.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_ABICALLS_H
#define BELAY_CHECK_ABICALLS_H

#include "abi/PipeRules.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace belay::check {

enum class EndCall : uint8_t {
#define BELAY_ABI_END(Name, ...) Name,
#include "abi/Functions.def"
};
enum class UnfollowedCall : uint8_t {
#define BELAY_ABI_UNFOLLOWED(Name, ...) Name,
#include "abi/Functions.def"
};
enum class QuestionCall : uint8_t {
#define BELAY_ABI_QUESTION(Name, ...) Name,
#include "abi/Functions.def"
};
enum class ScalarCall : uint8_t {
#define BELAY_ABI_SCALAR(Name, ...) Name,
#include "abi/Functions.def"
};
enum class SyncCall : uint8_t {
#define BELAY_ABI_SYNC(Name, ...) Name,
#include "abi/Functions.def"
};
enum class BuffersCall : uint8_t {
#define BELAY_ABI_BUFFERS(Name, ...) Name,
#include "abi/Functions.def"
};
enum class RegistersCall : uint8_t {
#define BELAY_ABI_REGISTERS(Name, ...) Name,
#include "abi/Functions.def"
};
enum class ThreadsCall : uint8_t {
#define BELAY_ABI_THREADS(Name, ...) Name,
#include "abi/Functions.def"
};
enum class InstructionCall : uint8_t {
#define BELAY_ABI_INSTRUCTION(Name, On, ...) Name,
#include "abi/Functions.def"
};

struct AbiCall {
  enum class Group : uint8_t {
    End,
    NoEffect,
    State,
    Unfollowed,
    Answer,
    Question,
    Scalar,
    Sync,
    Buffers,
    Registers,
    Threads,
    Instruction,
  };
  Group What;
  uint8_t Which = 0; ///< In the enumeration of the group, if there is one.
  sim::PipeRule On = sim::PipeRule::S; ///< Of instructions.
};

/// A row of abi/Operands.def. Parameters are counted from 0.
struct AbiOperand {
  enum class Access : uint8_t { Read, Write };
  enum class Extent : uint8_t { Walk0, Walk1, Walk2, Bits };
  InstructionCall Of;
  uint8_t Parameter;
  Access How;
  uint8_t Type, Walk; ///< Which parameters have the element type, and the walk.
  Extent Size;

  bool writes() const { return How == Access::Write; }
};

/// Its operands, as the table lists them; none if it has no rows there.
llvm::ArrayRef<AbiOperand> operandsOf(InstructionCall Which);

/// By the name after belay_sim_; null for what Functions.def does not list.
const AbiCall *findAbiCall(llvm::StringRef Name);

} // namespace belay::check

#endif // BELAY_CHECK_ABICALLS_H
