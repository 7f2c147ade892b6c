//===- FunctionNames.h - Instructions that observers know by name -*- C++ -*-=//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_CORE_FUNCTIONNAMES_H
#define BELAY_MODEL_CORE_FUNCTIONNAMES_H

namespace belay::sim {

/// The start of code for threads, whose costs nobody knows.
inline constexpr const char *ThreadsName = "function of threads";

} // namespace belay::sim

#endif // BELAY_MODEL_CORE_FUNCTIONNAMES_H
