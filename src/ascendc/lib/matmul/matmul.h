//===- matmul.h - The Matmul object -----------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_LIB_MATMUL_MATMUL_H
#define BELAY_ASCENDC_LIB_MATMUL_MATMUL_H

#include "abi/Matmul.h"
#include "kernel_operator.h"
#include "lib/matmul/tiling.h"

#ifndef __kfc_workspace__
#define __kfc_workspace__
#endif

namespace AscendC {

template <TPosition POSITION, CubeFormat FORMAT, typename TYPE,
          bool ISTRANS = false, LayoutMode LAYOUT = LayoutMode::NONE,
          bool IBSHARE = false, TPosition SRCPOS = TPosition::GM>
struct MatmulType {
  constexpr static TPosition pos = POSITION;
  constexpr static CubeFormat format = FORMAT;
  using T = TYPE;
  constexpr static bool isTrans = ISTRANS;
  constexpr static LayoutMode layout = LAYOUT;
  constexpr static bool ibShare = IBSHARE;
  constexpr static TPosition srcPos = SRCPOS;
};

template <auto DataCopyOut = nullptr, auto CopyA1 = nullptr,
          auto CopyB1 = nullptr>
struct MatmulCallBackFunc {
  static constexpr bool empty = std::is_null_pointer_v<decltype(DataCopyOut)> &&
                                std::is_null_pointer_v<decltype(CopyA1)> &&
                                std::is_null_pointer_v<decltype(CopyB1)>;
};

/// The type of L0C for factors of type T.
template <typename T> struct GetMmDstType {
  using Type = std::conditional_t<
      std::is_same_v<T, int8_t> || std::is_same_v<T, int4b_t>, int32_t, float>;
};

namespace Impl {
/// Tensors that a queue of the object holds; programs declare theirs by it.
constexpr int32_t QUEUE_DEPTH = 1;
} // namespace Impl

// How data is staged: speed only, except for triangles and halves.
namespace Impl::Detail {
struct BelayPolicy {
  using Triangle = belay::sim::MatmulState::Triangle;
  static constexpr bool simulated = true;
  static constexpr Triangle keeps = Triangle::None;
  static constexpr bool splitsRows = false;
};
template <const auto &, typename...> struct MatmulPolicy : BelayPolicy {};
template <const auto &, typename...>
struct NBuffer33MatmulPolicy : BelayPolicy {};
template <const auto &, typename...> struct SplitMMatmulPolicy : BelayPolicy {
  static constexpr bool splitsRows = true;
};
template <const auto &, typename...>
struct TrianUpperMatmulPolicy : BelayPolicy {
  static constexpr Triangle keeps = Triangle::Upper;
};
template <const auto &, typename...>
struct TrianLowerMatmulPolicy : BelayPolicy {
  static constexpr Triangle keeps = Triangle::Lower;
};
template <const auto &, typename...>
struct MatmulWithScalePolicy : BelayPolicy {
  static constexpr bool simulated = false;
};
} // namespace Impl::Detail

constexpr MatmulConfig ToMatmulConfig(const MatmulConfig &c) { return c; }
constexpr MatmulConfig ToMatmulConfig(const MatmulApiStaticTiling &t) {
  return t.cfg;
}

/// The parts of a tiling that the configuration already knows.
template <class A, class B, class C, class Bias>
constexpr MatmulApiStaticTiling GetMatmulApiTiling(const MatmulConfig &c,
                                                   int32_t = 524288) {
  MatmulApiStaticTiling t;
  t.cfg = c;
  auto known = [](uint32_t v) { return v ? static_cast<int32_t>(v) : -1; };
  t.singleCoreM = known(c.singleCoreM);
  t.singleCoreN = known(c.singleCoreN);
  t.singleCoreK = known(c.singleCoreK);
  t.baseM = known(c.basicM);
  t.baseN = known(c.basicN);
  t.baseK = known(c.basicK);
  return t;
}

namespace belay_detail {

/// The cube core has the object to itself, also beside vector cores.
#ifdef ASCENDC_CUBE_ONLY
constexpr bool CubeOnly = true;
#else
constexpr bool CubeOnly = false;
#endif

constexpr belay::sim::MatrixFormat matrixFormat(CubeFormat f) {
  using belay::sim::MatrixFormat;
  return f == CubeFormat::NZ             ? MatrixFormat::NZ
         : f == CubeFormat::ND_ALIGN     ? MatrixFormat::NDAlign
         : f == CubeFormat::COLUMN_MAJOR ? MatrixFormat::ColumnMajor
                                         : MatrixFormat::ND;
}
constexpr belay::sim::BatchLayout batchLayout(LayoutMode l) {
  return static_cast<belay::sim::BatchLayout>(l);
}

template <class M> BELAY_API void describe(belay::sim::MatrixOperand &o) {
  o.Type = elem<PrimT<typename M::T>>;
  o.Format = matrixFormat(M::format);
  o.Layout = batchLayout(M::layout);
}

BELAY_API void setTiling(belay::sim::MatmulState &s, const TCubeTiling &t) {
  s.M = t.M;
  s.N = t.N;
  s.Ka = t.Ka;
  s.Kb = t.Kb;
  s.CColumns = 0;
  s.SingleM = t.singleCoreM;
  s.SingleN = t.singleCoreN;
  s.SingleK = t.singleCoreK;
  s.BaseM = t.baseM;
  s.BaseN = t.baseN;
  s.BaseK = t.baseK;
  s.AlongN = t.iterateOrder == 1;
  s.AAxes = {t.ALayoutInfoB, t.ALayoutInfoS, t.ALayoutInfoN, t.ALayoutInfoG,
             t.ALayoutInfoD};
  s.BAxes = {t.BLayoutInfoB, t.BLayoutInfoS, t.BLayoutInfoN, t.BLayoutInfoG,
             t.BLayoutInfoD};
  s.CAxes = {t.CLayoutInfoB, t.CLayoutInfoS1, t.CLayoutInfoN, t.CLayoutInfoG,
             t.CLayoutInfoS2};
}
BELAY_API void override(belay::sim::MatmulState &, const MatmulConfig &) {}
BELAY_API void override(belay::sim::MatmulState &s,
                        const MatmulApiStaticTiling &t) {
  auto take = [](int32_t &to, int32_t from) {
    if (from >= 0)
      to = from;
  };
  take(s.M, t.M);
  take(s.N, t.N);
  take(s.Ka, t.Ka);
  take(s.Kb, t.Kb);
  take(s.SingleM, t.singleCoreM);
  take(s.SingleN, t.singleCoreN);
  take(s.SingleK, t.singleCoreK);
  take(s.BaseM, t.baseM);
  take(s.BaseN, t.baseN);
  take(s.BaseK, t.baseK);
  if (t.iterateOrder >= 0)
    s.AlongN = t.iterateOrder == 1;
}

} // namespace belay_detail

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE,
          const auto &MM_CFG = CFG_NORM, class MM_CB = MatmulCallBackFunc<>,
          template <const auto &, typename...> class POLICY =
              Impl::Detail::MatmulPolicy>
class MatmulImpl {
public:
  using AType = A_TYPE;
  using BType = B_TYPE;
  using CType = C_TYPE;
  using BiasType = BIAS_TYPE;
  using SrcAT = typename A_TYPE::T;
  using SrcBT = typename B_TYPE::T;
  using DstT = typename C_TYPE::T;
  using BiasT = typename BIAS_TYPE::T;
  using CallBack = MM_CB;
  static constexpr MatmulConfig config = ToMatmulConfig(MM_CFG);

