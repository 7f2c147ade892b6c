//===- Program.cpp - Host programs with their kernels ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/Program.h"
#include "cache/Dependencies.h"
#include "cache/Fingerprint.h"
#include "support/DiagnosticError.h"
#include "support/Files.h"
#include "support/Resources.h"
#include "support/SourceFiles.h"
#include "targets/Target.h"
#include "toolchain/CompilerFlags.h"
#include "toolchain/DeviceObject.h"
#include "toolchain/InternalNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <numeric>

using namespace llvm;
using namespace belay;
using namespace belay::cache;
using namespace belay::cases;
using namespace belay::support;
using namespace belay::toolchain;

static constexpr uint64_t MaxSourceBytes = 64 << 20;

namespace {

/// One file of the program.
struct Source {
  std::string Path;  // absolute
  std::string Shown; // as the user wrote it
  std::string Text;  // with launches that Clang understands
  std::string Rewritten;
  bool HasLaunches = false, HasKernels = false;
};

class Builder {
public:
  Builder(const ProgramRequest &Request, KernelCompiler &Compiler,
          StringRef Folder)
      : Request(Request), Compiler(Compiler), Folder(Folder.str()),
        Soc(*targets::findSoc(Request.Soc)) {}

  Expected<Program> run() {
    if (Error E = readSources())
      return std::move(E);
    Program Result;
    Result.Executable = Folder + "/program";
    if (Error E = make("program", Result.Executable,
                       [&] { return buildHost(Result.Executable); }))
      return std::move(E);
    std::string Kernels = Folder + "/kernels.o";
    Error E =
        any_of(Sources, [](const Source &S) { return S.HasLaunches; })
            ? make("kernels", Kernels, [&] { return buildLaunched(Kernels); })
            : buildNamed(Kernels);
    if (E)
      return std::move(E);
    uint64_t Bytes = 0;
    if (!sys::fs::file_size(Kernels, Bytes) && Bytes)
      Result.Kernels = std::move(Kernels);
    return Result;
  }

private:
  Error readSources();
  /// The file at \p Path, from the cache or by \p Build.
  Error make(const char *Kind, StringRef Path, function_ref<Error()> Build);
  std::string keyOf(StringRef Kind);
  Error tool(std::vector<std::string> Args, StringRef What);
  /// A compilation or a link, and what it reads. \p Makefile is where it says
  /// so.
  Error tool(std::vector<std::string> Args, StringRef What,
             const std::string &Makefile);
  std::vector<std::string> flags(const Source &S) const;
  Error buildHost(StringRef Executable);
  Error compilePlatform(std::string &Object);
  Error buildLaunched(StringRef Path);
  Error buildNamed(StringRef Path);
  /// An empty file if there are no kernels.
  Error write(DeviceObject &Object, StringRef Path) const {
    return Object.empty() ? writeFile(Path, {})
                          : Object.write(Path, Soc, Request.Check);
  }
  /// Compiles the files with kernels for one kind of core. Asks is set if one
  /// of them looks at which kind that is.
  Expected<std::vector<std::string>> compileDevice(sim::CoreKind Kind,
                                                   bool &Asks);
  Expected<std::string> link(ArrayRef<std::string> Objects, StringRef Entry,
                             StringRef Suffix);
  Expected<Description> describe(StringRef ObjectPath) const;

  const ProgramRequest &Request;
  KernelCompiler &Compiler;
  std::string Folder;
  const targets::Soc &Soc;
  std::vector<Source> Sources;
  /// Of what is being made: the files that were read, without those of Folder.
  std::vector<std::string> Read;
  unsigned NumFiles = 0;
};

} // namespace

Error Builder::readSources() {
  for (const std::string &Name : Request.Sources) {
    Source S;
    S.Shown = Name;
    SmallString<128> Path(Name);
    if (std::error_code EC = sys::fs::make_absolute(Path))
      return createStringError(EC, Name + ": " + EC.message());
    S.Path = Path.str().str();
    Expected<std::string> Content = readFile(Name, MaxSourceBytes);
    if (!Content)
      return Content.takeError();
    std::string Text = rewriteLaunches(declareUbVariables(*Content));
    S.HasLaunches =
        Text != *Content && StringRef(Text).contains("BELAY_LAUNCH");
    if (S.HasLaunches)
      Text =
          nameInternals(Text, formatv("belay_file{0}", Sources.size()).str());
    KernelScan Scan = scanKernels(*Content);
    S.HasKernels = !Scan.Kernels.empty();
    for (const ScannedKernel &Kernel : Scan.Kernels)
      if (Error E = writeFile(Folder + "/aclrtlaunch_" + Kernel.Name + ".h",
                              toBytes(Kernel.launcher())))
        return E;
    S.Rewritten = formatv("{0}/source{1}.cpp", Folder, Sources.size());
    if (Error E = writeFile(S.Rewritten, toBytes(Text)))
      return E;
    S.Text = std::move(Text);
    Sources.push_back(std::move(S));
  }
  return Error::success();
}

