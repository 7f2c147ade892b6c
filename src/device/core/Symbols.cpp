//===- Symbols.cpp - The lines of the host program ------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/core/Symbols.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <filesystem>
#include <iterator>
#include <link.h>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace belay::device {

namespace {

bool isOurs(std::string_view File) {
  return File.find("/belay/kernels.h") != File.npos ||
         File.find("/belay/program.h") != File.npos ||
         File.find("/aclrtlaunch_") != File.npos ||
         File.find("/belay/host/") != File.npos ||
         File.find("/belay/host.h") != File.npos ||
         File.find("/include/c++/") != File.npos;
}

/// One line per frame, innermost first, inlined ones included: function, then
/// "file:line:column". Reports are rare, so a process per report is cheap.
std::vector<std::string> askSymbolizer(const std::string &Object,
                                       uintptr_t Offset) {
  char Command[1024];
  std::snprintf(Command, sizeof(Command),
                "{ llvm-symbolizer-22 --obj='%s' 0x%zx || llvm-symbolizer "
                "--obj='%s' 0x%zx || addr2line -ife '%s' 0x%zx; } 2>/dev/null",
                Object.c_str(), Offset, Object.c_str(), Offset, Object.c_str(),
                Offset);
  std::vector<std::string> Places;
  if (Object.find('\'') != Object.npos)
    return Places;
  FILE *Pipe = popen(Command, "re");
  if (!Pipe)
    return Places;
  char Line[2048];
  bool IsPlace = false;
  while (std::fgets(Line, sizeof(Line), Pipe)) {
    Line[std::strcspn(Line, "\n")] = '\0';
    if (!Line[0])
      continue;
    if (IsPlace && Line[0] != '?')
      Places.push_back(std::filesystem::path(Line).lexically_normal());
    IsPlace = !IsPlace;
  }
  pclose(Pipe);
  return Places;
}

} // namespace

/// The callers of Site, as far as they belong to the same object.
static void addCallers(const void *Site, const link_map *Map,
                       CodePlace &Place) {
  void *Frames[32];
  int Count = backtrace(Frames, std::size(Frames));
  void **End = Frames + Count, **At = std::find(Frames, End, Site);
  if (At == End)
    return;
  for (unsigned N = 1; N < CodePlace::Depth && ++At != End; ++N) {
    Dl_info Info;
    link_map *Other = nullptr;
    const auto *Call = static_cast<const char *>(*At) - 1;
    if (!dladdr1(Call, &Info, reinterpret_cast<void **>(&Other),
                 RTLD_DL_LINKMAP) ||
        Other != Map)
      return;
    Place.Offsets[N] = reinterpret_cast<uintptr_t>(Call) - Map->l_addr;
  }
}

CodePlace placeOf(const void *Site) {
  CodePlace Result = {};
  Dl_info Info;
  link_map *Map = nullptr;
  // The call ends where it returns to.
  const auto *Call = static_cast<const char *>(Site) - 1;
  if (!Site ||
      !dladdr1(Call, &Info, reinterpret_cast<void **>(&Map), RTLD_DL_LINKMAP))
    return Result;
  Result.Offsets[0] = reinterpret_cast<uintptr_t>(Call) - Map->l_addr;
  addCallers(Site, Map, Result);
  std::string Object = Info.dli_fname;
  if (!Map->l_name[0]) { // the program itself, whatever it was started as
    char Self[4096];
    ssize_t Length = readlink("/proc/self/exe", Self, sizeof(Self));
    Object = Length > 0 ? std::string(Self, static_cast<size_t>(Length))
                        : "/proc/self/exe";
  }
  // One that is too long is no path; its end still names the program.
  size_t Most = sizeof(Result.Object) - 1;
  if (Object.size() > Most)
    Object.erase(0, Object.size() - Most);
  std::snprintf(Result.Object, sizeof(Result.Object), "%s", Object.c_str());
  return Result;
}

std::string describePlace(const CodePlace &Place) {
  std::string Object = Place.Object;
  if (Object.empty())
    return {};
  std::string Innermost;
  for (uint64_t Offset : Place.Offsets) {
    if (!Offset)
      break;
    std::vector<std::string> Places = askSymbolizer(Object, Offset);
    for (const std::string &Each : Places)
      if (!isOurs(Each))
        return Each;
    if (Places.empty())
      break;
    if (Innermost.empty())
      Innermost = Places.back();
  }
  if (!Innermost.empty())
    return Innermost;
  char Text[32];
  std::snprintf(Text, sizeof(Text), "+0x%zx",
                static_cast<size_t>(Place.Offsets[0]));
  return Object.substr(Object.rfind('/') + 1) + Text;
}

std::string describeSite(const void *Site) {
  return describePlace(placeOf(Site));
}

} // namespace belay::device
