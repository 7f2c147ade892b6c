//===- Prompts.h - What models are asked ------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_GENERATE_PROMPTS_H
#define BELAY_GENERATE_PROMPTS_H

#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace belay::generate {

/// Templates are files NAME.txt of a folder: {{word}} stands for a value,
/// {{include NAME}} for another template.
class Prompts {
public:
  using Values = std::map<std::string, std::string>;

  explicit Prompts(llvm::StringRef Folder) : Folder(Folder.str()) {}

  /// Values are not looked through for words again.
  llvm::Expected<std::string> fill(llvm::StringRef Name,
                                   const Values &With) const;
  llvm::Expected<std::string> read(llvm::StringRef Name) const;
  /// The lines of facts.txt whose names are called in a source, in the order
  /// of the file.
  llvm::Expected<std::string> factsFor(llvm::StringRef Source) const;

private:
  llvm::Expected<std::string> fill(llvm::StringRef Name, const Values &With,
                                   unsigned Depth) const;
  std::string Folder;
};

/// What --template takes.
llvm::ArrayRef<llvm::StringRef> templateNames();

} // namespace belay::generate

#endif // BELAY_GENERATE_PROMPTS_H
