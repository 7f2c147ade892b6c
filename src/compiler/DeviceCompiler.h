//===- DeviceCompiler.h - From a source to a device binary ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Everything that `belay compile`, the C interface and the drop-ins do: check
// the source, choose the flags, find the result or make it, once. The caller
// gets the bytes; where they go is the caller's choice.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_COMPILER_DEVICECOMPILER_H
#define BELAY_COMPILER_DEVICECOMPILER_H

#include "cache/ContentCache.h"
#include "compiler/CompilePlan.h"
#include "compiler/Validation.h"
#include "support/Diagnostics.h"
#include "support/Subprocess.h"
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace belay::compiler {

enum class Checking : uint8_t {
  On,       ///< Certain findings stop, others warn, as does the unreadable.
  Required, ///< Every finding stops, and what cannot be read.
  Off,
  Quick, ///< As On, with one path of each kernel only.
};
/// "on", "required", "off", "quick".
llvm::StringRef nameOf(Checking Check);
std::optional<Checking> checkingNamed(llvm::StringRef Name);

struct Request {
  /// The source's file; with Text, the name that messages use.
  std::string Path;
  /// The source itself, if it is in no file.
  std::optional<std::string> Text;
  std::string Soc = "Ascend910B3";
  /// "", "vec", "cube", "mix".
  std::string Core;
  Output Out = Output::Object;
  Checking Check = Checking::On;
  Backend By = Backend::Auto;
  /// Further options, as a user writes them; see UserOptions.h.
  std::vector<std::string> Options;
  std::chrono::milliseconds Timeout = std::chrono::minutes(10);
  /// Only find out what would be run.
  bool PlanOnly = false;

  /// \name For tools that decide the flags themselves.
  /// @{
  const DeviceTarget *Target = nullptr; ///< Instead of Soc and Core.
  std::optional<std::vector<std::string>> ForeignFlags;
  /// @}
};

struct Result {
  bool Succeeded = false;
  std::vector<support::Diagnostic> Diags;
  Validation::Verdict Checked = Validation::Verdict::NotRun;
  /// The binary.
  std::string Object;
  /// Where the cache keeps it; "" if it does not.
  std::string CachedPath;
  bool FromCache = false;
  /// What the compiler said, for people.
  std::string Log;
  const DeviceTarget *Target = nullptr;
  Backend By = Backend::Auto;
  std::string CannRoot, CannVersion;
  std::vector<std::vector<std::string>> Commands;
  /// Files that were read, the source included if it is a file.
  std::vector<std::string> Inputs;
  double Seconds = 0;

  /// Findings that depend on numbers of the launch do not stop.
  bool DoubtfulWarn = false;
  /// How grave one of Diags is here.
  support::Severity levelOf(const support::Diagnostic &Diag) const;
};

class DeviceCompiler {
public:
  struct Options {
    /// Looked for if empty.
    std::string CannRoot;
    /// Programs called bisheng in this folder are Belay's own.
    std::string NotFrom;
    /// No cache if empty.
    std::string CacheRoot = cache::ContentCache::defaultRoot();
    uint64_t CacheBytes = cache::ContentCache::defaultMaxBytes();
  };

  explicit DeviceCompiler(Options Opts);

  /// Never fails to return; what went wrong is in the result. May be called by
  /// several threads at once.
  Result compile(const Request &Request) const;

  /// Only looks at the source; every finding counts.
  Result check(const Request &Request) const;

private:
  Options Opts;
  std::optional<cache::ContentCache> Cache;
  /// Why there is no cache although one was asked for.
  std::string CacheError;
};

/// Writes under another name and renames, so that nobody sees half of it.
llvm::Error writeOutput(llvm::StringRef Path, llvm::StringRef Content,
                        bool Executable);

/// A dependency file for make and ninja.
std::string makeDepfile(llvm::StringRef Target,
                        llvm::ArrayRef<std::string> Inputs);

} // namespace belay::compiler

#endif // BELAY_COMPILER_DEVICECOMPILER_H
