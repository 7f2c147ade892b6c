//===- OutputFiles.cpp - What a compilation leaves on the disk ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/DeviceCompiler.h"
#include "support/Files.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
using namespace belay;
using namespace belay::support;

Error belay::compiler::writeOutput(StringRef Path, StringRef Content,
                                   bool Executable) {
  if (Path.empty() || Path.contains('\0'))
    return createStringError("the output's path is empty or holds a NUL byte");
  if (sys::fs::is_directory(Path))
    return createStringError(Path + ": is a folder");
  std::string Temporary;
  Descriptor File;
  // Not mkstemp, which would leave the file to its owner alone.
  for (unsigned Try = 0; !File && Try < 100; ++Try) {
    Temporary = formatv("{0}.{1}.{2}.part", Path, ::getpid(), Try).str();
    File = Descriptor(::open(Temporary.c_str(),
                             O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                             Executable ? 0777 : 0666));
    if (!File && errno != EEXIST)
      return errorFromErrno(Path);
  }
  if (!File)
    return createStringError(Path + ": no name is free beside it");
  Error Written = writeAll(File.get(), toBytes(Content), Temporary);
  if (!Written &&
      (!File.reset() || ::rename(Temporary.c_str(), Path.str().c_str()) != 0))
    Written = errorFromErrno(Path);
  if (Written)
    ::unlink(Temporary.c_str());
  return Written;
}

std::string belay::compiler::makeDepfile(StringRef Target,
                                         ArrayRef<std::string> Inputs) {
  auto Escape = [](StringRef Path) {
    std::string Text;
    for (char C : Path) {
      if (C == ' ' || C == '#')
        Text += '\\';
      if (C == '$')
        Text += '$';
      Text += C;
    }
    return Text;
  };
  std::string Text = Escape(Target) + ":";
  for (const std::string &Input : Inputs)
    Text += " \\\n  " + Escape(Input);
  return Text + "\n";
}
