//===- Dvpp.cpp - Pictures ------------------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The unit of the device that works on pictures has memory of its own kind and
// strict rules about their layout; the rules are what is simulated. Of its
// operations there is one, resizing, done on the host in the course of a
// stream.
//
//===----------------------------------------------------------------------===//

#include "device/core/Runtime.h"

#include <algorithm>
#include <cmath>

using namespace belay::device;

struct acldvppPicDesc;
struct acldvppChannelDesc;
struct acldvppResizeConfig;
using acldvppPixelFormat = int;

extern "C" {
#define BELAY_DVPP(Result, Name, Params)                                       \
  __attribute__((visibility("default"))) Result Name Params;
#include "belay/host/dvpp.def"
}

#define BELAY_BEGIN(Need)                                                      \
  Call This(__func__, BELAY_SITE, Call::Need);                                 \
  if (!This)                                                                   \
  return This.error()

namespace {

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

/// One plane: rows of pixels of some bytes; half as wide and high if Halved.
struct Plane {
  unsigned PixelBytes;
  bool Halved;
};

struct Format {
  const char *Name;
  std::vector<Plane> Planes;
};

const Format *formatOf(int Number) {
  static const auto &Formats = *new std::map<int, Format>{
      {0, {"YUV 400", {{1, false}}}},
      {1, {"YUV 420 semiplanar", {{1, false}, {2, true}}}},
      {2, {"YVU 420 semiplanar", {{1, false}, {2, true}}}},
      {12, {"RGB 888", {{3, false}}}},
      {13, {"BGR 888", {{3, false}}}}};
  auto It = Formats.find(Number);
  return It == Formats.end() ? nullptr : &It->second;
}

struct Picture {
  void *Data = nullptr;
  uint32_t Bytes = 0, Width = 0, Height = 0, WidthStride = 0, HeightStride = 0;
  int Format = 0;
};

struct Channel {
  bool Open = false;
  std::unordered_map<uint64_t, Use> Uses;
  std::mutex Mutex;
};

struct ResizeConfig {};

template <typename T> T *add(HandleKind Kind, std::shared_ptr<void> Object) {
  Handles &All = runtime().Objects;
  return static_cast<T *>(All.add(All.reserve(), Kind, std::move(Object)));
}

template <typename T>
std::shared_ptr<T> find(Call &This, const void *Handle, HandleKind Kind) {
  auto Result = runtime().Objects.find<T>(Handle, Kind, This.Name, This.Site,
                                          InvalidParam);
  if (!Result)
    This.fail(InvalidParam, "the handle means nothing");
  return Result;
}

//===----------------------------------------------------------------------===//
// The rules
//===----------------------------------------------------------------------===//

constexpr uint32_t WidthUnit = 16, HeightUnit = 2;
constexpr uint32_t LeastWidthStride = 32, MostWidthStride = 16384;
constexpr uint32_t LeastHeightStride = 6, MostHeightStride = 4096;
constexpr uint32_t LeastWidth = 10, LeastHeight = 6, MostPixels = 4096;

uint32_t roundUp(uint32_t Value, uint32_t Unit) {
  return (Value + Unit - 1) / Unit * Unit;
}

uint64_t neededBytes(const Format &F, const Picture &P) {
  uint64_t Result = 0;
  for (const Plane &Each : F.Planes)
    Result += uint64_t(P.WidthStride) * P.HeightStride / (Each.Halved ? 2 : 1);
  return Result;
}

/// What is wrong with the numbers; empty if nothing is.
std::string problemOf(const Format &F, const Picture &P) {
  auto Text = [](uint32_t Number) { return std::to_string(Number); };
  if (P.Width < LeastWidth || P.Height < LeastHeight || P.Width > MostPixels ||
      P.Height > MostPixels)
    return Text(P.Width) + " x " + Text(P.Height) +
           " pixels; 10 x 6 to 4096 x 4096 can be";
  if (F.Planes.size() > 1 && (P.Width % 2 || P.Height % 2))
    return Text(P.Width) + " x " + Text(P.Height) +
           " pixels; width and height of " + F.Name + " are even";
  uint32_t Row = roundUp(P.Width * F.Planes[0].PixelBytes, WidthUnit);
  if (P.WidthStride < std::max(Row, LeastWidthStride) ||
      P.WidthStride > MostWidthStride || P.WidthStride % WidthUnit)
    return "the width stride is " + Text(P.WidthStride) +
           "; it has to be a multiple of 16, at least " +
           Text(std::max(Row, LeastWidthStride)) + " for " + Text(P.Width) +
           " pixels of " + F.Name;
  uint32_t Rows = std::max(roundUp(P.Height, HeightUnit), LeastHeightStride);
  if (P.HeightStride < Rows || P.HeightStride > MostHeightStride ||
      P.HeightStride % HeightUnit)
    return "the height stride is " + Text(P.HeightStride) +
           "; it has to be even, at least " + Text(Rows);
  if (P.Bytes < neededBytes(F, P))
    return "the size is " + Text(P.Bytes) + "; strides and format need " +
           std::to_string(neededBytes(F, P));
  return {};
}

/// A picture that an operation reads or writes; 0 if it is right.
int checkPicture(Call &This, const Picture &P, const std::string &Which) {
  auto Wrong = [&](const std::string &Text, const char *Help = "") {
    return This.mistake(InvalidParam, DiagId::DeviceBadPicture,
                        "the " + Which + ": " + Text, Help);
  };
  const Format *F = formatOf(P.Format);
  if (!F)
    return This.fail(Unsupported, "the simulated device does not know pixel "
                                  "format " +
                                      std::to_string(P.Format));
  if (std::string Text = problemOf(*F, P); !Text.empty())
    return Wrong(Text);
  Where Place = runtime().locate(P.Data);
  if (!Place.On)
    return Wrong("its data is not in device memory",
                 "allocate it with acldvppMalloc");
  AllocationTable &Table = Place.On->Memory.Table;
  auto Address = reinterpret_cast<uint64_t>(P.Data);
  std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
  auto It = Table.find(Address, P.Bytes);
  bool There = It != Table.Live.end();
  bool Right = There && It->second.ForPictures;
  std::string What = There ? "" : Table.describe(Address);
  Lock.unlock();
  if (!There)
    return Wrong(std::to_string(P.Bytes) + " bytes from " + What);
  if (!Right)
    return Wrong("its memory is not acldvppMalloc's",
                 "allocate it with acldvppMalloc");
  return Success;
}

//===----------------------------------------------------------------------===//
// Resizing
//===----------------------------------------------------------------------===//

/// Between the two nearest pixels in both directions.
void resizePlane(const uint8_t *From, uint32_t FromWidth, uint32_t FromHeight,
                 uint32_t FromStride, uint8_t *To, uint32_t ToWidth,
                 uint32_t ToHeight, uint32_t ToStride, unsigned PixelBytes) {
  auto Position = [](uint32_t At, uint32_t Size, uint32_t Of) {
    double Middle = (At + 0.5) * Of / Size - 0.5;
    return std::clamp(Middle, 0.0, double(Of - 1));
  };
  for (uint32_t Y = 0; Y < ToHeight; ++Y) {
    double V = Position(Y, ToHeight, FromHeight);
    auto Top = static_cast<uint32_t>(V);
    uint32_t Bottom = std::min(Top + 1, FromHeight - 1);
    for (uint32_t X = 0; X < ToWidth; ++X) {
      double U = Position(X, ToWidth, FromWidth);
      auto Left = static_cast<uint32_t>(U);
      uint32_t Right = std::min(Left + 1, FromWidth - 1);
      for (unsigned B = 0; B < PixelBytes; ++B) {
        auto Pixel = [&](uint32_t Row, uint32_t Column) {
          return double(From[Row * FromStride + Column * PixelBytes + B]);
        };
        double A = std::lerp(Pixel(Top, Left), Pixel(Top, Right), U - Left);
        double C =
            std::lerp(Pixel(Bottom, Left), Pixel(Bottom, Right), U - Left);
        To[Y * ToStride + X * PixelBytes + B] =
            static_cast<uint8_t>(std::lround(std::lerp(A, C, V - Top)));
      }
    }
  }
}

Outcome resize(const Picture &From, const Picture &To) {
  Where Source = runtime().locate(From.Data),
        Target = runtime().locate(To.Data);
  const uint8_t *Read =
      Source.On->Memory.bytes(reinterpret_cast<uint64_t>(From.Data));
  uint8_t *Write = Target.On->Memory.bytes(reinterpret_cast<uint64_t>(To.Data));
  for (const Plane &Each : formatOf(From.Format)->Planes) {
    uint32_t Part = Each.Halved ? 2 : 1;
    resizePlane(Read, From.Width / Part, From.Height / Part, From.WidthStride,
                Write, To.Width / Part, To.Height / Part, To.WidthStride,
                Each.PixelBytes);
    Read += uint64_t(From.WidthStride) * From.HeightStride;
    Write += uint64_t(To.WidthStride) * To.HeightStride;
  }
  Target.On->Memory.markWritten({reinterpret_cast<uint64_t>(To.Data)});
  return {};
}

void remember(const Picture &P, uint64_t Stream, const Use &U) {
  AllocationTable &Table = runtime().locate(P.Data).On->Memory.Table;
  std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
  if (auto It = Table.find(reinterpret_cast<uint64_t>(P.Data));
      It != Table.Live.end())
    It->second.Uses[Stream] = U;
}

} // namespace

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

