//===- AbiCalls.cpp - Calls of the simulator's functions ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/AbiCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ErrorHandling.h"
#include <string_view>

using namespace belay;
using namespace belay::check;
using Group = AbiCall::Group;

/// The text between the parentheses of a function's parameters.
static constexpr std::string_view parametersOf(InstructionCall Which) {
  constexpr std::string_view Texts[] = {
#define BELAY_ABI_INSTRUCTION(Name, On, Result, Parameters) #Parameters,
#include "abi/Functions.def"
  };
  return Texts[static_cast<size_t>(Which)];
}

/// Which of them has this name. Does not compile if none has.
static consteval uint8_t parameter(InstructionCall Of, std::string_view Name) {
  std::string_view Text = parametersOf(Of);
  uint8_t Index = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    if (Text[I] != ',' && Text[I] != ')')
      continue;
    size_t Begin = Text.find_last_of(" *", I) + 1;
    if (Text.substr(Begin, I - Begin) == Name)
      return Index;
    ++Index;
  }
  llvm_unreachable("a row of Operands.def names no parameter");
}

llvm::ArrayRef<AbiOperand> belay::check::operandsOf(InstructionCall Which) {
  using enum AbiOperand::Access;
  using enum AbiOperand::Extent;
  static constexpr AbiOperand Rows[] = {
#define BELAY_ABI_OPERAND(Name, Parameter, Access, Type, Extent)               \
  {InstructionCall::Name,                                                      \
   parameter(InstructionCall::Name, #Parameter),                               \
   Access,                                                                     \
   parameter(InstructionCall::Name, #Type),                                    \
   parameter(InstructionCall::Name, "W"),                                      \
   Extent},
#include "abi/Operands.def"
  };
  // Rows of one function stand together.
  auto Is = [&](const AbiOperand &Row) { return Row.Of == Which; };
  const AbiOperand *First = llvm::find_if(Rows, Is);
  return {First, std::find_if_not(First, std::end(Rows), Is)};
}

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
#define BELAY_ABI_THREADS(Name, ...) BELAY_ABI_IN(Name, Threads)
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
