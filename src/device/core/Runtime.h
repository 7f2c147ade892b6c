//===- Runtime.h - All objects of the simulated device ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_CORE_RUNTIME_H
#define BELAY_DEVICE_CORE_RUNTIME_H

#include "device/core/Memory.h"
#include "device/core/Runner.h"
#include "device/core/Stream.h"

#include <optional>
#include <set>

namespace belay::device {

/// The device's part of a context. Handles are numbers that are never used
/// again, so that one that is used after its end is always known as such.
struct Context {
  uint64_t Id = 0;
  int Device = 0;
  bool IsDefault = false;
  std::shared_ptr<Stream> DefaultStream;
};

struct Event {
  uint64_t Id = 0;
  int Device = 0;
  uint32_t Flags = 0;
  /// Which function made it decides what it can do.
  enum class Made : uint8_t { Plain, WithFlag, ExWithFlag } How = Made::Plain;
  std::mutex Mutex;
  std::shared_ptr<Recording> Last;
  std::condition_variable Recorded; // Last has changed
  /// If other processes know it; its recordings are counted there, too.
  std::shared_ptr<Share> Across;
};

struct BELAY_DEVICE_API Binary {
  uint64_t Id = 0;
  uint64_t Context = 0;
  std::vector<std::shared_ptr<const Kernel>> Kernels;
  std::vector<int> Fds;
  std::mutex Mutex;
  std::map<std::string, void *> Functions; // handles given out
  /// The last launch by each stream, as for memory.
  std::unordered_map<uint64_t, Use> Uses;
  /// The handle that was given out for a kernel; null if none was.
  void *handleOf(const Kernel &K);
  ~Binary();
};

struct Function {
  std::shared_ptr<Binary> From;
  std::shared_ptr<const Kernel> What;
};

/// aclrtKernelArgs*.
struct KernelArgs {
  std::shared_ptr<const Kernel> What;
  struct Item {
    bool IsPlaceholder;
    std::vector<uint8_t> Bytes;
  };
  std::vector<std::unique_ptr<Item>> Items;
  bool Final = false;
};

enum class HandleKind : uint8_t {
  Context,
  Stream,
  Event,
  Binary,
  Function,
  Args,
  Communicator,
  Executor,
  Tensor,
  TensorList,
  Scalar,
  Array,
  Model,
  Notify,
  Graph,
  Physical,
  Channel,
  Picture,
  ResizeConfig,
  Label,
  LabelList,
  TaskGroup,
  Condition,
};
BELAY_DEVICE_API const char *nameOf(HandleKind K);

/// Everything that has a handle.
class BELAY_DEVICE_API Handles {
public:
  /// A new number; the object is added under it.
  uint64_t reserve() { return Next.fetch_add(1, std::memory_order_relaxed); }
  void *add(uint64_t Id, HandleKind K, std::shared_ptr<void> Object);
  /// Null if there is none: then the error has been told. Caller names the ACL
  /// function.
  template <typename T>
  std::shared_ptr<T> find(const void *Handle, HandleKind K, const char *Caller,
                          const void *Site, int Error = RtInvalidHandle) {
    return std::static_pointer_cast<T>(findAny(Handle, K, Caller, Site, Error));
  }
  /// Null if it is not there (any more); says nothing.
  std::shared_ptr<void> peek(const void *Handle, HandleKind K);
  /// By is what ended it, for messages about later uses.
  void remove(const void *Handle, const char *By, const void *Site);
  std::vector<std::shared_ptr<void>> all(HandleKind K);

  static void *toHandle(uint64_t Id);
  static uint64_t toId(const void *Handle);

private:
  std::shared_ptr<void> findAny(const void *Handle, HandleKind K,
                                const char *Caller, const void *Site,
                                int Error);
  struct Entry {
    HandleKind Kind;
    std::shared_ptr<void> Object;
  };
  struct Grave {
    HandleKind Kind;
    const char *By;
    const void *Site;
  };
  std::shared_mutex Mutex;
  std::unordered_map<uint64_t, Entry> Live;
  std::map<uint64_t, Grave> Dead;
  std::atomic<uint64_t> Next{1};
};

struct BELAY_DEVICE_API Device {
  Device(int Id, const DeviceKind &Kind, uint64_t Capacity)
      : Id(Id), Kind(Kind), Memory(Capacity, *Kind.Soc->arch),
        Runner(Memory, Kind) {}
  const int Id;
  const DeviceKind Kind;
  DeviceMemory Memory;
  RunnerLink Runner;
  unsigned References = 0;
  void *DefaultContext = nullptr;
  std::set<int> Peers;
  /// aclrtSetDeviceSatMode, for streams that are made later.
  std::atomic<bool> SaturatesFloats{false};
  /// What aclrtSetDeviceResLimit left of each kind of core.
  std::map<int, uint32_t> CoreLimits;

