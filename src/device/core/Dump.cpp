//===- Dump.cpp - Tensors in files, for those who debug -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/core/Dump.h"

#include "belay/elements.h"
#include "device/core/DumpConfig.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>

/// The names are the vendor's: programs use them.
struct acldumpChunk {
  char fileName[4096];
  uint32_t bufLen, isLastChunk;
  int64_t offset;
  int32_t flag;
  uint8_t dataBuf[];
};

namespace belay::device {

namespace {

/// A message of protocol buffers.
class Message {
public:
  void number(unsigned Field, uint64_t Value) {
    if (Value == 0)
      return; // what is left out is 0
    varint(Field << 3);
    varint(Value);
  }
  void bytes(unsigned Field, const std::string &Value) {
    if (Value.empty())
      return;
    varint(Field << 3 | 2);
    varint(Value.size());
    Text += Value;
  }
  /// A Shape: its field 1 is a packed list.
  void shape(unsigned Field, const std::vector<uint64_t> &Extents) {
    Message Packed, Nested;
    for (uint64_t Each : Extents)
      Packed.varint(Each);
    Nested.bytes(1, Packed.Text);
    bytes(Field, Nested.Text);
  }
  std::string Text;

private:
  void varint(uint64_t Value) {
    for (; Value >= 0x80; Value >>= 7)
      Text += static_cast<char>(Value | 0x80);
    Text += static_cast<char>(Value);
  }
};

/// Numbers of the fields of OpInput, OpOutput and Workspace.
std::string inputHeader(const DumpedTensor &T, uint64_t Type) {
  Message M;
  M.number(1, Type);
  M.number(2, static_cast<uint64_t>(T.Format));
  M.shape(3, T.Shape);
  M.number(5, T.Bytes.size());
  M.shape(6, T.OriginShape);
  M.number(8, T.Address);
  return M.Text;
}
std::string outputHeader(const DumpedTensor &T, uint64_t Type) {
  Message M;
  M.number(1, Type);
  M.number(2, static_cast<uint64_t>(T.Format));
  M.shape(3, T.Shape);
  M.number(6, T.Bytes.size());
  M.shape(7, T.OriginShape);
  M.number(9, T.Address);
  return M.Text;
}
std::string workspaceHeader(const DumpedTensor &T) {
  Message M;
  M.number(3, T.Bytes.size());
  return M.Text;
}

std::tm localTime(std::chrono::system_clock::time_point Now) {
  std::time_t Seconds = std::chrono::system_clock::to_time_t(Now);
  std::tm Parts = {};
  localtime_r(&Seconds, &Parts);
  return Parts;
}

std::string toSeconds(std::chrono::system_clock::time_point Now) {
  std::tm Parts = localTime(Now);
  char Text[32];
  std::strftime(Text, sizeof(Text), "%Y%m%d%H%M%S", &Parts);
  return Text;
}

/// The folder that the vendor's documents name first for data of exceptions.
std::string exceptionRoot(const DumpConfig &C) {
  for (const char *Variable : {"NPU_COLLECT_PATH", "ASCEND_WORK_PATH"})
    if (const char *Path = std::getenv(Variable); Path && *Path)
      return Path;
  return C.Path.empty() ? "." : C.Path;
}

std::string absolute(const std::string &Path) {
  std::error_code E;
  std::filesystem::path Found = std::filesystem::absolute(Path, E);
  return E ? Path : Found.lexically_normal().string();
}

/// In chunks, until the function fails.
std::string handOut(Dumps::Callback Function, const std::string &Path,
                    const std::string &Bytes) {
  constexpr size_t Most = size_t(1) << 20;
  std::vector<uint8_t> Room(sizeof(acldumpChunk) +
                            std::min(Most, Bytes.size()));
  auto *Chunk = reinterpret_cast<acldumpChunk *>(Room.data());
  std::snprintf(Chunk->fileName, sizeof(Chunk->fileName), "%s", Path.c_str());
  for (size_t At = 0; At < Bytes.size(); At += Most) {
    size_t Count = std::min(Most, Bytes.size() - At);
    Chunk->bufLen = static_cast<uint32_t>(Count);
    Chunk->isLastChunk = At + Count == Bytes.size();
    Chunk->offset = static_cast<int64_t>(At);
    std::memcpy(Chunk->dataBuf, Bytes.data() + At, Count);
    if (int Error =
            Function(Chunk, static_cast<int32_t>(sizeof(acldumpChunk) + Count)))
      return "the function of acldumpRegCallback returned " +
             std::to_string(Error);
  }
  return {};
}

} // namespace

std::string Dump::encode() const {
  Message Header;
  Header.bytes(1, "1.0");
  Header.number(2, static_cast<uint64_t>(
                       std::chrono::duration_cast<std::chrono::microseconds>(
                           std::chrono::system_clock::now().time_since_epoch())
                           .count()));
  std::string Data[3];
  for (const DumpedTensor &T : Tensors) {
    int Known = element_types::dumped_number(element_types::from_acl(T.Type));
    auto Type = static_cast<uint64_t>(std::max(Known, 0)); // 0: undefined
    if (T.Role == DumpRole::Input)
      Header.bytes(4, inputHeader(T, Type));
    else if (T.Role == DumpRole::Output)
      Header.bytes(3, outputHeader(T, Type));
    else
      Header.bytes(8, workspaceHeader(T));
    Data[static_cast<size_t>(T.Role)].append(T.Bytes.begin(), T.Bytes.end());
  }
  Header.bytes(6, Name);
  for (const auto &[Key, Text] : Attributes) {
    Message Attribute;
    Attribute.bytes(1, Key);
    Attribute.bytes(2, Text);
    Header.bytes(7, Attribute.Text);
  }
  uint64_t Length = Header.Text.size();
  std::string All(sizeof(Length), '\0');
  std::memcpy(All.data(), &Length, sizeof(Length));
  return All + Header.Text + Data[0] + Data[1] + Data[2];
}

Dumps &dumps() {
  static auto &Only = *new Dumps;
  return Only;
}

std::string dumpTimestamp() {
  auto Now = std::chrono::system_clock::now();
  auto Milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(
                          Now.time_since_epoch())
                          .count() %
                      1000;
  char Text[8];
  std::snprintf(Text, sizeof(Text), "%03d", static_cast<int>(Milliseconds));
  return toSeconds(Now) + Text;
}

std::string writeDumpFile(const std::string &Path, const std::string &Bytes) {
  std::error_code E;
  std::filesystem::create_directories(std::filesystem::path(Path).parent_path(),
                                      E);
  std::ofstream File(Path, std::ios::binary);
  File.write(Bytes.data(), static_cast<std::streamsize>(Bytes.size()));
  File.close();
  return File ? "" : "'" + Path + "' cannot be written";
}

int Dumps::configure(const char *File, bool AtStart, std::string &Problem) {
  std::optional<DumpConfig> Read;
  if (!AtStart) {
    std::lock_guard<std::mutex> Lock(Mutex);
    if (!Begun) {
      Problem = "call aclmdlInitDump first";
      return DumpNotRun;
    }
  }
  if (int E = readDumpConfig(File, Read, Problem))
    return E;
  if (!Read && AtStart)
    return Success;
  if (!Read) {
    Problem = std::string("'") + File + "' has no \"dump\"";
    return InvalidDumpConfig;
  }
  std::lock_guard<std::mutex> Lock(Mutex);
  Config = std::move(Read);
  FromStart = AtStart;
  DataFolder = absolute(Config->Path) + "/" +
               toSeconds(std::chrono::system_clock::now());
  return Success;
}

int Dumps::begin(std::string &Problem) {
  std::lock_guard<std::mutex> Lock(Mutex);
  if (Begun || (FromStart && Config && Config->dumpsData())) {
    Problem = Begun ? "aclmdlInitDump was called before"
                    : "aclInit has read what to dump";
    return DumpAlreadyRun;
  }
  Begun = true;
  return Success;
}

int Dumps::end(std::string &Problem) {
  std::lock_guard<std::mutex> Lock(Mutex);
  if (!Begun) {
    Problem = "aclmdlInitDump was not called";
    return DumpNotRun;
  }
  Begun = false;
  if (!FromStart)
    Config.reset();
  return Success;
}

void Dumps::forgetStart() {
  std::lock_guard<std::mutex> Lock(Mutex);
  Config.reset();
  FromStart = Begun = false;
}

bool Dumps::setCallback(Callback F) {
  std::lock_guard<std::mutex> Lock(Mutex);
  if ((Function != nullptr) == (F != nullptr))
    return false;
  Function = F;
  return true;
}

const char *Dumps::pathOf(int Type) {
  constexpr int Data = 4, Overflow = 5;
  std::lock_guard<std::mutex> Lock(Mutex);
  if (!Config)
    return nullptr;
  bool Is = Type == Data
                ? Config->Exceptions == DumpConfig::None && !Config->Overflows
            : Type == Overflow ? Config->Overflows
                               : Type > 0 && Type == Config->Exceptions;
  if (!Is)
    return nullptr;
  // The program keeps the pointer for as long as it likes.
  static auto &Pointers = *new std::vector<std::unique_ptr<std::string>>;
  const std::string &Path = Type < Data ? exceptionRoot(*Config) : Config->Path;
  for (const auto &Each : Pointers)
    if (*Each == Path)
      return Each->c_str();
  return Pointers.emplace_back(std::make_unique<std::string>(Path))->c_str();
}

std::string Dumps::exceptionFolder(int Device) {
  std::lock_guard<std::mutex> Lock(Mutex);
  if (!Config || Config->Exceptions == DumpConfig::None)
    return {};
  return absolute(exceptionRoot(*Config)) + "/extra-info/data-dump/" +
         std::to_string(Device) + "/";
}

DumpOrder Dumps::orderForOperators() {
  std::lock_guard<std::mutex> Lock(Mutex);
  DumpOrder Order;
  if (Config && Config->dumpsData())
    Order = {Config->Operators, Config->Overflows, Config->Inputs,
             Config->Outputs};
  else if (!Config && Begun && Function) // without a file: what is the default
    Order = {/*Always=*/true, /*AfterOverflow=*/false, DumpConfig().Inputs,
             DumpConfig().Outputs};
  if (Order.AfterOverflow)
    Order.Inputs = Order.Outputs = true;
  return Order;
}

std::string Dumps::emit(const Dump &D, const std::string &Operator, int Device,
                        uint64_t Stream) {
  static std::atomic<uint64_t> Tasks{0};
  Callback Now;
  std::string Folder;
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    Now = Function;
    Folder = DataFolder.empty() ? absolute(".") : DataFolder;
  }
  auto Microseconds = std::chrono::duration_cast<std::chrono::microseconds>(
                          std::chrono::system_clock::now().time_since_epoch())
                          .count();
  std::string Path = Folder + "/" + std::to_string(Device) + "/" + Operator +
                     "." + D.Name + "." + std::to_string(++Tasks) + "." +
                     std::to_string(Stream) + "." +
                     std::to_string(Microseconds);
  return Now ? handOut(Now, Path, D.encode()) : writeDumpFile(Path, D.encode());
}

bool Dumps::setDescriptions(const std::string &Folder) {
  std::lock_guard<std::mutex> Lock(Mutex);
  std::error_code E;
  std::filesystem::path Path = Folder;
  if (Path.is_relative()) // to the program's file, as documented
    Path =
        std::filesystem::read_symlink("/proc/self/exe", E).parent_path() / Path;
  Descriptions = Path.lexically_normal().string();
  std::filesystem::create_directories(Descriptions, E);
  return !E && std::filesystem::is_directory(Descriptions, E);
}
void Dumps::endDescriptions() {
  std::lock_guard<std::mutex> Lock(Mutex);
  Descriptions.clear();
}
std::string Dumps::descriptionFolder() {
  std::lock_guard<std::mutex> Lock(Mutex);
  return Descriptions;
}

} // namespace belay::device