  BELAY_API MatmulImpl() {
    belay_detail::describe<A_TYPE>(state_.A);
    belay_detail::describe<B_TYPE>(state_.B);
    belay_detail::describe<BIAS_TYPE>(state_.Bias);
    state_.CType = belay_detail::elem<PrimT<DstT>>;
    state_.CFormat = belay_detail::matrixFormat(C_TYPE::format);
    state_.CLayout = belay_detail::batchLayout(C_TYPE::layout);
    state_.ChannelSplit = config.isEnableChannelSplit;
    state_.Relu = config.enableRelu;
    state_.BiasPerBatch = config.isBiasBatch;
    state_.PartialK = config.isPartialOutput;
    state_.Keeps = POLICY<MM_CFG>::keeps;
    state_.SplitM = POLICY<MM_CFG>::splitsRows;
    state_.DualMaster = config.enableMixDualMaster || belay_detail::CubeOnly;
  }

  BELAY_API void Init(const TCubeTiling *cubeTiling, TPipe * = nullptr) {
    if constexpr (!MM_CB::empty || config.intraBlockPartSum ||
                  !POLICY<MM_CFG>::simulated)
      belay_sim_fail("unsupported-api",
                     "this Matmul object has callbacks, sums of two cores or "
                     "scales, which are not simulated",
                     "use the object without them");
    if (cubeTiling)
      belay_detail::setTiling(state_, *cubeTiling);
    belay_detail::override(state_, MM_CFG);
    if (config.iterateOrder != IterateOrder::UNDEF)
      state_.AlongN = config.iterateOrder == IterateOrder::ORDER_N;
    belay_sim_cube_matmul_reset(&state_);
  }

