//===- DescribeObject.cpp - Asking a compiled kernel what it is -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An object is read, not loaded: a constructor in it must not run before the
// kernel is launched.
//
//===----------------------------------------------------------------------===//

#include "sandbox/Sandbox.h"
#include "support/DiagnosticError.h"
#include "support/Json.h"
#include "support/Resources.h"
#include "toolchain/KernelCompiler.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace belay;
using namespace belay::support;
using namespace belay::toolchain;

/// Of CPU time.
static constexpr std::chrono::seconds DescribeTimeout{20};
/// Nothing of a kernel runs in it, so only the machine can delay it.
static constexpr std::chrono::minutes MissingTimeout{5};
static constexpr uint64_t DescribeMemory = uint64_t(1) << 30;

/// The first of the symbols that a kernel would not find where it is loaded;
/// "" if there is none. Asks a runner without any kernel.
static Expected<std::string> findMissing(const std::string &Runner,
                                         const json::Array &Names) {
  constexpr size_t AtOnce = 200;
  for (size_t Begin = 0; Begin < Names.size(); Begin += AtOnce) {
    ProcessSpec Spec;
    Spec.Args = {Runner, "--missing"};
    for (size_t N = Begin; N < std::min(Names.size(), Begin + AtOnce); ++N)
      if (std::optional<StringRef> Name = Names[N].getAsString())
        Spec.Args.push_back(Name->str());
    Spec.ClearEnv = true;
    Spec.Timeout = MissingTimeout;
    ProcessResult Result = runProcess(std::move(Spec));
    if (!Result.succeeded())
      return makeError(DiagId::BelayFailed,
                       "belay-runner cannot be asked: " + Result.describe());
    if (!Result.Out.empty())
      return StringRef(Result.Out).split('\n').first.str();
  }
  return "";
}

Expected<std::string> KernelCompiler::describeObject(StringRef ObjectPath) {
  ProcessSpec Spec;
  Spec.Args = {getLibexecPath("belay-symbols"), "--describe", ObjectPath.str()};
  Spec.ClearEnv = true;
  Spec.Timeout = timeLeft();
  Spec.CpuTime = cpuTimeLeft(DescribeTimeout);
  Spec.DataBytes = DescribeMemory;
  Spec.FileBytes = 1;
  sandbox::Policy P = sandbox::policyOfLoader({ObjectPath.str()});
  auto Result = sandbox::run(Opts.Sandbox ? &P : nullptr, std::move(Spec));
  CpuUsed += Result.CpuSeconds;
  if (Result.How == ProcessResult::Status::NotConfined)
    return makeError(DiagId::NoSandbox, Result.Error);
  if (Result.Starved)
    return makeError(DiagId::BelayFailed,
                     "the machine did not give belay-symbols the CPU time that "
                     "it may have");
  Expected<json::Value> Said =
      parseJson(Result.succeeded() ? StringRef(Result.Out) : "null");
  json::Object *Object = Said ? Said->getAsObject() : nullptr;
  if (!Object) {
    consumeError(Said.takeError());
    return makeError(DiagId::CompileError,
                     formatv("the compiled kernel cannot be read ({0}): {1}",
                             Result.describe(), StringRef(Result.Err).trim()));
  }
  if (const json::Array *Undefined = Object->getArray("undefined")) {
    Expected<std::string> Missing = findMissing(TheTools.Runner, *Undefined);
    if (!Missing)
      return Missing.takeError();
    if (!Missing->empty())
      return makeError(
          DiagId::CompileError,
          formatv("the kernel calls '{0}', which is declared but not defined "
                  "anywhere",
                  demangle(*Missing)));
  }
  Object->erase("undefined");
  return formatv("{0}\n", *Said).str();
}
