//===- main.cpp - The runtime compile library, alone ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
//   belay-rtc LIBRARY SOURCE OUTPUT [OPTION...]
//
// Compiles by the vendor's library instead of the vendor's compiler. In a
// process of its own, because a library that crashes or hangs takes its caller
// along. Started by `belay compile`, never by hand.
//
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

// The library's functions, by their documented signatures.
using Program = void *;
using CreateProg = int(Program *, const char *, const char *, int,
                       const char **, const char **);
using CompileProg = int(Program, int, const char **);
using GetSize = int(Program, size_t *);
using GetText = int(Program, char *);
using DestroyProg = int(Program *);

static int fail(const std::string &Message) {
  std::fprintf(stderr, "belay-rtc: error: %s\n", Message.c_str());
  return 1;
}

template <class Function>
static Function *find(void *Library, const char *Name) {
  return reinterpret_cast<Function *>(::dlsym(Library, Name));
}

namespace {

struct Api {
  CreateProg *Create;
  CompileProg *Compile;
  GetSize *BinSize, *LogSize;
  GetText *Bin, *Log;
  DestroyProg *Destroy;

  explicit Api(void *Library)
      : Create(find<CreateProg>(Library, "aclrtcCreateProg")),
        Compile(find<CompileProg>(Library, "aclrtcCompileProg")),
        BinSize(find<GetSize>(Library, "aclrtcGetBinDataSize")),
        LogSize(find<GetSize>(Library, "aclrtcGetCompileLogSize")),
        Bin(find<GetText>(Library, "aclrtcGetBinData")),
        Log(find<GetText>(Library, "aclrtcGetCompileLog")),
        Destroy(find<DestroyProg>(Library, "aclrtcDestroyProg")) {}

  bool complete() const {
    return Create && Compile && BinSize && LogSize && Bin && Log && Destroy;
  }
};

} // namespace

/// One of the two texts that the library holds; "" if there is none.
static std::string getText(Program Prog, GetSize *SizeOf, GetText *TextOf) {
  size_t Size = 0;
  // A size beyond a gigabyte was never set.
  if (SizeOf(Prog, &Size) != 0 || Size == 0 || Size > (size_t(1) << 30))
    return "";
  std::string Text(Size, '\0');
  return TextOf(Prog, Text.data()) == 0 ? Text : "";
}

static int compile(const Api &Rtc, const std::string &Source, const char *Path,
                   const char *Output, int NumOptions, char **Options) {
  Program Prog = nullptr;
  if (int Code = Rtc.Create(&Prog, Source.c_str(), Path, 0, nullptr, nullptr))
    return fail("aclrtcCreateProg returned " + std::to_string(Code));
  int Code = Rtc.Compile(Prog, NumOptions, const_cast<const char **>(Options));
  std::string Log = getText(Prog, Rtc.LogSize, Rtc.Log);
  std::fwrite(Log.data(), 1, std::strlen(Log.c_str()), stderr);
  std::fputc('\n', stderr);
  std::string Binary =
      Code == 0 ? getText(Prog, Rtc.BinSize, Rtc.Bin) : std::string();
  Rtc.Destroy(&Prog);
  if (Code != 0) {
    // The log has the errors; the number alone says little.
    std::fprintf(stderr, "aclrtcCompileProg returned %d\n", Code);
    return 1;
  }
  std::ofstream File(Output, std::ios::binary);
  File.write(Binary.data(), static_cast<std::streamsize>(Binary.size()));
  File.close();
  return File ? 0 : fail(std::string(Output) + " cannot be written");
}

int main(int Argc, char **Argv) {
  if (Argc < 4)
    return fail("started by 'belay compile'");
  std::ifstream File(Argv[2], std::ios::binary);
  std::ostringstream Text;
  Text << File.rdbuf();
  if (!File)
    return fail(std::string(Argv[2]) + " cannot be read");
  void *Library = ::dlopen(Argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!Library)
    return fail(::dlerror());
  Api Rtc(Library);
  if (!Rtc.complete())
    return fail(std::string(Argv[1]) + " lacks functions of aclrtc");
  return compile(Rtc, Text.str(), Argv[2], Argv[3], Argc - 4, Argv + 4);
}