  // --- shapes
  // ------------------------------------------------------------------
  BELAY_API void SetOrgShape(int orgM, int orgN, int orgK) {
    SetOrgShape(orgM, orgN, orgK, orgK);
  }
  BELAY_API void SetOrgShape(int orgM, int orgN, int orgKa, int orgKb,
                             int orgKc = 0) {
    state_.M = orgM;
    state_.N = orgN;
    state_.Ka = orgKa;
    state_.Kb = orgKb;
    state_.CColumns = orgKc;
  }
  BELAY_API void SetSingleShape(int singleM, int singleN, int singleK) {
    SetTail(singleM, singleN, singleK);
  }
  BELAY_API void SetTail(int tailM = -1, int tailN = -1, int tailK = -1) {
    if (tailM != -1)
      state_.SingleM = tailM;
    if (tailN != -1)
      state_.SingleN = tailN;
    if (tailK != -1)
      state_.SingleK = tailK;
    belay_sim_cube_matmul_reset(&state_);
  }

  // --- operands
  // ----------------------------------------------------------------
  BELAY_API void SetTensorA(const GlobalTensor<SrcAT> &gm,
                            bool isTransposeA = false) {
    setOperand<A_TYPE>(state_.A, gm.GetPhyAddr(), isTransposeA);
  }
  BELAY_API void SetTensorA(const LocalTensor<SrcAT> &leftMatrix,
                            bool isTransposeA = false) {
    setOperand<A_TYPE>(state_.A, leftMatrix.data(), isTransposeA);
  }
  BELAY_API void SetTensorA(SrcAT aScalar) { setScalar(state_.A, aScalar); }
  BELAY_API void SetTensorB(const GlobalTensor<SrcBT> &gm,
                            bool isTransposeB = false) {
    setOperand<B_TYPE>(state_.B, gm.GetPhyAddr(), isTransposeB);
  }
  BELAY_API void SetTensorB(const LocalTensor<SrcBT> &rightMatrix,
                            bool isTransposeB = false) {
    setOperand<B_TYPE>(state_.B, rightMatrix.data(), isTransposeB);
  }
  BELAY_API void SetTensorB(SrcBT bScalar) { setScalar(state_.B, bScalar); }
  BELAY_API void SetBias(const GlobalTensor<BiasT> &biasGlobal) {
    state_.Bias.Data = biasGlobal.GetPhyAddr();
    state_.HasBias = true;
  }
  BELAY_API void SetBias(const LocalTensor<BiasT> &inputBias) {
    state_.Bias.Data = inputBias.data();
    state_.HasBias = true;
  }
  BELAY_API void DisableBias() { state_.HasBias = false; }
  BELAY_API void ClearBias() { DisableBias(); }
  BELAY_API void SetQuantScalar(const uint64_t quantScalar) {
    state_.QuantBy = belay::sim::MatmulState::Quant::Scalar;
    state_.QuantScalar = quantScalar;
  }
  BELAY_API void SetQuantVector(const GlobalTensor<uint64_t> &quantTensor) {
    state_.QuantBy = belay::sim::MatmulState::Quant::Vector;
    state_.QuantTensor = quantTensor.GetPhyAddr();
  }
  BELAY_API void SetQuantVector(const LocalTensor<uint64_t> &quantTensor) {
    state_.QuantBy = belay::sim::MatmulState::Quant::Vector;
    state_.QuantTensor = quantTensor.data();
  }
  BELAY_API void SetHF32(bool enableHF32 = false, int32_t transMode = 0) {
    state_.Hf32 = enableHF32;
    state_.Hf32TowardsZero = transMode == 1;
  }
  BELAY_API void SetBatchNum(int32_t batchA, int32_t batchB) {
    batchA_ = static_cast<uint32_t>(batchA);
    batchB_ = static_cast<uint32_t>(batchB);
  }

