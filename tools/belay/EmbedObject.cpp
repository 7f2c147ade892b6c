//===- EmbedObject.cpp - Kernels as a header
//----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ObjectFile.h"

#include "support/Files.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace belay;
using namespace belay::tool;
using namespace llvm;

/// A header of more is a mistake.
static constexpr uint64_t MaxBytes = 64 << 20;

/// A name of C++ for a file: "row-sum.cpp" is row_sum.
static std::string identifierOf(StringRef Path) {
  std::string Name = sys::path::stem(Path).str();
  for (char &C : Name)
    if (!isAlnum(C))
      C = '_';
  return Name.empty() || isDigit(Name[0]) ? "_" + Name : Name;
}

static std::string headerOf(StringRef Name, StringRef Object,
                            const cases::Case &Of) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << formatv("// Written by belay build --embed: the kernels of {0} for a "
                "simulated {1}.\n"
                "#ifndef BELAY_OBJECT_{2}_H\n#define BELAY_OBJECT_{2}_H\n\n"
                "#include <cstddef>\n#include <span>\n\n"
                "namespace belay::objects {{\n\n"
                "/// For belay::host::Module.\n"
                "inline std::span<const std::byte> {2}() {{\n"
                "  alignas(16) static constexpr unsigned char bytes[] = {{",
                sys::path::filename(Of.Source), Of.Soc, Name);
  for (size_t I = 0; I < Object.size(); ++I)
    OS << (I % 16 ? "" : "\n     ") << ' ' << unsigned(uint8_t(Object[I]))
       << ',';
  OS << "\n  };\n  return std::as_bytes(std::span(bytes));\n}\n\n"
     << "} // namespace belay::objects\n\n#endif\n";
  return Text;
}

Expected<std::string> belay::tool::embedObject(const cases::Case &Wanted,
                                               std::vector<std::string> Names,
                                               StringRef Directory) {
  std::string Name = identifierOf(Wanted.Source);
  SmallString<128> ObjectPath, HeaderPath(Directory);
  if (std::error_code EC =
          sys::fs::createTemporaryFile("belay-embed", "o", ObjectPath))
    return createStringError(EC, "no temporary file: " + EC.message());
  FileRemover Remove(ObjectPath);
  if (Error E = makeObject(Wanted, std::move(Names), ObjectPath, ""))
    return std::move(E);
  Expected<std::string> Object = belay::support::readFile(ObjectPath, MaxBytes);
  if (!Object)
    return Object.takeError();
  sys::path::append(HeaderPath, Name + "_object.h");
  if (Error E = belay::support::writeFile(
          HeaderPath, belay::support::toBytes(headerOf(Name, *Object, Wanted))))
    return std::move(E);
  return HeaderPath.str().str();
}
