//===- Configuration.cpp - The device that was asked for ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/core/Configuration.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

namespace belay::device {

namespace {

[[noreturn]] void refuse(const char *Name, const char *Value,
                         const std::string &Why) {
  std::fprintf(stderr, "belay: error: %s=%s: %s\n", Name, Value, Why.c_str());
  std::_Exit(2);
}

const char *lookUp(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value && *Value ? Value : nullptr;
}

double number(const char *Name, double Default, double Least, double Most) {
  const char *Value = lookUp(Name);
  if (!Value)
    return Default;
  char *End;
  double Result = std::strtod(Value, &End);
  if (*End || !(Result >= Least && Result <= Most))
    refuse(Name, Value,
           "must be a number from " + std::to_string(Least) + " to " +
               std::to_string(Most));
  return Result;
}

/// 4096, 64K, 16M, 2G.
uint64_t bytes(const char *Name, uint64_t Default) {
  const char *Value = lookUp(Name);
  if (!Value)
    return Default;
  char *End;
  uint64_t Result = std::strtoull(Value, &End, 10);
  constexpr char Units[] = "KMGT";
  if (const char *Unit = *End ? std::strchr(Units, *End) : nullptr) {
    Result <<= 10 * (Unit - Units + 1);
    ++End;
  }
  if (*End || End == Value || Result == 0 || Result > uint64_t(1) << 40)
    refuse(Name, Value, "must be a size such as 512M or 32G, at most 1024G");
  return Result;
}

/// This library lies in <prefix>/lib/belay.
std::string findPrefix() {
  if (const char *Home = lookUp("BELAY_HOME"))
    return Home;
  Dl_info Info;
  if (!dladdr(reinterpret_cast<void *>(&findPrefix), &Info))
    return ".";
  char *Real = realpath(Info.dli_fname, nullptr);
  std::string Path = Real ? Real : Info.dli_fname;
  std::free(Real);
  for (int Up = 0; Up < 3; ++Up)
    Path.resize(Path.rfind('/') == Path.npos ? 0 : Path.rfind('/'));
  return Path;
}

Configuration read() {
  Configuration C;
  const char *Name = lookUp("BELAY_SOC");
  C.Soc = targets::findSoc(Name ? Name : "Ascend910B3");
  if (!C.Soc) {
    const targets::Soc *Near = targets::suggestSoc(Name);
    refuse("BELAY_SOC", Name,
           std::string("there is no such SoC") +
               (Near ? std::string("; did you mean ") + Near->name + "?"
                     : std::string("; 'belay targets' lists all")));
  }
  if (C.Soc->arch->coverage != targets::Coverage::Simulated)
    refuse("BELAY_SOC", Name, "this SoC cannot be simulated yet");
  C.Devices = static_cast<unsigned>(number("BELAY_DEVICES", 1, 1, 64));
  C.MemoryBytes = bytes("BELAY_DEVICE_MEMORY",
                        C.Soc->memory ? C.Soc->memory : uint64_t(32) << 30);
  C.Check = number("BELAY_CHECK", 0, 0, 1) != 0;
  C.TimeLimitSeconds = number("BELAY_TIME_LIMIT", 60, 0.001, 1e6);
  C.NewMemoryByte = static_cast<int>(number("BELAY_NEW_MEMORY", 0xff, 0, 255));
  C.MistakeStatus =
      static_cast<int>(number("BELAY_MISTAKE_STATUS", 86, 0, 255));
  C.Prefix = findPrefix();
  return C;
}

} // namespace

const Configuration &configuration() {
  // Never destroyed: programs call ACL from their static destructors.
  static const auto &Only = *new Configuration(read());
  return Only;
}

} // namespace belay::device