  /// \name Floats that overflowed, by the group of their stream
  /// (ACL_STREAM_ATTR_USER_CUSTOM_TAG). 0 is none, and asks for all.
  /// @{
  void noteOverflow(uint32_t Group);
  bool hasOverflow(uint32_t Group);
  void forgetOverflow(uint32_t Group);
  /// @}

private:
  std::mutex OverflowMutex;
  std::set<uint32_t> Overflows;
};

/// Where a pointer points to.
struct Where {
  Device *On = nullptr; // device memory, live or not
  bool Pinned = false;
};

class BELAY_DEVICE_API Runtime {
public:
  Handles Objects;
  PinnedMemory Pinned;

  std::mutex Mutex; // of what follows
  uint64_t InitCount = 0;
  /// aclFinalize was called, and aclInit not since. Without either of them the
  /// runtime's functions work, as CANN's do.
  bool Ended = false;

  /// The device, which is created at its first use. Id is valid.
  Device &device(int Id);
  bool isDevice(int64_t Id);
  /// A device beside those of the environment; its number.
  int addDevice(const DeviceKind &Kind);
  Where locate(const void *P);

  std::shared_ptr<Context> createContext(int Device, bool IsDefault);
  std::shared_ptr<Stream> createStream(const Context &C, uint32_t Priority,
                                       uint32_t Flags);
  /// Waits for the streams of a context and ends them and it.
  void destroyContext(const std::shared_ptr<Context> &C, const char *By,
                      const void *Site);
  std::vector<std::shared_ptr<Stream>> streamsOf(const Context &C);

private:
  std::mutex DevicesMutex;
  std::map<int, std::unique_ptr<Device>> Devices;
};

BELAY_DEVICE_API Runtime &runtime();

/// The context of the calling thread; a handle, since it may have ended.
BELAY_DEVICE_API void *&currentContextHandle();

/// How far a capture forbids what waits for the device: aclmdlRICaptureMode.
enum class CaptureMode : int { Global, ThreadLocal, Relaxed };
/// That of the calling thread.
BELAY_DEVICE_API CaptureMode &threadCaptureMode();
/// A capture has begun (+1) or ended (-1) in this thread.
BELAY_DEVICE_API void countCapture(CaptureMode Mode, int Change);

/// aclrtStreamState.
enum class StreamState : int { Made = 1, BeforeEnd = 2 };
/// aclrtRegStreamStateCallback; null takes it back. False if the name is taken,
/// or not known.
BELAY_DEVICE_API bool watchStreams(const std::string &Name,
                                   void (*Function)(void *, int, void *),
                                   void *Argument);
BELAY_DEVICE_API void tellStreamState(const Stream &S, StreamState State);

/// Set while a host callback runs in this thread.
BELAY_DEVICE_API bool &inCallback();

/// One call of an ACL function: checks what all of them need.
class BELAY_DEVICE_API Call {
public:
  /// May be called before aclInit and after aclFinalize.
  enum Need { Nothing, Initialised, CurrentContext };
  Call(const char *Name, const void *Site, Need N);
  /// 0, or what the function has to return.
  int error() const { return Error; }
  explicit operator bool() const { return Error == 0; }

  Context &context() { return *Current; }
  Device &device() { return runtime().device(Current->Device); }

  /// Null stands for the default stream. Null if it cannot be used: the error
  /// is in error().
  std::shared_ptr<Stream> stream(void *Handle);
  std::shared_ptr<Event> event(void *Handle);
  /// Fails while a capture forbids calls that wait for the device.
  int waitsForDevice();

  int fail(int E, const std::string &Text) {
    return Error = device::fail(E, std::string(Name) + ": " + Text);
  }
  int mistake(int E, DiagId Id, const std::string &Text,
              const std::string &Help = {}, const std::string &OtherRole = {},
              const void *OtherSite = nullptr) {
    return Error = failWith(E, {Id, std::string(Name) + ": " + Text, Site,
                                OtherRole, OtherSite, Help});
  }

  const char *Name;
  const void *Site;

private:
  int Error = 0;
  std::shared_ptr<Context> Current;
};

/// What aclrtSetExceptionInfoCallback's function gets. It stays where it is
/// when the callback has ended, and says so.
struct ExceptionInfo {
  static constexpr uint32_t Alive = 0xa11fe;
  uint32_t Magic = Alive;
  uint32_t Task = 0, Stream = 0, Thread = 0, Device = 0, Error = 0;
  void *Function = nullptr; // its handle, if the program has asked for one
};
BELAY_DEVICE_API void setExceptionCallback(void (*Function)(void *));
BELAY_DEVICE_API void raiseException(ExceptionInfo Info);

/// Takes an allocation out of a table, and reports tasks that may still use it;
/// nothing, and an error told, if it is not the start of one.
BELAY_DEVICE_API std::optional<std::pair<uint64_t, Allocation>>
takeAllocation(Call &This, AllocationTable &Table, void *Pointer);

/// Waits; returns the failure, whose text goes to this thread.
BELAY_DEVICE_API int synchronize(Stream &S,
                                 std::chrono::milliseconds Most = Forever);

} // namespace belay::device

#endif // BELAY_DEVICE_CORE_RUNTIME_H
