//===- Channels.cpp - Tensors on their way between host and device --------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A channel holds lists of tensors, in order, up to its capacity. Channels of
// one device and name are ends of the same one: what is sent through one is
// received from the other, or from itself. The operators at the device's end
// (GetNext, OutfeedEnqueue) belong to graphs and are not simulated.
//
//===----------------------------------------------------------------------===//

#include "device/api/Bounded.h"
#include "device/api/Living.h"

#include <cstring>

using namespace belay::device;

struct acltdtDataItem;
struct acltdtDataset;
struct acltdtChannelHandle;
using acltdtTensorType = int;
using aclDataType = int;

extern "C" {
#define BELAY_TDT_CHANNEL(Result, Name, Params)                                \
  __attribute__((visibility("default"))) Result Name Params;
#include "belay/host/tdt.def"
}

#define BELAY_BEGIN(Need)                                                      \
  Call This(__func__, BELAY_SITE, Call::Need);                                 \
  if (!This)                                                                   \
  return This.error()

struct acltdtDataItem {
  int Kind = 0; // acltdtTensorType
  std::vector<int64_t> Dims;
  int Type = 0;
  void *Data = nullptr; // the program's, or that of Own
  size_t Bytes = 0;
  std::shared_ptr<std::vector<uint8_t>> Own;
};

struct acltdtDataset {
  std::vector<acltdtDataItem *> Items;
  /// Items that were received belong to the list.
  std::vector<std::unique_ptr<acltdtDataItem>> Received;
  std::string Name;
};

namespace {

using Message = std::vector<acltdtDataItem>;

struct Channel {
  explicit Channel(size_t Capacity, std::string Name)
      : Held(Capacity), Name(std::move(Name)) {}
  Bounded<Message> Held;
  const std::string Name;
};

/// Those that some handle refers to, by device and name.
std::mutex ChannelsMutex;
std::map<std::pair<uint32_t, std::string>, std::weak_ptr<Channel>> &channels() {
  static auto &Only =
      *new std::map<std::pair<uint32_t, std::string>, std::weak_ptr<Channel>>;
  return Only;
}

constexpr size_t LeastCapacity = 2, MostCapacity = 8192;
constexpr int SliceTensor = 3, EndTensor = 4; // of acltdtTensorType
constexpr int32_t Most = 128;                 // dimensions

bool isTensor(int Kind) {
  constexpr int Tensor = 0;
  return Kind == Tensor || Kind == SliceTensor || Kind == EndTensor;
}

int notOne(Call &This, const char *What) {
  return This.mistake(InvalidParam, DiagId::DeviceBadHandle,
                      std::string("this is no ") + What +
                          ", or it was destroyed before");
}

} // namespace

struct acltdtChannelHandle {
  std::shared_ptr<Channel> To;
  bool HasCapacity = false;
};

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

acltdtDataItem *acltdtCreateDataItem(int Kind, const int64_t *Dims,
                                     size_t NumDims, int Type, void *Data,
                                     size_t Bytes) {
  Call This(__func__, BELAY_SITE, Call::Nothing);
  if (NumDims > static_cast<size_t>(Most) || (NumDims && !Dims)) {
    This.fail(InvalidParam, "a tensor has 0 to 128 dimensions");
    return nullptr;
  }
  if (isTensor(Kind) && Bytes && !Data) {
    This.fail(InvalidParam, "the tensor's data is null");
    return nullptr;
  }
  auto *Item = new acltdtDataItem;
  Item->Kind = Kind;
  Item->Dims.assign(Dims, Dims + NumDims);
  Item->Type = Type;
  Item->Data = Data;
  Item->Bytes = Bytes;
  return Living<acltdtDataItem>::add(Item);
}

int acltdtDestroyDataItem(acltdtDataItem *Item) {
  BELAY_BEGIN(Nothing);
  return Living<acltdtDataItem>::destroy(This, Item, "tensor of a channel");
}

int acltdtGetTensorTypeFromItem(const acltdtDataItem *Item) {
  return Item ? Item->Kind : -1;
}
int acltdtGetDataTypeFromItem(const acltdtDataItem *Item) {
  return Item ? Item->Type : -1;
}
void *acltdtGetDataAddrFromItem(const acltdtDataItem *Item) {
  return Item ? Item->Data : nullptr;
}
size_t acltdtGetDataSizeFromItem(const acltdtDataItem *Item) {
  return Item ? Item->Bytes : 0;
}
size_t acltdtGetDimNumFromItem(const acltdtDataItem *Item) {
  return Item ? Item->Dims.size() : 0;
}

