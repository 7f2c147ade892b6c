// Every way out of L0C.
#include "simple_product.h"

using namespace AscendC;

struct Way {
  uint32_t layout; // 0 NZ, 1 ND, 2 DN (950)
  uint32_t mode;   // QuantMode_t
  uint32_t relu, split, toL1, unitFlag, registers;
  uint32_t srcStep; // rows of fractals between two ND matrices, 0: one matrix
};

/// NZ results in L1 are written to GM as they lie.
template <typename Out>
__aicore__ inline void dump(const GlobalTensor<Out> &gm,
                            const LocalTensor<Out> &l1, uint32_t bytes) {
  SetFlag<HardEvent::FIX_MTE3>(0);
  WaitFlag<HardEvent::FIX_MTE3>(0);
  DataCopy(gm, l1, bytes / sizeof(Out));
}

template <const FixpipeConfig &config, typename Out, typename Acc, typename Dst>
__aicore__ inline void fixpipe(const Dst &dst, const LocalTensor<Acc> &c,
                               const LocalTensor<uint64_t> &quant, uint32_t m,
                               uint32_t n, uint64_t scalar, const Way &way) {
  FixpipeParamsV220 p;
  p.nSize = n;
  p.mSize = m;
  p.srcStride = up(m, 16);
  if (config.format == CO2Layout::NZ) {
    uint32_t columns = way.split ? 8 : sizeof(Out) == 1 ? 32 : 16;
    p.dstStride = up(m, 16) * columns * sizeof(Out) / 32;
  } else
    p.dstStride = n;
  p.quantPre = static_cast<QuantMode_t>(way.mode);
  p.deqScalar = scalar;
  p.reluEn = way.relu;
  p.isChannelSplit = way.split;
  p.unitFlag = way.unitFlag;
  if (way.srcStep) { // two halves of the rows as two matrices
    p.mSize = way.srcStep * 16;
    p.ndNum = 2;
    p.srcNdStride = way.srcStep * (__NPU_ARCH__ == 3510 ? 16 : 1);
    p.dstNdStride = way.srcStep * 16 * n;
  }
  bool vector = p.quantPre == VDEQF16 || p.quantPre == VQF322B8_PRE ||
                p.quantPre == VREQ8;
  if (vector)
    Fixpipe<Out, Acc, config>(dst, c, quant, p);
  else
    Fixpipe<Out, Acc, config>(dst, c, p);
}

/// The same through DataCopy and the registers.
template <typename Out, typename Acc, typename Dst>
__aicore__ inline void byRegisters(const Dst &dst, const LocalTensor<Acc> &c,
                                   const LocalTensor<uint64_t> &table,
                                   uint32_t m, uint32_t n, uint64_t scalar,
                                   const Way &way) {
  SetFixpipeNz2ndFlag(1, 0, 0);
  SetFixpipePreQuantFlag(scalar);
  SetFixPipeConfig(table);
  PipeBarrier<PIPE_FIX>();
  bool nd = way.layout == 1;
  uint32_t columns = sizeof(Out) == 1 ? 32 : 16;
  DataCopyCO12DstParams p(n, m, nd ? n : up(m, 16) * columns * sizeof(Out) / 32,
                          up(m, 16), static_cast<QuantMode_t>(way.mode),
                          way.relu, false, nd);
  DataCopy(dst, c, p);
}

template <typename T, typename Acc, typename Out>
__global__ __aicore__ void
out(GM_ADDR a, GM_ADDR b, GM_ADDR quant, GM_ADDR c, uint32_t m, uint32_t n,
    uint32_t k, uint32_t layout, uint32_t mode, uint32_t relu, uint32_t split,
    uint32_t toL1, uint32_t unitFlag, uint32_t registers, uint32_t srcStep,
    uint32_t atomic) {
  TPipe pipe;
  Way way = {layout, mode, relu, split, toL1, unitFlag, registers, srcStep};
  SimpleProduct<T, Acc> product;
  LocalTensor<Acc> acc = product.run(pipe, a, b, m, n, k, unitFlag ? 3 : 0);
  GlobalTensor<Out> gm;
  gm.SetGlobalBuffer((__gm__ Out *)c);
  GlobalTensor<uint64_t> words;
  words.SetGlobalBuffer((__gm__ uint64_t *)quant);
  TBuf<TPosition::C1> l1;
  TBuf<TPosition::C2PIPE2GM> table;
  TBuf<TPosition::A1> result;
  uint32_t bytes = up(m, 16) * up(n, 32) * sizeof(Out);
  pipe.InitBuffer(l1, up(n, 16) * 8);
  pipe.InitBuffer(table, up(n, 16) * 8);
  pipe.InitBuffer(result, bytes);
  LocalTensor<uint64_t> scales = l1.Get<uint64_t>();
  DataCopy(scales, words, up(n, 16));
  SetFlag<HardEvent::MTE2_FIX>(0);
  WaitFlag<HardEvent::MTE2_FIX>(0);
  LocalTensor<uint64_t> inTable = table.Get<uint64_t>();
  DataCopy(inTable, scales, {1, (uint16_t)(up(n, 16) * 8 / 128), 0, 0});
  PipeBarrier<PIPE_FIX>();
  uint64_t scalar = words.GetValue(0);
  if (atomic)
    SetAtomicAdd<Out>();
  if (registers)
    byRegisters<Out, Acc>(gm, acc, inTable, m, n, scalar, way);
  else if (toL1) {
    LocalTensor<Out> l1Result = result.Get<Out>();
    fixpipe<CFG_NZ, Out, Acc>(l1Result, acc, scales, m, n, scalar, way);
    dump(gm, l1Result, bytes);
  } else if (layout == 1)
    fixpipe<CFG_ROW_MAJOR, Out, Acc>(gm, acc, scales, m, n, scalar, way);
  else
    fixpipe<CFG_NZ, Out, Acc>(gm, acc, scales, m, n, scalar, way);
  SetAtomicNone();
}

