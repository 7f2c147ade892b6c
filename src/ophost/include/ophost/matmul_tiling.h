//===- matmul_tiling.h - Tiling of the Matmul routine -----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPHOST_MATMUL_TILING_H
#define BELAY_OPHOST_MATMUL_TILING_H

// Included by library_tiling.h.

#include "ophost/matmul_split.h"

namespace matmul_tiling {

enum class DataType : int32_t {
#define BELAY_ELEMENT_GE(Id, Name, Number) DT_##Name = Number,
#include "belay/elements.def"
  DT_BFLOAT16 = 1033
};
enum class TPosition : int32_t {
  GM,
  A1,
  A2,
  B1,
  B2,
  C1,
  C2,
  CO1,
  CO2,
  VECIN,
  VECOUT,
  VECCALC,
  LCM = VECCALC,
  SPM,
  SHM = SPM,
  TSCM,
  MAX
};
enum class CubeFormat : int32_t {
  ND = 0,
  NZ,
  ZN,
  ZZ,
  NN,
  ND_ALIGN,
  SCALAR,
  VECTOR,
  ROW_MAJOR = ND,
  COLUMN_MAJOR = 8
};
enum class MatrixTraverse : int32_t { NOSET = 0, FIRSTM = 1, FIRSTN = 2 };
enum class MatrixMadType : int32_t { NORMAL = 0, HF32 = 1, MXMODE = 2 };
enum class DequantType : int32_t { SCALAR = 0, TENSOR = 1 };
enum class ScheduleType : int32_t {
  INNER_PRODUCT = 0,
  OUTER_PRODUCT = 1,
  N_BUFFER_33 = 2
};
/// What the object of the kernel is configured for; of these the order counts.
struct MatmulConfigParams {
  int32_t mmConfigType;
  bool enableL1CacheUB;
  ScheduleType scheduleType;
  MatrixTraverse traverse;
  bool enVecND2NZ;
  explicit MatmulConfigParams(
      int32_t Type = 1, bool CacheUB = false,
      ScheduleType Schedule = ScheduleType::INNER_PRODUCT,
      MatrixTraverse Order = MatrixTraverse::NOSET, bool VecNd2Nz = false)
      : mmConfigType(Type), enableL1CacheUB(CacheUB), scheduleType(Schedule),
        traverse(Order), enVecND2NZ(VecNd2Nz) {}
};
struct SysTilingTempBufSize {
  int32_t ubSize = 0, l1Size = 0, l0cSize = 0;
};

/// Divides M x K times K x N into pieces that fit L0A, L0B and L0C, and among
/// cores.
class MatmulApiTiling {
public:
  MatmulApiTiling() = default;
  explicit MatmulApiTiling(const platform_ascendc::PlatformAscendC &) {}
  virtual ~MatmulApiTiling() = default;