int acltdtGetDimsFromItem(const acltdtDataItem *Item, int64_t *Dims,
                          size_t NumDims) {
  BELAY_BEGIN(Nothing);
  if (!Item)
    return This.fail(InvalidParam, "the tensor is null");
  if (NumDims < Item->Dims.size() || (!Dims && NumDims))
    return This.fail(InvalidParam, "the tensor has " +
                                       std::to_string(Item->Dims.size()) +
                                       " dimensions");
  std::copy(Item->Dims.begin(), Item->Dims.end(), Dims);
  return Success;
}

/// Slices come from an operator of graphs; no tensor here is one.
int acltdtGetSliceInfoFromItem(const acltdtDataItem *Item, size_t *Count,
                               size_t *Index) {
  BELAY_BEGIN(Nothing);
  if (!Item || !Count || !Index)
    return This.fail(InvalidParam, "an argument is null");
  *Count = *Index = 0;
  return Success;
}

acltdtDataset *acltdtCreateDataset() {
  return Living<acltdtDataset>::add(new acltdtDataset);
}
int acltdtDestroyDataset(acltdtDataset *List) {
  BELAY_BEGIN(Nothing);
  return Living<acltdtDataset>::destroy(This, List, "list of tensors");
}

acltdtDataItem *acltdtGetDataItem(const acltdtDataset *List, size_t Index) {
  return Living<acltdtDataset>::get(List) && Index < List->Items.size()
             ? List->Items[Index]
             : nullptr;
}

int acltdtAddDataItem(acltdtDataset *List, acltdtDataItem *Item) {
  BELAY_BEGIN(Nothing);
  if (!Living<acltdtDataset>::get(List))
    return notOne(This, "list of tensors");
  if (!Living<acltdtDataItem>::get(Item))
    return notOne(This, "tensor of a channel");
  if (!List->Received.empty())
    return This.fail(InvalidParam, "the list was received");
  List->Items.push_back(Item);
  return Success;
}