  // --- scratch, callbacks: nothing to keep
  // -------------------------------------
  template <class T>
  BELAY_API void SetWorkspace(__gm__ const T *addr, int = 0) {
    state_.Workspace = const_cast<T *>(addr);
  }
  template <class T> BELAY_API void SetWorkspace(GlobalTensor<T> &addr) {
    state_.Workspace = addr.GetPhyAddr(0);
  }
  BELAY_API void SetLocalWorkspace(const LocalTensor<uint8_t> &) {}
  template <class T> BELAY_API void SetSelfDefineData(T) {}
  BELAY_API void SetUserDefInfo(const uint64_t) {}
  BELAY_API void SetSubBlockIdx(uint8_t subBlockIdx) {
    subBlock_ = subBlockIdx;
  }
  BELAY_API uint8_t GetSubBlockIdx() { return subBlock_; }

  // --- computing
  // ---------------------------------------------------------------
  /// Asynchronous, the steps are computed as GetTensorC asks for them.
  template <bool sync = true>
  BELAY_API bool Iterate(bool enPartialSum = false) {
    if constexpr (sync)
      return belay_sim_cube_matmul_iterate(&state_, enPartialSum, nullptr);
    belay_sim_cube_matmul_reset(&state_);
    return true;
  }
  template <bool sync = true, typename T>
  BELAY_API bool Iterate(bool enPartialSum,
                         const LocalTensor<T> &localCmatrix) {
    return belay_sim_cube_matmul_iterate(&state_, enPartialSum,
                                         localCmatrix.data());
  }
  template <bool sync = true>
  BELAY_API void GetTensorC(const LocalTensor<DstT> &co2Local,
                            uint8_t enAtomic = 0,
                            bool enSequentialWrite = false, uint32_t = 0,
                            uint32_t = 0, uint32_t = 0, uint32_t = 0) {
    get<sync>(co2Local.data(), true, enAtomic, enSequentialWrite);
  }
  template <bool sync = true>
  BELAY_API void GetTensorC(const GlobalTensor<DstT> &gm, uint8_t enAtomic = 0,
                            bool enSequentialWrite = false) {
    get<sync>(gm.GetPhyAddr(0), false, enAtomic, enSequentialWrite);
  }
  template <bool sync = true>
  BELAY_API void
  GetTensorC(const GlobalTensor<DstT> &gm, const LocalTensor<DstT> &co2Local,
             uint8_t enAtomic = 0, bool enSequentialWrite = false) {
    get<sync>(gm.GetPhyAddr(0), false, enAtomic, enSequentialWrite);
    get<true>(co2Local.data(), true, enAtomic, enSequentialWrite);
  }
  /// The next block, in the workspace.
  template <bool sync = true>
  BELAY_API GlobalTensor<DstT> GetTensorC(uint8_t enAtomic = 0, bool = false) {
    GlobalTensor<DstT> gm;
    gm.SetGlobalBuffer(static_cast<__gm__ PrimT<DstT> *>(state_.Workspace) +
                       uint64_t(state_.Fetched++) * state_.BaseM *
                           state_.BaseN);
    get<sync>(gm.GetPhyAddr(0), false, enAtomic, true);
    return gm;
  }
  template <bool sync = true>
  BELAY_API void AsyncGetTensorC(const LocalTensor<DstT> &c) {
    get<false>(c.data(), true, 0, true);
  }
  BELAY_API void WaitGetTensorC() {}

  template <bool sync = true>
  BELAY_API void IterateAll(const GlobalTensor<DstT> &gm, uint8_t enAtomic = 0,
                            bool enSequentialWrite = false, bool = false,
                            bool fakeMsg = false) {
    if (!fakeMsg)
      all(gm.GetPhyAddr(0), false, enAtomic, enSequentialWrite);
  }
  template <bool sync = true>
  BELAY_API void IterateAll(const LocalTensor<DstT> &ubCmatrix,
                            uint8_t enAtomic = 0) {
    all(ubCmatrix.data(), true, enAtomic, false);
  }
  BELAY_API void WaitIterateAll() {}
  BELAY_API void WaitIterateBatch() {}