  int32_t SetAType(TPosition, CubeFormat, DataType Type, bool Trans = false) {
    A = Type;
    TransA = Trans;
    return 0;
  }
  int32_t SetBType(TPosition, CubeFormat, DataType Type, bool Trans = false) {
    TransB = Trans;
    return 0;
  }
  int32_t SetCType(TPosition, CubeFormat, DataType) { return 0; }
  int32_t SetBiasType(TPosition, CubeFormat, DataType) { return 0; }
  int32_t SetShape(int32_t NewM, int32_t NewN, int32_t NewK) {
    SingleM = NewM;
    SingleN = NewN;
    SingleK = NewK;
    return 0;
  }
  int32_t SetSingleShape(int32_t NewM, int32_t NewN, int32_t NewK) {
    return SetShape(NewM, NewN, NewK);
  }
  int32_t SetOrgShape(int32_t NewM, int32_t NewN, int32_t NewK) {
    return SetOrgShape(NewM, NewN, NewK, NewK);
  }
  int32_t SetOrgShape(int32_t NewM, int32_t NewN, int32_t NewKa,
                      int32_t NewKb) {
    M = NewM;
    N = NewN;
    Ka = NewKa;
    Kb = NewKb;
    return 0;
  }
  int32_t EnableBias(bool On = false) {
    Bias = On;
    return 0;
  }
  int32_t SetBias(bool On = false) { return EnableBias(On); }
  int32_t SetFixSplit(int32_t NewM = -1, int32_t NewN = -1, int32_t NewK = -1) {
    FixM = NewM;
    FixN = NewN;
    FixK = NewK;
    return 0;
  }
  int32_t SetBufferSpace(int32_t = -1, int32_t = -1, int32_t = -1,
                         int32_t = -1) {
    return 0;
  }
  int32_t SetTraverse(MatrixTraverse T) {
    Traverse = T;
    return 0;
  }
  int32_t SetMadType(MatrixMadType) { return 0; }
  int32_t SetScaleAType(TPosition, CubeFormat, bool = false) { return 0; }
  int32_t SetScaleBType(TPosition, CubeFormat, bool = true) { return 0; }
  int32_t SetSparse(bool = false) { return 0; }
  void SetMatmulConfigParams(const MatmulConfigParams &P) {
    if (P.traverse != MatrixTraverse::NOSET)
      Traverse = P.traverse;
  }
  void
  SetMatmulConfigParams(int32_t Type = 1, bool CacheUB = false,
                        ScheduleType Schedule = ScheduleType::INNER_PRODUCT,
                        MatrixTraverse Order = MatrixTraverse::NOSET,
                        bool VecNd2Nz = false) {
    SetMatmulConfigParams(
        MatmulConfigParams(Type, CacheUB, Schedule, Order, VecNd2Nz));
  }
  /// The axes that the matrices of a batch lie in.
  int32_t SetALayout(int32_t B, int32_t S, int32_t N, int32_t G, int32_t D) {
    ALayout = {B, S, N, G, D};
    return 0;
  }
  int32_t SetBLayout(int32_t B, int32_t S, int32_t N, int32_t G, int32_t D) {
    BLayout = {B, S, N, G, D};
    return 0;
  }
  int32_t SetCLayout(int32_t B, int32_t S, int32_t N, int32_t G, int32_t D) {
    CLayout = {B, S, N, G, D};
    return 0;
  }
  int32_t SetBatchNum(int32_t New) {
    Batches = New;
    return 0;
  }
  int32_t SetBatchInfoForNormal(int32_t BatchA, int32_t BatchB, int32_t NewM,
                                int32_t NewN, int32_t NewK) {
    SetALayout(BatchA, NewM, 1, 1, NewK);
    SetBLayout(BatchB, NewN, 1, 1, NewK);
    SetCLayout(std::max(BatchA, BatchB), NewM, 1, 1, NewN);
    return 0;
  }
  int32_t SetDoubleBuffer(bool, bool, bool, bool, bool = true, bool = true) {
    return 0;
  }
  int32_t SetDequantType(DequantType) { return 0; }
  int32_t SetSplitRange(int32_t = -1, int32_t = -1, int32_t = -1, int32_t = -1,
                        int32_t = -1, int32_t = -1) {
    return 0;
  }
  int32_t GetBaseM() const { return BaseM; }
  int32_t GetBaseN() const { return BaseN; }
  int32_t GetBaseK() const { return BaseK; }

  virtual int64_t GetTiling(optiling::TCubeTiling &T) {
    return completeShapes() ? compute(T, 1, SingleM, SingleN, SingleK) : -1;
  }
  /// The structure as kernels have it: programs that launch them pass it on.
  /// (Host code of operators is C++17.)
  template <typename Plain,
            typename = std::enable_if_t<std::is_trivially_copyable_v<Plain>>>
  int64_t GetTiling(Plain &T) {
    optiling::TCubeTiling Fields;
    int64_t Result = GetTiling(Fields);
    Fields.SaveToBuffer(&T, sizeof(T));
    return Result;
  }

protected:
  static int32_t ceilTo(int32_t Value, int32_t Unit) {
    return (Value + Unit - 1) / Unit * Unit;
  }
  static int32_t ceilDiv(int32_t Value, int32_t Unit) {
    return Unit ? (Value + Unit - 1) / Unit : 0;
  }

