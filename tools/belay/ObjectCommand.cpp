//===- ObjectCommand.cpp - belay object -----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "LaunchConditions.h"
#include "ObjectFile.h"
#include "TargetsCommand.h"

#define BELAY_OPTIONS "options/Object.inc"
#include "OptionTable.h"

#include "launch/LanguageKernel.h"
#include "support/DiagnosticError.h"
#include "support/Diagnostics.h"
#include "support/Files.h"
#include "support/Json.h"
#include "support/Styling.h"
#include "targets/Target.h"
#include "toolchain/DeviceObject.h"
#include "toolchain/KernelCompiler.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace belay;
using namespace belay::cases;
using namespace belay::launch;
using namespace belay::support;
using namespace belay::toolchain;
using namespace belay::tool;
using namespace llvm;

/// Launch contracts by entry point, as the compiler wrote them.
using Contracts = std::map<std::string, json::Value>;

static Error readContracts(StringRef Json, Contracts &To) {
  Expected<json::Value> Root = parseJson(Json);
  if (!Root)
    return Root.takeError();
  // LanguageKernel::parse has looked at all of it.
  for (const json::Value &Each : *Root->getAsObject()->getArray("kernels")) {
    const json::Value *One = Each.getAsObject()->get("description");
    To.emplace(One->getAsObject()->getString("entry")->str(), *One);
  }
  return Error::success();
}

/// What to compile for kernels of the kernel language: AscendC that was made of
/// them, under the names of their entry points.
static Expected<std::vector<Case>>
listLanguageKernels(const Case &Wanted, std::vector<std::string> Names,
                    KernelCompiler &Compiler, Contracts &Described) {
  if (Names.empty())
    Names.push_back(""); // all that are no templates
  std::vector<Case> Cases;
  for (const std::string &Name : Names) {
    Case Each = Wanted;
    Each.Kernel = Name;
    if (Error E = validate(Each))
      return std::move(E);
    Expected<std::string> Json = Compiler.compileLanguage(Each);
    if (!Json)
      return Json.takeError();
    auto Kernels = LanguageKernel::parse(*Json);
    if (!Kernels)
      return Kernels.takeError();
    if (Error E = readContracts(*Json, Described))
      return std::move(E);
    Each.Defines.clear();
    Each.IncludeDirs.clear();
    for (LanguageKernel &Kernel : *Kernels) {
      Each.Kernel = Kernel.Contract.Entry;
      Each.Code = std::move(Kernel.Code);
      Cases.push_back(Each);
    }
  }
  return Cases;
}

static Expected<std::vector<Case>> listKernels(const Case &Wanted,
                                               std::vector<std::string> Names,
                                               KernelCompiler &Compiler,
                                               Contracts &Described) {
  Expected<std::string> Content = readSourceOf(Wanted);
  if (!Content)
    return Content.takeError();
  if (usesKernelLanguage(*Content))
    return listLanguageKernels(Wanted, std::move(Names), Compiler, Described);
  if (Names.empty())
    for (const ScannedKernel &Kernel : scanKernels(*Content).Kernels)
      if (!Kernel.Template)
        Names.push_back(Kernel.Name);
  if (Names.empty())
    return createStringError(Wanted.Source +
                             " has no kernel that is not a template; --kernel "
                             "names instances");
  std::vector<Case> Cases(Names.size(), Wanted);
  for (auto [Each, Name] : zip_equal(Cases, Names))
    Each.Kernel = Name;
  return Cases;
}

/// For --describe. The order of parameters is that of the entry point.
static json::Object describeKernel(StringRef Name, const Description &Entry,
                                   const Contracts &Described) {
  constexpr StringLiteral Kinds[] = {"pointer", "integer", "float",
                                     "aggregate"};
  json::Array Params;
  for (const DescribedParam &Param : Entry.Params)
    Params.push_back(
        json::Object{{"kind", Kinds[static_cast<unsigned>(Param.Kind)]},
                     {"bytes", Param.Bytes},
                     {"alignment", Param.Alignment}});
  json::Object Result{{"name", json::fixUTF8(Name)},
                      {"parameters", std::move(Params)}};
  if (auto Contract = Described.find(Name.str()); Contract != Described.end())
    Result["contract"] = Contract->second;
  return Result;
}