  // --- batches
  // -----------------------------------------------------------------
  // An object on the cube core and one that asks it are two classes for the
  // vendor: with both forms here, numbers of type int would choose either.
  template <bool sync = true, bool waitIterateBatch = false,
            bool OnCube = belay_detail::CubeOnly,
            std::enable_if_t<!OnCube, int> = 0>
  BELAY_API void
  IterateBatch(const GlobalTensor<DstT> &gm, uint32_t batchA, uint32_t batchB,
               bool, const uint32_t matrixStrideA = 0,
               const uint32_t matrixStrideB = 0, const uint32_t = 0,
               const bool enPartialSum = false, const uint8_t enAtomic = 0) {
    batch(gm.GetPhyAddr(0), false, enAtomic,
          {batchA, batchB, matrixStrideA, matrixStrideB, enPartialSum});
  }
  template <bool sync = true, bool OnCube = belay_detail::CubeOnly,
            std::enable_if_t<!OnCube, int> = 0>
  BELAY_API void
  IterateBatch(const LocalTensor<DstT> &ubCmatrix, uint32_t batchA,
               uint32_t batchB, bool, const uint32_t matrixStrideA = 0,
               const uint32_t matrixStrideB = 0, const uint32_t = 0,
               const bool enPartialSum = false, const uint8_t enAtomic = 0) {
    batch(ubCmatrix.data(), true, enAtomic,
          {batchA, batchB, matrixStrideA, matrixStrideB, enPartialSum});
  }
  /// The cube-only form, with the numbers that SetBatchNum left.
  template <bool OnCube = belay_detail::CubeOnly,
            std::enable_if_t<OnCube, int> = 0>
  BELAY_API void
  IterateBatch(const GlobalTensor<DstT> &gm, bool enPartialSum,
               uint8_t enAtomic, bool, const uint32_t matrixStrideA = 0,
               const uint32_t matrixStrideB = 0, const uint32_t = 0) {
    batch(gm.GetPhyAddr(0), false, enAtomic,
          {batchA_, batchB_, matrixStrideA, matrixStrideB, enPartialSum});
  }
  template <bool sync = true, bool waitIterateBatch = false>
  BELAY_API void
  IterateNBatch(const uint32_t batchLoop, uint32_t batchA, uint32_t batchB,
                bool, const uint32_t matrixStrideA = 0,
                const uint32_t matrixStrideB = 0, const uint32_t = 0) {
    belay::sim::MatmulState first = state_;
    uint64_t result = batchElements(batchA, batchB);
    for (uint32_t i = 0; i < batchLoop; ++i) {
      state_.A.Data = static_cast<const PrimT<SrcAT> *>(first.A.Data) +
                      uint64_t(i) * state_.AAxes.D * batchA;
      state_.B.Data = static_cast<const PrimT<SrcBT> *>(first.B.Data) +
                      uint64_t(i) * state_.BAxes.D * batchB;
      batch(static_cast<PrimT<DstT> *>(state_.Workspace) + i * result, false, 0,
            {batchA, batchB, matrixStrideA, matrixStrideB, false});
    }
    state_.A.Data = first.A.Data;
    state_.B.Data = first.B.Data;
    state_.Fetched = 0;
  }
  template <bool sync = true>
  BELAY_API GlobalTensor<DstT> GetBatchTensorC(uint32_t batchA, uint32_t batchB,
                                               bool = false) {
    GlobalTensor<DstT> gm;
    gm.SetGlobalBuffer(static_cast<__gm__ PrimT<DstT> *>(state_.Workspace) +
                       state_.Fetched++ * batchElements(batchA, batchB));
    return gm;
  }
  template <bool sync = true>
  BELAY_API void GetBatchTensorC(const LocalTensor<DstT> &c, uint32_t batchA,
                                 uint32_t batchB, bool = false) {
    DataCopy(c, GetBatchTensorC(batchA, batchB),
             static_cast<uint32_t>(batchElements(batchA, batchB)));
  }

  BELAY_API void End() { belay_sim_cube_matmul_reset(&state_); }

  belay::sim::MatmulState state_;

private:
  template <class M>
  BELAY_API void setOperand(belay::sim::MatrixOperand &o, const void *data,
                            bool transposed) {
    if constexpr (!M::isTrans)
      if (transposed)
        belay_sim_fail("tiling-mismatch",
                       "a matrix is set transposed, but its MatmulType does "
                       "not allow that",
                       "set the ISTRANS parameter of its MatmulType to true");
    o.Data = data;
    o.Transposed = transposed;
    o.IsScalar = false;
    restart();
  }
  template <typename T>
  BELAY_API void setScalar(belay::sim::MatrixOperand &o, T value) {
    o.IsScalar = true;
    o.ScalarBits = belay_detail::bitsOfValue(value);
    restart();
  }
  /// New operands start a new product; a block that waits stays for partial
  /// sums.
  BELAY_API void restart() { state_.Next = 0; }