#if __NPU_ARCH__ == 3510
/// 950: column-major results, and results in the UB of both vector cores.
constexpr FixpipeConfig ToUbNd = {CO2Layout::ROW_MAJOR, true};
constexpr FixpipeConfig ToUbNz = {CO2Layout::NZ, true};

__global__ __aicore__ void out_950(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t m,
                                   uint32_t n, uint32_t k, uint32_t way) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  TPipe pipe;
  GlobalTensor<float> gm;
  gm.SetGlobalBuffer((__gm__ float *)c);
  uint32_t share = way == 1 ? m / 2 * n : m * n / 2;
  if ASCEND_IS_AIC {
    SimpleProduct<::half, float> product;
    LocalTensor<float> acc = product.run(pipe, a, b, m, n, k);
    if (way == 0) {
      FixpipeParamsArch3510<CO2Layout::COLUMN_MAJOR> p(n, m, up(m, 16), m);
      Fixpipe<float, float, CFG_COLUMN_MAJOR>(gm, acc, p);
      return;
    }
    LocalTensor<float> ub(TPosition::VECIN, 0, m * n);
    if (way == 1) { // the rows shared, ND
      FixpipeParamsArch3510<CO2Layout::ROW_MAJOR> p(n, m, up(m, 16), n);
      p.dualDstCtl = 1;
      Fixpipe<float, float, ToUbNd>(ub, acc, p);
    } else { // the columns shared, NZ
      FixpipeParamsArch3510<CO2Layout::NZ> p(n, m, up(m, 16), m * 16);
      p.dualDstCtl = 2;
      Fixpipe<float, float, ToUbNz>(ub, acc, p);
    }
    CrossCoreSetFlag<2, PIPE_FIX>(1);
  }
  if ASCEND_IS_AIV {
    if (way == 0)
      return;
    CrossCoreWaitFlag<2, PIPE_MTE3>(1);
    LocalTensor<float> ub(TPosition::VECIN, 0, share);
    DataCopy(gm[GetSubBlockIdx() * share], ub, share);
  }
}
#endif

#if __NPU_ARCH__ == 2002
/// 310P has no fixpipe.
__global__ __aicore__ void fixpipe_310p(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
  TPipe pipe;
  SimpleProduct<::half, float> product;
  LocalTensor<float> acc = product.run(pipe, a, b, 16, 16, 16);
  GlobalTensor<float> gm;
  gm.SetGlobalBuffer((__gm__ float *)c);
  Fixpipe(gm, acc, FixpipeParamsV220(16, 16, 16, 16, false)); // no such unit
}

/// 310P: L0C to UB to GM.
template <typename T, typename Acc, typename Out>
__global__ __aicore__ void
out_310p(GM_ADDR a, GM_ADDR b, GM_ADDR quant, GM_ADDR c, uint32_t m, uint32_t n,
         uint32_t k, uint32_t mode, uint32_t relu, uint32_t store) {
  TPipe pipe;
  SimpleProduct<T, Acc> product;
  LocalTensor<Acc> acc = product.run(pipe, a, b, m, n, k);
  SetFlag<HardEvent::M_V>(0);
  WaitFlag<HardEvent::M_V>(0);
  TBuf<TPosition::VECCALC> ub, words;
  uint32_t fractals = up(m, 16) * up(n, 16) / 256;
  uint32_t bytes =
      fractals * 256 * (sizeof(Out) == 1 && store != 2 ? 2 : sizeof(Out));
  pipe.InitBuffer(ub, bytes);
  pipe.InitBuffer(words, up(n, 16) * 8);
  GlobalTensor<uint64_t> quantGm;
  quantGm.SetGlobalBuffer((__gm__ uint64_t *)quant);
  LocalTensor<uint64_t> scales = words.Get<uint64_t>();
  DataCopy(scales, quantGm, up(n, 16));
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  LocalTensor<Out> result = ub.Get<Out>();
  DataCopyParams p;
  p.blockCount = up(n, 16) / 16; // one column of fractals each
  p.blockLen = up(m, 16) / 16;
  DataCopyEnhancedParams e;
  e.blockMode = BlockMode::BLOCK_MODE_MATRIX;
  e.deqScale = static_cast<DeqScale>(mode);
  e.deqValue = quantGm.GetValue(0);
  e.deqTensorAddr = scales.GetPhyAddr();
  e.sidStoreMode = store;
  e.isRelu = relu;
  DataCopy(result, acc, p, e);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  GlobalTensor<Out> gm;
  gm.SetGlobalBuffer((__gm__ Out *)c);
  DataCopy(gm, result, bytes / sizeof(Out));
}
#endif