int acldvppMalloc(void **Pointer, size_t Bytes) {
  BELAY_BEGIN(CurrentContext);
  if (!Pointer || Bytes == 0)
    return This.fail(InvalidParam, "a pointer and a size are needed");
  DeviceMemory &Memory = This.device().Memory;
  *Pointer = Memory.allocate(Bytes, /*Extra=*/true, This.Site);
  if (!*Pointer)
    return This.fail(RtMemoryAllocation,
                     "no room for " + std::to_string(Bytes) + " bytes");
  std::unique_lock<std::shared_mutex> Lock(Memory.Table.Mutex);
  Memory.Table.Live[reinterpret_cast<uint64_t>(*Pointer)].ForPictures = true;
  return Success;
}

int acldvppFree(void *Pointer) {
  BELAY_BEGIN(Initialised);
  Where Place = runtime().locate(Pointer);
  if (!Place.On)
    return This.mistake(InvalidParam, DiagId::DeviceBadFree,
                        "this is not device memory");
  AllocationTable &Table = Place.On->Memory.Table;
  {
    std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
    auto It = Table.Live.find(reinterpret_cast<uint64_t>(Pointer));
    if (It != Table.Live.end() && !It->second.ForPictures) {
      Lock.unlock();
      return This.mistake(InvalidParam, DiagId::DeviceBadFree,
                          "this memory is not acldvppMalloc's",
                          "aclrtFree frees it");
    }
  }
  auto Taken = takeAllocation(This, Table, Pointer);
  if (!Taken)
    return This.error();
  Place.On->Memory.release(Taken->first, Taken->second);
  return Success;
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

acldvppChannelDesc *acldvppCreateChannelDesc() {
  return add<acldvppChannelDesc>(HandleKind::Channel,
                                 std::make_shared<Channel>());
}

int acldvppDestroyChannelDesc(acldvppChannelDesc *Handle) {
  BELAY_BEGIN(Initialised);
  auto C = find<Channel>(This, Handle, HandleKind::Channel);
  if (!C)
    return This.error();
  if (C->Open)
    This.mistake(Success, DiagId::DeviceLiveChildren,
                 "the channel that it describes is still open",
                 "call acldvppDestroyChannel first");
  runtime().Objects.remove(Handle, This.Name, This.Site);
  return Success;
}

int acldvppCreateChannel(acldvppChannelDesc *Handle) {
  BELAY_BEGIN(CurrentContext);
  auto C = find<Channel>(This, Handle, HandleKind::Channel);
  if (!C)
    return This.error();
  std::lock_guard<std::mutex> Lock(C->Mutex);
  if (C->Open)
    return This.fail(InvalidParam, "the channel is open already");
  C->Open = true;
  return Success;
}

int acldvppDestroyChannel(acldvppChannelDesc *Handle) {
  BELAY_BEGIN(CurrentContext);
  auto C = find<Channel>(This, Handle, HandleKind::Channel);
  if (!C)
    return This.error();
  std::lock_guard<std::mutex> Lock(C->Mutex);
  if (!C->Open)
    return This.fail(InvalidParam, "the channel is not open");
  for (const auto &[StreamId, U] : C->Uses)
    if (!HostKnowledge::knows(StreamId, U.Sequence)) {
      This.mistake(Success, DiagId::DeviceFreedInFlight,
                   "the channel is closed while an operation may still run",
                   U.Help, "the operation was enqueued", U.Site);
      break;
    }
  C->Open = false;
  return Success;
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

acldvppPicDesc *acldvppCreatePicDesc() {
  return add<acldvppPicDesc>(HandleKind::Picture, std::make_shared<Picture>());
}

int acldvppDestroyPicDesc(acldvppPicDesc *Handle) {
  BELAY_BEGIN(Initialised);
  if (!find<Picture>(This, Handle, HandleKind::Picture))
    return This.error();
  runtime().Objects.remove(Handle, This.Name, This.Site);
  return Success;
}

#define BELAY_PICTURE_FIELD(Type, Name, Field)                                 \
  int acldvppSetPicDesc##Name(acldvppPicDesc *Handle, Type Value) {            \
    BELAY_BEGIN(Initialised);                                                  \
    auto P = find<Picture>(This, Handle, HandleKind::Picture);                 \
    if (!P)                                                                    \
      return This.error();                                                     \
    P->Field = Value;                                                          \
    return Success;                                                            \
  }                                                                            \
  Type acldvppGetPicDesc##Name(const acldvppPicDesc *Handle) {                 \
    Call This(__func__, BELAY_SITE, Call::Nothing);                            \
    auto P = find<Picture>(This, Handle, HandleKind::Picture);                 \
    return P ? P->Field : decltype(P->Field)();                                \
  }
