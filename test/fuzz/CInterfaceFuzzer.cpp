//===- CInterfaceFuzzer.cpp - Requests made of noise ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// libFuzzer drives belay_compile with requests made of its bytes: names,
// options, structure sizes, sources. Most of them only plan; one in sixteen
// runs, with the stand-in as compiler, which has a list of its own of what must
// never reach it.
//
// Beyond crashes and leaks, which the sanitizers see, it looks for escapes: a
// planned word that loads code, starts programs or writes elsewhere; the
// stand-in's alarm; a file that appears in the working folder.
//
//   fuzz-c-interface [libFuzzer's options] [corpus]
//
// Environment: BELAY_STANDIN.
//
//===----------------------------------------------------------------------===//

#include "belay/c.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

/// One in so many requests is not only planned, and one in so many of those is
/// checked as well, which takes longest.
static constexpr unsigned RunOneIn = 16, CheckOneIn = 8;

static void fail(const std::string &What) {
  std::fprintf(stderr, "escape: %s\n", What.c_str());
  std::abort();
}

namespace {

/// Reads values from the fuzzer's bytes; zeros past their end.
class Bytes {
public:
  Bytes(const uint8_t *Data, size_t Size) : Data(Data), Size(Size) {}

  uint8_t byte() { return At < Size ? Data[At++] : 0; }

  /// Up to a byte 0xff; may hold NUL.
  std::string text() {
    std::string Text;
    while (At < Size && Data[At] != 0xff)
      Text += static_cast<char>(Data[At++]);
    ++At;
    return Text;
  }

  std::string rest() {
    if (At >= Size)
      return "";
    std::string Text(reinterpret_cast<const char *>(Data) + At, Size - At);
    At = Size;
    return Text;
  }

private:
  const uint8_t *Data;
  size_t Size, At = 0;
};

/// A folder with the stand-in as CANN, another one to work in, one compiler.
class World {
public:
  World() {
    char Name[] = "/tmp/belay-fuzz-XXXXXX";
    const char *StandIn = std::getenv("BELAY_STANDIN");
    if (!::mkdtemp(Name) || !StandIn)
      std::abort();
    Root = fs::canonical(Name);
    fs::create_directories(Root / "cann/bin");
    fs::create_directories(Root / "cann/standin");
    fs::create_directories(Root / "cann/lib64");
    fs::create_directories(Root / "work");
    fs::create_directories(Root / "tmp");
    fs::copy(StandIn, Root / "cann/bin/bisheng");
    fs::copy(StandIn, Root / "cann/bin/ld.lld");
    fs::current_path(Root / "work");
    ::setenv("TMPDIR", (Root / "tmp").c_str(), 1);
    std::string Cann = Root / "cann", Cache = Root / "cache";
    belay_compiler_options Options = BELAY_COMPILER_OPTIONS_INIT;
    Options.cann = Cann.c_str();
    Options.cache_dir = Cache.c_str();
    // Room for the checker's precompiled headers, and not for all results.
    Options.cache_bytes = 1 << 27;
    if (belay_compiler_create(&Options, &Compiler) != BELAY_OK)
      std::abort();
  }
  ~World() {
    belay_compiler_destroy(Compiler);
    fs::current_path("/");
    fs::remove_all(Root);
  }

  /// After a request that ran: nothing may have changed that should not have.
  void lookAround() const {
    if (fs::exists(Root / "cann/standin/escape"))
      fail("the stand-in was called with a word that it must never see");
    if (!fs::is_empty(Root / "work"))
      fail("a file appeared in the working folder");
    if (!fs::is_empty(Root / "tmp"))
      fail("a temporary folder was not removed");
    fs::remove(Root / "cann/standin/log");
  }

  fs::path Root;
  belay_compiler *Compiler = nullptr;
};

/// A request, and what its pointers point to.
struct Input {
  std::string Path, Source, Soc, Core, Output;
  std::vector<std::string> Options;
  std::vector<const char *> Words;
  belay_request Request = BELAY_REQUEST_INIT;
  /// What a later version may add to it: struct_size goes up to 255.
  char Later[256] = {};
};

} // namespace

