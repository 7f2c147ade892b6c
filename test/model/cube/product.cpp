// C = A x B (+ bias), by hand: GM -> L1 -> L0 -> L0C -> GM, with every way that
// each architecture has to bring A and B into L0.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t TransposedA = 1; // A is given as [k][m]
constexpr uint32_t TransposedB = 2; // B is given as [n][k]
constexpr uint32_t WithBias = 4;
constexpr uint32_t WithRelu = 8;
constexpr uint32_t ByImage = 16;     // LoadData 3D instead of 2D
constexpr uint32_t ByTranspose = 32; // LoadDataWithTranspose
constexpr uint32_t Hf32 = 64;
constexpr uint32_t Hf32Zero = 128;

struct Sizes {
  uint32_t m, n, k, baseK, flags;
};

__aicore__ inline uint32_t up(uint32_t a, uint32_t b) {
  return (a + b - 1) / b * b;
}

template <typename T, typename Acc, typename Out> class Product {
  static constexpr uint32_t C0 = 32 / sizeof(T);
  static constexpr uint32_t Fractal = 16 * C0;
  /// Rows of a square that LoadDataWithTranspose transposes.
  static constexpr uint32_t Side = C0 > 16 ? C0 : 16;

public:
  __aicore__ inline void init(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c,
                              const Sizes &shape) {
    s = shape;
    aGm.SetGlobalBuffer((__gm__ T *)a);
    bGm.SetGlobalBuffer((__gm__ T *)b);
    biasGm.SetGlobalBuffer((__gm__ Acc *)bias);
    cGm.SetGlobalBuffer((__gm__ Out *)c);
    mUp = up(s.m, Side);
    nUp = up(s.n, Side);
    kUp = up(s.k, Side);
    pipe.InitBuffer(a1, 1, mUp * kUp * sizeof(T));
    pipe.InitBuffer(b1, 1, kUp * nUp * sizeof(T));
    pipe.InitBuffer(a2, 1, mUp * up(s.baseK, Side) * sizeof(T));
    pipe.InitBuffer(b2, 1, up(s.baseK, Side) * nUp * sizeof(T));
    pipe.InitBuffer(co1, 1, up(s.m, 16) * up(s.n, 16) * sizeof(Acc));
    if (s.flags & WithBias) {
      pipe.InitBuffer(c1, 1, up(s.n, 16) * sizeof(Acc));
      pipe.InitBuffer(c2, 1, up(s.n, 16) * sizeof(Acc));
    }
  }

  __aicore__ inline void run() {
    copyIn();
    LocalTensor<T> a = a1.template DeQue<T>(), b = b1.template DeQue<T>();
    LocalTensor<Acc> c = co1.template AllocTensor<Acc>();
    LocalTensor<Acc> bias;
    if (s.flags & WithBias)
      bias = loadBias();
    if (s.flags & Hf32) {
      SetHF32Mode(true);
      SetHF32TransMode((s.flags & Hf32Zero) ? HF32TransMode::NEAREST_ZERO
                                            : HF32TransMode::NEAREST_EVEN);
    }
    for (uint32_t k = 0; k < s.k; k += s.baseK) {
      uint32_t depth = s.k - k < s.baseK ? s.k - k : s.baseK;
      LocalTensor<T> left = a2.template AllocTensor<T>();
      LocalTensor<T> right = b2.template AllocTensor<T>();
      loadLeft(left, a, k, depth);
      loadRight(right, b, k, depth);
      a2.EnQue(left);
      b2.EnQue(right);
      left = a2.template DeQue<T>();
      right = b2.template DeQue<T>();
      MmadParams p;
      p.m = s.m;
      // Transposed squares of bytes are 32 wide: the cube must step over them
      // all.
      p.n = turned() && sizeof(T) == 1 ? nUp : s.n;
      p.k = depth;
      p.cmatrixInitVal = k == 0 && !(s.flags & WithBias);
      p.kDirectionAlign = sizeof(T) == 4 && (s.flags & TransposedA);
      if (k == 0 && (s.flags & WithBias))
        Mmad(c, left, right, bias, p);
      else
        Mmad(c, left, right, p);
      a2.FreeTensor(left);
      b2.FreeTensor(right);
    }
    SetHF32Mode(HF32Mode::DISABLE);
    if (s.flags & WithBias)
      c2.FreeTensor(bias);
    a1.FreeTensor(a);
    b1.FreeTensor(b);
    co1.EnQue(c);
    copyOut();
  }

private:
  __aicore__ inline bool turned() const {
    return (s.flags & ByTranspose) && !(s.flags & TransposedB);
  }

  /// Rows x columns of an ND matrix as NZ, rows rounded up to `tall`. With
  /// `rowsFirst`, as ZZ: sixteen rows at a time.
  __aicore__ inline void nd2nz(const LocalTensor<T> &dst,
                               const GlobalTensor<T> &src, uint32_t rows,
                               uint32_t columns, uint32_t tall,
                               bool rowsFirst) {
    Nd2NzParams p;
    p.ndNum = 1;
    p.nValue = rows;
    p.dValue = columns;
    p.srcDValue = columns;
    p.dstNzC0Stride = tall;
    p.dstNzNStride = 1;
    if (!rowsFirst) {
      DataCopy(dst, src, p);
      return;
    }
    p.dstNzC0Stride = 16;
    for (uint32_t r = 0; r < rows; r += 16) {
      p.nValue = rows - r < 16 ? rows - r : 16;
      DataCopy(dst[r * up(columns, Side)], src[r * columns], p);
    }
  }

  __aicore__ inline void copyIn() {
    LocalTensor<T> a = a1.template AllocTensor<T>();
    LocalTensor<T> b = b1.template AllocTensor<T>();
    bool zz = sizeof(T) == 4 && (s.flags & ByTranspose);
    if (s.flags & TransposedA)
      nd2nz(a, aGm, s.k, s.m, kUp, zz);
    else
      nd2nz(a, aGm, s.m, s.k, up(s.m, 16), false);
    if (s.flags & TransposedB)
      nd2nz(b, bGm, s.n, s.k, up(s.n, 16), false);
    else
      nd2nz(b, bGm, s.k, s.n, kUp, zz);
    a1.EnQue(a);
    b1.EnQue(b);
  }

  __aicore__ inline LocalTensor<Acc> loadBias() {
    LocalTensor<Acc> l1 = c1.template AllocTensor<Acc>();
    DataCopy(l1, biasGm, up(s.n, 8));
    c1.EnQue(l1);
    l1 = c1.template DeQue<Acc>();
    LocalTensor<Acc> table = c2.template AllocTensor<Acc>();
    uint32_t unit = __NPU_ARCH__ == 3510 ? 32 : 64;
    DataCopy(table, l1,
             {1, (uint16_t)(up(s.n, 16) * sizeof(Acc) / unit), 0, 0});
    c2.EnQue(table);
    c1.FreeTensor(l1);
    return c2.template DeQue<Acc>();
  }

  __aicore__ inline void image(const LocalTensor<T> &dst,
                               const LocalTensor<T> &src, uint32_t rows,
                               uint32_t columns, uint32_t row, uint32_t column,
                               uint32_t takeRows, uint32_t takeColumns,
                               bool transpose) {
    LoadData3DParamsV2<T> p;
    p.l1H = 1;
    p.l1W = rows;
    p.channelSize = columns;
    p.mStartPt = row;
    p.kStartPt = column;
    p.mExtension = takeRows;
    p.kExtension = takeColumns;
    p.enTranspose = transpose;
#if __NPU_ARCH__ == 3510
    SetLoadDataRepeatWithStride(
        {0, 1, 0, (uint16_t)((transpose ? takeColumns : takeRows) / 16)});
    LoadDataWithStride(dst, src, p);
#else
    LoadData(dst, src, p);
#endif
  }

  __aicore__ inline void loadLeft(const LocalTensor<T> &dst,
                                  const LocalTensor<T> &src, uint32_t k,
                                  uint32_t depth) {
    uint32_t m1 = up(s.m, 16) / 16, k1 = up(depth, C0) / C0;
    if (s.flags & ByImage) {
      if (s.flags & TransposedA)
        image(dst, src, kUp, up(s.m, C0), k, 0, up(depth, Side), up(s.m, 16),
              true);
      else
        image(dst, src, m1 * 16, up(s.k, C0), 0, k, m1 * 16, up(depth, C0),
              false);
      return;
    }
    if (s.flags & TransposedA) {
      loadLeftTransposed(dst, src, k, depth);
      return;
    }
#if __NPU_ARCH__ == 3510
    LoadData(dst, src, LoadData2DParamsV2(0, k / C0, m1, k1, m1, m1, false, 0));
#else
    for (uint32_t m = 0; m < m1; ++m)
      LoadData(dst[m * k1 * Fractal], src[k / C0 * m1 * Fractal],
               LoadData2DParams(m, k1, m1, 0, 0, false, 0));
#endif
  }

  __aicore__ inline void loadLeftTransposed(const LocalTensor<T> &dst,
                                            const LocalTensor<T> &src,
                                            uint32_t k, uint32_t depth) {
    uint32_t m1 = up(s.m, 16) / 16, k1 = up(depth, C0) / C0;
    uint32_t tall = kUp / 16; // fractals down a column of L1
#if __NPU_ARCH__ == 3510
    LoadData(dst, src,
             LoadData2DParamsV2(k / 16, 0, up(depth, Side) / 16,
                                up(s.m, Side) / C0, tall, up(s.m, Side) / 16,
                                true, 0));
#else
    uint32_t squaresK = up(depth, Side) / Side, per = Side * Side / Fractal;
    if constexpr (sizeof(T) == 4) {
      // ZZ in L1: squares lie side by side; k runs down.
      uint32_t squaresM = up(s.m, 16) / 16;
      for (uint32_t m = 0; m < squaresM; ++m)
        LoadDataWithTranspose(
            dst[m * squaresK * 2 * Fractal],
            src[(k / 16 * squaresM + m) * 2 * Fractal],
            LoadData2dTransposeParams(0, squaresK, squaresM, 1, 0));
    } else if constexpr (sizeof(T) == 2) {
      for (uint32_t m = 0; m < m1; ++m)
        LoadData(dst[m * k1 * Fractal], src[(m * tall + k / 16) * Fractal],
                 LoadData2DParams(0, k1, 1, 0, 0, true, 0));
    } else {
      for (uint32_t m = 0; m < up(s.m, Side) / Side; ++m)
        LoadDataWithTranspose(
            dst[m * per * k1 * Fractal], src[(m * tall + k / 16) * Fractal],
            LoadData2dTransposeParams(0, squaresK, 1, 0, k1 - 1));
    }
#endif
  }

  __aicore__ inline void loadRight(const LocalTensor<T> &dst,
                                   const LocalTensor<T> &src, uint32_t k,
                                   uint32_t depth) {
    uint32_t n1 = up(s.n, 16) / 16, k1 = up(depth, C0) / C0;
    if (s.flags & TransposedB) {
#if __NPU_ARCH__ == 3510
      LoadData(dst, src,
               LoadData2DParamsV2(0, k / C0, n1, k1, n1, n1, false, 0));
#else
      LoadData(dst, src,
               LoadData2DParams(k / C0 * n1, k1 * n1, 1, 0, 0, false, 0));
#endif
      return;
    }
    if (s.flags & ByImage) {
      image(dst, src, kUp, up(s.n, C0), k, 0, up(depth, 16), up(s.n, 16), true);
      return;
    }
    loadRightTransposed(dst, src, k, depth);
  }

  __aicore__ inline void loadRightTransposed(const LocalTensor<T> &dst,
                                             const LocalTensor<T> &src,
                                             uint32_t k, uint32_t depth) {
    uint32_t tall = kUp / 16;
#if __NPU_ARCH__ == 3510
    LoadData(dst, src,
             LoadData2DParamsV2(k / 16, 0, up(depth, Side) / 16,
                                up(s.n, Side) / C0, tall, up(s.n, 16) / 16,
                                true, 0));
#else
    uint32_t squares = up(depth, Side) / Side, per = Side * Side / Fractal;
    uint32_t wide = up(s.n, Side) / Side;
    for (uint32_t q = 0; q < squares; ++q) {
      if constexpr (sizeof(T) == 2)
        LoadData(dst[q * wide * Fractal], src[(k / 16 + q) * Fractal],
                 LoadData2DParams(0, wide, tall, 0, 0, true, 0));
      else if constexpr (sizeof(T) == 4)
        // ZZ in L1. One transposed square is two fractals of k above each
        // other.
        LoadDataWithTranspose(
            dst[q * 2 * wide * Fractal], src[(k / 16 + q) * wide * 2 * Fractal],
            LoadData2dTransposeParams(0, wide, 1, 0, wide - 1));
      else
        LoadDataWithTranspose(
            dst[q * wide * per * Fractal], src[(k / 16 + q * per) * Fractal],
            LoadData2dTransposeParams(0, wide, tall / per, 1, 0));
    }
#endif
  }

  __aicore__ inline void copyOut() {
    LocalTensor<Acc> c = co1.template DeQue<Acc>();
    FixpipeParamsV220 p;
    p.nSize = s.n;
    p.mSize = s.m;
    p.srcStride = up(s.m, 16);
    p.dstStride = s.n;
    p.reluEn = s.flags & WithRelu;
    if constexpr (std::is_same_v<Out, half>)
      p.quantPre = QuantMode_t::F322F16;
    if constexpr (std::is_same_v<Out, bfloat16_t>)
      p.quantPre = QuantMode_t::F322BF16;
    Fixpipe<Out, Acc, CFG_ROW_MAJOR>(cGm, c, p);
    co1.FreeTensor(c);
  }

  TPipe pipe;
  TQue<TPosition::A1, 1> a1;
  TQue<TPosition::B1, 1> b1;
  TQue<TPosition::C1, 1> c1;
  TQue<TPosition::A2, 1> a2;
  TQue<TPosition::B2, 1> b2;
  TQue<TPosition::C2, 1> c2;
  TQue<TPosition::CO1, 1> co1;
  GlobalTensor<T> aGm, bGm;
  GlobalTensor<Acc> biasGm;
  GlobalTensor<Out> cGm;
  Sizes s;
  uint32_t mUp, nUp, kUp;
};

template <typename T, typename Acc, typename Out>
__global__ __aicore__ void product(GM_ADDR a, GM_ADDR b, GM_ADDR bias,
                                   GM_ADDR c, uint32_t m, uint32_t n,
                                   uint32_t k, uint32_t baseK, uint32_t flags) {
  Product<T, Acc, Out> op;
  op.init(a, b, bias, c, {m, n, k, baseK, flags});
  op.run();
}