BELAY_PICTURE_FIELD(void *, Data, Data)
BELAY_PICTURE_FIELD(uint32_t, Size, Bytes)
BELAY_PICTURE_FIELD(acldvppPixelFormat, Format, Format)
BELAY_PICTURE_FIELD(uint32_t, Width, Width)
BELAY_PICTURE_FIELD(uint32_t, Height, Height)
BELAY_PICTURE_FIELD(uint32_t, WidthStride, WidthStride)
BELAY_PICTURE_FIELD(uint32_t, HeightStride, HeightStride)
#undef BELAY_PICTURE_FIELD

/// What an operation left; here, those that fail do so before.
uint32_t acldvppGetPicDescRetCode(const acldvppPicDesc *) { return 0; }

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

acldvppResizeConfig *acldvppCreateResizeConfig() {
  return add<acldvppResizeConfig>(HandleKind::ResizeConfig,
                                  std::make_shared<ResizeConfig>());
}

int acldvppDestroyResizeConfig(acldvppResizeConfig *Handle) {
  BELAY_BEGIN(Initialised);
  if (!find<ResizeConfig>(This, Handle, HandleKind::ResizeConfig))
    return This.error();
  runtime().Objects.remove(Handle, This.Name, This.Site);
  return Success;
}

int acldvppVpcResizeAsync(acldvppChannelDesc *ChannelHandle,
                          acldvppPicDesc *InputHandle,
                          acldvppPicDesc *OutputHandle,
                          acldvppResizeConfig *ConfigHandle,
                          void *StreamHandle) {
  BELAY_BEGIN(CurrentContext);
  auto C = find<Channel>(This, ChannelHandle, HandleKind::Channel);
  auto Input =
      C ? find<Picture>(This, InputHandle, HandleKind::Picture) : nullptr;
  auto Output =
      Input ? find<Picture>(This, OutputHandle, HandleKind::Picture) : nullptr;
  if (!Output ||
      !find<ResizeConfig>(This, ConfigHandle, HandleKind::ResizeConfig))
    return This.error();
  auto S = This.stream(StreamHandle);
  if (!S)
    return This.error();
  std::lock_guard<std::mutex> Lock(C->Mutex);
  if (!C->Open)
    return This.mistake(InvalidParam, DiagId::DeviceUseAfterDestroy,
                        "the channel is not open",
                        "call acldvppCreateChannel first");
  if (int E = checkPicture(This, *Input, "input"))
    return E;
  if (int E = checkPicture(This, *Output, "output"))
    return E;
  if (Input->Format != Output->Format)
    return This.fail(Unsupported, "the simulated device does not change the "
                                  "pixel format while resizing");
  uint64_t Sequence =
      S->submit([From = *Input, To = *Output] { return resize(From, To); });
  Use U = {Sequence, "the resizing", This.Site};
  remember(*Input, S->Id, U);
  remember(*Output, S->Id, U);
  C->Uses[S->Id] = U;
  return Success;
}
