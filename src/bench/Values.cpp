//===- Values.cpp - Arguments and expected values of tasks ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Values.h"
#include "bench/Digest.h"
#include "cache/ContentCache.h"
#include "support/Files.h"
#include "support/Json.h"
#include "support/Subprocess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

using namespace llvm;
using namespace belay;
using namespace belay::bench;
using namespace belay::support;
using cases::ArgSpec;

static constexpr uint64_t MaxReferenceBytes = 1 << 20;
static constexpr int64_t Version = 1;
static constexpr StringLiteral Ending = ".values";

uint64_t TaskCase::elements() const {
  uint64_t Sum = 0;
  for (const Argument &Each : Arguments)
    if (Each.What != ArgSpec::Role::Scalar)
      Sum += Each.Tensor.elements();
  return Sum;
}

uint64_t TaskCase::outputBytes() const {
  uint64_t Sum = 0;
  for (const Argument &Each : Arguments)
    if (Each.writes())
      Sum += Each.Tensor.bytes();
  return Sum;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

/// Our own files, but a disk can be full and a file cut short.
class Reader {
public:
  Reader(StringRef Blob) : Blob(Blob) {}

  bool readCase(const json::Object &From, TaskCase &To);

private:
  bool readArgument(const json::Object &From, Argument &To);
  bool bytes(const json::Object *Place, uint64_t Wanted,
             ArrayRef<uint8_t> &To) const;
  template <class T>
  bool numbers(const json::Object *Place, uint64_t Count,
               ArrayRef<T> &To) const {
    ArrayRef<uint8_t> Raw;
    if (!bytes(Place, Count * sizeof(T), Raw))
      return false;
    To = {reinterpret_cast<const T *>(Raw.data()), Count};
    return true;
  }

  StringRef Blob;
};

} // namespace

bool Reader::bytes(const json::Object *Place, uint64_t Wanted,
                   ArrayRef<uint8_t> &To) const {
  if (!Place)
    return false;
  auto At = getUnsigned(*Place, "at", Blob.size());
  auto Size = getUnsigned(*Place, "bytes", Blob.size());
  if (!At || !Size || *Size != Wanted || *At > Blob.size() - *Size ||
      *At % 64 != 0)
    return false;
  To = toBytes(Blob.substr(*At, *Size));
  return true;
}

bool Reader::readArgument(const json::Object &From, Argument &To) {
  StringRef Role = From.getString("role").value_or("");
  auto Type = cases::parseDataType(From.getString("type").value_or(""));
  if (!Type)
    return false;
  To.Tensor.Type = *Type;
  if (Role == "scalar") {
    To.What = ArgSpec::Role::Scalar;
    To.Scalar = From.getString("value").value_or("").str();
    return !To.Scalar.empty();
  }
  const json::Array *Shape = From.getArray("shape");
  if (!Shape)
    return false;
  for (const json::Value &Each : *Shape)
    To.Tensor.Shape.push_back(Each.getAsInteger().value_or(0));
  if (!cases::countElements(To.Tensor.Shape))
    return false;
  To.What = Role == "in"    ? ArgSpec::Role::In
            : Role == "out" ? ArgSpec::Role::Out
                            : ArgSpec::Role::InOut;
  uint64_t Count = To.Tensor.elements();
  if (To.What != ArgSpec::Role::Out &&
      !bytes(From.getObject("data"), To.Tensor.bytes(), To.Data))
    return false;
  if (!To.writes())
    return true;
  if (!cases::isFloating(*Type))
    return numbers(From.getObject("want"), Count, To.WantInteger);
  if (const json::Object *Each = From.getObject("near")) {
    if (!numbers(Each, Count, To.NearEach))
      return false;
  } else {
    To.Near = From.getNumber("near").value_or(0);
  }
  return numbers(From.getObject("want"), Count, To.Want);
}

