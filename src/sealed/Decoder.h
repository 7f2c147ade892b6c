//===- Decoder.h - From a record to a call of the model ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything in a record is untrusted. Record is already a private copy; here
// its numbers, texts and structures are checked and its pointers replaced, in
// place, before a function of the model sees them. What is no value of its
// type, does not fit the record or names no object ends the run.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SEALED_DECODER_H
#define BELAY_SEALED_DECODER_H

#include "model/core/Core.h"
#include "model/core/Failure.h"
#include "sealed/Protocol.h"

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace belay::sim::sealed {

/// Ends the run: no compiled kernel sends such a record.
[[noreturn]] BELAY_RUNTIME_API void refuse(const char *Why);

/// What the model keeps for one core between records.
class Decoder {
public:
  /// A core that starts anew.
  void reset();

  /// Executes the call in a private copy of a record, of which Bytes are there,
  /// header and frames included. Answer receives what the kernel waits for; how
  /// many bytes is returned.
  size_t execute(uint8_t *Record, uint32_t Bytes, uint8_t (&Answer)[MaxAnswer]);

  // What the parameters of a call are made of; used by Decoder.cpp.
  uint8_t *take(uint64_t Bytes);
  uint64_t takeWord();
  /// For the length of the call, or, Kept, for good; null for NoText.
  const char *takeText(bool Kept);
  /// One element, valid as long as an instruction can be put off.
  const void *takeValue();
  BufferRecord *record(uint64_t Ordinal);
  BufferRecord *foreign() { return &Foreign; }
  void checkQueue(QueueState &Q);
  static void checkPool(const PoolRange &P);
  void openMatmul(MatmulState &S);
  static uint64_t tokenOf(const void *Results);
  /// The next 8 bytes of the answer.
  void *result();
  void answer(const void *Data, size_t Bytes);

private:
  void updateRecords();

  uint8_t *At = nullptr, *End = nullptr;
  uint8_t *AnswerAt = nullptr, *AnswerEnd = nullptr;
  std::vector<BufferRecord *> Records; // by ordinal
  size_t KnownBlocks = 0;
  BufferRecord Foreign = {}; // stands for what is no record
  /// Found without a copy.
  struct TextHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_set<std::string, TextHash, std::equal_to<>> Texts; // for good
  std::deque<std::string> Printed; // for the length of a call
  static constexpr unsigned NumValues = 4096;
  uint64_t Values[NumValues] = {};
  unsigned NextValue = 0;
};

} // namespace belay::sim::sealed

#endif // BELAY_SEALED_DECODER_H
