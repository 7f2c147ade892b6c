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

int main() {
  try {
    const abi::functions &Bound = detail::acl();
    std::string Version = Bound.simulated ? "simulated" : "";
    int32_t Major = 0, Minor = 0, Patch = 0;
    if (!Bound.simulated && Bound.aclrtGetVersion &&
        Bound.aclrtGetVersion(&Major, &Minor, &Patch) == 0)
      Version = "version " + std::to_string(Major) + "." +
                std::to_string(Minor) + "." + std::to_string(Patch);
    print("libascendcl.so", dlopen(Bound.path.c_str(), RTLD_NOW), Version);
    for (const char *Name :
         {"libnnopbase.so", "libopapi.so", "libacl_cblas.so", "libhccl.so"})
      print(Name, detail::open_beside(Name), "");
    return 0;
  } catch (const std::exception &Failure) {
    std::fprintf(stderr, "%s\n", Failure.what());
    return 1;
  }
}
