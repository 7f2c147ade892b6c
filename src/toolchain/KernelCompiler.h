//===- KernelCompiler.h - From AscendC source to a shared object -*- C++ -*-==//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang compiles a wrapper, fed through its standard input, that includes the
// kernel's file and describes its entry (ascendc/belay/entry.h). The result is
// kept by content: the key covers the compiler, its flags, the wrapper and the
// source; the headers that were read are listed beside it and compared on each
// use.
//
// Nearly all of the time goes into kernel_operator.h, so the cache also holds a
// precompiled one for each set of flags.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLCHAIN_KERNELCOMPILER_H
#define BELAY_TOOLCHAIN_KERNELCOMPILER_H

#include "cache/ContentCache.h"
#include "cache/Dependencies.h"
#include "sandbox/Policy.h"
#include "support/Subprocess.h"
#include "toolchain/CompileRequest.h"
#include "toolchain/Description.h"
#include "toolchain/Tools.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <limits>
#include <time.h>

namespace belay::toolchain {

struct CompiledKernel {
  /// Lives as long as the compiler that made it.
  std::string ObjectPath;
  /// What cube cores run, if that is another object.
  std::string CubeObjectPath;
  Description Entry;
  ScannedKernel Scanned;
  bool FromCache = false;
};

class KernelCompiler {
public:
  struct Options {
    /// No cache if empty.
    std::string CacheRoot = cache::ContentCache::defaultRoot();
    /// Print the commands.
    bool Verbose = false;
    bool Colors = false;
    /// Of a kernel of the language that is not accepted, say the first reason
    /// in the error instead of all on stderr.
    bool Quiet = false;
    /// For a debugger: all that the source says is there, as it says it.
    bool Debug = false;
    /// Compilers, and what loads a compiled kernel, reach only the source, its
    /// folder and headers; without a sandbox they do not run.
    bool Sandbox = false;
    /// Files that no source may read: expected values.
    std::vector<std::string> Hidden;
    /// For each compiler that is started.
    std::chrono::milliseconds TimeLimit = std::chrono::minutes(5);
    /// CPU time of each compiler; 0 for no limit. With it, the limit above only
    /// says how long to wait for a machine that is busy.
    std::chrono::milliseconds CpuLimit{0};
    uint64_t MemoryLimitBytes = uint64_t(16) << 30;
  };

  static llvm::Expected<KernelCompiler> create(Options Opts);
  KernelCompiler(KernelCompiler &&) = default;
  ~KernelCompiler();

  const Tools &tools() const { return TheTools; }
  bool isConfined() const { return Opts.Sandbox; }
  /// No compiler runs beyond this, whatever its own limit is.
  void setDeadline(std::chrono::steady_clock::time_point When) {
    Deadline = When;
  }

  /// Compilers that start from now on have this much CPU time together.
  void setCpuBudget(double Seconds) { CpuEnd = CpuUsed + Seconds; }
  double cpuLeft() const { return CpuEnd - CpuUsed; }
  /// What all of them have used.
  double cpuSeconds() const { return CpuUsed; }

  /// Compiles, or finds in the cache. Clang's messages go to stderr.
  /// TilingFields are those of all cases that should share one object.
  ///
  /// One object serves cube and vector cores. Kernels that ask which of them
  /// they are compiled for, in any file but Belay's, get one object each.
  llvm::Expected<CompiledKernel> compile(const cases::Case &Case,
                                         std::vector<std::string> TilingFields);

  /// Compiles the host code of the case's operator, or finds it in the cache;
  /// the path of a shared object for belay-ophost.
  llvm::Expected<std::string> compileOpHost(const cases::Case &Case);

  /// Lets belay-kernelc turn the case's source into AscendC, or finds that in
  /// the cache: JSON for LanguageKernel::parse. Messages go to stderr.
  llvm::Expected<std::string> compileLanguage(const cases::Case &Case);

  /// A precompiled kernel_operator.h for these flags, made if there is none.
  /// Nothing if it cannot be had: it saves time and changes no result.
  std::optional<std::string> precompiledApi(std::vector<std::string> Flags);

  /// Flags that let Clang look at casts whose values become lengths. Without
  /// them, which is told once, such casts are not looked at.
  llvm::ArrayRef<std::string> castFlags();

  /// A path for a file that lives as long as the compiler.
  llvm::Expected<std::string> scratchPath(llvm::StringRef Name);

