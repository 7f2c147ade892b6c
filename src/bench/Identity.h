//===- Identity.h - Names of results ----------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_IDENTITY_H
#define BELAY_BENCH_IDENTITY_H

#include "bench/Evaluator.h"

namespace belay::bench {

/// Everything of this build that results depend on, and the options.
llvm::Expected<std::string> harnessIdentity(const Evaluator::Options &Opts);

/// The options that a harness was named with, as JSON, and back.
std::string specOf(const Evaluator::Options &Opts);
llvm::Expected<Evaluator::Options> optionsOf(llvm::StringRef Spec);

/// The name of what a task is, and of what its candidates are compared with.
/// Foreign tasks have no values of ours.
llvm::Expected<std::string> taskIdentity(llvm::StringRef Harness, const Task &T,
                                         const TaskValues *Public,
                                         const TaskValues *Hidden);

/// The name of a result.
std::string keyOf(llvm::StringRef TaskIdentity, llvm::StringRef Source);

} // namespace belay::bench

#endif // BELAY_BENCH_IDENTITY_H
