//===- picture_mistakes.cpp - What programs get wrong with pictures -------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// picture_mistakes CASE wrong|right, as mistakes.cpp, for DVPP.
//
//===----------------------------------------------------------------------===//

#include "Mistakes.h"

#include "acl/ops/acl_dvpp.h"

#include <vector>

namespace {

/// A picture of 100 x 50 pixels; what is said of it can be changed.
struct Picture {
  explicit Picture(uint32_t Stride = 112, size_t Size = Bytes,
                   bool Plain = false)
      : Plain(Plain) {
    CHECK(Plain ? aclrtMalloc(&Data, Bytes, ACL_MEM_MALLOC_HUGE_FIRST)
                : acldvppMalloc(&Data, Bytes));
    CHECK(aclrtMemset(Data, Bytes, 7, Bytes));
    CHECK(acldvppSetPicDescData(Handle, Data));
    CHECK(acldvppSetPicDescSize(Handle, Size));
    CHECK(acldvppSetPicDescFormat(Handle, PIXEL_FORMAT_YUV_SEMIPLANAR_420));
    CHECK(acldvppSetPicDescWidth(Handle, 100));
    CHECK(acldvppSetPicDescHeight(Handle, 50));
    CHECK(acldvppSetPicDescWidthStride(Handle, Stride));
    CHECK(acldvppSetPicDescHeightStride(Handle, 50));
  }
  ~Picture() {
    CHECK(acldvppDestroyPicDesc(Handle));
    if (Data)
      CHECK(Plain ? aclrtFree(Data) : acldvppFree(Data));
  }
  static constexpr size_t Bytes = 112 * 50 * 3 / 2;
  acldvppPicDesc *Handle = acldvppCreatePicDesc();
  void *Data = nullptr;
  bool Plain;
};

struct Session {
  Session() {
    CHECK(aclInit(nullptr));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtCreateStream(&S));
    Channel = acldvppCreateChannelDesc();
    CHECK(acldvppCreateChannel(Channel));
  }
  void resize(const Picture &From, const Picture &To) {
    CHECK(acldvppVpcResizeAsync(Channel, From.Handle, To.Handle, Config, S));
  }
  ~Session() {
    CHECK(aclrtSynchronizeStream(S));
    if (Channel) {
      CHECK(acldvppDestroyChannel(Channel));
      CHECK(acldvppDestroyChannelDesc(Channel));
    }
    CHECK(acldvppDestroyResizeConfig(Config));
    CHECK(aclrtDestroyStream(S));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
  }
  aclrtStream S = nullptr;
  acldvppChannelDesc *Channel = nullptr;
  acldvppResizeConfig *Config = acldvppCreateResizeConfig();
};

void otherMemory(bool Wrong) {
  Session All;
  Picture From(112, Picture::Bytes, Wrong), To;
  All.resize(From, To);
  CHECK(aclrtSynchronizeStream(All.S));
}

void stride(bool Wrong) {
  Session All;
  Picture From(Wrong ? 100 : 112), To;
  All.resize(From, To);
  CHECK(aclrtSynchronizeStream(All.S));
}

void size(bool Wrong) {
  Session All;
  Picture From, To(112, Wrong ? 100 * 50 * 3 / 2 : Picture::Bytes);
  All.resize(From, To);
  CHECK(aclrtSynchronizeStream(All.S));
}

void freedByOther(bool Wrong) {
  Session All;
  Picture From;
  if (Wrong)
    CHECK(aclrtFree(From.Data));
}

void freedInFlight(bool Wrong) {
  Session All;
  Picture From, To;
  All.resize(From, To);
  if (!Wrong)
    CHECK(aclrtSynchronizeStream(All.S));
  CHECK(acldvppFree(From.Data));
  From.Data = nullptr;
  CHECK(aclrtSynchronizeStream(All.S));
}

void channelOrder(bool Wrong) {
  Session All;
  if (!Wrong)
    CHECK(acldvppDestroyChannel(All.Channel));
  CHECK(acldvppDestroyChannelDesc(All.Channel));
  All.Channel = nullptr;
}

void channelInFlight(bool Wrong) {
  Session All;
  Picture From, To;
  All.resize(From, To);
  if (!Wrong)
    CHECK(aclrtSynchronizeStream(All.S));
  CHECK(acldvppDestroyChannel(All.Channel));
  CHECK(aclrtSynchronizeStream(All.S));
  CHECK(acldvppDestroyChannelDesc(All.Channel));
  All.Channel = nullptr;
}

const MistakeCases Cases = {
    {"memory", otherMemory},
    {"stride", stride},
    {"size", size},
    {"free", freedByOther},
    {"freed-in-flight", freedInFlight},
    {"channel", channelOrder},
    {"channel-in-flight", channelInFlight},
};

} // namespace

int main(int Argc, char **Argv) {
  return Argc == 3 ? runMistake(Cases, Argv[1], Argv[2]) : 2;
}
