//===- LaunchContract.h - What a language kernel admits ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The description that belay-kernelc writes of a kernel (docs/launch.md), read
// back, and the conditions of a launch evaluated as its C++ launcher would:
// with the numbers of belay/launch.h.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LAUNCH_LAUNCHCONTRACT_H
#define BELAY_LAUNCH_LAUNCHCONTRACT_H

#include "cases/Shape.h"
#include "support/Diagnostics.h"
#include "llvm/Support/JSON.h"
#include <map>

namespace belay::launch {

/// One parameter as the kernel's author wrote it.
struct ContractParam {
  std::string Name;
  cases::DataType Type = cases::DataType::F32;
  bool IsView = false;
  enum class Access : uint8_t { In, Out, InOut, PerCore } How = Access::In;
  /// Nothing where it is open.
  llvm::SmallVector<std::optional<uint64_t>, 4> Extents;

  /// What to give for it on the command line: "--in f32:?x1024".
  std::string wanted() const;
};

/// A parameter of the entry point.
struct EntryParam {
  enum class Kind : uint8_t { View, Extent, Scalar } What = Kind::View;
  unsigned Index = 0; ///< Into LaunchContract::Params.
  unsigned Dim = 0;
};

/// What is given to a launch.
struct LaunchValues {
  uint32_t Blocks = 1;
  /// By the names of the kernel's parameters; scalars as their bytes.
  std::map<std::string, cases::Extents> Shapes;
  std::map<std::string, std::string> Scalars;
};

struct LaunchContract {
  std::string Kernel; ///< "softmax<1024>"
  std::string Entry;  ///< "softmax_1024"
  std::string Soc;
  std::vector<ContractParam> Params; ///< In the order of the source.
  std::vector<EntryParam> Entries;
  uint32_t MaxBlocks = 1;
  bool CoresMeet = false;

  static llvm::Expected<LaunchContract> parse(const llvm::json::Object &Object);

  /// The first thing that the kernel does not admit, or success.
  llvm::Error check(const LaunchValues &Values) const;

private:
  struct Expectation {
    std::string Text;
    support::SourcePlace Where;
    llvm::json::Value Condition = nullptr;
  };

  llvm::Error checkExpectation(const Expectation &Expected,
                               const LaunchValues &Values) const;

  std::vector<Expectation> Expectations;
};

} // namespace belay::launch

#endif // BELAY_LAUNCH_LAUNCHCONTRACT_H
