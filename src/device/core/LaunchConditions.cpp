//===- LaunchConditions.cpp - Launches that are not admitted --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/core/LaunchConditions.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace belay::device {

using conditions::LaunchNumber;

/// What follows an address up to the end of its allocation.
static std::span<const uint8_t> memoryAt(uint64_t Address,
                                         DeviceMemory &Memory) {
  std::shared_lock<std::shared_mutex> Lock(Memory.Table.Mutex);
  auto It = Memory.Table.find(Address);
  if (It == Memory.Table.Live.end())
    return {};
  return {Memory.bytes(Address), It->first + It->second.Bytes - Address};
}

/// What an argument points to.
static std::span<const uint8_t>
pointedTo(size_t Argument, const LaunchRequest &R, DeviceMemory &Memory) {
  const sim::ServedArg &At = R.Args[Argument];
  for (const sim::ServedPlaceholder &P : R.Placeholders)
    if (P.AddressOffset == At.Offset) {
      // Data of the host go with the arguments, one after the other.
      size_t End = R.Blob.size();
      for (const sim::ServedPlaceholder &Next : R.Placeholders)
        if (Next.DataOffset > P.DataOffset)
          End = std::min<size_t>(End, Next.DataOffset);
      return std::span(R.Blob).subspan(P.DataOffset, End - P.DataOffset);
    }
  uint64_t Address = 0;
  std::memcpy(&Address, R.Blob.data() + At.Offset, sizeof(Address));
  return memoryAt(Address, Memory);
}

static std::optional<int64_t>
valueOf(const LaunchNumber &N, const LaunchRequest &R, DeviceMemory &Memory) {
  if (N.Argument >= R.Args.size())
    return std::nullopt;
  const sim::ServedArg &At = R.Args[N.Argument];
  if (size_t(At.Offset) + At.Bytes > R.Blob.size())
    return std::nullopt;
  bool Points = R.What->Params[N.Argument].Kind == sim::ParamKind::Pointer;
  switch (N.What) {
  case LaunchNumber::Kind::Scalar:
    if (Points)
      return std::nullopt;
    return conditions::readNumber(
        std::span(R.Blob).subspan(At.Offset, At.Bytes), N);
  case LaunchNumber::Kind::Field:
    return conditions::readNumber(
        Points ? pointedTo(N.Argument, R, Memory)
               : std::span<const uint8_t>(R.Blob).subspan(At.Offset, At.Bytes),
        N);
  case LaunchNumber::Kind::Size:
    if (!Points)
      return std::nullopt;
    return pointedTo(N.Argument, R, Memory).size();
  case LaunchNumber::Kind::Smallest:
  case LaunchNumber::Kind::Largest:
    if (std::span<const uint8_t> Bytes = pointedTo(N.Argument, R, Memory);
        Points && Bytes.data())
      return conditions::readExtreme(Bytes, N);
    return std::nullopt;
  case LaunchNumber::Kind::Block:
  case LaunchNumber::Kind::Blocks:
  case LaunchNumber::Kind::Quotient:
    break;
  }
  return std::nullopt;
}

std::string unmetConditions(const LaunchRequest &R, DeviceMemory &Memory) {
  const conditions::KernelConditions *Required = R.What->Conditions.get();
  if (!Required)
    return "";
  const std::string Id = " [expects-not-met]\n";
  if (Required->Kernel.empty())
    return "error: belay check was not asked what launches of '" +
           R.What->Name + "' have to be like" + Id;
  std::string Text;
  auto Value = [&](const LaunchNumber &N) { return valueOf(N, R, Memory); };
  for (const conditions::Unmet &Each :
       conditions::unmetBy(*Required, R.NumBlocks, Value))
    Text += Each.What->File + ":" + std::to_string(Each.What->Line) + ":" +
            std::to_string(Each.What->Column) + ": error: " + Each.Message + Id;
  if (!Text.empty())
    Text += "help: the launch was refused before the kernel started; give "
            "arguments that meet this line\n";
  return Text;
}

} // namespace belay::device
