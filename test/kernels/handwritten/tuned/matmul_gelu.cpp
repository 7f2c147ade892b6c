// gelu(a x b + bias) of halves. A tile of 128 x 256 fills L0C, and strips of a
// and b are copied while the one before is multiplied. The bias is where sums
// begin. The two vector cores of a block have half of a tile's rows each, and
// two slots of the workspace let the cube core run ahead.
#include "../lines.h"

constexpr int64_t M = 128, N = 256, Strip = 256, Step = 64, Piece = 32;
constexpr int64_t Slots = 2;
constexpr uint16_t Full = 0, Empty = 1;

__aicore__ inline int64_t Up(int64_t n, int64_t to) {
  return (n + to - 1) / to * to;
}

/// What the cube core has of a tile, and what multiplies it.
class Cube {
public:
  __aicore__ inline Cube(GM_ADDR aAt, GM_ADDR bAt, GM_ADDR biasAt, int64_t m,
                         int64_t n, int64_t k)
      : a(Global<half>(aAt, m * k)), b(Global<half>(bAt, k * n)),
        bias(Global<float>(biasAt, n)), width(n), depth(k) {
    pipe.InitBuffer(inL1, 2, (M + N) * Strip * sizeof(half));
    pipe.InitBuffer(inA, 2, M * Step * sizeof(half));
    pipe.InitBuffer(inB, 2, N * Step * sizeof(half));
    pipe.InitBuffer(inBias, 1, N * sizeof(float));
    pipe.InitBuffer(table, 1, N * sizeof(float));
    pipe.InitBuffer(sums, 1, M * N * sizeof(float));
  }
  __aicore__ inline void Tile(const GlobalTensor<float> &slot, int64_t row,
                              int64_t col, int64_t rows, int64_t cols) {
    auto first = Bias(col, cols);
    auto c = sums.AllocTensor<float>();
    for (int64_t k = 0; k < depth; k += Strip) {
      const int64_t deep = depth - k < Strip ? depth - k : Strip;
      auto loading = inL1.AllocTensor<half>();
      DataCopy(loading, a[row * depth + k],
               Nd2NzParams(1, rows, deep, 0, depth, Up(rows, 16), 1, 0));
      DataCopy(loading[M * Strip], b[k * width + col],
               Nd2NzParams(1, deep, cols, 0, width, Up(deep, 16), 1, 0));
      inL1.EnQue(loading);
      auto strip = inL1.DeQue<half>();
      for (int64_t s = 0; s < deep; s += Step)
        Multiply(c, first, strip, s, deep - s < Step ? deep - s : Step, rows,
                 cols, deep, k + s == 0);
      inL1.FreeTensor(strip);
    }
    table.FreeTensor(first);
    sums.EnQue(c);
    c = sums.DeQue<float>();
    Fixpipe(slot, c, FixpipeParamsV220(cols, rows, Up(rows, 16), N, false));
    sums.FreeTensor(c);
  }

private:
  __aicore__ inline LocalTensor<float> Bias(int64_t col, int64_t cols) {
    auto row = inBias.AllocTensor<float>();
    DataCopyPad(row, bias[col], {1, uint32_t(cols * 4), 0, 0, 0},
                {false, 0, 0, 0});
    inBias.EnQue(row);
    row = inBias.DeQue<float>();
    auto first = table.AllocTensor<float>();
    DataCopy(first, row, DataCopyParams(1, Up(cols, 16) / 16, 0, 0));
    table.EnQue(first);
    inBias.FreeTensor(row);
    return table.DeQue<float>();
  }
  __aicore__ inline void Multiply(const LocalTensor<float> &c,
                                  const LocalTensor<float> &first,
                                  const LocalTensor<half> &strip, int64_t s,
                                  int64_t now, int64_t rows, int64_t cols,
                                  int64_t deep, bool isFirst) {
    // Both as images of one column, so that one instruction takes a step.
    const uint8_t pads[4] = {0, 0, 0, 0};
    auto left = inA.AllocTensor<half>();
    LoadData(left, strip,
             LoadData3DParamsV2<half>(pads, Up(rows, 16), 1, Up(deep, 16),
                                      Up(now, 16), Up(rows, 16), s, 0, 1, 1, 1,
                                      1, 1, 1, false, false, half(0)));
    inA.EnQue(left);
    auto right = inB.AllocTensor<half>();
    LoadData(right, strip[M * Strip],
             LoadData3DParamsV2<half>(pads, Up(deep, 16), 1, Up(cols, 16),
                                      Up(cols, 16), Up(now, 16), 0, s, 1, 1, 1,
                                      1, 1, 1, true, false, half(0)));
    inB.EnQue(right);
    left = inA.DeQue<half>();
    right = inB.DeQue<half>();
    MmadParams params;
    params.m = rows;
    params.n = cols;
    params.k = now;
    params.cmatrixInitVal = false;
    if (isFirst)
      Mmad(c, left, right, first, params);
    else
      Mmad(c, left, right, params);
    if (rows * cols < 10 * 256)
      PipeBarrier<PIPE_M>();
    inA.FreeTensor(left);
    inB.FreeTensor(right);
  }