size_t acltdtGetDatasetSize(const acltdtDataset *List) {
  return Living<acltdtDataset>::get(List) ? List->Items.size() : 0;
}
const char *acltdtGetDatasetName(const acltdtDataset *List) {
  return Living<acltdtDataset>::get(List) ? List->Name.c_str() : nullptr;
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

static acltdtChannelHandle *open(Call &This, uint32_t Device, const char *Name,
                                 size_t Capacity, bool HasCapacity) {
  if (!runtime().isDevice(Device)) {
    This.fail(RtDeviceId, "there is no device " + std::to_string(Device));
    return nullptr;
  }
  if (!Name || !*Name) {
    This.fail(InvalidParam, "the channel has no name");
    return nullptr;
  }
  std::lock_guard<std::mutex> Lock(ChannelsMutex);
  std::weak_ptr<Channel> &Known = channels()[{Device, Name}];
  std::shared_ptr<Channel> To = Known.lock();
  if (!To)
    Known = To = std::make_shared<Channel>(Capacity, Name);
  return Living<acltdtChannelHandle>::add(
      new acltdtChannelHandle{std::move(To), HasCapacity});
}

acltdtChannelHandle *acltdtCreateChannel(uint32_t Device, const char *Name) {
  Call This(__func__, BELAY_SITE, Call::Initialised);
  constexpr size_t Usual = 128;
  return This ? open(This, Device, Name, Usual, /*HasCapacity=*/false)
              : nullptr;
}

acltdtChannelHandle *acltdtCreateChannelWithCapacity(uint32_t Device,
                                                     const char *Name,
                                                     size_t Capacity) {
  Call This(__func__, BELAY_SITE, Call::Initialised);
  if (!This)
    return nullptr;
  if (Capacity < LeastCapacity || Capacity > MostCapacity) {
    This.fail(InvalidParam, "a channel's capacity is 2 to 8192, not " +
                                std::to_string(Capacity));
    return nullptr;
  }
  return open(This, Device, Name, Capacity, /*HasCapacity=*/true);
}

int acltdtDestroyChannel(acltdtChannelHandle *Handle) {
  BELAY_BEGIN(Nothing);
  return Living<acltdtChannelHandle>::destroy(This, Handle, "channel");
}

int acltdtStopChannel(acltdtChannelHandle *Handle) {
  BELAY_BEGIN(Initialised);
  if (!Living<acltdtChannelHandle>::get(Handle))
    return notOne(This, "channel");
  Handle->To->Held.stop();
  return Success;
}

/// The channel of a handle that was made with a capacity; null and an error
/// told otherwise.
static Channel *limited(Call &This, const acltdtChannelHandle *Handle) {
  if (!Living<acltdtChannelHandle>::get(Handle)) {
    notOne(This, "channel");
    return nullptr;
  }
  if (!Handle->HasCapacity) {
    This.fail(RtFeatureNotSupported,
              "the channel was made without a capacity; "
              "acltdtCreateChannelWithCapacity makes one that has it");
    return nullptr;
  }
  return Handle->To.get();
}

int acltdtCleanChannel(acltdtChannelHandle *Handle) {
  BELAY_BEGIN(Initialised);
  Channel *To = limited(This, Handle);
  if (!To)
    return This.error();
  To->Held.clear();
  return Success;
}

int acltdtQueryChannelSize(const acltdtChannelHandle *Handle, size_t *Size) {
  BELAY_BEGIN(Initialised);
  if (!Size)
    return This.fail(InvalidParam, "size is null");
  Channel *To = limited(This, Handle);
  if (!To)
    return This.error();
  *Size = To->Held.size();
  return Success;
}

static int ended(Call &This, Bounded<Message>::End How, int TimeUp,
                 const char *Why) {
  switch (How) {
  case Bounded<Message>::End::Done:
    return Success;
  case Bounded<Message>::End::TimeUp:
    return This.fail(TimeUp, Why);
  case Bounded<Message>::End::Stopped:
    break;
  }
  return This.fail(RtInternal, "the channel was stopped");
}

int acltdtSendTensor(const acltdtChannelHandle *Handle,
                     const acltdtDataset *List, int32_t Timeout) {
  BELAY_BEGIN(Initialised);
  if (!Living<acltdtChannelHandle>::get(Handle))
    return notOne(This, "channel");
  if (!Living<acltdtDataset>::get(List))
    return notOne(This, "list of tensors");
  if (Timeout < -1)
    return This.fail(InvalidParam, "the time to wait is -1, 0 or more");
  Message Sent;
  for (const acltdtDataItem *Item : List->Items) {
    if (runtime().locate(Item->Data).On)
      return This.mistake(InvalidParam, DiagId::DeviceBadCopy,
                          "a tensor's data is device memory",
                          "what is sent is host memory");
    const auto *Bytes = static_cast<const uint8_t *>(Item->Data);
    Sent.push_back(*Item);
    Sent.back().Own = std::make_shared<std::vector<uint8_t>>(
        Bytes, Bytes + (Bytes ? Item->Bytes : 0));
  }
  return ended(This, Handle->To->Held.put(std::move(Sent), Timeout),
               RtQueueFull, "the channel is full");
}

int acltdtReceiveTensor(const acltdtChannelHandle *Handle, acltdtDataset *List,
                        int32_t Timeout) {
  BELAY_BEGIN(Initialised);
  if (!Living<acltdtChannelHandle>::get(Handle))
    return notOne(This, "channel");
  if (!Living<acltdtDataset>::get(List))
    return notOne(This, "list of tensors");
  if (Timeout < -1)
    return This.fail(InvalidParam, "the time to wait is -1, 0 or more");
  if (!List->Items.empty() && List->Received.empty())
    return This.fail(InvalidParam, "the list has tensors already");
  Message Got;
  if (int E = ended(This, Handle->To->Held.take(Got, Timeout), RtQueueEmpty,
                    "the channel is empty"))
    return E;
  List->Items.clear();
  List->Received.clear();
  List->Name = Handle->To->Name;
  for (acltdtDataItem &Item : Got) {
    Item.Data = Item.Own->data();
    List->Received.push_back(std::make_unique<acltdtDataItem>(std::move(Item)));
    List->Items.push_back(List->Received.back().get());
  }
  return Success;
}
