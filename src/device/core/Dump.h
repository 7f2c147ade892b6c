//===- Dump.h - Tensors in files, for those who debug -----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dump has the form that the vendor's tools and msprobe read: the number of
// bytes of a header, in 8 bytes; the header, a DumpData of protocol buffers;
// the bytes of its inputs, then those of its outputs and workspaces.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_CORE_DUMP_H
#define BELAY_DEVICE_CORE_DUMP_H

#include "device/core/Errors.h"

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

struct acldumpChunk;

namespace belay::device {

enum class DumpRole : uint8_t { Input, Output, Workspace };

struct DumpedTensor {
  DumpRole Role = DumpRole::Input;
  int Type = -1; ///< ACL's number; -1 if it is not known.
  int Format = 2;
  std::vector<uint64_t> Shape, OriginShape;
  uint64_t Address = 0;
  std::vector<uint8_t> Bytes;
};

/// One file.
struct BELAY_DEVICE_API Dump {
  std::string Name;
  std::vector<DumpedTensor> Tensors;
  std::vector<std::pair<std::string, std::string>> Attributes;
  std::string encode() const;
};

/// What "dump" of a configuration asks for.
struct DumpConfig {
  enum Scene : int { None = 0, Brief = 1, Normal = 2, Detail = 3 };
  std::string Path; ///< As it is written.
  bool Operators = false;
  bool Overflows = false;
  bool Inputs = false, Outputs = true;
  Scene Exceptions = None;

  bool dumpsData() const { return Operators || Overflows; }
};

/// What is dumped of one operator, as it was when the operator was enqueued.
struct DumpOrder {
  bool Always = false, AfterOverflow = false;
  bool Inputs = false, Outputs = false;
  explicit operator bool() const { return Always || AfterOverflow; }
};

/// The settings of the process.
class BELAY_DEVICE_API Dumps {
public:
  using Callback = int32_t (*)(const acldumpChunk *, int32_t);

  /// \name aclInit and aclFinalize, aclmdlInitDump and its counterparts. An
  /// error code, and what is wrong.
  /// @{
  int configure(const char *File, bool AtStart, std::string &Problem);
  int begin(std::string &Problem);
  int end(std::string &Problem);
  void forgetStart();
  /// @}
  /// False if there is one already, or none.
  bool setCallback(Callback Function);

  /// Null if nothing of that type (acldumpType) is dumped. It stays.
  const char *pathOf(int Type);
  /// Where data of exceptions belongs, with a slash at its end; empty if
  /// exceptions are not dumped.
  std::string exceptionFolder(int Device);

  DumpOrder orderForOperators();
  /// Writes an operator's dump, or hands it to the callback. The text of what
  /// went wrong, or nothing.
  std::string emit(const Dump &D, const std::string &Operator, int Device,
                   uint64_t Stream);

  /// aclopStartDumpArgs and its counterpart: where descriptions of operators
  /// go.
  bool setDescriptions(const std::string &Folder);
  void endDescriptions();
  std::string descriptionFolder();

private:
  std::mutex Mutex;
  std::optional<DumpConfig> Config;
  bool FromStart = false, Begun = false;
  Callback Function = nullptr;
  std::string Descriptions;
  std::string DataFolder; ///< Of one configuration: <path>/<time>.
};

BELAY_DEVICE_API Dumps &dumps();

/// Now, as digits: year to milliseconds.
BELAY_DEVICE_API std::string dumpTimestamp();
/// Makes the folders above it. The text of what went wrong, or nothing.
BELAY_DEVICE_API std::string writeDumpFile(const std::string &Path,
                                           const std::string &Bytes);

} // namespace belay::device

#endif // BELAY_DEVICE_CORE_DUMP_H
