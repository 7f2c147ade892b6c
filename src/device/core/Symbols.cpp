//===- Symbols.cpp - The lines of the host program ------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/core/Symbols.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace belay::device {

namespace {

bool isOurs(std::string_view File) {
  return File.find("/belay/host/") != File.npos ||
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

std::string describeSite(const void *Site) {
  if (!Site)
    return {};
  Dl_info Info;
  link_map *Map = nullptr;
  // The call ends where it returns to.
  auto *Call = static_cast<const char *>(Site) - 1;
  if (!dladdr1(Call, &Info, reinterpret_cast<void **>(&Map), RTLD_DL_LINKMAP))
    return {};
  uintptr_t Offset = reinterpret_cast<uintptr_t>(Call) - Map->l_addr;
  std::string Object = Info.dli_fname;
  if (!Map->l_name[0]) // the program itself, whatever it was started as
    Object = "/proc/self/exe";
  char Self[4096];
  ssize_t Length;
  if (Object == "/proc/self/exe" &&
      (Length = readlink(Object.c_str(), Self, sizeof(Self))) > 0)
    Object.assign(Self, static_cast<size_t>(Length));
  std::vector<std::string> Places = askSymbolizer(Object, Offset);
  for (const std::string &Place : Places)
    if (!isOurs(Place))
      return Place;
  if (!Places.empty())
    return Places.back();
  char Text[32];
  std::snprintf(Text, sizeof(Text), "+0x%zx", static_cast<size_t>(Offset));
  return Object.substr(Object.rfind('/') + 1) + Text;
}

} // namespace belay::device