std::string Builder::keyOf(StringRef Kind) {
  Fingerprint Key;
  SmallString<128> Here;
  if (sys::fs::current_path(Here)) // relative names mean nothing
    Here.clear();
  Key.add("program 1").add(Kind).add(Compiler.identity()).add(Here);
  Key.add(Request.Soc).add(Request.Check ? "check" : "");
  Key.add(getLibPath(""));
  for (const std::string &Library : Request.Libraries)
    Key.add("-l" + Library);
  for (const Source &S : Sources) {
    Key.add(S.Path).add(S.Text);
    // What lies in the folder is made of the sources.
    for (const std::string &Flag : flags(S))
      if (!StringRef(Flag).contains(Folder))
        Key.add(Flag);
  }
  return Key.str();
}

Error Builder::make(const char *Kind, StringRef Path,
                    function_ref<Error()> Build) {
  Read.clear();
  if (Request.Keep) {
    Error E = Build();
    allowSources(Read);
    return E;
  }
  bool FromCache;
  Expected<KernelCompiler::Built> Made = Compiler.findOrMake(
      keyOf(Kind), Kind, FromCache, [&]() -> Expected<KernelCompiler::Built> {
        if (Error E = Build())
          return std::move(E);
        return KernelCompiler::Built{Path.str(), "{}", Read, Kind};
      });
  if (!Made)
    return Made.takeError();
  allowSources(Made->Headers);
  if (!FromCache)
    return Error::success();
  std::error_code EC = sys::fs::copy_file(Made->ObjectPath, Path);
  if (!EC) // a program of the cache is no more than a file
    EC = sys::fs::setPermissions(Path, sys::fs::owner_all);
  if (EC)
    return createStringError(EC, Path + ": " + EC.message());
  return Error::success();
}

Error Builder::tool(std::vector<std::string> Args, StringRef What) {
  ProcessResult Result = Compiler.runCompiler(std::move(Args));
  errs() << Result.Err;
  if (Result.succeeded())
    return Error::success();
  return Compiler.failure("the compiler failed on " + What.str(), Result,
                          What.str() +
                              (Result.How == ProcessResult::Status::Exited
                                   ? " does not compile"
                                   : ": " + Result.describe()));
}

Error Builder::tool(std::vector<std::string> Args, StringRef What,
                    const std::string &Makefile) {
  if (Error E = tool(std::move(Args), What))
    return E;
  Expected<std::string> Content = readFile(Makefile, MaxSourceBytes);
  if (!Content)
    return Content.takeError();
  // Linkers write a rule for each file after that of their output.
  for (std::string &File :
       parseDependencies(StringRef(*Content).split("\n\n").first))
    if (!StringRef(File).starts_with(Folder + "/"))
      Read.push_back(std::move(File));
  return Error::success();
}

/// For both sides. Clang reads the rewritten text under the source's own name.
std::vector<std::string> Builder::flags(const Source &S) const {
  const Tools &Tools = Compiler.tools();
  std::vector<std::string> Flags = {Tools.Clang};
  append_range(Flags, baseFlags(Soc.arch->number));
  Flags.emplace_back("-g1");
  for (const std::string &Define : Request.Defines)
    Flags.push_back("-D" + Define);
  for (const std::string &Dir : Request.IncludeDirs)
    Flags.push_back("-I" + Dir);
  append_range(Flags, Tools.hostFlags());
  append_range(Flags, Tools.headerFlags());
  append_range(Flags, ArrayRef<std::string>{
                          "-I" + Tools.ShareDir + "/forwarding",
                          "-I" + Tools.ShareDir + "/ophost", "-I" + Folder});
  if (S.HasLaunches)
    append_range(Flags, ArrayRef<std::string>{"-include", "belay/program.h"});
  append_range(Flags, ArrayRef<std::string>{"-Xclang", "-remap-file", "-Xclang",
                                            S.Path + ";" + S.Rewritten, "-x",
                                            "c++", "-c", S.Path});
  return Flags;
}

/// What the host side of library routines (tiling/platform/platform_ascendc.h)
/// asks of the part.
Error Builder::compilePlatform(std::string &Object) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "#include \"ophost/platform.h\"\n"
        "extern \"C\" const belay::ophost::Platform *\n"
        "belay_ophost_platform() {\n"
        "  static belay::ophost::Platform P;\n"
     << formatv("  P.Soc = \"{0}\";\n  P.Series = \"{1}\";\n", Soc.name,
                Soc.series);
