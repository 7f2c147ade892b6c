//===- FrameResolver.cpp - Program counters to source lines ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/FrameResolver.h"
#include "sandbox/Sandbox.h"
#include "support/ControlCharacters.h"
#include "support/Json.h"
#include "support/Resources.h"
#include "support/WrapperName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace llvm;
using namespace belay;
using namespace belay::report;

static constexpr std::chrono::seconds Timeout{30};
static constexpr uint64_t Memory = uint64_t(2) << 30;
/// Addresses for one process; they are its arguments.
static constexpr size_t MaxAtOnce = 1000;

FrameResolver::FrameResolver(std::string ObjectPath, std::string CubeObjectPath,
                             bool Sandbox)
    : ObjectPath(std::move(ObjectPath)),
      CubeObjectPath(std::move(CubeObjectPath)), Sandbox(Sandbox) {
  SmallString<128> Current;
  if (!sys::fs::current_path(Current))
    WorkingDir = Current.str().str();
}

std::string belay::report::shorten(StringRef Path, StringRef WorkingDir) {
  StringRef Rest = Path;
  if (!WorkingDir.empty() && Rest.consume_front(WorkingDir) &&
      Rest.consume_front("/"))
    return Rest.str();
  return Path.str();
}

/// Whether a file is one of the system's headers. Not all of /usr is: what an
/// installed Belay has in share/ are kernels.
static bool isLibrary(StringRef Path) {
  return any_of(
      ArrayRef<StringRef>{"/usr/include/", "/usr/lib", "/usr/local/include/"},
      [&](StringRef Folder) { return Path.starts_with(Folder); });
}

/// Control characters of a name must not reach the user's terminal.
static std::string cleanName(std::optional<StringRef> Name) {
  std::string Clean = Name.value_or("").str();
  std::ranges::replace_if(Clean, belay::support::isControl, '?');
  return Clean;
}

/// What belay-symbols says of one address.
static std::vector<Frame> readFrames(const json::Value &Of) {
  std::vector<Frame> Frames;
  if (const json::Array *All = Of.getAsArray())
    for (const json::Value &Each : *All)
      if (const json::Object *O = Each.getAsObject()) {
        auto Number = [&](StringRef Key) {
          return static_cast<unsigned>(
              belay::support::getUnsigned(*O, Key, UINT32_MAX).value_or(0));
        };
        Frames.push_back({cleanName(O->getString("function")),
                          {cleanName(O->getString("file")), Number("line"),
                           Number("column")}});
      }
  return Frames;
}

/// Program counters of calls: return addresses lie one past the call; those of
/// signals are made to.
static uint64_t callBefore(uint64_t Return) { return Return ? Return - 1 : 0; }

void FrameResolver::ask(ArrayRef<uint64_t> Addresses, bool InCube) {
  belay::support::ProcessSpec Spec;
  Spec.Args = {belay::support::getLibexecPath("belay-symbols"),
               InCube ? CubeObjectPath : ObjectPath};
  for (uint64_t Address : Addresses)
    Spec.Args.push_back(utostr(Address & ~sim::CubeObjectFrame));
  Spec.ClearEnv = true;
  Spec.Timeout = Timeout;
  Spec.DataBytes = Memory;
  Spec.FileBytes = 1;
  belay::sandbox::Policy P =
      belay::sandbox::policyOfLoader({InCube ? CubeObjectPath : ObjectPath});
  belay::support::ProcessResult Result =
      belay::sandbox::run(Sandbox ? &P : nullptr, std::move(Spec));
  Expected<json::Value> Parsed = belay::support::parseJson(Result.Out);
  // Lines that cannot be had are not shown.
  if (!Parsed)
    return consumeError(Parsed.takeError());
  if (const json::Array *All = Parsed->getAsArray();
      All && All->size() == Addresses.size())
    for (auto [Address, Frames] : zip_equal(Addresses, *All))
      Known[Address] = readFrames(Frames);
}

void FrameResolver::prepare(ArrayRef<const sim::Place *> Places) {
  SmallVector<uint64_t> Missing[2];
  for (const sim::Place *Place : Places)
    for (uint64_t Return : ArrayRef(Place->Frames).take_front(Place->NumFrames))
      if (uint64_t Address = callBefore(Return);
          Known.try_emplace(Address).second)
        Missing[(Address & sim::CubeObjectFrame) != 0].push_back(Address);
  for (bool InCube : {false, true})
    for (ArrayRef<uint64_t> Rest = Missing[InCube]; !Rest.empty();
         Rest = Rest.drop_front(std::min(Rest.size(), MaxAtOnce)))
      ask(Rest.take_front(MaxAtOnce), InCube);
}

std::vector<Frame> FrameResolver::resolve(const sim::Place &Place) {
  prepare(&Place);
  std::vector<Frame> Users, Others;
  for (uint64_t Return : ArrayRef(Place.Frames).take_front(Place.NumFrames))
    for (Frame F : Known[callBefore(Return)]) {
      // Belay's headers, and the trampoline that calls the kernel.
      StringRef File = F.Where.File;
      bool Own = belay::support::isOwnHeader(File) ||
                 File.contains(belay::support::WrapperName);
      bool Library = isLibrary(File);
      F.Where.File = shorten(File, WorkingDir);
      (Own || Library ? Others : Users).push_back(std::move(F));
    }
  if (Users.empty() && !Others.empty())
    Users.push_back(std::move(Others.front()));
  return Users;
}