  /// Bits of a factor: int4 has no whole byte.
  int32_t bitsOfFactor() const {
    return std::max(4, ge::belay_detail::bitsOf(static_cast<ge::DataType>(A)));
  }
  int32_t stepOfK() const { return 256 / bitsOfFactor(); }
  static belay_detail::Capacity capacity() {
    auto *P = belay_ophost_platform();
    // 16 x 16 sums of four bytes; 16 x 32 bytes of a factor, twice.
    return {std::max(1, int32_t(P->L0c / 1024)),
            std::max(1, int32_t(std::min(P->L0a, P->L0b) / 1024))};
  }
  belay_detail::Extents inFractals(int32_t OneM, int32_t OneN,
                                   int32_t OneK) const {
    return {ceilDiv(OneM, 16), ceilDiv(OneN, 16), ceilDiv(OneK, stepOfK())};
  }

  /// What the program fixes stays; the rest is as large as L0 allows.
  void choosePieces(int32_t OneM, int32_t OneN, int32_t OneK) {
    belay_detail::Extents One =
        inFractals(FixM > 0 ? FixM : OneM, FixN > 0 ? FixN : OneN, OneK);
    belay_detail::Extents P = belay_detail::pieceOf(One, capacity());
    BaseM = FixM > 0 ? FixM : P.M * 16;
    BaseN = FixN > 0 ? FixN : P.N * 16;
    BaseK = FixK > 0 ? FixK : P.K * stepOfK();
  }

  int64_t compute(optiling::TCubeTiling &T, int32_t Cores, int32_t OneM,
                  int32_t OneN, int32_t OneK) {
    choosePieces(OneM, OneN, OneK);
    T.set_usedCoreNum(Cores);
    T.set_M(M);
    T.set_N(N);
    T.set_Ka(Ka);
    T.set_Kb(Kb);
    T.set_singleCoreM(OneM);
    T.set_singleCoreN(OneN);
    T.set_singleCoreK(OneK);
    T.set_baseM(BaseM);
    T.set_baseN(BaseN);
    T.set_baseK(BaseK);
    T.set_depthA1(2);
    T.set_depthB1(2);
    T.set_stepM(1);
    T.set_stepN(1);
    T.set_stepKa(1);
    T.set_stepKb(1);
    T.set_isBias(Bias);
    T.set_iterateOrder(Traverse == MatrixTraverse::FIRSTN);
    T.set_dbL0A(2);
    T.set_dbL0B(2);
    T.set_dbL0C(1);
    T.set_batchM(1);
    T.set_batchN(1);
    T.set_singleBatchM(1);
    T.set_singleBatchN(1);
    T.set_BatchNum(Batches);
    setLayouts(T);
    return 0;
  }

  /// What is computed, of matrices that may be larger.
  bool completeShapes() {
    if (M <= 0 || N <= 0 || Ka <= 0)
      SetOrgShape(SingleM, SingleN, SingleK);
    if (SingleM <= 0 || SingleN <= 0 || SingleK <= 0)
      SetShape(M, N, Ka);
    return M > 0 && N > 0 && Ka > 0;
  }

  struct Layout {
    int32_t B = 0, S = 0, N = 0, G = 0, D = 0;
  };
  void setLayouts(optiling::TCubeTiling &T) const {
    T.set_ALayoutInfoB(ALayout.B);
    T.set_ALayoutInfoS(ALayout.S);
    T.set_ALayoutInfoN(ALayout.N);
    T.set_ALayoutInfoG(ALayout.G);
    T.set_ALayoutInfoD(ALayout.D);
    T.set_BLayoutInfoB(BLayout.B);
    T.set_BLayoutInfoS(BLayout.S);
    T.set_BLayoutInfoN(BLayout.N);
    T.set_BLayoutInfoG(BLayout.G);
    T.set_BLayoutInfoD(BLayout.D);
    T.set_CLayoutInfoB(CLayout.B);
    T.set_CLayoutInfoS1(CLayout.S);
    T.set_CLayoutInfoN(CLayout.N);
    T.set_CLayoutInfoG(CLayout.G);
    T.set_CLayoutInfoS2(CLayout.D);
  }