bool Reader::readCase(const json::Object &From, TaskCase &To) {
  To.Blocks = From.getInteger("blocks").value_or(1);
  To.Unordered = From.getBoolean("unordered").value_or(false);
  const json::Array *Arguments = From.getArray("arguments");
  if (!Arguments)
    return false;
  for (const json::Value &Each : *Arguments)
    if (!Each.getAsObject() ||
        !readArgument(*Each.getAsObject(), To.Arguments.emplace_back()))
      return false;
  return true;
}

/// Launches take their inputs from files.
Error TaskValues::writeInputs(StringRef Folder) {
  if (std::error_code EC = sys::fs::create_directories(
          Folder, /*IgnoreExisting=*/true, sys::fs::perms::owner_all))
    return createStringError(EC, Folder + ": " + EC.message());
  for (const auto &[Number, Case] : enumerate(Cases))
    for (const auto &[Index, Each] : enumerate(Case.Arguments)) {
      if (Each.Data.empty())
        continue;
      Each.DataPath = formatv("{0}/{1}-{2}.bin", Folder, Number, Index).str();
      uint64_t Size = 0;
      if (!sys::fs::file_size(Each.DataPath, Size) && Size == Each.Data.size())
        continue;
      std::string Unfinished =
          formatv("{0}.{1}", Each.DataPath, ::getpid()).str();
      if (Error E = writeFile(Unfinished, Each.Data))
        return E;
      if (std::error_code EC = sys::fs::rename(Unfinished, Each.DataPath))
        return createStringError(EC, Each.DataPath + ": " + EC.message());
    }
  return Error::success();
}

Expected<std::shared_ptr<const TaskValues>> TaskValues::open(StringRef Path) {
  auto Bad = [&] { return createStringError(Path + " is damaged"); };
  auto File = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false,
                                    /*IsVolatile=*/false, Align(64));
  if (!File)
    return createStringError(File.getError(),
                             Path + ": " + File.getError().message());
  auto Values = std::make_shared<TaskValues>();
  Values->File = std::move(*File);
  StringRef Text = Values->File->getBuffer();
  auto [Head, Blob] = Text.split('\n');
  Expected<json::Value> Root = parseJson(Head);
  if (!Root) {
    consumeError(Root.takeError());
    return Bad();
  }
  const json::Object *Object = Root->getAsObject();
  const json::Array *Cases = Object ? Object->getArray("cases") : nullptr;
  if (!Cases || Object->getInteger("version") != Version)
    return Bad();
  Reader Read(Blob);
  for (const json::Value &Each : *Cases)
    if (!Each.getAsObject() ||
        !Read.readCase(*Each.getAsObject(), Values->Cases.emplace_back()))
      return Bad();
  Values->Content = Digest().add(Text).str();
  if (Error E = Values->writeInputs(Path.drop_back(Ending.size())))
    return std::move(E);
  return Values;
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

Expected<std::string> ValueCache::folder() {
  std::string Root = cache::ContentCache::defaultRoot();
  if (Root.empty())
    return createStringError("there is no folder for values: set "
                             "BELAY_CACHE_DIR");
  SmallString<128> Folder(Root);
  sys::path::append(Folder, "bench");
  if (std::error_code EC = sys::fs::make_absolute(Folder))
    return createStringError(EC, Folder + ": " + EC.message());
  // Whoever reads this knows all answers.
  if (std::error_code EC = sys::fs::create_directories(
          Folder, /*IgnoreExisting=*/true, sys::fs::perms::owner_all))
    return createStringError(EC, Folder + ": " + EC.message());
  if (std::error_code EC =
          sys::fs::setPermissions(Folder, sys::fs::perms::owner_all))
    return createStringError(EC, Folder + ": " + EC.message());
  return Folder.str().str();
}

Expected<ValueCache> ValueCache::create(StringRef Secret) {
  Expected<std::string> Folder = folder();
  if (!Folder)
    return Folder.takeError();
  return ValueCache(std::move(*Folder), Secret.str());
}

