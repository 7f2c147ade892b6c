//===- Examples.cpp - Kernels that are right, from outside ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/CaseFile.h"
#include "corpus/Trials.h"
#include "targets/Target.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace belay;
using namespace belay::corpus;

/// All cases.json below a folder, sorted.
static Expected<std::vector<std::string>> findCaseFiles(StringRef Root) {
  std::vector<std::string> Files;
  std::error_code EC;
  for (sys::fs::recursive_directory_iterator It(Root, EC), End;
       It != End && !EC; It.increment(EC))
    if (sys::path::filename(It->path()) == "cases.json")
      Files.push_back(It->path());
  if (EC)
    return createStringError(EC, Root + ": " + EC.message());
  sort(Files);
  return Files;
}

Expected<std::vector<Trial>> belay::corpus::readExamples(StringRef Root,
                                                         uint32_t Arch) {
  Expected<std::vector<std::string>> Files = findCaseFiles(Root);
  if (!Files)
    return Files.takeError();
  std::vector<Trial> Trials;
  for (const std::string &File : *Files) {
    Expected<std::vector<cases::Case>> Cases = cases::readCaseFile(File);
    if (!Cases)
      return createStringError(
          formatv("{0}: {1}", File, toString(Cases.takeError())));
    for (const targets::Arch &Each : targets::allArchs()) {
      if (Each.coverage != targets::Coverage::Simulated ||
          (Arch && Each.number != Arch))
        continue;
      for (const cases::Case &Case : *Cases) {
        const targets::Soc *Own = targets::findSoc(Case.Soc);
        Trial T = {nullptr, false, Each.number, Case.CompilerSync, Case};
        T.Foreign = !Own || Own->arch != &Each;
        if (T.Foreign)
          T.Case.Soc = socOf(Each.number).str();
        T.Case.Check = true;
        Trials.push_back(std::move(T));
      }
    }
  }
  return Trials;
}