  DataType A = DataType::DT_FLOAT16;
  bool TransA = false, TransB = false, Bias = false;
  int32_t SingleM = 0, SingleN = 0, SingleK = 0;
  int32_t M = 0, N = 0, Ka = 0, Kb = 0;
  int32_t FixM = -1, FixN = -1, FixK = -1;
  int32_t BaseM = 0, BaseN = 0, BaseK = 0;
  MatrixTraverse Traverse = MatrixTraverse::FIRSTM;
  Layout ALayout, BLayout, CLayout;
  int32_t Batches = 0;
};

class MultiCoreMatmulTiling : public MatmulApiTiling {
public:
  using MatmulApiTiling::GetTiling;
  using MatmulApiTiling::MatmulApiTiling;
  int32_t SetDim(int32_t NewCores) {
    Cores = std::max(NewCores, 1);
    return 0;
  }
  int32_t SetSingleRange(int32_t = -1, int32_t = -1, int32_t = -1, int32_t = -1,
                         int32_t = -1, int32_t = -1) {
    return 0;
  }
  /// Of the last tiling.
  int32_t GetCoreNum(int32_t &Dim, int32_t &NumM, int32_t &NumN) {
    Dim = Used;
    NumM = Along.M;
    NumN = Along.N;
    return 0;
  }
  /// What each core computes; Belay divides the rest itself.
  int32_t SetSingleShape(int32_t NewM = -1, int32_t NewN = -1,
                         int32_t NewK = -1) {
    if (NewM > 0)
      OneM = NewM;
    if (NewN > 0)
      OneN = NewN;
    if (NewK > 0)
      OneK = NewK;
    return 0;
  }
  int32_t GetSingleShape(int32_t &M, int32_t &N, int32_t &K) {
    M = LastM;
    N = LastN;
    K = LastK;
    return 0;
  }
  /// Several cores add to the same part of C.
  void EnableMultiCoreSplitK(bool On) { SplitK = On; }
  void SetSplitK(bool On) { EnableMultiCoreSplitK(On); }
  int64_t GetTiling(optiling::TCubeTiling &T) override {
    if (!completeShapes())
      return -1;
    if (OneM > 0 || OneN > 0 || OneK > 0) {
      LastM = OneM > 0 ? OneM : SingleM;
      LastN = OneN > 0 ? OneN : SingleN;
      LastK = OneK > 0 ? OneK : SingleK;
      Along = {ceilDiv(SingleM, LastM), ceilDiv(SingleN, LastN), 1};
      return compute(T, Used = Cores, LastM, LastN, LastK);
    }
    belay_detail::Extents Product = inFractals(SingleM, SingleN, SingleK);
    Along = belay_detail::partsOf(Product, Cores, SplitK, TransA, !TransB,
                                  capacity());
    belay_detail::Extents One = belay_detail::partOf(Product, Along);
    LastM = std::min(One.M * 16, SingleM);
    LastN = std::min(One.N * 16, SingleN);
    LastK = std::min(One.K * stepOfK(), SingleK);
    return compute(T, Used = Along.cores(), LastM, LastN, LastK);
  }

private:
  int32_t Cores = 1;
  int32_t OneM = -1, OneN = -1, OneK = -1;
  bool SplitK = false;
  // of the last tiling
  belay_detail::Parts Along;
  int32_t Used = 1, LastM = 0, LastN = 0, LastK = 0;
};

/// Batches on one core; SetBatchInfoForNormal says how many.
class BatchMatmulTiling : public MatmulApiTiling {
public:
  using MatmulApiTiling::MatmulApiTiling;
  int32_t GetCoreNum(int32_t &Used, int32_t &NumM, int32_t &NumN,
                     int32_t &BatchM, int32_t &BatchN) {
    Used = NumM = NumN = BatchM = BatchN = 1;
    return 0;
  }
};

} // namespace matmul_tiling

#endif // BELAY_OPHOST_MATMUL_TILING_H
