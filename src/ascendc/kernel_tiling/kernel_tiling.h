//===- kernel_tiling.h - Tiling structures of the library -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What the host computes for the library routines and hands to the kernel. The
// order of the fields is the format: tiling data arrives as bytes.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_KERNEL_TILING_KERNEL_TILING_H
#define BELAY_ASCENDC_KERNEL_TILING_KERNEL_TILING_H

#include <cstdint>

namespace AscendC {
namespace tiling {

#pragma pack(push, 8)
#define BELAY_TILING(Name) struct Name {
#define BELAY_TILING_FIELD(Type, Name) Type Name = 0;
#define BELAY_TILING_END(Name)                                                 \
  }                                                                            \
  ;
#include "abi/LibraryTilings.def"

struct Conv3DBackpropFilterTilingData {
  Conv3DBpFilterParams params;
  TConv3DBpFilterTiling dwTiling;
  TConv3DBpFilterBasicBlockTiling basicBlockTiling;
};

struct Conv3DBackpropInputTilingData {
  TConv3DBackpropInputTiling conv3DDxTiling;
};

struct Mc2ServerCfg {
  uint32_t version = 0;
  uint8_t debugMode = 0, sendArgIndex = 0, recvArgIndex = 0,
          commOutArgIndex = 0;
  uint8_t reserved[8] = {};
};

struct Mc2HcommCfg {
  uint8_t skipLocalRankCopy = 0, skipBufferWindowCopy = 0, stepSize = 0;
  char reserved[13] = {};
  char groupName[128] = {};
  char algConfig[128] = {};
  uint32_t opType = 0, reduceType = 0;
};

struct Mc2InitTiling {
  uint8_t reserved[64] = {};
};

struct Mc2CcTiling {
  uint8_t reserved[512] = {};
};
#pragma pack(pop)

} // namespace tiling
} // namespace AscendC

using namespace AscendC::tiling;

#endif // BELAY_ASCENDC_KERNEL_TILING_KERNEL_TILING_H