std::string ValueCache::saltOf(const Task &T, Audience For) const {
  if (For == Audience::Public)
    return "";
  return Digest().add("hidden cases").add(Secret).add(T.Id).str();
}

Expected<std::string> ValueCache::referenceDigest(StringRef Root) const {
  std::string &Known = References[Root.str()];
  if (!Known.empty())
    return Known;
  SmallString<128> Tests(sys::path::parent_path(Root));
  sys::path::append(Tests, "kernels", "tests");
  std::vector<std::string> Files = {(Root + "/reference.py").str()};
  std::error_code EC;
  for (sys::fs::directory_iterator At(Tests, EC), End; At != End && !EC;
       At.increment(EC))
    if (StringRef(At->path()).ends_with(".py"))
      Files.push_back(At->path());
  llvm::sort(Files);
  Digest All;
  for (const std::string &File : Files) {
    Expected<std::string> Text = readFile(File, MaxReferenceBytes);
    if (!Text)
      return Text.takeError();
    All.add(sys::path::filename(File)).add(*Text);
  }
  return Known = All.str();
}

Expected<std::string> ValueCache::pathOf(const Task &T, Audience For) const {
  Expected<std::string> Reference = referenceDigest(T.Root);
  if (!Reference)
    return Reference.takeError();
  std::string Key = Digest()
                        .add(T.Id)
                        .add(T.DefinedBy)
                        .add(*Reference)
                        .add(saltOf(T, For))
                        .str();
  return formatv("{0}/{1}{2}", Folder, Key, Ending).str();
}

Error ValueCache::prepare(ArrayRef<Task> Tasks, ArrayRef<Audience> For) const {
  std::map<std::string, std::string> Requests; // by root: lines of JSON
  for (const Task &T : Tasks)
    for (Audience Each : For) {
      std::lock_guard<std::mutex> Lock(Guard);
      Expected<std::string> Path = pathOf(T, Each);
      if (!Path)
        return Path.takeError();
      if (!sys::fs::exists(*Path))
        Requests[T.Root] += formatv("{0}\n", json::Value(json::Object{
                                                 {"tasks", T.Root},
                                                 {"task", T.Id},
                                                 {"salt", saltOf(T, Each)},
                                                 {"out", *Path},
                                             }))
                                .str();
    }
  for (const auto &[Root, Lines] : Requests) {
    // The salts are a secret: in memory, not in a command line.
    Expected<MemoryFile> File = MemoryFile::create("requests", Lines.size());
    if (!File)
      return File.takeError();
    llvm::copy(toBytes(Lines), File->bytes().begin());
    const char *Python = std::getenv("BELAY_PYTHON");
    ProcessSpec Spec;
    Spec.Args = {Python ? Python : "/usr/bin/python3", Root + "/reference.py",
                 "values", "/dev/stdin"};
    Spec.Env = {"PYTHONDONTWRITEBYTECODE=1", "OMP_NUM_THREADS=1"};
    Spec.Fds.push_back({File->fd(), 0});
    ProcessResult Result = runProcess(Spec);
    if (!Result.succeeded())
      return createStringError(
          formatv("{0} failed: {1}\n{2}", Spec.Args[1], Result.describe(),
                  StringRef(Result.Err).trim().take_back(2000)));
  }
  return Error::success();
}

Expected<std::shared_ptr<const TaskValues>> ValueCache::get(const Task &T,
                                                            Audience For) {
  std::lock_guard<std::mutex> Lock(Guard);
  Expected<std::string> Path = pathOf(T, For);
  if (!Path)
    return Path.takeError();
  if (auto At = Known.find(*Path); At != Known.end())
    return At->second;
  Expected<std::shared_ptr<const TaskValues>> Values = TaskValues::open(*Path);
  if (!Values)
    return Values.takeError();
  // Candidates of one task come together; a run of all tasks would hold half a
  // gigabyte.
  constexpr size_t Most = 32;
  if (Known.size() >= Most)
    Known.clear();
  return Known[*Path] = *Values;
}
