//===- CInterface.cpp - libbelay.so ---------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "belay/c.h"
#include "compiler/DeviceCompiler.h"
#include "support/DiagnosticError.h"
#include "llvm/ADT/StringExtras.h"
#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <vector>

using namespace llvm;
using namespace belay;
using namespace belay::support;
using belay::compiler::DeviceCompiler;

struct belay_compiler {
  DeviceCompiler Compiler;
};

struct belay_result {
  belay_status Status = BELAY_INVALID;
  compiler::Result Result;
  std::string Path, Report;
};

//===----------------------------------------------------------------------===//
// Structures of callers that were built earlier or later
//===----------------------------------------------------------------------===//

/// Where the first version of each structure ended; no caller has less.
static constexpr size_t FirstCompilerOptions =
    offsetof(belay_compiler_options, cache_bytes) + sizeof(uint64_t);
static constexpr size_t FirstRequest =
    offsetof(belay_request, reserved) + sizeof(uint32_t);
static constexpr size_t FirstProblem =
    offsetof(belay_problem, num_notes) + sizeof(uint32_t);
static constexpr size_t FirstNote =
    offsetof(belay_note, column) + sizeof(uint32_t);
/// A size beyond this was never set.
static constexpr size_t MaxStructBytes = 4096;

/// Copies what both sides know. Members that only the caller knows must be 0.
template <class Struct>
static belay_status readStruct(const Struct &Theirs, Struct &Own,
                               size_t First) {
  size_t Size = Theirs.struct_size;
  if (Size < First || Size > MaxStructBytes)
    return BELAY_INVALID;
  std::memset(&Own, 0, sizeof Own);
  std::memcpy(&Own, &Theirs, std::min(Size, sizeof Own));
  const char *Bytes = reinterpret_cast<const char *>(&Theirs);
  for (size_t At = sizeof Own; At < Size; ++At)
    if (Bytes[At] != 0)
      return BELAY_TOO_NEW;
  return BELAY_OK;
}

/// The other way; members that only the caller knows stay as they are.
template <class Struct>
static belay_status fillStruct(Struct &Theirs, const Struct &Own,
                               size_t First) {
  size_t Size = Theirs.struct_size;
  if (Size < First || Size > MaxStructBytes)
    return BELAY_INVALID;
  std::memcpy(&Theirs, &Own, std::min(Size, sizeof Own));
  Theirs.struct_size = Size;
  return BELAY_OK;
}

static std::string orEmpty(const char *Text) { return Text ? Text : ""; }

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

/// Why the request cannot be read, or "".
static std::string readRequest(const belay_request &Theirs,
                               compiler::Request &Request) {
  if (!Theirs.path && !Theirs.source)
    return "the request has neither a path nor a source";
  if (!Theirs.source && Theirs.source_size)
    return "the request has a size of the source, but no source";
  if (Theirs.num_options && !Theirs.options)
    return "the request has a number of options, but no options";
  if (Theirs.output < 0 || Theirs.output > BELAY_OUTPUT_STATIC)
    return "the request's output is no belay_output";
  if (Theirs.check < 0 || Theirs.check > BELAY_CHECK_QUICK)
    return "the request's check is no belay_check_mode";
  if (Theirs.backend < 0 || Theirs.backend > BELAY_BACKEND_ACLRTC)
    return "the request's backend is no belay_backend";
  if (Theirs.reserved != 0)
    return "the request's reserved member is not 0";
  Request.Path = orEmpty(Theirs.path);
  if (Theirs.source)
    Request.Text = std::string(Theirs.source, Theirs.source_size);
  if (Theirs.soc && *Theirs.soc)
    Request.Soc = Theirs.soc;
  Request.Core = orEmpty(Theirs.core);
  // The enumerations of both interfaces have the same order.
  Request.Out = static_cast<compiler::Output>(Theirs.output);
  Request.Check = static_cast<compiler::Checking>(Theirs.check);
  Request.By = static_cast<compiler::Backend>(Theirs.backend);
  Request.PlanOnly = Theirs.plan_only != 0;
  for (size_t I = 0; I < Theirs.num_options; ++I) {
    if (!Theirs.options[I])
      return "an option is NULL";
    Request.Options.push_back(Theirs.options[I]);
  }
  if (Theirs.timeout_ms)
    Request.Timeout = std::chrono::milliseconds(Theirs.timeout_ms);
  return "";
}

static_assert(int(compiler::Output::Object) == BELAY_OUTPUT_OBJECT &&
              int(compiler::Output::Shared) == BELAY_OUTPUT_SHARED &&
              int(compiler::Output::Static) == BELAY_OUTPUT_STATIC);
static_assert(int(compiler::Checking::On) == BELAY_CHECK_ON &&
              int(compiler::Checking::Required) == BELAY_CHECK_REQUIRED &&
              int(compiler::Checking::Off) == BELAY_CHECK_OFF &&
              int(compiler::Checking::Quick) == BELAY_CHECK_QUICK);
