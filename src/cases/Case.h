//===- Case.h - One launch of a kernel, as the user describes it -*- C++ -*-==//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CASES_CASE_H
#define BELAY_CASES_CASE_H

#include "abi/Types.h"
#include "cases/Shape.h"
#include "cases/Tiling.h"
#include <optional>
#include <string>
#include <vector>

namespace belay::cases {

/// What an output is compared with. Tolerances left open follow the element
/// type.
struct Expectation {
  std::string Path;
  std::optional<double> Rtol, Atol;
};

/// One positional argument: --in, --out, --inout or --scalar.
struct ArgSpec {
  enum class Role : uint8_t { In, Out, InOut, Scalar } What = Role::In;
  /// As written, for messages.
  std::string Text;
  /// Left open where a .npy file says it.
  std::optional<TensorType> Tensor;
  /// In, InOut: generator, .npy or .bin. Scalar: the value.
  std::string Source;
  /// Out, InOut: where the result goes; "" for nowhere.
  std::string Output;
  std::optional<Expectation> Expect;
  /// `none`: an optional argument that is left out.
  bool Absent = false;
  /// `[A; B]`: tensors that the kernel gets as one list.
  bool IsList = false;
  std::vector<ArgSpec> List;
  /// What the kernel calls it, where that is known better than from the
  /// parameter that it binds to.
  std::string Name;
  /// Belay's own: no result to report.
  bool Internal = false;
  /// The same memory as another argument; operators that work in place have
  /// such an output.
  std::optional<unsigned> SameAs;

  bool reads() const { return What == Role::In || What == Role::InOut; }
  bool writes() const { return What == Role::Out || What == Role::InOut; }
};

llvm::StringRef nameOf(ArgSpec::Role Role);

/// Reads the text of one argument.
///   in     TYPE:SHAPE=GENERATOR | TYPE:SHAPE=FILE | FILE.npy
///   out    TYPE:SHAPE[=FILE.npy|FILE.bin]
///   inout  an `in`, and optionally @FILE.npy for the result
///   scalar TYPE=VALUE
/// A tensor may also be `none`, or a list of them: `[TENSOR; TENSOR; ...]`.
llvm::Expected<ArgSpec> parseArg(ArgSpec::Role Role, llvm::StringRef Text);

/// The host code of an operator, which decides the launch.
struct OpHostSpec {
  std::vector<std::string> Sources;
  /// The operator's type, if the sources define several.
  std::string Op;
  /// Attributes by name, as written.
  std::vector<std::pair<std::string, std::string>> Attrs;

  bool given() const { return !Sources.empty(); }
};

struct Case {
  std::string Name;
  std::string Source;
  /// The source's text, where no file of that name has it.
  std::optional<std::string> Text;
  std::string Kernel;
  std::string Soc = "Ascend910B3";
  uint32_t Blocks = 1;
  std::vector<ArgSpec> Args;
  OpHostSpec OpHost;
  /// AscendC that was made from the source, and is compiled instead of it.
  std::string Code;
  /// C++ that the kernel is compiled with in front of it.
  std::string Prelude;
  TilingSpec Tiling;
  uint64_t TilingKey = 0;
  std::optional<uint64_t> WorkspaceBytes;
  sim::TaskKind Task = sim::TaskKind::Unset;
  std::vector<std::string> Defines;
  std::vector<std::string> IncludeDirs;
  /// Run the sanitizer; it assumes that bisheng inserts its flags, or not.
  bool Check = false;
  bool CompilerSync = true;
  /// Outputs of which the kernel may leave elements as they are, or "all".
  std::vector<std::string> AllowUnwritten;
  /// Off, a kernel is compiled in a third of the time; its scalar code is slow.
  bool Optimise = true;
  /// Of a kernel of the language: refuse what is not proven.
  bool Deny = false;
  double TimeLimitSeconds = 60;
  /// CPU time of all processes of a launch; 0 for no limit. With it, the limit
  /// above only says how long to wait for a machine that is busy.
  double CpuLimitSeconds = 0;
  uint64_t MemoryLimitBytes = uint64_t(8) << 30;
};

/// The text of a case's source.
llvm::Expected<std::string> readSourceOf(const Case &Case);

/// vector, cube, mix11, mix12.
std::optional<sim::TaskKind> parseTaskKind(llvm::StringRef Text);

/// Finds the output that `--expect [N=]FILE` names and attaches the file.
llvm::Error attachExpectation(Case &Case, llvm::StringRef Text,
                              std::optional<double> Rtol,
                              std::optional<double> Atol);

/// What can be known to be wrong before anything is compiled.
llvm::Error validate(const Case &Case);

} // namespace belay::cases

#endif // BELAY_CASES_CASE_H
