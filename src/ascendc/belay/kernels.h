//===- kernels.h - The kernels of a program, by name ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `belay run` of a whole program puts its kernels into the file that
// BELAY_PROGRAM_KERNELS names. Launches of all forms end here.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_BELAY_KERNELS_H
#define BELAY_ASCENDC_BELAY_KERNELS_H

#include <acl/acl.h>

#include <cstdio>
#include <cstdlib>

namespace belay::program {

inline void *loadKernels() {
  static void *Binary = [] {
    void *Loaded = nullptr;
    const char *Path = std::getenv("BELAY_PROGRAM_KERNELS");
    if (!Path || aclrtBinaryLoadFromFile(Path, nullptr, &Loaded) != 0)
      std::fprintf(stderr,
                   "belay: the program's kernels cannot be loaded: %s\n",
                   Path ? aclGetRecentErrMsg() : "start it with 'belay run'");
    return Loaded;
  }();
  return Binary;
}

/// A function whose code belongs to the line that calls it: reports name the
/// call of AscendCL that a launch ends in by its address.
#define BELAY_AT_CALLER __attribute__((always_inline, nodebug)) inline

/// A launch shows its errors where it stands: nothing else tells them.
BELAY_AT_CALLER int launchNamed(const char *Name, uint32_t Blocks,
                                aclrtStream Stream, void **Arguments) {
  void *Function = nullptr;
  int Code = aclrtBinaryGetFunction(loadKernels(), Name, &Function);
  if (Function)
    Code = aclrtLaunchKernelWithArgsArray(Function, Blocks, Stream, nullptr,
                                          Arguments);
  if (Code != 0) {
    const char *Text = aclGetRecentErrMsg();
    std::fprintf(stderr, "belay: a kernel is not launched: %d %s\n", Code,
                 Text ? Text : "");
  }
  return Code;
}

} // namespace belay::program

/// With the header that the vendor's build makes for each kernel; here, `belay
/// run` makes it.
#ifndef ACLRT_LAUNCH_KERNEL
#define ACLRT_LAUNCH_KERNEL(Kernel) aclrtlaunch_##Kernel
#endif

#endif // BELAY_ASCENDC_BELAY_KERNELS_H