static_assert(int(compiler::Backend::Auto) == BELAY_BACKEND_AUTO &&
              int(compiler::Backend::Bisheng) == BELAY_BACKEND_BISHENG &&
              int(compiler::Backend::Aclrtc) == BELAY_BACKEND_ACLRTC);
static_assert(int(belay::support::Severity::Note) == BELAY_NOTE &&
              int(belay::support::Severity::Warning) == BELAY_WARNING &&
              int(belay::support::Severity::Error) == BELAY_ERROR);

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static belay_status statusOf(const compiler::Result &Result) {
  if (Result.Succeeded)
    return BELAY_OK;
  int Gravest = BELAY_FOUND;
  for (const Diagnostic &Diag : Result.Diags)
    if (Result.levelOf(Diag) == belay::support::Severity::Error)
      Gravest = std::max(Gravest, int(exitStatusOf(Diag.Id)));
  if (Gravest == int(belay::support::ExitStatus::Failed))
    return BELAY_FAILED;
  return static_cast<belay_status>(std::min(Gravest, int(BELAY_NOT_COMPILED)));
}

static std::string placeText(const SourcePlace &Where) {
  std::string Text = Where.File.empty() ? "belay" : Where.File;
  if (Where.Line)
    Text += ":" + utostr(Where.Line);
  if (Where.Line && Where.Column)
    Text += ":" + utostr(Where.Column);
  return Text + ": ";
}

/// The source line is left out: the source may be in no file, or in another
/// one than the name says.
static std::string reportOf(const compiler::Result &Result) {
  std::string Text;
  for (const Diagnostic &Diag : Result.Diags) {
    const belay::support::DiagInfo &Info = getInfo(Diag.Id);
    Text += placeText(Diag.Where) + std::string(nameOf(Result.levelOf(Diag))) +
            ": " +
            (Diag.Message.empty() ? std::string(Info.Title) : Diag.Message) +
            " [" + std::string(Info.Name) + "]\n";
    for (const belay::support::DiagNote &Note : Diag.Notes)
      Text += placeText(Note.Where) + "note: " + Note.Message + "\n";
    if (!Diag.Help.empty())
      Text += "belay: help: " + Diag.Help + "\n";
  }
  return Text;
}

static void addError(compiler::Result &Result, std::string Message) {
  Result.Succeeded = false;
  Result.Object.clear();
  Result.CachedPath.clear();
  Result.Diags.push_back({DiagId::OptionRefused, {}, std::move(Message), {}});
}

