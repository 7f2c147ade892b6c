//===- Files.cpp - Plain files and memory files ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Files.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace llvm;
using namespace belay::support;

bool Descriptor::reset() {
  int Old = std::exchange(Fd, -1);
  return Old < 0 || ::close(Old) == 0;
}

Error belay::support::errorFromErrno(StringRef Path) {
  int Code = errno;
  return createStringError(std::error_code(Code, std::generic_category()),
                           Path + ": " + std::strerror(Code));
}

Expected<Descriptor> belay::support::openRegularFile(StringRef Path) {
  std::string Name = Path.str();
  if (Name.size() != std::strlen(Name.c_str()))
    return createStringError("a path holds a NUL byte");
  // O_NONBLOCK, or opening a pipe without a writer would wait for one.
  Descriptor File(::open(Name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!File)
    return errorFromErrno(Path);
  struct stat Status;
  if (::fstat(File.get(), &Status) != 0 || !S_ISREG(Status.st_mode))
    return createStringError(Path + ": not a regular file");
  return File;
}

Error belay::support::readAt(int Fd, uint64_t Offset,
                             MutableArrayRef<uint8_t> Bytes, StringRef Path) {
  uint64_t Done = 0;
  while (Done < Bytes.size()) {
    ssize_t Got = ::pread(Fd, Bytes.data() + Done, Bytes.size() - Done,
                          static_cast<off_t>(Offset + Done));
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got < 0)
      return errorFromErrno(Path);
    if (Got == 0)
      return createStringError(Path + ": the file became shorter");
    Done += static_cast<uint64_t>(Got);
  }
  return Error::success();
}

Expected<std::string> belay::support::readFile(StringRef Path,
                                               uint64_t MaxBytes) {
  Expected<Descriptor> File = openRegularFile(Path);
  if (!File)
    return File.takeError();
  struct stat Status;
  if (::fstat(File->get(), &Status) != 0)
    return errorFromErrno(Path);
  if (static_cast<uint64_t>(Status.st_size) > MaxBytes)
    return createStringError(
        formatv("{0}: larger than {1} bytes", Path, MaxBytes));
  std::string Text(static_cast<size_t>(Status.st_size), '\0');
  if (Error E = readAt(File->get(), 0, toMutableBytes(Text), Path))
    return E;
  return Text;
}

Error belay::support::writeAll(int Fd, ArrayRef<uint8_t> Bytes,
                               StringRef Path) {
  while (!Bytes.empty()) {
    ssize_t Done = ::write(Fd, Bytes.data(), Bytes.size());
    if (Done < 0 && errno == EINTR)
      continue;
    if (Done < 0)
      return errorFromErrno(Path);
    Bytes = Bytes.drop_front(static_cast<size_t>(Done));
  }
  return Error::success();
}

Error belay::support::writeFile(StringRef Path,
                                ArrayRef<ArrayRef<uint8_t>> Pieces) {
  // O_NONBLOCK, or opening a pipe without a reader would wait for one.
  Descriptor File(::open(Path.str().c_str(),
                         O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK,
                         0666));
  if (!File || ::fcntl(File.get(), F_SETFL, 0) != 0)
    return errorFromErrno(Path);
  for (ArrayRef<uint8_t> Piece : Pieces)
    if (Error E = writeAll(File.get(), Piece, Path))
      return E;
  if (!File.reset())
    return errorFromErrno(Path);
  return Error::success();
}

Expected<MemoryFile> MemoryFile::create(StringRef Name, uint64_t Bytes,
                                        uint64_t Slack) {
  MemoryFile Result;
  Result.File = Descriptor(
      ::memfd_create(Name.str().c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING));
  // A process that shares it must not take pages away that are mapped here.
  if (!Result.File ||
      ::ftruncate(Result.fd(), static_cast<off_t>(Bytes + Slack)) != 0 ||
      ::fcntl(Result.fd(), F_ADD_SEALS,
              F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return errorFromErrno("memory file");
  Result.Bytes = Bytes;
  Result.Slack = Slack;
  if (Bytes + Slack == 0)
    return Result;
  void *Data = ::mmap(nullptr, Bytes + Slack, PROT_READ | PROT_WRITE,
                      MAP_SHARED, Result.fd(), 0);
  if (Data == MAP_FAILED)
    return errorFromErrno("memory file");
  Result.Data = static_cast<uint8_t *>(Data);
  // Only advice: ignored where the kernel does not use large pages for files.
  ::madvise(Data, Bytes + Slack, MADV_HUGEPAGE);
  return Result;
}

Error MemoryFile::clear() const {
  if (Bytes && ::fallocate(fd(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
                           static_cast<off_t>(Bytes)) != 0)
    return errorFromErrno("memory file");
  return Error::success();
}

MemoryFile &MemoryFile::operator=(MemoryFile &&Other) {
  std::swap(File, Other.File);
  std::swap(Data, Other.Data);
  std::swap(Bytes, Other.Bytes);
  std::swap(Slack, Other.Slack);
  return *this;
}

MemoryFile::~MemoryFile() {
  if (Data)
    ::munmap(Data, Bytes + Slack);
}
