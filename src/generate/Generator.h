//===- Generator.h - Candidates that models write ---------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_GENERATE_GENERATOR_H
#define BELAY_GENERATE_GENERATOR_H

#include "bench/Campaign.h"
#include "generate/Chat.h"
#include "generate/Prompts.h"

namespace belay::generate {

/// Asks a model for candidates, and lets it correct them. Each sample is a file
/// TASK/SAMPLE.cpp below a folder, and all that was said on the way to it is
/// TASK/SAMPLE.trajectory.json.
class Generator {
public:
  struct Options {
    /// Where candidates are written; the model's name is added.
    std::string Out;
    std::string Template = "zero-shot";
    unsigned Samples = 1;
    /// How often a sample may be corrected.
    unsigned Repairs = 0;
    unsigned Jobs = 1;
    uint64_t Seed = 0;
    /// The guide to the kernel language.
    std::string Guide;
    std::atomic<bool> *Stop = nullptr;
  };
  struct Counts {
    unsigned Samples = 0, Known = 0, Sources = 0, Clean = 0, Failed = 0;
  };

  /// \p Judge says what is wrong with candidates, sealed and in the sandbox;
  /// it is not needed if nothing is corrected.
  Generator(ChatServer &Model, Prompts Texts, bench::Campaign *Judge,
            bench::Evaluator::Options Evaluate, Options Opts);

  llvm::Expected<Counts> run(llvm::ArrayRef<bench::Task> Tasks);

private:
  struct Sample;
  llvm::Error generate(Sample &S);
  /// One answer, and what was found about it.
  llvm::Error exchange(Sample &S);
  llvm::Expected<std::string> firstQuestion(const bench::Task &T);
  /// What a model may know about a candidate: nothing of hidden cases.
  llvm::Expected<std::string> findingsOf(const bench::Task &T,
                                         llvm::StringRef Source);
  llvm::Error write(const Sample &S) const;
  std::string pathOf(const Sample &S, llvm::StringRef Ending) const;

  ChatServer &Model;
  Prompts Texts;
  bench::Campaign *Judge;
  Options Opts;
  std::mutex Guard;
  bench::Evaluator Answers; // for their interfaces only
};

/// A model's name as a folder: "org/model", without what leads elsewhere.
std::string folderOf(llvm::StringRef Model);

} // namespace belay::generate

#endif // BELAY_GENERATE_GENERATOR_H