/// What is asked of launches of the AscendC kernels; those of the language say
/// themselves what they expect.
static Expected<std::string>
conditionsOf(ArrayRef<Case> Cases, const Contracts &Described,
             const KernelCompiler::Options &Options) {
  Expected<LaunchConditions> Checked = LaunchConditions::create(Options);
  if (!Checked)
    return Checked.takeError();
  std::vector<conditions::KernelConditions> Table;
  for (const Case &Each : Cases) {
    if (Described.count(Each.Kernel))
      continue;
    auto Required = Checked->of(Each);
    if (!Required)
      return Required.takeError();
    Table.push_back(std::move(*Required));
  }
  return conditions::encode(Table);
}

Error belay::tool::makeObject(const Case &Wanted,
                              std::vector<std::string> Names, StringRef Output,
                              StringRef DescribeTo, bool Conditions) {
  KernelCompiler::Options Options;
  Options.Colors = belay::support::Styling(errs()).isEnabled();
  Expected<KernelCompiler> Compiler = KernelCompiler::create(Options);
  if (!Compiler)
    return Compiler.takeError();
  Contracts Described;
  json::Array Kernels;
  Expected<std::vector<Case>> Cases =
      listKernels(Wanted, std::move(Names), *Compiler, Described);
  if (!Cases)
    return Cases.takeError();
  DeviceObject Object;
  for (const Case &Each : *Cases) {
    Expected<CompiledKernel> Kernel = Compiler->compile(Each, {});
    if (!Kernel)
      return Kernel.takeError();
    if (Error E = Object.add(Each.Kernel, Kernel->Entry, Kernel->ObjectPath,
                             Kernel->CubeObjectPath,
                             Described.count(Each.Kernel) != 0))
      return E;
    Kernels.push_back(describeKernel(Each.Kernel, Kernel->Entry, Described));
  }
  if (!DescribeTo.empty()) {
    std::string Text =
        formatv("{0}", json::Value(json::Object{
                           {"schema", 1}, {"kernels", std::move(Kernels)}}));
    if (Error E = writeFile(DescribeTo, {arrayRefFromStringRef(Text)}))
      return E;
  }
  if (Error E =
          Object.write(Output, *targets::findSoc(Wanted.Soc), Wanted.Check))
    return E;
  if (!Conditions)
    return Error::success();
  Expected<std::string> Table = conditionsOf(*Cases, Described, Options);
  if (!Table)
    return Table.takeError();
  return attachConditions(Output, *Table, Output);
}

static int runObject(const Command &Self, const Arguments &Args) {
  Case Wanted;
  StringRef Output, DescribeTo;
  bool Conditions = false;
  std::vector<std::string> Names;
  for (const Arguments::OptionValue &Each : Args.Options)
    switch (static_cast<Opt>(Each.Id)) {
    case Opt::o:
      Output = Each.Value;
      break;
    case Opt::kernel:
      Names.push_back(Each.Value.str());
      break;
    case Opt::soc:
      Wanted.Soc = Each.Value.str();
      break;
    case Opt::describe:
      DescribeTo = Each.Value;
      break;
    case Opt::check:
      Wanted.Check = true;
      break;
    case Opt::conditions:
      Conditions = true;
      break;
    case Opt::deny:
      Wanted.Deny = true;
      break;
    case Opt::D:
      Wanted.Defines.push_back(Each.Value.str());
      break;
    case Opt::I:
      Wanted.IncludeDirs.push_back(Each.Value.str());
      break;
    }
  if (Args.Positional.size() != 1)
    return usageError(Self, "name one file with kernels");
  if (Output.empty())
    return usageError(Self, "say with -o where the object goes");
  if (std::string Mistake = mistakeInSoc(Wanted.Soc); !Mistake.empty())
    return usageError(Self, Mistake);
  Expected<SourceText> Source = readInput(Args.Positional[0]);
  if (!Source)
    return reportError(Source.takeError());
  Wanted.Source = Source->Name;
  if (Args.Positional[0] == "-")
    Wanted.Text = std::move(Source->Text);
  if (Error E =
          makeObject(Wanted, std::move(Names), Output, DescribeTo, Conditions))
    return reportError(std::move(E));
  return ExitSuccess;
}

namespace belay::tool {
extern const Command ObjectCommand;
const Command ObjectCommand = {
    "object",
    "compile kernels for programs on the simulated device",
    "KERNELS.cpp|- -o FILE [OPTIONS]",
    R"(
Compiles kernels, AscendC or of the kernel language, for the simulated device.
Host programs load the result with belay::host::Module or aclrtBinaryLoadFromFile,
exactly as they load on an NPU what the vendor's compiler makes of the same
source.
)",
    optionTable,
    R"(
belay object add.cpp -o add.o   # all kernels of a file
belay object softmax.cpp --kernel 'softmax<1024>' -o softmax.o
)",
    runObject,
};
} // namespace belay::tool