#define BELAY_PLATFORM_FIELD(Name, Value)                                      \
  OS << "  P." #Name " = " << uint64_t(Value) << ";\n";
#include "targets/PlatformFields.def"
  OS << "  return &P;\n}\n";
  std::string Path = Folder + "/platform.cpp";
  if (Error E = writeFile(Path, toBytes(Text)))
    return E;
  Object = Folder + "/platform.o";
  const Tools &Tools = Compiler.tools();
  return tool({Tools.Clang, "-std=c++20", "-O1", "-fPIC",
               "-I" + Tools.ShareDir + "/ophost", "-I" + Tools.ShareDir,
               "-I" + Tools.IncludeDir, "-MD", "-MF", Object + ".d", "-c", Path,
               "-o", Object},
              "the platform", Object + ".d");
}

Error Builder::buildHost(StringRef Executable) {
  const Tools &Tools = Compiler.tools();
  std::string Device = belay::support::getLibPath("device");
  std::string Runtime = belay::support::getLibPath("");
  std::vector<std::string> Link = {Tools.Clang, "-o", Executable.str()};
  for (const Source &S : Sources) {
    std::string Object = formatv("{0}/host{1}.o", Folder, NumFiles++);
    std::vector<std::string> Args = flags(S);
    // Entries are found by their symbols.
    append_range(Args,
                 ArrayRef<std::string>{"-fvisibility=default", "-MD", "-MF",
                                       Object + ".d", "-o", Object});
    if (Error E = tool(std::move(Args), S.Shown, Object + ".d"))
      return E;
    Link.push_back(Object);
  }
  // The host side of library routines, by a source or by a header of its own.
  if (any_of(Read, [&](StringRef File) {
        return File.starts_with(Tools.ShareDir) && File.contains("/ophost/");
      })) {
    std::string Object;
    if (Error E = compilePlatform(Object))
      return E;
    Link.push_back(Object);
  }
  append_range(Link,
               ArrayRef<std::string>{
                   "-fuse-ld=" + Tools.Linker, "-rdynamic", "-Wl,-z,muldefs",
                   "-L" + Device, "-Wl,-rpath," + Device, "-L" + Runtime,
                   "-Wl,-rpath," + Runtime, "-lascendcl", "-lnnopbase",
                   "-lopapi", "-lacl_cblas", "-lhccl", "-lacl_tdt_channel",
                   "-lacl_tdt_queue", "-lBelayRuntime", "-lpthread", "-ldl"});
  for (const std::string &Library : Request.Libraries)
    Link.push_back("-l" + Library);
  Link.push_back("-Wl,--dependency-file=" + Folder + "/program.d");
  return tool(std::move(Link), "the program", Folder + "/program.d");
}

Expected<std::vector<std::string>> Builder::compileDevice(sim::CoreKind Kind,
                                                          bool &Asks) {
  std::vector<std::string> Objects;
  for (const Source &S : Sources) {
    if (!S.HasKernels && !S.HasLaunches)
      continue;
    std::string Base = formatv("{0}/device{1}", Folder, NumFiles++);
    std::vector<std::string> Args = flags(S);
    if (Soc.split)
      for (const std::string &Macro : coreMacros(Soc.arch->number, Kind))
        Args.push_back("-D" + Macro);
    if (Request.Check) {
      append_range(Args, checkFlags(Compiler.tools().HeaderDir));
      append_range(Args, Compiler.castFlags());
    }
    // What only the host calls is dropped by the linker.
    append_range(Args, ArrayRef<std::string>{"-fvisibility=hidden",
                                             "-ffunction-sections",
                                             "-fdata-sections", "-MD", "-MF",
                                             Base + ".d", "-o", Base + ".o"});
    if (Error E = tool(std::move(Args), S.Shown, Base + ".d"))
      return std::move(E);
    Objects.push_back(Base + ".o");
  }
  Asks |= Compiler.anyAsksForCore(Read);
  return Objects;
}

/// The symbols of the kernels' entries in an object.
static Expected<std::vector<std::string>> entriesOf(StringRef Path) {
  auto File = object::ObjectFile::createObjectFile(Path);
  if (!File)
    return File.takeError();
  std::vector<std::string> Names;
  for (const object::SymbolRef &Symbol : File->getBinary()->symbols()) {
    Expected<StringRef> Name = Symbol.getName();
    if (!Name)
      return Name.takeError();
    if ((Name->starts_with("_ZN5belay7program8LaunchedI") ||
         Name->starts_with("_ZN5belay7program15LaunchedThreadsI")) &&
        Name->ends_with("5entryE"))
      Names.push_back(Name->str());
  }
  return Names;
}

