//===- Findings.h - What the sanitizer has to say ---------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANITIZER_FINDINGS_H
#define BELAY_SANITIZER_FINDINGS_H

#include "abi/Launch.h"
#include "abi/Wording.h"

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>

namespace belay::sim {

class Core;
struct BufferRecord;
struct OperandRecord;

/// One side of a finding: an instruction of a core.
struct Side {
  const Core *Where = nullptr;
  const void *PC = nullptr;
  std::string Role; // "written by DataCopy on PIPE_MTE2"
  /// Other cores may have gone on to the next block by now.
  std::optional<uint32_t> Block = {};
  /// Which execution in its block, from 1; 0 if not counted.
  uint32_t Execution = 0;
};

/// The bytes that a finding is about.
struct About {
  const void *Address = nullptr;
  const BufferRecord *Buffer = nullptr;

  About() = default;
  About(const OperandRecord &O);
  About(const BufferRecord &B);
};

/// Collects findings of all cores in the memory shared with `belay`, where
/// they survive whatever happens to this process next. The same finding from
/// the same lines is counted, not repeated.
class Findings {
public:
  explicit Findings(Report &R) : Out(R) {}

  void add(const char *Id, const Side &Here, const Side &Other,
           const std::string &Message, const std::string &Hint,
           const About &Bytes = {}, const std::string &Insert = {});

private:
  using Key = std::tuple<std::string, const void *, const void *>;

  std::mutex M;
  Report &Out;
  std::map<Key, unsigned> Known;
};

} // namespace belay::sim

#endif // BELAY_SANITIZER_FINDINGS_H
