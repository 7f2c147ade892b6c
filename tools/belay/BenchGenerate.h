//===- BenchGenerate.h - belay bench generate -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLS_BENCHGENERATE_H
#define BELAY_TOOLS_BENCHGENERATE_H

#include "Command.h"
#include "generate/Generator.h"

namespace belay::tool {

struct GenerateRequest {
  generate::ChatServer::Options Ask;
  generate::Generator::Options How;
  bench::Evaluator::Options Evaluate;
  std::string Store;
};

/// Asks a model for candidates of these tasks.
int generateCandidates(const Command &Self, GenerateRequest Wanted,
                       std::vector<bench::Task> Tasks);

} // namespace belay::tool

#endif // BELAY_TOOLS_BENCHGENERATE_H