Expected<std::string> Builder::link(ArrayRef<std::string> Objects,
                                    StringRef Entry, StringRef Suffix) {
  std::string Path = formatv("{0}/kernel{1}{2}.so", Folder, NumFiles++, Suffix);
  std::vector<std::string> Args = {Compiler.tools().Linker,
                                   "-shared",
                                   "-z",
                                   "undefs",
                                   "-z",
                                   "muldefs",
                                   "-z",
                                   "nostart-stop-gc",
                                   "--gc-sections",
                                   "--build-id=none",
                                   ("--defsym=belay_entry=" + Entry).str(),
                                   "-o",
                                   Path};
  append_range(Args, Objects);
  if (Error E = tool(std::move(Args), "a kernel"))
    return std::move(E);
  return Path;
}

Expected<Description> Builder::describe(StringRef ObjectPath) const {
  Expected<std::string> Json = Compiler.describeObject(ObjectPath);
  if (!Json)
    return Json.takeError();
  if (Error E = KernelCompiler::refuseMissing(*Json))
    return E;
  return Description::parse(*Json);
}

/// Kernels that are launched by <<<>>>: one shared object for each instance,
/// made of the same code.
Error Builder::buildLaunched(StringRef Kernels) {
  DeviceObject Object;
  bool Asks = false;
  auto Vector = compileDevice(
      Soc.split ? sim::CoreKind::Vector : sim::CoreKind::Coupled, Asks);
  if (!Vector)
    return Vector.takeError();
  std::vector<std::string> Cube;
  if (Soc.split && Asks) {
    auto Compiled = compileDevice(sim::CoreKind::Cube, Asks);
    if (!Compiled)
      return Compiled.takeError();
    Cube = std::move(*Compiled);
  }
  std::vector<std::string> Names;
  for (const std::string &Each : *Vector) {
    Expected<std::vector<std::string>> Entries = entriesOf(Each);
    if (!Entries)
      return Entries.takeError();
    for (std::string &Name : *Entries)
      if (!is_contained(Names, Name))
        Names.push_back(std::move(Name));
  }
  for (const std::string &Name : Names) {
    Expected<std::string> Path = link(*Vector, Name, "");
    if (!Path)
      return Path.takeError();
    std::string CubePath;
    if (!Cube.empty()) {
      Expected<std::string> Linked = link(Cube, Name, "-cube");
      if (!Linked)
        return Linked.takeError();
      CubePath = std::move(*Linked);
    }
    Expected<Description> Entry = describe(*Path);
    if (!Entry)
      return Entry.takeError();
    char Key[256];
    sim::nameProgramKernel(Name.c_str(), Key);
    if (Error E = Object.add(Key, *Entry, *Path, CubePath))
      return E;
  }
  return write(Object, Kernels);
}

/// Kernels that the program asks for by name.
Error Builder::buildNamed(StringRef Kernels) {
  DeviceObject Object;
  for (const Source &S : Sources) {
    Expected<std::string> Content = readFile(S.Path, MaxSourceBytes);
    if (!Content)
      return Content.takeError();
    for (const ScannedKernel &Kernel : scanKernels(*Content).Kernels) {
      if (Kernel.Template)
        continue;
      Case Each;
      Each.Source = S.Shown;
      Each.Soc = Request.Soc;
      Each.Check = Request.Check;
      Each.Kernel = Kernel.Name;
      Each.Defines = Request.Defines;
      Each.IncludeDirs = Request.IncludeDirs;
      Expected<CompiledKernel> Compiled = Compiler.compile(Each, {});
      if (!Compiled)
        return Compiled.takeError();
      if (Error E = Object.add(Kernel.Name, Compiled->Entry,
                               Compiled->ObjectPath, Compiled->CubeObjectPath))
        return E;
    }
  }
  return write(Object, Kernels);
}

Expected<Program> Program::build(const ProgramRequest &Request,
                                 KernelCompiler &Compiler, StringRef Folder) {
  if (!targets::findSoc(Request.Soc))
    return createStringError("there is no SoC '" + Request.Soc + "'");
  return Builder(Request, Compiler, Folder).run();
}

bool belay::toolchain::isProgram(ArrayRef<StringRef> Sources) {
  return any_of(Sources, [](StringRef Path) {
    if (Path.ends_with(".json"))
      return false;
    Expected<std::string> Content = readFile(Path, MaxSourceBytes);
    if (Content)
      return definesMain(*Content);
    consumeError(Content.takeError()); // who needs it will say so
    return false;
  });
}
