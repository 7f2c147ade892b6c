//===- DeviceTargets.cpp - How each target is compiled --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/DeviceTargets.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace belay;
using namespace belay::compiler;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr uint8_t ObjectOnly = 1;
static constexpr uint8_t ObjectOrShared = 0b011;
static constexpr uint8_t AnyOutput = 0b111;

static constexpr StringLiteral AscFlags[] = {"-xasc", "-std=c++17", "-O2"};

// What the vendor's own build passes to every kernel of one kind of core. The
// automatic synchronisation orders vector instructions among themselves and
// with the scalar unit; it never orders copies.
#define BELAY_CCE_FLAGS                                                        \
  "-xcce", "-std=c++17", "-O3", "--cce-auto-sync", "-mllvm",                   \
      "-cce-aicore-stack-size=0x8000", "-mllvm",                               \
      "-cce-aicore-function-stack-size=0x8000", "-mllvm",                      \
      "-cce-aicore-addr-transform", "-mllvm",                                  \
      "-cce-aicore-dcci-insert-for-scalar=false"

static constexpr StringLiteral M200Flags[] = {
    BELAY_CCE_FLAGS, "--cce-mask-opt",
    "-mllvm",        "-cce-aicore-fp-ceiling=2",
    "-mllvm",        "-cce-aicore-record-overflow=false",
    "-mllvm",        "-cce-aicore-mask-opt=false"};
static constexpr StringLiteral C220Flags[] = {
    BELAY_CCE_FLAGS, "-mllvm", "-cce-aicore-record-overflow=true"};
static constexpr StringLiteral C220MixFlags[] = {
    BELAY_CCE_FLAGS, "-mllvm", "-cce-aicore-record-overflow=true",
    "-cce-enable-mix", "-D__MIX_CORE_MACRO__=1"};
static constexpr StringLiteral C310Flags[] = {
    BELAY_CCE_FLAGS, "-mllvm", "-cce-aicore-record-overflow=false"};
static constexpr StringLiteral C310VecFlags[] = {
    BELAY_CCE_FLAGS, "-mllvm", "-cce-aicore-record-overflow=false",
    "--cce-long-scbz=true"};

static constexpr StringLiteral Npu2201[] = {"--npu-arch=dav-2201"};
static constexpr StringLiteral Npu3510[] = {"--npu-arch=dav-3510"};
static constexpr StringLiteral M200[] = {"--cce-aicore-arch=dav-m200"};
static constexpr StringLiteral C220Vec[] = {"--cce-aicore-arch=dav-c220-vec"};
static constexpr StringLiteral C220Cube[] = {"--cce-aicore-arch=dav-c220-cube"};
static constexpr StringLiteral C220Both[] = {"--cce-aicore-arch=dav-c220-cube",
                                             "--cce-aicore-arch=dav-c220-vec"};
static constexpr StringLiteral C310Vec[] = {"--cce-aicore-arch=dav-c310-vec"};
static constexpr StringLiteral C310Cube[] = {"--cce-aicore-arch=dav-c310-cube"};

// clang-format off
static constexpr DeviceTarget Table[] = {
    //  name            arch  core    language       once for   flags         outputs
    {"dav-2201",        2201, "",     Language::Asc, Npu2201,  AscFlags,     AnyOutput},
    {"dav-c220-vec",    2201, "vec",  Language::Cce, C220Vec,  C220Flags,    ObjectOnly},
    {"dav-c220-cube",   2201, "cube", Language::Cce, C220Cube, C220Flags,    ObjectOnly},
    {"dav-c220-mix",    2201, "mix",  Language::Cce, C220Both, C220MixFlags, ObjectOnly},
    {"dav-3510",        3510, "",     Language::Asc, Npu3510,  AscFlags,     AnyOutput},
    {"dav-c310-vec",    3510, "vec",  Language::Cce, C310Vec,  C310VecFlags, ObjectOnly},
    {"dav-c310-cube",   3510, "cube", Language::Cce, C310Cube, C310Flags,    ObjectOnly},
    {"dav-m200",        2002, "",     Language::Cce, M200,     M200Flags,    ObjectOrShared},
};
// clang-format on

//===----------------------------------------------------------------------===//

StringRef belay::compiler::nameOf(Output Out) {
  switch (Out) {
  case Output::Object:
    return "object";
  case Output::Shared:
    return "shared";
  case Output::Static:
    return "static";
  }
  llvm_unreachable("output outside its enumeration");
}

ArrayRef<DeviceTarget> belay::compiler::allDeviceTargets() { return Table; }

const DeviceTarget *belay::compiler::findDeviceTarget(uint32_t Arch,
                                                      StringRef Core) {
  const auto *Found = find_if(Table, [&](const DeviceTarget &Each) {
    return Each.Arch == Arch && Each.Core == Core;
  });
  return Found == std::end(Table) ? nullptr : Found;
}

const DeviceTarget *belay::compiler::targetOfFlag(StringRef Flag) {
  for (const DeviceTarget &Each : Table)
    if (Each.ArchFlags.size() == 1 && Each.ArchFlags[0] == Flag)
      return &Each;
  // Tools also name a core's family without saying which of its cores, and the
  // 310P by its number.
  if (Flag == "--cce-aicore-arch=dav-c220")
    return findDeviceTarget(2201, "");
  if (Flag == "--cce-aicore-arch=dav-c310")
    return findDeviceTarget(3510, "");
  if (Flag == "--npu-arch=dav-2002")
    return findDeviceTarget(2002, "");
  return nullptr;
}

const targets::Soc &belay::compiler::exampleSoc(const DeviceTarget &Target) {
  for (const targets::Soc &Soc : targets::allSocs())
    if (Soc.arch->number == Target.Arch)
      return Soc;
  llvm_unreachable("a device target without a SoC");
}

std::vector<std::string> belay::compiler::flagsFor(const DeviceTarget &Target,
                                                   Output Out) {
  std::vector<std::string> Flags;
  switch (Out) {
  case Output::Object:
    Flags.push_back("-c");
    if (Target.Lang == Language::Cce)
      Flags.push_back("--cce-aicore-only");
    break;
  case Output::Shared:
    Flags.insert(Flags.end(), {"-shared", "-fPIC"});
    break;
  case Output::Static:
    Flags.push_back("-lib");
    break;
  }
  for (StringRef Flag : Target.Flags)
    Flags.push_back(Flag.str());
  return Flags;
}

std::vector<std::string> belay::compiler::deviceLinkFlags() {
  return {"-m", "aicorelinux", "-Ttext=0", "-static"};
}