  TPipe pipe;
  TQue<TPosition::A1, 2> inL1;
  TQue<TPosition::A2, 2> inA;
  TQue<TPosition::B2, 2> inB;
  TQue<TPosition::C1, 1> inBias;
  TQue<TPosition::C2, 1> table;
  TQue<TPosition::CO1, 1> sums;
  GlobalTensor<half> a, b;
  GlobalTensor<float> bias;
  int64_t width, depth;
};

/// Half of a tile's rows, some at a time.
class Vector {
public:
  __aicore__ inline Vector() {
    pipe.InitBuffer(in, 2, Piece * N * sizeof(float));
    pipe.InitBuffer(out, 2, Piece * N * sizeof(half));
    pipe.InitBuffer(space, 2 * Piece * N * 4 + 8192);
  }
  __aicore__ inline void Tile(const GlobalTensor<half> &y,
                              const GlobalTensor<float> &slot, int64_t row,
                              int64_t col, int64_t rows, int64_t cols,
                              int64_t width) {
    const int64_t pitch = Up(cols, 16), begin = GetSubBlockIdx() * (M / 2);
    const int64_t end = rows < begin + M / 2 ? rows : begin + M / 2;
    auto scaled = space.GetWithOffset<float>(Piece * N, 0),
         erf = space.GetWithOffset<float>(Piece * N, Piece * N * 4);
    auto work = space.GetWithOffset<uint8_t>(8192, 2 * Piece * N * 4);
    for (int64_t r = begin; r < end; r += Piece) {
      const int64_t some = end - r < Piece ? end - r : Piece;
      const int64_t count = some * pitch;
      auto loading = in.AllocTensor<float>();
      InRows(loading, slot, r * N, some, cols, N, pitch);
      in.EnQue(loading);
      auto t = in.DeQue<float>();
      Muls(scaled, t, 0.70710678f, count);
      Then();
      Erf(erf, scaled, work, count);
      Muls(t, t, 0.5f, count);
      Then();
      Adds(erf, erf, 1.0f, count);
      Then();
      Mul(t, t, erf, count);
      Then();
      auto made = out.AllocTensor<half>();
      Cast(made, t, RoundMode::CAST_RINT, count);
      out.EnQue(made);
      in.FreeTensor(t);
      auto saving = out.DeQue<half>();
      OutRows(y, saving, (row + r) * width + col, some, cols, width, pitch);
      out.FreeTensor(saving);
    }
  }

private:
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  TBuf<TPosition::VECCALC> space;
};

/// This block's tiles, and the slot of each.
template <typename F>
__aicore__ inline int64_t Tiles(GM_ADDR workspace, int64_t m, int64_t n, F f) {
  const int64_t block = GetBlockIdx() / GetTaskRation();
  auto slots = Global<float>(workspace, (block + 1) * Slots * M * N);
  const int64_t wide = (n + N - 1) / N, tiles = (m + M - 1) / M * wide;
  int64_t done = 0;
  for (int64_t tile = block; tile < tiles; tile += GetBlockNum(), ++done) {
    const int64_t row = tile / wide * M, col = tile % wide * N;
    f(slots[(block * Slots + done % Slots) * M * N], row, col,
      m - row < M ? m - row : M, n - col < N ? n - col : N, done);
  }
  return done;
}

extern "C" __global__ __aicore__ void
matmul_gelu(GM_ADDR aAt, GM_ADDR bAt, GM_ADDR biasAt, GM_ADDR yAt, int64_t m,
            int64_t n, int64_t k, GM_ADDR workspace) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  if ASCEND_IS_AIC {
    Cube cube(aAt, bAt, biasAt, m, n, k);
    const int64_t done =
        Tiles(workspace, m, n,
              [&](const GlobalTensor<float> &slot, int64_t row, int64_t col,
                  int64_t rows, int64_t cols, int64_t before) {
                if (before >= Slots)
                  CrossCoreWaitFlag<2, PIPE_FIX>(Empty);
                cube.Tile(slot, row, col, rows, cols);
                CrossCoreSetFlag<2, PIPE_FIX>(Full);
              });
    for (int64_t i = 0; i < (done < Slots ? done : Slots); ++i)
      CrossCoreWaitFlag<2, PIPE_FIX>(Empty);
  }
  if ASCEND_IS_AIV {
    Vector vector;
    auto y = Global<half>(yAt, m * n);
    Tiles(workspace, m, n,
          [&](const GlobalTensor<float> &slot, int64_t row, int64_t col,
              int64_t rows, int64_t cols, int64_t) {
            CrossCoreWaitFlag<2, PIPE_MTE2>(Full);
            vector.Tile(y, slot, row, col, rows, cols, n);
            CrossCoreSetFlag<2, PIPE_MTE2>(Empty);
          });
  }
}
