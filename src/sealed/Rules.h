//===- Rules.h - What travels with a call -----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How parameters are laid out in a record, one after the other, each a multiple
// of 8 bytes:
//
//   number, bool, enumeration   its bytes
//   const char *                length and text (NoText for null)
//   structure                   its bytes, then what its own pointers carry
//   other pointers              an address, unless a rule below says otherwise
//
// An address names simulated memory and stays a number until the model has
// checked it. The rules name the pointers that point at values of the kernel.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SEALED_RULES_H
#define BELAY_SEALED_RULES_H

#include "sealed/Protocol.h"

namespace belay::sim::sealed {

inline constexpr uint32_t NoText = ~0u;
/// Longer text is cut.
inline constexpr uint32_t MaxText = 8 << 10;

struct Rule {
  enum class Kind : uint8_t {
    Address,
    Value,  // one element: whether there is one, and 8 bytes
    Bytes,  // Number bytes
    Array,  // as many elements as parameter Number says
    Result, // receives 8 bytes; or null
    Buffer, // a BufferRecord, by its ordinal
  } What = Kind::Address;
  uint8_t Number = 0;
  /// If not 0, the rule holds only if parameter Number is this Second. A word
  /// before it says whether it does.
  uint8_t IfSecond = 0;
};

constexpr Rule ruleOf(Function F, unsigned Parameter) {
  using enum Rule::Kind;
  struct Row {
    Function F;
    uint8_t Parameter;
    Rule R;
  };
  constexpr auto IfScalar = static_cast<uint8_t>(Second::Scalar);
  constexpr auto IfScalarFirst = static_cast<uint8_t>(Second::ScalarFirst);
  constexpr Row Rows[] = {
      {Function::assert, 4, {Array, 5}},
      {Function::printf, 1, {Array, 2}},
      {Function::print, 0, {Array, 1}},
      {Function::note_slice, 2, {Buffer}},
      {Function::note_tensor, 2, {Buffer}},
      {Function::set_addresses, 1, {Bytes, 64}},
      {Function::cube_set_fmatrix, 3, {Bytes, 4}},
      {Function::get_atomic, 0, {Result}},
      {Function::get_atomic, 1, {Result}},
      {Function::copy_slices, 3, {Array, 5}},
      {Function::copy_slices, 4, {Array, 5}},
      {Function::fill_global, 2, {Value}},
      {Function::compare, 4, {Value, 5, IfScalar}},
      {Function::duplicate, 2, {Value}},
      {Function::global_atomic, 3, {Value}},
      {Function::global_atomic, 4, {Value}},
      {Function::global_atomic, 5, {Result}},
      {Function::progression, 2, {Value}},
      {Function::progression, 3, {Value}},
      {Function::scalar, 5, {Value}},
      {Function::select, 4, {Value, 6, IfScalarFirst}},
      {Function::select, 5, {Value, 6, IfScalar}},
      {Function::set_deq_vector, 1, {Bytes, 64}},
      {Function::set_deq_vector, 2, {Bytes, 32}},
      {Function::set_deq_vector, 3, {Bytes, 16}},
      {Function::vec_index, 2, {Value}},
  };
  for (const Row &X : Rows)
    if (X.F == F && X.Parameter == Parameter)
      return X.R;
  return {};
}

/// Calls that return nothing but change what the caller gave them, or never
/// return at all.
constexpr bool hasAnswer(Function F) {
  switch (F) {
  case Function::trap:
  case Function::assert:
  case Function::guard:
  case Function::fail:
  case Function::get_atomic:
  case Function::global_atomic:
  case Function::cube_matmul_reset:
  case Function::cube_matmul_all:
  case Function::cube_matmul_batch:
  case Function::cube_matmul_get:
  case Function::crash:
  case Function::next_block:
    return true;
  default:
    return false;
  }
}

/// Kept by both sides for themselves: the queue that a kernel's TQue is, and
/// the records of its buffers. The issuer knows the outcome without asking.
template <typename T>
inline constexpr bool IsReplicated =
    std::is_same_v<T, QueueState> || std::is_same_v<T, PoolRange>;

} // namespace belay::sim::sealed

#endif // BELAY_SEALED_RULES_H
