//===- DeviceObject.cpp - Kernels for the simulated device ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/DeviceObject.h"
#include "support/Files.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>

using namespace llvm;
using namespace belay;
using namespace belay::support;
using namespace belay::toolchain;

Error DeviceObject::append(StringRef Path, uint64_t &Offset, uint64_t &Bytes) {
  if (Path.empty())
    return Error::success();
  auto File = MemoryBuffer::getFile(Path);
  if (!File)
    return createStringError(File.getError(), Path);
  Offset = Objects.size();
  Bytes = (*File)->getBufferSize();
  Objects += (*File)->getBuffer();
  return Error::success();
}

Error DeviceObject::add(StringRef Name, const Description &Entry,
                        StringRef ObjectPath, StringRef CubeObjectPath,
                        bool NeedsLauncher) {
  sim::DeviceObjectKernel Kernel = {};
  Kernel.NeedsLauncher = NeedsLauncher;
  if (Name.size() >= sizeof Kernel.Name)
    return createStringError("the name of a kernel is too long: " + Name);
  std::memcpy(Kernel.Name, Name.data(), Name.size());
  if (Error E = append(ObjectPath, Kernel.Offset, Kernel.Bytes))
    return E;
  if (Error E = append(CubeObjectPath, Kernel.CubeOffset, Kernel.CubeBytes))
    return E;
  if (Entry.Params.size() > sim::MaxServedArgs)
    return createStringError("kernel '" + Name + "' has too many parameters");
  for (const DescribedParam &P : Entry.Params)
    Kernel.Params[Kernel.NumParams++] = {P.Kind, P.Bytes, P.Alignment};
  Kernels.push_back(Kernel);
  return Error::success();
}

Error DeviceObject::write(StringRef Path, const targets::Soc &Soc, bool Check) {
  sim::DeviceObjectHeader Header = {};
  std::memcpy(Header.Magic, sim::DeviceObjectMagic, sizeof Header.Magic);
  Header.Arch = Soc.arch->number;
  Header.NumKernels = static_cast<uint32_t>(Kernels.size());
  std::strncpy(Header.Soc, Soc.name, sizeof(Header.Soc) - 1);
  Header.Check = Check;
  uint64_t Start =
      sizeof(Header) + Kernels.size() * sizeof(sim::DeviceObjectKernel);
  for (sim::DeviceObjectKernel &Kernel : Kernels) {
    Kernel.Offset += Start;
    Kernel.CubeOffset += Start;
  }
  std::string Bytes(reinterpret_cast<const char *>(&Header), sizeof(Header));
  Bytes.append(reinterpret_cast<const char *>(Kernels.data()),
               Kernels.size() * sizeof(sim::DeviceObjectKernel));
  Bytes += Objects;
  return writeFile(Path, {arrayRefFromStringRef(Bytes)});
}

Error belay::toolchain::attachConditions(StringRef ObjectPath, StringRef Table,
                                         StringRef Output) {
  auto File = MemoryBuffer::getFile(ObjectPath);
  if (!File)
    return createStringError(File.getError(), ObjectPath);
  std::string Bytes = (*File)->getBuffer().str();
  sim::DeviceObjectHeader Header;
  if (Bytes.size() < sizeof(Header))
    return createStringError(ObjectPath + " is no object");
  std::memcpy(&Header, Bytes.data(), sizeof(Header));
  Header.ConditionsOffset = Bytes.size();
  Header.ConditionsBytes = Table.size();
  std::memcpy(Bytes.data(), &Header, sizeof(Header));
  Bytes += Table;
  return writeFile(Output, {arrayRefFromStringRef(Bytes)});
}
