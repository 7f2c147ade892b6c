//===- main.cpp - Which libraries host programs get -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Binds as belay/host.h does, and prints a line for each library: name, path,
// version. A program of its own, since the vendor's libraries may crash.
//
//===----------------------------------------------------------------------===//

#include "belay/host/binding.h"

#include <cstdio>
#include <link.h>

using namespace belay::host;

/// "libopapi.so<TAB>PATH<TAB>VERSION"
static void print(const char *Name, void *Handle, const std::string &Version) {
  link_map *Map = nullptr;
  if (!Handle || dlinfo(Handle, RTLD_DI_LINKMAP, &Map) != 0)
    return;
  char Real[4096];
  const char *Path = realpath(Map->l_name, Real) ? Real : Map->l_name;
  std::printf("%s\t%s\t%s\n", Name, Path, Version.c_str());
}

/// What the installation says of one of its packages; empty if nothing.
static std::string versionOf(const char *Package) {
  const abi::functions &Bound = detail::acl();
  char Text[128] = {}, Name[32] = {};
  std::snprintf(Name, sizeof(Name), "%s", Package);
  if (Bound.aclsysGetVersionStr && Bound.aclsysGetVersionStr(Name, Text) == 0)
    return std::string(Bound.simulated ? "simulated, interface " : "version ") +
           Text;
  int32_t Major = 0, Minor = 0, Patch = 0;
  if (Bound.aclrtGetVersion && std::string(Package) == "runtime" &&
      Bound.aclrtGetVersion(&Major, &Minor, &Patch) == 0)
    return "version " + std::to_string(Major) + "." + std::to_string(Minor) +
           "." + std::to_string(Patch);
  return "";
}

int main() {
  try {
    print("libascendcl.so", dlopen(detail::acl().path.c_str(), RTLD_NOW),
          versionOf("runtime"));
    // What host.h loads when it is needed, and the packages they come with.
    constexpr struct {
      const char *Library, *Package;
    } Others[] = {
        {"libnnopbase.so", "opbase"},  {"libopapi.so", "opbase"},
        {"libacl_cblas.so", "opbase"}, {"libhccl.so", "hccl"},
        {"libacl_dvpp.so", "runtime"}, {"libmsprofiler.so", "runtime"}};
    for (const auto &[Library, Package] : Others)
      print(Library, detail::open_beside(Library), versionOf(Package));
    return 0;
  } catch (const std::exception &Failure) {
    std::fprintf(stderr, "%s\n", Failure.what());
    return 1;
  }
}
