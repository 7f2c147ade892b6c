//===- CompilerFlags.cpp - How kernels are compiled -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/CompilerFlags.h"

#include "targets/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using namespace belay;
using namespace belay::toolchain;

namespace {

struct ArchMacros {
  uint32_t Arch;
  std::vector<std::string> Macros;
  std::string SplitCore; // in the macros of cube and vector cores, or ""
};

} // namespace

/// What the vendor's compiler defines for an architecture; null if not known.
static const ArchMacros *findMacros(uint32_t Arch) {
  static const ArchMacros Table[] = {
      {2002, {"__CCE_AICORE__=200", "__DAV_M200__=1"}, ""},
      {2201, {"__CCE_AICORE__=220", "__DAV_C220__=1"}, "C220"},
      {3510,
       {"__CCE_AICORE__=310", "__DAV_C310__=1", "__DAV_3510__=1"},
       "C310"},
  };
  for (const ArchMacros &Row : Table)
    if (Row.Arch == Arch)
      return &Row;
  return nullptr;
}

std::vector<std::string> belay::toolchain::archMacros(uint32_t Arch) {
  std::vector<std::string> Macros = {"__NPU_ARCH__=" + std::to_string(Arch),
                                     "BELAY_SIMULATOR=1"};
  if (const ArchMacros *Row = findMacros(Arch))
    llvm::append_range(Macros, Row->Macros);
  return Macros;
}

std::vector<std::string> belay::toolchain::coreMacros(uint32_t Arch,
                                                      sim::CoreKind Kind) {
  bool Cube = Kind == sim::CoreKind::Cube;
  std::string Name = Cube ? "CUBE" : "VEC";
  std::vector<std::string> Macros = {"__DAV_" + Name + "__=1",
                                     std::string("BELAY_CORE_TYPE=") +
                                         (Cube ? "AIC" : "AIV")};
  const ArchMacros *Row = findMacros(Arch);
  if (Row && !Row->SplitCore.empty())
    Macros.push_back("__DAV_" + Row->SplitCore + "_" + Name + "__=1");
  return Macros;
}

/// The runtime is built for the same level, which has F16C.
static bool hostHasV3() {
#if defined(__x86_64__)
  StringMap<bool> Features = sys::getHostCPUFeatures();
  static constexpr StringLiteral Needed[] = {"avx2", "bmi",   "bmi2", "f16c",
                                             "fma",  "lzcnt", "movbe"};
  return all_of(Needed, [&](StringRef Name) { return Features.lookup(Name); });
#else
  return false;
#endif
}

std::vector<std::string> belay::toolchain::baseFlags(uint32_t Arch) {
  std::vector<std::string> Flags = {
      "-std=c++17",
      // The work is in the runtime; -O2 compiles longer and simulates no
      // faster.
      "-O1",
      "-gline-tables-only",
      "-fPIC",
      "-fvisibility=hidden",
      // Kernels have no exceptions and no RTTI on the device either.
      "-fno-exceptions",
      "-fno-rtti",
      // A scalar a * b + c rounds twice on the device.
      "-ffp-contract=off",
      // Reports walk the frames and show every caller.
      "-fno-omit-frame-pointer",
      "-fno-optimize-sibling-calls",
      // Kernels are not ours to tidy; what is wrong is still an error.
      "-w",
      // An error by default that other compilers do not know:
      // `this->template f(x)`.
      "-Wno-missing-template-arg-list-after-template-kw",
      // Wrapping is what the scalar unit does; reports should not depend on
      // what an optimiser concludes from its absence.
      "-fwrapv",
      // An endless loop ends in a time-out, not in whatever comes next.
      "-fno-finite-loops",
      "-fno-strict-aliasing",
      // Reports count how often a line ran, which takes one copy of it.
      "-fno-unroll-loops",
      // Clang allows more than fit onto its stack.
      "-fbracket-depth=256",
  };
  if (hostHasV3())
    Flags.push_back("-march=x86-64-v3");
  // Threads, which came with registers, wait for each other at a call: the
  // compiler must not make two of one.
  if (const targets::Arch *Facts = targets::findArch(Arch);
      Facts && Facts->vectorRegister)
    Flags.push_back("-fconvergent-functions");
  for (const std::string &Macro : archMacros(Arch))
    Flags.push_back("-D" + Macro);
  return Flags;
}

std::vector<std::string>
belay::toolchain::checkFlags(const std::string &HeaderDir) {
  return {"-fsanitize=signed-integer-overflow,unsigned-integer-overflow,"
          "implicit-unsigned-integer-truncation,"
          "implicit-signed-integer-truncation",
          "-fno-wrapv", // which would mean that signed overflow is intended
          "-fsanitize-ignorelist=" + HeaderDir + "/belay/headers.ignore",
          // Loads and stores through pointers: abi/Pointers.h.
          "-fsanitize=kernel-address", "-mllvm",
          "-asan-instrumentation-with-call-threshold=0", "-mllvm",
          "-asan-kernel-mem-intrinsic-prefix=1", "-mllvm", "-asan-stack=0",
          "-mllvm", "-asan-globals=0",
          // `*p += 1` is a load and a store.
          "-mllvm", "-asan-opt-same-temp=0"};
}