static void read(Bytes &From, const World &Where, Input &In) {
  static const char *const Socs[] = {"Ascend910B3", "Ascend310P3",
                                     "Ascend950PR_950z", ""};
  static const char *const Cores[] = {"", "vec", "cube", "mix"};
  uint8_t Shape = From.byte(), Kinds = From.byte();
  belay_request &R = In.Request;
  R.output = Kinds & 3;
  R.backend = Kinds >> 2 & 1;
  uint8_t Way = From.byte();
  R.plan_only = Way % RunOneIn != 0;
  static constexpr int32_t Checks[] = {BELAY_CHECK_QUICK, BELAY_CHECK_REQUIRED};
  bool Checked = Way / RunOneIn % CheckOneIn == CheckOneIn - 1;
  R.check = Checked ? Checks[Way / RunOneIn / CheckOneIn] : BELAY_CHECK_OFF;
  if (Shape & 1) {
    In.Path = From.text();
    R.path = In.Path.c_str();
  }
  In.Soc = Shape & 2 ? From.text() : Socs[Kinds >> 4 & 3];
  In.Core = Shape & 4 ? From.text() : Cores[Kinds >> 6 & 3];
  R.soc = In.Soc.c_str();
  R.core = In.Core.c_str();
  if (Shape & 8) {
    // The caller may name any output; here it stays in this world.
    In.Output = (Where.Root / "out").string();
    R.output_path = In.Output.c_str();
  }
  if (Shape & 16) {
    R.struct_size = From.byte();
    In.Later[0] = static_cast<char>(From.byte() & 1);
  }
  for (unsigned Count = From.byte() % 8; Count > 0; --Count)
    In.Options.push_back(From.text());
  for (const std::string &Option : In.Options)
    In.Words.push_back(Option.c_str());
  R.options = In.Words.data();
  R.num_options = In.Words.size();
  In.Source = From.rest();
  // Without one, the path is read: then it is one that does not exist, since
  // what lies on this machine is not the fuzzer's to read.
  if (!(Shape & 32) || R.path) {
    R.source = In.Source.data();
    R.source_size = In.Source.size();
  }
  R.timeout_ms = 10000;
}

static bool startsWith(const char *Text, const char *Prefix) {
  return std::strncmp(Text, Prefix, std::strlen(Prefix)) == 0;
}

/// The planned words, by a list that shares nothing with Belay's own.
static void judgePlan(const belay_result *Result) {
  static const char *const Never[] = {"@",        "-fplugin",  "-fpass-plugin",
                                      "-load",    "-Xclang",   "-cc1",
                                      "-Xlinker", "-Wl,",      "-Wa,",
                                      "-Wp,",     "-B",        "-wrapper",
                                      "-specs",   "--config",  "-save-temps",
                                      "-fuse-ld", "--ld-path", "--sysroot",
                                      "-imacros", "-fprofile", "-ftime-trace",
                                      "-E",       "-S",        "-include-pch"};
  for (size_t C = 0; C < belay_result_num_commands(Result); ++C) {
    unsigned Outputs = 0, Sources = 0;
    size_t Count = belay_result_num_words(Result, C);
    for (size_t I = 1; I < Count; ++I) {
      const char *Word = belay_result_word(Result, C, I);
      const char *Before = belay_result_word(Result, C, I - 1);
      for (const char *Bad : Never)
        if (startsWith(Word, Bad))
          fail(Word);
      if (std::strpbrk(Word, "\n\r"))
        fail("a line end in a word");
      Outputs += startsWith(Word, "-o");
      bool IsValue = std::strcmp(Before, "-mllvm") == 0 ||
                     std::strcmp(Before, "-include") == 0 ||
                     std::strcmp(Before, "-o") == 0 ||
                     std::strcmp(Before, "-MF") == 0 ||
                     std::strcmp(Before, "-m") == 0;
      if (std::strcmp(Before, "-include") == 0 && Word[0] != '/')
        fail("a relative file after -include");
      if (std::strcmp(Before, "-o") == 0 && !startsWith(Word, "<scratch>/"))
        fail(std::string("an output outside: ") + Word);
      Sources += Word[0] != '-' && !IsValue && !startsWith(Word, "<scratch>/");
    }
    bool IsLink = std::strstr(belay_result_word(Result, C, 0), "ld.lld");
    if (Outputs != 1 || (!IsLink && Sources != 1))
      fail("several outputs or sources");
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static World Where;
  Bytes From(Data, Size);
  Input In;
  read(From, Where, In);
  belay_result *Result = nullptr;
  belay_status Status = belay_compile(Where.Compiler, &In.Request, &Result);
  if (!Result || Status != belay_result_status(Result))
    fail("no result");
  if (Status != BELAY_OK && belay_result_num_problems(Result) == 0)
    fail("a failure without a problem");
  for (size_t I = 0; I < belay_result_num_problems(Result); ++I) {
    belay_problem Problem = BELAY_PROBLEM_INIT;
    if (belay_result_problem(Result, I, &Problem) != BELAY_OK ||
        !belay_explain(Problem.id))
      fail("a problem without a page");
  }
  if (Status == BELAY_OK && In.Request.plan_only)
    judgePlan(Result);
  if (Status == BELAY_OK && !In.Request.plan_only) {
    size_t Bytes = 0;
    const void *Object = belay_result_data(Result, &Bytes);
    if (!Object || Bytes < 16 || std::memcmp(Object, "\177ELF", 4) != 0)
      fail("a success without an object");
  }
  if (!In.Request.plan_only)
    Where.lookAround();
  belay_result_destroy(Result);
  return 0;
}
