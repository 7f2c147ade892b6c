//===- register/distributions.h - How elements meet registers ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_REGISTER_DISTRIBUTIONS_H
#define BELAY_ASCENDC_API_REGISTER_DISTRIBUTIONS_H

#include "api/register/operands.h"

namespace AscendC::MicroAPI::belay_detail {

/// A form, and the bytes of an element if the form has its own.
template <class F> struct Distribution {
  F Form;
  uint8_t Unit;
  bool Known = true;
};

template <auto Dist> constexpr Distribution<LoadForm> loadOf() {
  static_assert(std::is_same_v<decltype(Dist), LoadDist>,
                "a register is loaded by a LoadDist");
  constexpr Distribution<LoadForm> d = [] {
    switch (Dist) {
    case LoadDist::DIST_NORM:
      return Distribution<LoadForm>{LoadForm::Normal, 0};
    case LoadDist::DIST_NORM_B8:
      return Distribution<LoadForm>{LoadForm::Normal, 1};
    case LoadDist::DIST_NORM_B16:
      return Distribution<LoadForm>{LoadForm::Normal, 2};
    case LoadDist::DIST_NORM_B32:
      return Distribution<LoadForm>{LoadForm::Normal, 4};
    case LoadDist::DIST_BRC_B8:
      return Distribution<LoadForm>{LoadForm::Broadcast, 1};
    case LoadDist::DIST_BRC_B16:
      return Distribution<LoadForm>{LoadForm::Broadcast, 2};
    case LoadDist::DIST_BRC_B32:
      return Distribution<LoadForm>{LoadForm::Broadcast, 4};
    case LoadDist::DIST_US_B8:
      return Distribution<LoadForm>{LoadForm::Upsample, 1};
    case LoadDist::DIST_US_B16:
      return Distribution<LoadForm>{LoadForm::Upsample, 2};
    case LoadDist::DIST_DS_B8:
      return Distribution<LoadForm>{LoadForm::Downsample, 1};
    case LoadDist::DIST_DS_B16:
      return Distribution<LoadForm>{LoadForm::Downsample, 2};
    case LoadDist::DIST_UNPACK_B8:
      return Distribution<LoadForm>{LoadForm::Unpack, 1};
    case LoadDist::DIST_UNPACK_B16:
      return Distribution<LoadForm>{LoadForm::Unpack, 2};
    case LoadDist::DIST_UNPACK_B32:
      return Distribution<LoadForm>{LoadForm::Unpack, 4};
    case LoadDist::DIST_UNPACK4_B8:
      return Distribution<LoadForm>{LoadForm::Unpack4, 1};
    case LoadDist::DIST_BLK:
      return Distribution<LoadForm>{LoadForm::Block, 0};
    case LoadDist::DIST_E2B_B16:
      return Distribution<LoadForm>{LoadForm::ElementToBlock, 2};
    case LoadDist::DIST_E2B_B32:
      return Distribution<LoadForm>{LoadForm::ElementToBlock, 4};
    case LoadDist::DIST_DINTLV_B8:
      return Distribution<LoadForm>{LoadForm::Deinterleave, 1};
    case LoadDist::DIST_DINTLV_B16:
      return Distribution<LoadForm>{LoadForm::Deinterleave, 2};
    case LoadDist::DIST_DINTLV_B32:
      return Distribution<LoadForm>{LoadForm::Deinterleave, 4};
    default:
      return Distribution<LoadForm>{LoadForm::Normal, 0, false};
    }
  }();
  static_assert(d.Known, "the simulator does not have this distribution");
  return d;
}

template <StoreDist Dist> constexpr Distribution<StoreForm> storeOf() {
  constexpr Distribution<StoreForm> d = [] {
    switch (Dist) {
    case StoreDist::DIST_NORM:
      return Distribution<StoreForm>{StoreForm::Normal, 0};
    case StoreDist::DIST_NORM_B8:
      return Distribution<StoreForm>{StoreForm::Normal, 1};
    case StoreDist::DIST_NORM_B16:
      return Distribution<StoreForm>{StoreForm::Normal, 2};
    case StoreDist::DIST_NORM_B32:
      return Distribution<StoreForm>{StoreForm::Normal, 4};
    case StoreDist::DIST_FIRST_ELEMENT_B8:
      return Distribution<StoreForm>{StoreForm::First, 1};
    case StoreDist::DIST_FIRST_ELEMENT_B16:
      return Distribution<StoreForm>{StoreForm::First, 2};
    case StoreDist::DIST_FIRST_ELEMENT_B32:
      return Distribution<StoreForm>{StoreForm::First, 4};
    case StoreDist::DIST_PACK_B16:
      return Distribution<StoreForm>{StoreForm::Pack, 2};
    case StoreDist::DIST_PACK_B32:
      return Distribution<StoreForm>{StoreForm::Pack, 4};
    case StoreDist::DIST_PACK_B64:
      return Distribution<StoreForm>{StoreForm::Pack, 8};
    case StoreDist::DIST_PACK4_B32:
      return Distribution<StoreForm>{StoreForm::Pack4, 4};
    case StoreDist::DIST_INTLV_B8:
      return Distribution<StoreForm>{StoreForm::Interleave, 1};
    case StoreDist::DIST_INTLV_B16:
      return Distribution<StoreForm>{StoreForm::Interleave, 2};
    case StoreDist::DIST_INTLV_B32:
      return Distribution<StoreForm>{StoreForm::Interleave, 4};
    default:
      return Distribution<StoreForm>{StoreForm::Normal, 0, false};
    }
  }();
  static_assert(d.Known, "the simulator does not have this distribution");
  return d;
}

template <auto Dist> constexpr LoadForm maskLoad() {
  static_assert(std::is_same_v<decltype(Dist), MaskDist>,
                "a mask is loaded by a MaskDist");
  static_assert(Dist != MaskDist::DIST_PACK, "only stores pack masks");
  return Dist == MaskDist::DIST_US   ? LoadForm::MaskUpsample
         : Dist == MaskDist::DIST_DS ? LoadForm::MaskDownsample
                                     : LoadForm::Mask;
}
template <MaskDist Dist> constexpr StoreForm maskStore() {
  static_assert(Dist == MaskDist::DIST_NORM || Dist == MaskDist::DIST_PACK,
                "masks are stored as they are, or packed");
  return Dist == MaskDist::DIST_PACK ? StoreForm::MaskPack : StoreForm::Mask;
}

} // namespace AscendC::MicroAPI::belay_detail

#endif // BELAY_ASCENDC_API_REGISTER_DISTRIBUTIONS_H
