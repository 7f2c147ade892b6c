//===- generate.h - Sequences, fills and random numbers ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_LIBRARY_GENERATE_H
#define BELAY_ASCENDC_API_LIBRARY_GENERATE_H

#include "api/library/math.h"

namespace AscendC {

// Arange is the newer name of ArithProgression.
#define BELAY_PROGRESSION(Name)                                                \
  template <typename T>                                                        \
  BELAY_API void Name(const LocalTensor<T> &dst, const T firstValue,           \
                      const T diffValue, const int32_t count) {                \
    belay_sim_progression(belay_detail::elem<PrimT<T>>, dst.data(),            \
                          &firstValue, &diffValue,                             \
                          count > 0 ? static_cast<uint32_t>(count) : 0);       \
  }
BELAY_PROGRESSION(ArithProgression)
BELAY_PROGRESSION(Arange)
#undef BELAY_PROGRESSION

// Fill is the newer name of InitGlobalMemory.
template <typename T>
BELAY_API void Fill(const GlobalTensor<T> &gmWorkspaceAddr, const uint64_t size,
                    const T value) {
  belay_sim_fill_global(belay_detail::elem<PrimT<T>>,
                        const_cast<PrimT<T> *>(gmWorkspaceAddr.GetPhyAddr()),
                        &value, size);
}
template <typename T>
BELAY_API void InitGlobalMemory(const GlobalTensor<T> &gmWorkspaceAddr,
                                const uint64_t size, const T value) {
  belay_sim_fill_global(belay_detail::elem<PrimT<T>>,
                        const_cast<PrimT<T> *>(gmWorkspaceAddr.GetPhyAddr()),
                        &value, size);
}
template <typename T>
BELAY_API void InitOutput(GlobalTensor<T> gmWorkspaceAddr, uint32_t size,
                          T value = 0) {
  belay_sim_fill_global(belay_detail::elem<PrimT<T>>,
                        const_cast<PrimT<T> *>(gmWorkspaceAddr.GetPhyAddr()),
                        &value, size);
}

constexpr uint16_t PHILOX_KEY_SIZE = 2;
constexpr uint16_t PHILOX_COUNTER_SIZE = 4;
using PhiloxKey = uint32_t[PHILOX_KEY_SIZE];
using PhiloxCounter = uint32_t[PHILOX_COUNTER_SIZE];
struct PhiloxRandomParams {
  uint32_t stride;
  uint32_t row;
  uint32_t column;
};

namespace belay_detail {
template <uint16_t rounds, typename T>
BELAY_API void philox(const LocalTensor<T> &dst, const PhiloxKey &key,
                      const PhiloxCounter &counter, uint32_t rows,
                      uint32_t columns, uint32_t stride) {
  static_assert(rounds == 7 || rounds == 10, "Philox has 7 or 10 rounds");
  belay::sim::PhiloxCall c{dst.data(),
                           elem<PrimT<T>>,
                           {key[0], key[1]},
                           {counter[0], counter[1], counter[2], counter[3]},
                           rows,
                           columns,
                           stride,
                           rounds};
  belay_sim_philox(&c);
}
} // namespace belay_detail
template <uint16_t Rounds = 7, typename T>
BELAY_API void
PhiloxRandom(const LocalTensor<T> &dst, const PhiloxKey &philoxKey,
             const PhiloxCounter &philoxCounter, uint16_t count) {
  belay_detail::philox<Rounds>(dst, philoxKey, philoxCounter, 1, count, 0);
}
template <uint16_t Rounds = 7, typename T>
BELAY_API void PhiloxRandom(const LocalTensor<T> &dst,
                            const PhiloxKey &philoxKey,
                            const PhiloxCounter &philoxCounter,
                            const PhiloxRandomParams &params) {
  belay_detail::philox<Rounds>(dst, philoxKey, philoxCounter, params.row,
                               params.column, params.stride);
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_LIBRARY_GENERATE_H
