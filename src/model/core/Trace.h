//===- Trace.h - Instruction streams on disk --------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_CORE_TRACE_H
#define BELAY_MODEL_CORE_TRACE_H

#include <memory>

namespace belay::sim {

class Core;
class Observer;

/// Writes one line of JSON per instruction to `<path>.<kind><block>.<sub>`.
/// The timeline and offline tools read it; the sanitizer observes directly.
std::unique_ptr<Observer> makeTraceWriter(const char *Path, const Core &C);

} // namespace belay::sim

#endif // BELAY_MODEL_CORE_TRACE_H
