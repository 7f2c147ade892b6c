//===- local_copy.h - DataCopy between memories of a core -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_LOCAL_COPY_H
#define BELAY_ASCENDC_API_LOCAL_COPY_H

#include "api/data_copy.h"

namespace AscendC {

template <typename T>
BELAY_API void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                        const uint32_t count) {
  constexpr belay::sim::Elem type = belay_detail::elem<PrimT<T>>;
  belay::sim::LocalCopy c = {dst.data(), src.data(), type, type, 0,
                             0,          0,          0,    count};
  if (count)
    belay_sim_copy_local(&c);
}
/// The two types differ for a bias only: half becomes float on its way.
template <typename T, typename U>
BELAY_API void DataCopy(const LocalTensor<T> &dst, const LocalTensor<U> &src,
                        const DataCopyParams &params) {
  belay::sim::LocalCopy c = {dst.data(),
                             src.data(),
                             belay_detail::elem<PrimT<T>>,
                             belay_detail::elem<PrimT<U>>,
                             params.blockCount,
                             params.blockLen,
                             params.srcGap,
                             params.dstGap};
  belay_sim_copy_local(&c);
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_LOCAL_COPY_H
