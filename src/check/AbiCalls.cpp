//===- AbiCalls.cpp - Calls of the simulator's functions ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/AbiCalls.h"
#include "llvm/ADT/StringMap.h"

using namespace belay;
using namespace belay::check;
using Group = AbiCall::Group;

static llvm::StringMap<AbiCall> makeTable() {
  llvm::StringMap<AbiCall> Table;
#define BELAY_ABI_IN(Name, Enumeration)                                        \
  Table[#Name] = {Group::Enumeration,                                          \
                  static_cast<uint8_t>(Enumeration##Call::Name)};
#define BELAY_ABI_END(Name, ...) BELAY_ABI_IN(Name, End)
#define BELAY_ABI_QUESTION(Name, ...) BELAY_ABI_IN(Name, Question)
#define BELAY_ABI_SCALAR(Name, ...) BELAY_ABI_IN(Name, Scalar)
#define BELAY_ABI_SYNC(Name, ...) BELAY_ABI_IN(Name, Sync)
#define BELAY_ABI_BUFFERS(Name, ...) BELAY_ABI_IN(Name, Buffers)
#define BELAY_ABI_REGISTERS(Name, ...) BELAY_ABI_IN(Name, Registers)
#define BELAY_ABI_NO_EFFECT(Name, ...) Table[#Name] = {Group::NoEffect};
#define BELAY_ABI_STATE(Name, ...) Table[#Name] = {Group::State};
#define BELAY_ABI_UNFOLLOWED(Name, ...) BELAY_ABI_IN(Name, Unfollowed)
#define BELAY_ABI_ANSWER(Name, ...) Table[#Name] = {Group::Answer};
#define BELAY_ABI_INSTRUCTION(Name, On, ...)                                   \
  Table[#Name] = {Group::Instruction,                                          \
                  static_cast<uint8_t>(InstructionCall::Name),                 \
                  sim::PipeRule::On};
#include "abi/Functions.def"
#undef BELAY_ABI_IN
  return Table;
}

const AbiCall *belay::check::findAbiCall(llvm::StringRef Name) {
  static const llvm::StringMap<AbiCall> Table = makeTable();
  auto At = Table.find(Name);
  return At == Table.end() ? nullptr : &At->second;
}
