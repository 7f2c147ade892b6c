//===- mmad.h - Mmad and its registers --------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_MMAD_H
#define BELAY_ASCENDC_API_MMAD_H

#include "abi/Cube.h"
#include "api/tensor.h"

namespace AscendC {

enum class HF32Mode { ENABLE, DISABLE };
enum class HF32TransMode { NEAREST_ZERO, NEAREST_EVEN };

struct MmadParams {
  MmadParams() = default;
  BELAY_API MmadParams(uint16_t mIn, uint16_t nIn, uint16_t kIn, bool bias,
                       int32_t offset, bool sparse, bool winogradA,
                       bool winogradB)
      : m(mIn), n(nIn), k(kIn), isBias(bias), fmOffset(offset),
        enSsparse(sparse), enWinogradA(winogradA), enWinogradB(winogradB) {}
  BELAY_API MmadParams(uint16_t mIn, uint16_t nIn, uint16_t kIn, uint8_t flag,
                       bool source, bool init)
      : m(mIn), n(nIn), k(kIn), unitFlag(flag), cmatrixSource(source),
        cmatrixInitVal(init) {}
  uint16_t m = 0;
  uint16_t n = 0;
  uint16_t k = 0;
  bool isBias = false;
  int32_t fmOffset = 0;
  bool enSsparse = false;
  bool enWinogradA = false;
  bool enWinogradB = false;
  uint8_t unitFlag = 0;
  bool kDirectionAlign = false;
  bool cmatrixSource = false;
  bool cmatrixInitVal = true;
  bool disableGemv = false;
};

/// The same, set one by one; 950 packs them into a register.
class MmadBitModeParams {
public:
  MmadBitModeParams() = default;
  BELAY_API MmadBitModeParams(const MmadParams &p) : params(p) {}
  BELAY_API void SetM(uint16_t m) { params.m = m; }
  BELAY_API void SetK(uint16_t k) { params.k = k; }
  BELAY_API void SetN(uint16_t n) { params.n = n; }
  BELAY_API void SetUnitFlag(uint8_t flag) { params.unitFlag = flag; }
  BELAY_API void SetDisableGemv(bool off) { params.disableGemv = off; }
  BELAY_API void SetCmatrixSource(bool bias) { params.cmatrixSource = bias; }
  BELAY_API void SetCmatrixInitVal(bool zero) { params.cmatrixInitVal = zero; }
  BELAY_API uint16_t GetM() const { return params.m; }
  BELAY_API uint16_t GetK() const { return params.k; }
  BELAY_API uint16_t GetN() const { return params.n; }
  BELAY_API uint8_t GetUnitFlag() const { return params.unitFlag; }
  BELAY_API bool GetDisableGemv() const { return params.disableGemv; }
  BELAY_API bool GetCmatrixSource() const { return params.cmatrixSource; }
  BELAY_API bool GetCmatrixInitVal() const { return params.cmatrixInitVal; }

  MmadParams params;
};

namespace belay_detail {
template <typename T, typename U, typename S>
BELAY_API belay::sim::Multiply
productOf(const LocalTensor<T> &dst, const LocalTensor<U> &fm,
          const LocalTensor<S> &filter, const MmadParams &p) {
  belay::sim::Multiply m;
  m.C = dst.data();
  m.A = fm.data();
  m.B = filter.data();
  m.Bias = nullptr;
  m.CType = elem<PrimT<T>>;
  m.AType = elem<PrimT<U>>;
  m.BType = elem<PrimT<S>>;
  m.BiasType = m.CType;
  m.M = p.m;
  m.N = p.n;
  m.K = p.k;
  m.UnitFlag = p.unitFlag;
  m.AlignK = p.kDirectionAlign;
  m.ZeroC = p.cmatrixInitVal && !p.isBias;
  m.CFromBias = p.cmatrixSource;
  m.DisableGemv = p.disableGemv;
  return m;
}
} // namespace belay_detail

template <typename T, typename U, typename S>
BELAY_API void Mmad(const LocalTensor<T> &dst, const LocalTensor<U> &fm,
                    const LocalTensor<S> &filter,
                    const MmadParams &mmadParams) {
  auto m = belay_detail::productOf(dst, fm, filter, mmadParams);
  belay_sim_cube_mmad(&m);
}
/// The bias counts only if cmatrixInitVal is false.
template <typename T, typename U, typename S, typename V>
BELAY_API void Mmad(const LocalTensor<T> &dst, const LocalTensor<U> &fm,
                    const LocalTensor<S> &filter, const LocalTensor<V> &bias,
                    const MmadParams &mmadParams) {
  auto m = belay_detail::productOf(dst, fm, filter, mmadParams);
  m.ZeroC = mmadParams.cmatrixInitVal;
  m.Bias = bias.data();
  m.BiasType = belay_detail::elem<PrimT<V>>;
  belay_sim_cube_mmad(&m);
}
#if __NPU_ARCH__ == 3510
template <typename T, typename U, typename S>
BELAY_API void Mmad(const LocalTensor<T> &dst, const LocalTensor<U> &fm,
                    const LocalTensor<S> &filter,
                    const MmadBitModeParams &mmadParams) {
  Mmad(dst, fm, filter, mmadParams.params);
}
template <typename T, typename U, typename S, typename V>
BELAY_API void Mmad(const LocalTensor<T> &dst, const LocalTensor<U> &fm,
                    const LocalTensor<S> &filter, const LocalTensor<V> &bias,
                    const MmadBitModeParams &mmadParams) {
  Mmad(dst, fm, filter, bias, mmadParams.params);
}
#endif

BELAY_API void SetHF32Mode(HF32Mode mode) {
  belay_sim_cube_set(belay::sim::CubeRegister::Hf32, mode == HF32Mode::ENABLE);
}
BELAY_API void SetHF32Mode(bool hf32Mode) {
  belay_sim_cube_set(belay::sim::CubeRegister::Hf32, hf32Mode);
}
BELAY_API void SetHF32TransMode(HF32TransMode mode) {
  belay_sim_cube_set(belay::sim::CubeRegister::Hf32TowardsZero,
                     mode == HF32TransMode::NEAREST_ZERO);
}
BELAY_API void SetHF32TransMode(bool hf32TransMode) {
  belay_sim_cube_set(belay::sim::CubeRegister::Hf32TowardsZero, hf32TransMode);
}
/// The order in which the cube walks over C: speed only.
BELAY_API void SetMMRowMajor() {
  belay_sim_cube_set(belay::sim::CubeRegister::RowMajor, 1);
}
BELAY_API void SetMMColumnMajor() {
  belay_sim_cube_set(belay::sim::CubeRegister::RowMajor, 0);
}
BELAY_API void SetMMLayoutTransform(bool mmLayoutMode) {
  belay_sim_cube_set(belay::sim::CubeRegister::RowMajor, mmLayoutMode);
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_MMAD_H
