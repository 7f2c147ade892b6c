//===- System.cpp - What is installed, and what it can do -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/api/Api.h"

#include "device/core/Configuration.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

using namespace belay::device;

//===----------------------------------------------------------------------===//
// Versions and features
//===----------------------------------------------------------------------===//

namespace {

/// The packages that the simulated device stands for. All speak the interface
/// of this version; Belay's own is told by `belay --version`.
constexpr const char *Packages[] = {"runtime", "driver", "firmware",
                                    "hccl",    "hcomm",  "opbase"};
constexpr int Major = 9, Minor = 0, Patch = 0;

int findPackage(Call &This, const char *Name) {
  for (const char *Each : Packages)
    if (std::strcmp(Each, Name) == 0)
      return Success;
  return This.fail(InvalidFile,
                   std::string("the simulated device has no package '") + Name +
                       "'");
}

} // namespace

int aclsysGetVersionStr(char *Package, char *Version) {
  BELAY_BEGIN(Nothing);
  BELAY_NOT_NULL(Package);
  BELAY_NOT_NULL(Version);
  if (int E = findPackage(This, Package))
    return E;
  constexpr size_t RoomThatProgramsHave = 128;
  std::snprintf(Version, RoomThatProgramsHave, "%d.%d.%d", Major, Minor, Patch);
  return Success;
}

int aclsysGetVersionNum(char *Package, int32_t *Version) {
  BELAY_BEGIN(Nothing);
  BELAY_NOT_NULL(Package);
  BELAY_NOT_NULL(Version);
  if (int E = findPackage(This, Package))
    return E;
  // The places below the patch are those of versions before a release.
  *Version = Major * 10000000 + Minor * 100000 + Patch * 1000;
  return Success;
}

namespace {
enum Attribute : int { InfNan, Bf16, JitCompile, NumAttributes };

/// Kernels are compiled before. The cores that know bfloat16 are those that
/// compute with infinities and NaN.
bool hasAttribute(int A) {
  return A != JitCompile && configuration().Soc->arch->hasBf16;
}
} // namespace

int aclGetCannAttribute(int Which, int32_t *Value) {
  BELAY_BEGIN(Nothing);
  BELAY_NOT_NULL(Value);
  if (Which < 0 || Which >= NumAttributes)
    return This.fail(InvalidParam,
                     "there is no attribute " + std::to_string(Which));
  *Value = hasAttribute(Which);
  return Success;
}

int aclGetCannAttributeList(const int **List, size_t *Count) {
  BELAY_BEGIN(Nothing);
  BELAY_NOT_NULL(List);
  BELAY_NOT_NULL(Count);
  static const auto &Present = *[] {
    auto *Result = new std::vector<int>;
    for (int A = 0; A < NumAttributes; ++A)
      if (hasAttribute(A))
        Result->push_back(A);
    return Result;
  }();
  *List = Present.data();
  *Count = Present.size();
  return Success;
}

int aclrtCheckArchCompatibility(const char *Soc, int32_t *Fits) {
  BELAY_BEGIN(Nothing);
  BELAY_NOT_NULL(Soc);
  BELAY_NOT_NULL(Fits);
  const belay::targets::Soc *Requested = belay::targets::findSoc(Soc);
  *Fits =
      Requested && Requested->arch->number == configuration().Soc->arch->number;
  return Success;
}