  static constexpr belay::sim::AtomicOp atomicOf(uint8_t mode) {
    using belay::sim::AtomicOp;
    return mode == 1   ? AtomicOp::Add
           : mode == 2 ? AtomicOp::Max
           : mode == 3 ? AtomicOp::Min
                       : AtomicOp::None;
  }
  template <bool sync>
  BELAY_API void get(void *dst, bool local, uint8_t atomic, bool sequential) {
    if constexpr (!sync)
      belay_sim_cube_matmul_iterate(&state_, false, nullptr);
    belay::sim::MatmulTarget t = {dst, local, sequential, atomicOf(atomic)};
    belay_sim_cube_matmul_get(&state_, &t);
  }
  /// Where all steps go to one place, parts of K would overwrite each other.
  BELAY_API static void refuseParts() {
    if constexpr (config.isPartialOutput)
      belay_sim_fail("unsupported-api",
                     "this Matmul object has isPartialOutput, and computes all "
                     "blocks by one call",
                     "call Iterate and GetTensorC");
  }
  BELAY_API void all(void *dst, bool local, uint8_t atomic, bool sequential) {
    refuseParts();
    belay::sim::MatmulTarget t = {dst, local, sequential, atomicOf(atomic)};
    belay_sim_cube_matmul_all(&state_, &t);
  }
  BELAY_API void batch(void *dst, bool local, uint8_t atomic,
                       const belay::sim::MatmulBatch &b) {
    refuseParts();
    belay::sim::MatmulTarget t = {dst, local, false, atomicOf(atomic)};
    belay_sim_cube_matmul_batch(&state_, &b, &t);
  }
  BELAY_API uint64_t batchElements(uint32_t batchA, uint32_t batchB) const {
    return uint64_t(batchA > batchB ? batchA : batchB) * state_.SingleM *
           state_.SingleN;
  }

  uint32_t batchA_ = 1, batchB_ = 1;
  uint8_t subBlock_ = 0;
};

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE,
          const auto &MM_CFG = CFG_NORM, class MM_CB = MatmulCallBackFunc<>,
          template <const auto &, typename...> class POLICY =
              Impl::Detail::MatmulPolicy>
using Matmul =
    MatmulImpl<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB, POLICY>;

namespace belay_detail {
// REGIST_MATMUL_OBJ(pipe, workspace, object, tiling, object, tiling, ...), or
// one object alone.
template <class M> BELAY_API void registerMatmul(TPipe *, M &) {}
template <class M, class T, class... Rest>
BELAY_API void registerMatmul(TPipe *pipe, M &m, T *tiling, Rest &&...rest) {
  // Without a tiling the sizes are those that the configuration knows.
  m.Init(tiling, pipe);
  if constexpr (sizeof...(Rest) > 0)
    registerMatmul(pipe, rest...);
}
template <class M, class... Rest>
BELAY_API void registerMatmul(TPipe *pipe, M &m, const TCubeTiling &tiling,
                              Rest &&...rest) {
  registerMatmul(pipe, m, &tiling, rest...);
}
/// Whether the cube core runs the kernel itself instead of serving.
template <class M, class... Rest>
constexpr bool dualMaster(const M &, const Rest &...) {
  return M::config.enableMixDualMaster;
}
} // namespace belay_detail

} // namespace AscendC

namespace matmul = AscendC;

// In a mixed kernel the cube core serves the objects until all vector cores
// have ended, then returns: the rest of the function is not for it.
#ifdef ASCENDC_CUBE_ONLY
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...)                               \
  AscendC::belay_detail::registerMatmul(tpipe, __VA_ARGS__)
#else
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...)                               \
  if (belay_sim_matmul_serves() &&                                             \
      !AscendC::belay_detail::dualMaster(__VA_ARGS__))                         \
    return;                                                                    \
  AscendC::belay_detail::registerMatmul(tpipe, __VA_ARGS__)
#endif
#define REGIST_MATMUL_OBJ_STATIC REGIST_MATMUL_OBJ
#define REGIST_CUBE_OBJ REGIST_MATMUL_OBJ

#endif // BELAY_ASCENDC_LIB_MATMUL_MATMUL_H
