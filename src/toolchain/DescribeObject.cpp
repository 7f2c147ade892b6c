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
#include "support/Files.h"
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
/// More than the runtime has: a source that declares more has made them up.
static constexpr size_t MaxImports = 5000;
static constexpr uint64_t MaxSourceBytes = 256 << 20;
static constexpr uint64_t DescribeMemory = uint64_t(1) << 30;

/// What a runner without any kernel says of names.
static Expected<std::string> askRunner(const std::string &Runner,
                                       const char *Question,
                                       ArrayRef<json::Value> Names) {
  ProcessSpec Spec;
  Spec.Args = {Runner, Question};
  for (const json::Value &Each : Names)
    if (std::optional<StringRef> Name = Each.getAsString())
      Spec.Args.push_back(Name->str());
  Spec.ClearEnv = true;
  Spec.Timeout = MissingTimeout;
  ProcessResult Result = runProcess(std::move(Spec));
  if (!Result.succeeded())
    return makeError(DiagId::BelayFailed,
                     "belay-runner cannot be asked: " + Result.describe());
  return StringRef(Result.Out).split('\n').first.str();
}

/// The first of the symbols that a kernel would not find where it is loaded;
/// "" if there is none.
static Expected<std::string> findMissing(const std::string &Runner,
                                         ArrayRef<json::Value> Names) {
  constexpr size_t AtOnce = 200;
  for (; !Names.empty();
       Names = Names.drop_front(std::min(AtOnce, Names.size()))) {
    Expected<std::string> Missing =
        askRunner(Runner, "--missing", Names.take_front(AtOnce));
    if (!Missing || !Missing->empty())
      return Missing;
  }
  return "";
}

/// Of the names that an object does not define, those of the runtime.
static json::Array runtimeNames(const json::Array &Undefined) {
  json::Array Names;
  for (const json::Value &Each : Undefined)
    if (std::optional<StringRef> Name = Each.getAsString();
        Name && Name->starts_with("belay_sim_"))
      Names.push_back(Name->str()); // outlives what it came from
  return Names;
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
    ArrayRef<json::Value> Names(Undefined->data(), Undefined->size());
    Expected<std::string> Missing = findMissing(TheTools.Runner, Names);
    if (!Missing)
      return Missing.takeError();
    json::Array Imports = runtimeNames(*Undefined);
    if (!Missing->empty())
      (*Object)["missing"] = std::move(*Missing);
    (*Object)["imports"] = std::move(Imports);
  }
  Object->erase("undefined");
  return formatv("{0}\n", *Said).str();
}

/// One of what describeObject adds to what an object says.
static std::optional<StringRef> missingIn(const json::Object &Said) {
  return Said.getString("missing");
}

static Expected<json::Object> parseDescription(StringRef Json) {
  Expected<json::Value> Said = parseJson(Json);
  if (!Said)
    return Said.takeError();
  if (json::Object *Object = Said->getAsObject())
    return std::move(*Object);
  return createStringError("the description of a kernel is no object");
}

Error KernelCompiler::refuseMissing(StringRef Json) {
  Expected<json::Object> Said = parseDescription(Json);
  if (!Said)
    return Said.takeError();
  std::optional<StringRef> Missing = missingIn(*Said);
  if (!Missing)
    return Error::success();
  return makeError(
      DiagId::CompileError,
      formatv("the kernel calls '{0}', which is declared but not defined "
              "anywhere",
              demangle(*Missing)));
}

/// Whether a kernel is for cube cores and no others by what it was told or
/// says itself; nothing if it is to be inferred.
static std::optional<bool> saysOnlyCubes(const Description &Entry,
                                         sim::TaskKind Wanted) {
  if (Wanted != sim::TaskKind::Unset)
    return Wanted == sim::TaskKind::Cube;
  std::optional<bool> Says;
  for (const DescribedTask &Task : Entry.Tasks)
    if (!Task.Function.empty())
      Says = Says.value_or(true) && Task.Kind == sim::TaskKind::Cube;
  return Says;
}

static bool marksMixed(ArrayRef<std::string> Files) {
  return any_of(Files, [](StringRef File) {
    if (isOwnHeader(File))
      return false;
    Expected<std::string> Content = readFile(File, MaxSourceBytes);
    if (Content)
      return StringRef(*Content).contains("__mix__");
    consumeError(Content.takeError());
    return true;
  });
}

Expected<bool> KernelCompiler::needsOnlyCubes(const Built &ForVector,
                                              const Built &ForCube,
                                              sim::TaskKind Wanted) const {
  Expected<json::Object> Vector = parseDescription(ForVector.Json);
  if (!Vector)
    return Vector.takeError();
  Expected<json::Object> Cube = parseDescription(ForCube.Json);
  if (!Cube)
    return Cube.takeError();
  if (!missingIn(*Vector) || missingIn(*Cube) || marksMixed(ForCube.Headers))
    return false;
  Expected<Description> Entry = Description::parse(ForCube.Json);
  if (!Entry)
    return makeError(DiagId::CompileError, toString(Entry.takeError()));
  if (std::optional<bool> Says = saysOnlyCubes(*Entry, Wanted))
    return *Says;
  // The vendor's tools look at the instructions of both objects, too, and
  // compile for cube cores only if there are none of the vector unit.
  std::vector<json::Value> Names;
  for (const json::Object *Said : {&*Vector, &*Cube})
    if (const json::Array *Imports = Said->getArray("imports"))
      append_range(Names, *Imports);
  if (Names.size() > MaxImports)
    return false;
  Expected<std::string> Needs = askRunner(TheTools.Runner, "--needs", Names);
  if (!Needs)
    return Needs.takeError();
  return *Needs == "cube";
}
