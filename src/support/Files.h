//===- Files.h - Plain files and memory files -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SUPPORT_FILES_H
#define BELAY_SUPPORT_FILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <utility>

namespace belay::support {

inline llvm::ArrayRef<uint8_t> toBytes(llvm::StringRef Text) {
  return {reinterpret_cast<const uint8_t *>(Text.data()), Text.size()};
}
inline llvm::MutableArrayRef<uint8_t> toMutableBytes(std::string &Text) {
  return {reinterpret_cast<uint8_t *>(Text.data()), Text.size()};
}

/// An open file, closed at the end.
class Descriptor {
public:
  explicit Descriptor(int Fd = -1) : Fd(Fd) {}
  Descriptor(Descriptor &&Other) : Fd(std::exchange(Other.Fd, -1)) {}
  Descriptor &operator=(Descriptor &&Other) {
    std::swap(Fd, Other.Fd);
    return *this;
  }
  ~Descriptor() { reset(); }

  int get() const { return Fd; }
  explicit operator bool() const { return Fd >= 0; }
  /// Closes now; false if the system reports an error that close() kept.
  bool reset();

private:
  int Fd;
};

/// "PATH: what errno says".
llvm::Error errorFromErrno(llvm::StringRef Path);

/// Opens a file for reading; pipes, devices and directories are refused, since
/// their size is not known before they are read.
llvm::Expected<Descriptor> openRegularFile(llvm::StringRef Path);

/// Fills Bytes from the given offset, or fails.
llvm::Error readAt(int Fd, uint64_t Offset,
                   llvm::MutableArrayRef<uint8_t> Bytes, llvm::StringRef Path);

/// Reads a regular file of at most MaxBytes.
llvm::Expected<std::string> readFile(llvm::StringRef Path, uint64_t MaxBytes);

/// Writes the pieces one after the other, replacing what was there.
llvm::Error writeFile(llvm::StringRef Path,
                      llvm::ArrayRef<llvm::ArrayRef<uint8_t>> Pieces);

/// Writes all bytes to a descriptor.
llvm::Error writeAll(int Fd, llvm::ArrayRef<uint8_t> Bytes,
                     llvm::StringRef Path);

/// Memory that a child process can share: a file without a name, mapped here.
/// The size counts bytes; the mapping ends at the next page. After them lie
/// Slack bytes that belong to nobody.
class MemoryFile {
public:
  static llvm::Expected<MemoryFile> create(llvm::StringRef Name, uint64_t Bytes,
                                           uint64_t Slack = 0);
  MemoryFile() = default;
  MemoryFile(MemoryFile &&Other) { *this = std::move(Other); }
  MemoryFile &operator=(MemoryFile &&Other);
  ~MemoryFile();

  int fd() const { return File.get(); }
  uint64_t size() const { return Bytes; }
  llvm::MutableArrayRef<uint8_t> bytes() const { return {Data, Bytes}; }
  llvm::MutableArrayRef<uint8_t> slack() const { return {Data + Bytes, Slack}; }
  /// Makes all bytes zero and gives their pages back.
  llvm::Error clear() const;

private:
  Descriptor File;
  uint8_t *Data = nullptr;
  uint64_t Bytes = 0, Slack = 0;
};

} // namespace belay::support

#endif // BELAY_SUPPORT_FILES_H
