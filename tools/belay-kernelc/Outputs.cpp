//===- Outputs.cpp - What the compiler writes -----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Outputs.h"

#include "emit/AscendC.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace belay;
using namespace belay::kernelc;
using namespace llvm;

std::string belay::kernelc::hashOfFile(StringRef Path) {
  auto Content = MemoryBuffer::getFile(Path);
  if (!Content)
    return "";
  SHA256 Hash;
  Hash.update((*Content)->getBuffer());
  return toHex(Hash.final(), /*LowerCase=*/true);
}

mlir::LogicalResult Outputs::describe() {
  for (auto Kernel : Module.getOps<mlir::func::FuncOp>()) {
    if (!Kernel->hasAttr(ascend::AscendDialect::KernelAttr))
      continue;
    mlir::FailureOr<emit::LaunchDescription> Launch =
        emit::describeLaunch(Kernel, Soc);
    if (mlir::failed(Launch))
      return mlir::failure();
    Launches.push_back(std::move(*Launch));
  }
  return mlir::success();
}

mlir::LogicalResult Outputs::prove(bool Deny) {
  bool Refused = false;
  for (emit::LaunchDescription &Launch : Launches) {
    auto Kernel = Module.lookupSymbol<mlir::func::FuncOp>(Launch.Entry);
    Proofs.push_back(analysis::proveKernel(Kernel, Deny));
    Refused |= Proofs.back().Refused != 0;
    Launch.Guards = emit::readGuards(Kernel);
  }
  return Refused ? mlir::failure() : mlir::verify(Module);
}

void Outputs::readPlans() {
  for (const emit::LaunchDescription &Launch : Launches)
    Plans.push_back(emit::planOf(
        Module.lookupSymbol<mlir::func::FuncOp>(Launch.Entry), Soc));
}

mlir::LogicalResult Outputs::readPto(pto::Sync Who) {
  Pto = pto::translateToPto(Module, Soc, Who);
  return mlir::success(static_cast<bool>(Pto));
}

mlir::LogicalResult Outputs::print(Form What, raw_ostream &Out, bool Lines) {
  switch (What) {
  case Form::Tiles:
  case Form::Core:
    Module.print(Out);
    return mlir::success();
  case Form::Plan:
    for (const emit::KernelPlan &Plan : Plans)
      emit::writePlan(Plan, Out);
    return mlir::success();
  case Form::PlanJson:
    for (const emit::KernelPlan &Plan : Plans)
      emit::writePlanAsJson(Plan, Out);
    return mlir::success();
  case Form::AscendC:
    return emit::emitAscendC(Module, Soc, Out, {.Lines = Lines});
  case Form::Pto:
    Pto->print(Out);
    return mlir::success();
  case Form::Launcher:
    for (const emit::LaunchDescription &Launch : Launches)
      emit::writeLauncher(Launch, Soc, Origin, Out);
    return mlir::success();
  case Form::Description:
    for (const emit::LaunchDescription &Launch : Launches)
      emit::writeDescription(Launch, Soc, Origin, Out);
    return mlir::success();
  }
  llvm_unreachable("unknown form");
}

/// Replaces the file as a whole or not at all. A link of that name is replaced
/// too, and not followed.
static mlir::LogicalResult replaceFile(StringRef Path, StringRef Content) {
  Error E = writeToOutput(Path, [&](raw_ostream &Out) {
    Out << Content;
    return Error::success();
  });
  if (!E)
    return mlir::success();
  errs() << "belay: error: " << Path << ": " << toString(std::move(E)) << "\n";
  return mlir::failure();
}

mlir::LogicalResult Outputs::write(Form What, StringRef Path) {
  std::string Text;
  raw_string_ostream OS(Text);
  // People read what is shown, compilers what is kept.
  if (mlir::failed(print(What, OS, /*Lines=*/Path != "-")))
    return mlir::failure();
  if (Path != "-")
    return replaceFile(Path, Text);
  outs() << Text;
  return mlir::success();
}

mlir::LogicalResult Outputs::writeAll(StringRef Directory) {
  // All of it in memory first: a kernel that fails leaves nothing behind.
  std::vector<std::pair<std::string, std::string>> Files;
  for (const emit::LaunchDescription &Launch : Launches) {
    auto Add = [&](StringRef Ending, function_ref<void(raw_ostream &)> Print) {
      SmallString<128> Path(Directory);
      sys::path::append(Path, Launch.Entry + Ending);
      std::string Text;
      raw_string_ostream Out(Text);
      Print(Out);
      Files.emplace_back(Path.str().str(), std::move(Text));
    };
    emit::Options Options;
    Options.Only = Launch.Entry;
    mlir::LogicalResult Emitted = mlir::success();
    Add(".cpp", [&](raw_ostream &Out) {
      Emitted = emit::emitAscendC(Module, Soc, Out, Options);
    });
    if (mlir::failed(Emitted))
      return mlir::failure();
    Add(".h", [&](raw_ostream &Out) {
      emit::writeLauncher(Launch, Soc, Origin, Out);
    });
    Add(".json", [&](raw_ostream &Out) {
      emit::writeDescription(Launch, Soc, Origin, Out);
    });
  }
  if (std::error_code EC = sys::fs::create_directories(Directory)) {
    errs() << "belay: error: " << Directory << ": " << EC.message() << "\n";
    return mlir::failure();
  }
  for (const auto &[Path, Content] : Files)
    if (mlir::failed(replaceFile(Path, Content)))
      return mlir::failure();
  return mlir::success();
}

/// "1 guard at line 8", "3 guards at lines 8 and 12".
static std::string describeGuards(ArrayRef<emit::LaunchGuard> Guards) {
  std::set<unsigned> Lines;
  for (const emit::LaunchGuard &Guard : Guards)
    Lines.insert(Guard.Line);
  std::vector<std::string> Names;
  for (unsigned Line : Lines)
    Names.push_back(std::to_string(Line));
  std::string Last = Names.back();
  Names.pop_back();
  return std::to_string(Guards.size()) +
         (Guards.size() == 1 ? " guard" : " guards") + " at line" +
         (Names.empty() ? " " : "s " + join(Names, ", ") + " and ") + Last;
}

void Outputs::summarise(StringRef Directory) const {
  for (const auto &[Launch, Proof] : zip_equal(Launches, Proofs)) {
    outs() << Launch.Kernel << " for " << Soc.name;
    if (Launch.Guards.empty())
      outs() << ", proven (" << Proof.Obligations << " properties)";
    else
      outs() << ", guarded (" << Proof.Proven << " of " << Proof.Obligations
             << " properties proven, " << describeGuards(Launch.Guards) << ")";
    if (!Directory.empty()) {
      SmallString<128> Path(Directory);
      sys::path::append(Path, Launch.Entry);
      outs() << ": " << Path << ".cpp, .h, .json";
    }
    outs() << "\n";
  }
}