  /// \name For programs that hold their kernels (Program.h).
  /// @{
  /// Whether any of the files asks for the kind of core; see asksForCore.
  bool anyAsksForCore(llvm::ArrayRef<std::string> Files) const;
  /// Runs a compiler under limits, in an environment that cannot change what
  /// it does.
  support::ProcessResult runCompiler(std::vector<std::string> Args,
                                     int Stdin = -1);
  /// The error of a tool that failed: \p Refused, unless the machine was at
  /// fault (toolchain/ToolFailure.h). \p What is "the compiler failed on
  /// x.cpp".
  llvm::Error failure(llvm::StringRef What,
                      const support::ProcessResult &Result,
                      std::string Refused) const;
  /// Runs any program that reads sources, in the sandbox if there is one.
  support::ProcessResult runReader(support::ProcessSpec Spec);
  /// Names the sources that are compiled next, and folders of their headers:
  /// all that a compiler in the sandbox can read, besides the system's.
  void allowToRead(llvm::ArrayRef<std::string> Sources,
                   llvm::ArrayRef<std::string> Folders);
  /// What a kernel's shared object says of itself, as JSON.
  llvm::Expected<std::string> describeObject(llvm::StringRef ObjectPath);
  /// Fails if an object calls what is not defined anywhere. \p Json is what it
  /// says of itself.
  static llvm::Error refuseMissing(llvm::StringRef Json);
  /// What a compilation writes.
  struct Built {
    std::string ObjectPath;
    std::string Json;
    /// All files that it read; the key has the rest.
    std::vector<std::string> Headers;
    /// How the cache names it.
    const char *Kind = "so";
  };
  /// Finds what was made before of the same key and the same headers, or makes
  /// it and keeps it.
  llvm::Expected<Built>
  findOrMake(llvm::StringRef Key, const char *Kind, bool &FromCache,
             llvm::function_ref<llvm::Expected<Built>()> Make);
  /// The compilers, as a part of keys.
  llvm::StringRef identity() const { return Identity; }
  /// @}

private:
  llvm::Error explainFailure(const CompileRequest &Request,
                             const support::ProcessResult &Result) const;

  KernelCompiler(Options Opts, Tools Tools)
      : Opts(std::move(Opts)), TheTools(std::move(Tools)) {}

  llvm::Expected<Built> build(const CompileRequest &Request);
  support::ProcessResult compileObject(const CompileRequest &Request,
                                       std::vector<std::string> Args);
  llvm::Expected<Built> findOrBuild(const CompileRequest &Request,
                                    bool &FromCache);
  /// Whether a kernel whose object for vector cores is incomplete needs none:
  /// it is for cube cores only, because \p Wanted or its task type say so, or
  /// as the device's compiler infers it.
  llvm::Expected<bool> needsOnlyCubes(const Built &ForVector,
                                      const Built &ForCube,
                                      sim::TaskKind Wanted) const;
  llvm::Expected<Built> buildOpHost(llvm::ArrayRef<std::string> Sources,
                                    llvm::ArrayRef<std::string> Flags);
  llvm::Expected<std::string>
  buildLanguage(std::vector<std::string> Args,
                const std::optional<std::string> &Text, llvm::StringRef Source,
                llvm::StringRef Shown, std::vector<std::string> &Headers);
  std::chrono::milliseconds timeLeft() const;
  /// The most that the next program may use of \p Wanted; 0 for no limit.
  std::chrono::milliseconds cpuTimeLeft(std::chrono::milliseconds Wanted) const;
  sandbox::Policy policy() const;
  /// What a source could read decides what it becomes.
  std::string policyKey() const;
  /// A verdict is about what the device gets.
  llvm::Error refuseJudgeQuestions(const CompileRequest &Request,
                                   llvm::ArrayRef<std::string> Files) const;
  std::string keyOf(const CompileRequest &Request) const;
  std::optional<Built> findBuilt(llvm::StringRef Key,
                                 const char *Kind = "so") const;
  llvm::Error keepBuilt(llvm::StringRef Key, Built &Made,
                        const timespec &Start);

  Options Opts;
  Tools TheTools;
  std::string Identity;
  std::optional<cache::ContentCache> Cache;
  std::optional<std::vector<std::string>> CastFlags;
  /// Removed with the compiler.
  std::string Scratch;
  unsigned NumBuilt = 0;
  std::chrono::steady_clock::time_point Deadline =
      std::chrono::steady_clock::time_point::max();
  double CpuUsed = 0, CpuEnd = std::numeric_limits<double>::infinity();
  /// See allowToRead().
  std::vector<std::string> Readable;
};

/// Why belay-kernelc made nothing of a source: it was refused, or Belay failed.
llvm::Error explainLanguageFailure(const support::ProcessResult &Result,
                                   llvm::StringRef Shown);

} // namespace belay::toolchain

#endif // BELAY_TOOLCHAIN_KERNELCOMPILER_H
