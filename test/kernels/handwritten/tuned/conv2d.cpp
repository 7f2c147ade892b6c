// Convolution of images x[image][channel][h][W] by 3 x 3 filters
// f[tap][output][channel], with one row and column of padding and a stride of
// 1, to y[image][output][h][W]. The vector cores deal channels in sixteens
// first, so that the cube core unrolls windows on the way to L0A: each pixel
// comes to L1 once for each two rows of the output, not once for each tap. What
// it computes has pixels for rows, and the vector cores transpose it back. The
// bias is where sums begin.
#include "../lines.h"

constexpr int64_t W = 64, C = 64, O = 64, Taps = 9, Lines2 = 2, M = Lines2 * W;
constexpr int64_t Groups = C / 16, OutGroups = O / 16, K = C * Taps, Step = 96;
constexpr int64_t Run = 1024, Slots = 2;
constexpr uint16_t Full = 0, Empty = 1;

/// Sixteen rows of `repeats` times 16 columns, as columns, or the reverse.
__aicore__ inline void Transpose16(const LocalTensor<half> &to, int64_t toRow,
                                   int64_t toStep,
                                   const LocalTensor<half> &from,
                                   int64_t fromRow, int64_t fromStep,
                                   int64_t repeats) {
  LocalTensor<half> dst[16], src[16];
  for (int64_t i = 0; i < 16; ++i) {
    src[i] = from[i * fromRow];
    dst[i] = to[i * toRow];
  }
  TransDataTo5HDParams params;
  params.repeatTimes = repeats;
  params.srcRepStride = repeats > 1 ? fromStep / 16 : 0;
  params.dstRepStride = repeats > 1 ? toStep / 16 : 0;
  TransDataTo5HD<half>(dst, src, params);
}

/// The vector cores' part: `dealt` is [image][channel / 16][h * W][16].
class Vector {
public:
  __aicore__ inline Vector() {
    pipe.InitBuffer(in, 2, Run * 16 * sizeof(half));
    pipe.InitBuffer(out, 2, Run * 16 * sizeof(half));
  }
  __aicore__ inline void Deal(const GlobalTensor<half> &dealt,
                              const GlobalTensor<half> &x, int64_t images,
                              int64_t pixels) {
    const int64_t runs = (pixels + Run - 1) / Run;
    const int64_t tiles = images * Groups * runs;
    for (int64_t t = GetBlockIdx(); t < tiles;
         t += GetBlockNum() * GetTaskRation()) {
      const int64_t group = t / runs, first = t % runs * Run;
      const int64_t some = pixels - first < Run ? pixels - first : Run;
      auto loading = in.AllocTensor<half>();
      InRows(loading, x, group * 16 * pixels + first, 16, some, pixels, some);
      in.EnQue(loading);
      auto rows = in.DeQue<half>();
      auto made = out.AllocTensor<half>();
      Transpose16(made, 16, 256, rows, some, 16, some / 16);
      out.EnQue(made);
      in.FreeTensor(rows);
      auto saving = out.DeQue<half>();
      Out(dealt, saving, (group * pixels + first) * 16, some * 16);
      out.FreeTensor(saving);
    }
  }
  /// A slot is [output / 16][pixel][16]; each core has half of its outputs.
  __aicore__ inline void Collect(const GlobalTensor<half> &y,
                                 const GlobalTensor<half> &slot, int64_t at,
                                 int64_t count, int64_t pixels) {
    constexpr int64_t mine = OutGroups / 2;
    const int64_t begin = GetSubBlockIdx() * mine;
    auto loading = in.AllocTensor<half>();
    In(loading, slot, begin * count * 16, mine * count * 16);
    in.EnQue(loading);
    auto t = in.DeQue<half>();
    auto made = out.AllocTensor<half>();
    for (int64_t g = 0; g < mine; ++g)
      Transpose16(made[g * 16 * count], count, 16, t[g * 16 * count], 16, 256,
                  count / 16);
    out.EnQue(made);
    in.FreeTensor(t);
    auto saving = out.DeQue<half>();
    OutRows(y, saving, at + begin * 16 * pixels, mine * 16, count, pixels,
            count);
    out.FreeTensor(saving);
  }

private:
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
};