template <class Work>
static belay_status answer(belay_compiler *Compiler,
                           const belay_request *Theirs, belay_result **Out,
                           Work Do) {
  if (Out)
    *Out = nullptr;
  if (!Compiler || !Theirs || !Out)
    return BELAY_INVALID;
  belay_result *Result = new (std::nothrow) belay_result;
  if (!Result)
    return BELAY_INVALID;
  *Out = Result;
  belay_request Own;
  Result->Status = readStruct(*Theirs, Own, FirstRequest);
  if (Result->Status != BELAY_OK) {
    addError(Result->Result,
             Result->Status == BELAY_TOO_NEW
                 ? "the request has members that this libbelay.so does not know"
                 : "the request's struct_size is not set");
    Result->Report = reportOf(Result->Result);
    return Result->Status;
  }
  compiler::Request Request;
  std::string Mistake = readRequest(Own, Request);
  if (Mistake.empty())
    Do(Request, Own, *Result);
  else
    addError(Result->Result, std::move(Mistake));
  Result->Status = statusOf(Result->Result);
  Result->Report = reportOf(Result->Result);
  return Result->Status;
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

uint32_t belay_c_version(void) {
  return uint32_t(BELAY_C_VERSION_MAJOR) << 16 | BELAY_C_VERSION_MINOR;
}

const char *belay_version(void) { return BELAY_VERSION; }

const char *belay_status_name(belay_status Status) {
  static const char *const Names[] = {"ok",           "found",   "invalid",
                                      "not-compiled", "too-new", "failed"};
  unsigned Index = static_cast<unsigned>(Status);
  return Index < std::size(Names) ? Names[Index] : "unknown";
}

belay_status belay_compiler_create(const belay_compiler_options *Theirs,
                                   belay_compiler **Out) {
  if (Out)
    *Out = nullptr;
  if (!Out)
    return BELAY_INVALID;
  DeviceCompiler::Options Options;
  if (Theirs) {
    belay_compiler_options Own;
    if (belay_status Status = readStruct(*Theirs, Own, FirstCompilerOptions))
      return Status;
    Options.CannRoot = orEmpty(Own.cann);
    if (Own.cache_dir)
      Options.CacheRoot = Own.cache_dir;
    if (Own.cache_bytes)
      Options.CacheBytes = Own.cache_bytes;
  }
  *Out = new (std::nothrow) belay_compiler{DeviceCompiler(std::move(Options))};
  return *Out ? BELAY_OK : BELAY_INVALID;
}

void belay_compiler_destroy(belay_compiler *Compiler) { delete Compiler; }

belay_status belay_compile(belay_compiler *Compiler,
                           const belay_request *Theirs, belay_result **Out) {
  return answer(
      Compiler, Theirs, Out,
      [&](const compiler::Request &Request, const belay_request &Own,
          belay_result &Result) {
        Result.Result = Compiler->Compiler.compile(Request);
        Result.Path = Result.Result.CachedPath;
        if (!Own.output_path || !Result.Result.Succeeded || Request.PlanOnly)
          return;
        Result.Path = Own.output_path;
        Error E =
            compiler::writeOutput(Own.output_path, Result.Result.Object,
                                  Request.Out == compiler::Output::Shared);
        if (E)
          addError(Result.Result, toString(std::move(E)));
      });
}

belay_status belay_check(belay_compiler *Compiler, const belay_request *Theirs,
                         belay_result **Out) {
  return answer(Compiler, Theirs, Out,
                [&](const compiler::Request &Request, const belay_request &,
                    belay_result &Result) {
                  Result.Result = Compiler->Compiler.check(Request);
                });
}

void belay_result_destroy(belay_result *Result) { delete Result; }

belay_status belay_result_status(const belay_result *Result) {
  return Result ? Result->Status : BELAY_INVALID;
}

const void *belay_result_data(const belay_result *Result, size_t *Size) {
  bool Has = Result && !Result->Result.Object.empty();
  if (Size)
    *Size = Has ? Result->Result.Object.size() : 0;
  return Has ? Result->Result.Object.data() : nullptr;
}

const char *belay_result_path(const belay_result *Result) {
  return Result && Result->Status == BELAY_OK ? Result->Path.c_str() : "";
}

int belay_result_from_cache(const belay_result *Result) {
  return Result && Result->Result.FromCache;
}

const char *belay_result_check(const belay_result *Result) {
  // All names are literals.
  return Result ? nameOf(Result->Result.Checked).data() : "not-run";
}

const char *belay_result_target(const belay_result *Result) {
  return Result && Result->Result.Target ? Result->Result.Target->Name.data()
                                         : "";
}

const char *belay_result_log(const belay_result *Result) {
  return Result ? Result->Result.Log.c_str() : "";
}

const char *belay_result_report(const belay_result *Result) {
  return Result ? Result->Report.c_str() : "";
}

size_t belay_result_num_problems(const belay_result *Result) {
  return Result ? Result->Result.Diags.size() : 0;
}

belay_status belay_result_problem(const belay_result *Result, size_t Index,
                                  belay_problem *Out) {
  if (!Out || Index >= belay_result_num_problems(Result))
    return BELAY_INVALID;
  const Diagnostic &Diag = Result->Result.Diags[Index];
  const belay::support::DiagInfo &Info = getInfo(Diag.Id);
  return fillStruct(
      *Out,
      belay_problem{
          sizeof(belay_problem), Info.Name.data(),
          Diag.Message.empty() ? Info.Title.data() : Diag.Message.c_str(),
          Diag.Where.File.c_str(), Diag.Where.Line, Diag.Where.Column,
          int32_t(Result->Result.levelOf(Diag)), uint32_t(Diag.Notes.size())},
      FirstProblem);
}

belay_status belay_result_note(const belay_result *Result, size_t Problem,
                               size_t Index, belay_note *Out) {
  if (!Out || Problem >= belay_result_num_problems(Result) ||
      Index >= Result->Result.Diags[Problem].Notes.size())
    return BELAY_INVALID;
  const belay::support::DiagNote &Note =
      Result->Result.Diags[Problem].Notes[Index];
  return fillStruct(*Out,
                    belay_note{sizeof(belay_note), Note.Message.c_str(),
                               Note.Where.File.c_str(), Note.Where.Line,
                               Note.Where.Column},
                    FirstNote);
}

size_t belay_result_num_commands(const belay_result *Result) {
  return Result ? Result->Result.Commands.size() : 0;
}

size_t belay_result_num_words(const belay_result *Result, size_t Command) {
  return Command < belay_result_num_commands(Result)
             ? Result->Result.Commands[Command].size()
             : 0;
}

const char *belay_result_word(const belay_result *Result, size_t Command,
                              size_t Index) {
  return Index < belay_result_num_words(Result, Command)
             ? Result->Result.Commands[Command][Index].c_str()
             : nullptr;
}

size_t belay_result_num_inputs(const belay_result *Result) {
  return Result ? Result->Result.Inputs.size() : 0;
}

const char *belay_result_input(const belay_result *Result, size_t Index) {
  return Index < belay_result_num_inputs(Result)
             ? Result->Result.Inputs[Index].c_str()
             : nullptr;
}

const char *belay_explain(const char *Id) {
  StringRef Page = belay::support::getExplainPage(Id ? Id : "");
  return Page.empty() ? nullptr : Page.data();
}
