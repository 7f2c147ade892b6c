//===- Values.cpp - The values of a tensor argument -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/Values.h"
#include "cases/Generators.h"
#include "cases/Npy.h"
#include "support/Files.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace belay::cases;
using namespace belay::support;

Expected<TensorType> belay::cases::tensorTypeOf(const ArgSpec &Arg) {
  if (Arg.Tensor)
    return *Arg.Tensor;
  Expected<NpyFile> File = NpyFile::open(Arg.Source);
  if (!File)
    return File.takeError();
  return File->header().Tensor;
}

static Error fillFromNpy(const ArgSpec &Arg, const TensorType &Tensor,
                         MutableArrayRef<uint8_t> Bytes) {
  Expected<NpyFile> File = NpyFile::open(Arg.Source);
  if (!File)
    return File.takeError();
  const TensorType &Stored = File->header().Tensor;
  if (!File->holds(Tensor.Type) || Stored.elements() != Tensor.elements())
    return createStringError(formatv("{0} holds {1}, but {2} is asked for",
                                     Arg.Source, Stored.str(), Tensor.str()));
  return File->read(Bytes);
}

/// Reads what a file has data for. Its holes cost nothing: they are the zeros
/// that memory begins with, unless a launch has written there.
static Error readWithHoles(int Fd, bool WasWritten,
                           MutableArrayRef<uint8_t> Bytes, StringRef Path) {
  uint64_t At = 0;
  while (At < Bytes.size()) {
    off_t Data = ::lseek(Fd, static_cast<off_t>(At), SEEK_DATA);
    // No data after this place, or a file system that cannot tell.
    uint64_t Begin = Data >= 0        ? static_cast<uint64_t>(Data)
                     : errno == ENXIO ? Bytes.size()
                                      : At;
    Begin = std::min<uint64_t>(Begin, Bytes.size());
    if (WasWritten)
      std::memset(Bytes.data() + At, 0, Begin - At);
    if (Begin == Bytes.size())
      break;
    off_t Hole = ::lseek(Fd, static_cast<off_t>(Begin), SEEK_HOLE);
    uint64_t End =
        Hole < 0 ? Bytes.size() : std::min<uint64_t>(Hole, Bytes.size());
    if (Error E = readAt(Fd, Begin, Bytes.slice(Begin, End - Begin), Path))
      return E;
    At = End;
  }
  return Error::success();
}

static Error fillFromBytes(const ArgSpec &Arg, const TensorType &Tensor,
                           MutableArrayRef<uint8_t> Bytes) {
  Expected<Descriptor> File = openRegularFile(Arg.Source);
  if (!File)
    return File.takeError();
  struct stat Status;
  if (::fstat(File->get(), &Status) != 0)
    return errorFromErrno(Arg.Source);
  if (static_cast<uint64_t>(Status.st_size) != Bytes.size())
    return createStringError(formatv("{0} has {1} bytes; {2} has {3}",
                                     Arg.Source, Status.st_size, Tensor.str(),
                                     Bytes.size()));
  return readWithHoles(File->get(), Arg.writes(), Bytes, Arg.Source);
}

Error belay::cases::fillValues(const ArgSpec &Arg, const TensorType &Tensor,
                               MutableArrayRef<uint8_t> Bytes) {
  if (StringRef(Arg.Source).ends_with(".npy"))
    return fillFromNpy(Arg, Tensor, Bytes);
  if (StringRef(Arg.Source).ends_with(".bin"))
    return fillFromBytes(Arg, Tensor, Bytes);
  Expected<Generator> G = Generator::parse(Arg.Source);
  if (!G)
    return G.takeError();
  G->fill(Tensor.Type, Bytes);
  return Error::success();
}