class Cube {
public:
  __aicore__ inline Cube(GM_ADDR fAt, GM_ADDR biasAt) {
    pipe.InitBuffer(inL1, 2, (Lines2 + 2) * W * C * sizeof(half));
    pipe.InitBuffer(inF, 1, K * O * sizeof(half));
    pipe.InitBuffer(inBias, 1, O * sizeof(float));
    pipe.InitBuffer(table, 1, O * sizeof(float));
    pipe.InitBuffer(inA, 2, M * Step * sizeof(half));
    pipe.InitBuffer(inB, 2, O * Step * sizeof(half));
    pipe.InitBuffer(sums, 2, M * O * sizeof(float));
    // Filters as [channel / 16][tap][output][16], which is L0B's order.
    auto f = Global<half>(fAt, Taps * O * C);
    filters = inF.AllocTensor<half>();
    DataCopy(filters, f,
             Nd2NzParams(Taps, O, C, O * C, C, Taps * O, 1, O * 16));
    inF.EnQue(filters);
    filters = inF.DeQue<half>();
    auto row = inBias.AllocTensor<float>();
    DataCopyPad(row, Global<float>(biasAt, O), {1, O * 4, 0, 0, 0},
                {false, 0, 0, 0});
    inBias.EnQue(row);
    row = inBias.DeQue<float>();
    bias = table.AllocTensor<float>();
    DataCopy(bias, row, DataCopyParams(1, O / 16, 0, 0));
    table.EnQue(bias);
    inBias.FreeTensor(row);
    bias = table.DeQue<float>();
  }
  __aicore__ inline void Finish() {
    inF.FreeTensor(filters);
    table.FreeTensor(bias);
  }
  __aicore__ inline void Tile(const GlobalTensor<half> &slot,
                              const GlobalTensor<half> &image, int64_t row,
                              int64_t rows, int64_t h) {
    const int64_t above = row > 0, below = row + rows < h;
    const int64_t count = rows * W, lines = rows + above + below;
    auto loading = inL1.AllocTensor<half>();
    DataCopy(loading, image[(row - above) * W * 16],
             DataCopyParams(Groups, lines * W, (h - lines) * W, 0));
    inL1.EnQue(loading);
    auto map = inL1.DeQue<half>();
    auto c = sums.AllocTensor<float>();
    const uint8_t pads[4] = {1, 1, uint8_t(1 - above), uint8_t(1 - below)};
    for (int64_t k = 0; k < K; k += Step) {
      auto left = inA.AllocTensor<half>();
      LoadData(left, map,
               LoadData3DParamsV2<half>(pads, lines, W, C, Step, count, k, 0, 1,
                                        1, 3, 3, 1, 1, false, false, half(0)));
      inA.EnQue(left);
      auto right = inB.AllocTensor<half>();
      LoadData(right, filters[k * O],
               LoadData2DParams(0, Step / 16 * OutGroups, 1, 0, 0, false, 0));
      inB.EnQue(right);
      left = inA.DeQue<half>();
      right = inB.DeQue<half>();
      MmadParams params;
      params.m = count;
      params.n = O;
      params.k = Step;
      params.cmatrixInitVal = false;
      if (k == 0)
        Mmad(c, left, right, bias, params);
      else
        Mmad(c, left, right, params);
      inA.FreeTensor(left);
      inB.FreeTensor(right);
    }
    inL1.FreeTensor(map);
    sums.EnQue(c);
    c = sums.DeQue<float>();
    FixpipeParamsV220 out(O, count, count, count, false);
    out.quantPre = QuantMode_t::F322F16;
    Fixpipe<half, float, CFG_NZ>(slot, c, out);
    sums.FreeTensor(c);
  }

private:
  TPipe pipe;
  TQue<TPosition::A1, 2> inL1;
  TQue<TPosition::B1, 1> inF;
  TQue<TPosition::C1, 1> inBias;
  TQue<TPosition::C2, 1> table;
  TQue<TPosition::A2, 2> inA;
  TQue<TPosition::B2, 2> inB;
  TQue<TPosition::CO1, 2> sums;
  LocalTensor<half> filters;
  LocalTensor<float> bias;
};

/// This block's tiles of two rows, and the slot of each.
template <typename F>
__aicore__ inline int64_t Tiles(int64_t images, int64_t h, F f) {
  const int64_t block = GetBlockIdx() / GetTaskRation();
  const int64_t parts = (h + Lines2 - 1) / Lines2;
  int64_t done = 0;
  for (int64_t t = block; t < images * parts; t += GetBlockNum(), ++done) {
    const int64_t row = t % parts * Lines2;
    f(t / parts, row, h - row < Lines2 ? h - row : Lines2,
      (block * Slots + done % Slots) * M * O, done);
  }
  return done;
}

extern "C" __global__ __aicore__ void conv2d(GM_ADDR xAt, GM_ADDR fAt,
                                             GM_ADDR biasAt, GM_ADDR yAt,
                                             int64_t images, int64_t h,
                                             GM_ADDR workspace) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  const int64_t pixels = h * W, room = images * C * pixels;
  auto dealt = Global<half>(workspace, room);
  auto slots = Global<half>(workspace + room * sizeof(half),
                            GetBlockNum() * Slots * M * O);
  if ASCEND_IS_AIC {
    Cube cube(fAt, biasAt);
    SyncAll<false>();
    const int64_t done =
        Tiles(images, h,
              [&](int64_t image, int64_t row, int64_t rows, int64_t slot,
                  int64_t before) {
                if (before >= Slots)
                  CrossCoreWaitFlag<2, PIPE_FIX>(Empty);
                cube.Tile(slots[slot], dealt[image * C * pixels], row, rows, h);
                CrossCoreSetFlag<2, PIPE_FIX>(Full);
              });
    for (int64_t i = 0; i < (done < Slots ? done : Slots); ++i)
      CrossCoreWaitFlag<2, PIPE_FIX>(Empty);
    cube.Finish();
  }
  if ASCEND_IS_AIV {
    auto x = Global<half>(xAt, room),
         y = Global<half>(yAt, images * O * pixels);
    Vector vector;
    vector.Deal(dealt, x, images, pixels);
    SyncAll<false>();
    Tiles(images, h,
          [&](int64_t image, int64_t row, int64_t rows, int64_t slot, int64_t) {
            CrossCoreWaitFlag<2, PIPE_MTE2>(Full);
            vector.Collect(y, slots[slot], image * O * pixels + row * W,
                           rows * W, pixels);
            CrossCoreSetFlag<2, PIPE_MTE2>(Empty);
          });
  }
}
