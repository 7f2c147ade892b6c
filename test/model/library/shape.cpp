// Reductions, broadcasts, pads, transposes, selections and sequences.
#include "common.h"

template <typename T>
__global__ __aicore__ void fold(GM_ADDR xGm, GM_ADDR yGm, uint32_t outer,
                                uint32_t inner, uint32_t n, uint32_t op,
                                uint32_t withTmp) {
  using AR = Pattern::Reduce::AR;
  using RA = Pattern::Reduce::RA;
  Desk desk;
  auto x = desk.load<T>(xGm, outer * inner);
  uint32_t results = op % 2 && op > 3 ? n : outer;
  auto y = desk.take<T>(results);
  auto tmp = desk.take<uint8_t>(1024);
  PipeBarrier<PIPE_ALL>();
  uint32_t shape[] = {outer, n};
  SumParams sum{outer, inner, n};
  MeanParams mean{outer, inner, n};
#define FOLD(Index, Name)                                                      \
  case Index:                                                                  \
    withTmp ? Name<T, AR>(y, x, tmp, shape, true)                              \
            : Name<T, AR>(y, x, shape, true);                                  \
    break;                                                                     \
  case Index + 1:                                                              \
    withTmp ? Name<T, RA>(y, x, tmp, shape, true)                              \
            : Name<T, RA>(y, x, shape, true);                                  \
    break;
  switch (op) {
  case 0:
    withTmp ? Sum<T>(y, x, tmp, sum) : Sum<T>(y, x, sum);
    break;
  case 2:
    withTmp ? Mean<T>(y, x, tmp, mean) : Mean<T, float>(y, x, mean);
    break;
    FOLD(4, ReduceSum)
    FOLD(6, ReduceMean)
    FOLD(8, ReduceMax)
    FOLD(10, ReduceMin)
    FOLD(12, ReduceProd)
    FOLD(14, ReduceAny)
    FOLD(16, ReduceAll)
  }
  desk.store(yGm, y, results);
}

__global__ __aicore__ void xor_sum(GM_ADDR xGm, GM_ADDR yGm, GM_ADDR zGm,
                                   uint32_t n, uint32_t withTmp) {
  Desk desk;
  auto x = desk.load<int16_t>(xGm, n), y = desk.load<int16_t>(yGm, n);
  auto z = desk.take<int16_t>(16);
  auto tmp = desk.take<uint8_t>(1024);
  PipeBarrier<PIPE_ALL>();
  withTmp ? ReduceXorSum<int16_t>(z, x, y, tmp, n)
          : ReduceXorSum<int16_t>(z, x, y, n);
  desk.store(zGm, z, 1);
}

template <typename T>
__global__ __aicore__ void broadcast(GM_ADDR xGm, GM_ADDR yGm, uint32_t rows,
                                     uint32_t columns, uint32_t form) {
  Desk desk;
  uint32_t whole = form == 3 ? rows * columns * 2 : rows * columns;
  uint32_t srcRows = form == 0 ? 1 : rows, srcColumns = form == 1 ? 1 : columns;
  uint32_t srcSize = form == 2 ? 1 : srcRows * srcColumns;
  auto x = desk.load<T>(xGm, srcSize);
  auto y = desk.take<T>(whole);
  auto tmp = desk.take<uint8_t>(1024);
  PipeBarrier<PIPE_ALL>();
  uint32_t dst[] = {rows, columns}, src[] = {srcRows, srcColumns};
  if (form == 0)
    Broadcast<T, 2, 0>(y, x, dst, src);
  else if (form == 1)
    BroadCast<T, 2, 1>(y, x, dst, src, tmp);
  else if (form == 2) {
    uint32_t all[] = {rows * columns}, one[] = {1};
    Broadcast<T, 1, 0>(y, x, all, one);
  } else {
    uint32_t to[] = {rows, 2, columns}, from[] = {rows, 1, columns};
    BroadcastTiling tiling;
    GetBroadcastTilingInfo<T>(3, to, from, false, tiling);
    Broadcast<T>(y, x, to, from, &tiling);
  }
  desk.store(yGm, y, whole);
}

template <typename T>
__global__ __aicore__ void pad(GM_ADDR xGm, GM_ADDR yGm, uint32_t height,
                               uint32_t width, uint32_t left, uint32_t right,
                               uint32_t form) {
  Desk desk;
  uint32_t aligned = (width * sizeof(T) + 31) / 32 * 32 / sizeof(T);
  uint32_t result = form < 2 ? aligned : width - right;
  auto x = desk.load<T>(xGm, height * width);
  auto y = desk.take<T>(height * aligned);
  auto tmp = desk.take<uint8_t>(1024);
  PipeBarrier<PIPE_ALL>();
  PadTiling pad;
  pad.srcHeight = height;
  pad.srcWidth = width;
  UnPadTiling unpad;
  unpad.srcHeight = height;
  unpad.srcWidth = width;
  PadParams add{static_cast<uint16_t>(left), static_cast<uint16_t>(right), 321};
  UnPadParams take{0, static_cast<uint16_t>(right)};
  if (form == 0)
    Pad<T>(y, x, add, pad);
  else if (form == 1)
    Pad<T>(y, x, add, tmp, pad);
  else if (form == 2)
    UnPad<T>(y, x, take, unpad);
  else
    UnPad<T>(y, x, take, tmp, unpad);
  desk.store(yGm, y, height * result);
}

/// The shape goes where the host's tiling puts it for each kind.
template <typename T>
__global__ __aicore__ void transpose(GM_ADDR xGm, GM_ADDR yGm, uint32_t b,
                                     uint32_t n, uint32_t s, uint32_t d,
                                     uint32_t size, uint32_t kind) {
  Desk desk;
  auto x = desk.load<T>(xGm, size);
  auto y = desk.take<T>(size);
  auto tmp = desk.take<uint8_t>(1024);
  Duplicate(y, T(0), size);
  PipeBarrier<PIPE_ALL>();
  ConfusionTransposeTiling t;
  t.param1 = b;
  t.param2 = n;
  t.param3 = d;
  t.param4 = s;
  t.param6 = s / 16;
  t.param9 = s;
  if (kind == 7) {
    t.param1 = n;
    t.param2 = s;
  } else if (kind > 12) {
    t.param0 = b;
    t.param1 = n;
    t.param2 = s;
  }
  auto type = static_cast<TransposeType>(kind);
  if (kind % 2)
    ConfusionTranspose<T>(y, x, tmp, type, t);
  else
    Transpose<T>(y, x, type, t);
  desk.store(yGm, y, size);
}

template <typename T>
__global__ __aicore__ void dropout(GM_ADDR xGm, GM_ADDR maskGm, GM_ADDR yGm,
                                   uint32_t rows, uint32_t columns,
                                   uint32_t maskColumns, uint32_t form) {
  Desk desk;
  auto x = desk.load<T>(xGm, rows * columns);
  auto mask = desk.load<uint8_t>(maskGm, rows * maskColumns);
  auto y = desk.take<T>(rows * columns);
  auto tmp = desk.take<uint8_t>(1024);
  DropOutShapeInfo info;
  info.firstAxis = rows;
  info.srcLastAxis = columns;
  info.maskLastAxis = maskColumns;
  PipeBarrier<PIPE_ALL>();
  if (form == 0)
    DropOut<T>(y, x, mask, 0.5f, info);
  else if (form == 1)
    DropOut<T, false, 1>(y, x, mask, tmp, 0.5f, info);
  else
    DropOut<T, false, 4>(y, x, mask, tmp, 0.5f, info);
  desk.store(yGm, y, rows * columns);
}

template <typename T, typename M>
__global__ __aicore__ void select(GM_ADDR xGm, GM_ADDR maskGm, GM_ADDR yGm,
                                  uint32_t rows, uint32_t columns,
                                  uint32_t maskColumns, uint32_t form) {
  Desk desk;
  auto x = desk.load<T>(xGm, rows * columns);
  auto mask = desk.load<M>(maskGm, rows * maskColumns);
  auto y = desk.take<T>(rows * columns);
  auto tmp = desk.take<uint8_t>(1024);
  SelectWithBytesMaskShapeInfo info;
  info.firstAxis = rows;
  info.srcLastAxis = columns;
  info.maskLastAxis = maskColumns;
  PipeBarrier<PIPE_ALL>();
  if (form == 0)
    Select<T, M>(y, x, T(-5), mask, tmp, info);
  else
    SelectWithBytesMask<T, M>(y, T(-5), x, mask, tmp, info);
  desk.store(yGm, y, rows * columns);
}

template <typename T>
__global__ __aicore__ void topk(GM_ADDR xGm, GM_ADDR indexGm, GM_ADDR finishGm,
                                GM_ADDR valueGm, GM_ADDR outGm, uint32_t outer,
                                uint32_t inner, uint32_t n, uint32_t k,
                                uint32_t stride, uint32_t form) {
  Desk desk;
  auto x = desk.load<T>(xGm, outer * inner);
  auto index = desk.load<int32_t>(indexGm, outer * inner);
  auto finish = desk.load<bool>(finishGm, outer);
  auto value = desk.load<T>(valueGm, outer * stride);
  auto out = desk.load<int32_t>(outGm, outer * stride);
  auto tmp = desk.take<uint8_t>(1024);
  TopkTiling tiling;
  TopKInfo info;
  info.outter = outer;
  info.inner = inner;
  info.n = n;
  PipeBarrier<PIPE_ALL>();
  switch (form) {
  case 0:
    TopK<T>(value, out, x, index, finish, k, tiling, info);
    break;
  case 1:
    TopK<T, true, true>(value, out, x, index, finish, tmp, k, tiling, info,
                        false);
    break;
  case 2:
    TopK<T, true, false, false, TopKMode::TOPK_NSMALL>(
        value, out, x, index, finish, tmp, k, tiling, info, true);
    break;
  }
  desk.store(valueGm, value, outer * stride);
  desk.store(outGm, out, outer * stride);
}

template <typename T>
__global__ __aicore__ void arange(GM_ADDR yGm, uint32_t n, float first,
                                  float step, uint32_t form) {
  Desk desk;
  auto y = desk.take<T>(n);
  if (form == 0)
    ArithProgression<T>(y, static_cast<T>(first), static_cast<T>(step), n);
  else
    Arange<T>(y, static_cast<T>(first), static_cast<T>(step), n);
  desk.store(yGm, y, n);
}

template <typename T>
__global__ __aicore__ void fill(GM_ADDR yGm, uint32_t n, uint32_t form) {
  GlobalTensor<T> y;
  y.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(yGm), n);
  if (form == 0)
    Fill<T>(y, n - 3, T(7));
  else if (form == 1)
    InitGlobalMemory<T>(y, n - 3, T(7));
  else
    InitOutput<T>(y, n - 3);
}

template <typename T>
__global__ __aicore__ void philox(GM_ADDR yGm, uint32_t rows, uint32_t columns,
                                  uint32_t stride, uint32_t rounds) {
  Desk desk;
  auto y = desk.take<T>(rows * columns);
  PhiloxKey key = {0x12345678, 0x9abcdef0};
  PhiloxCounter counter = {5, 0, 0, 7};
  if (rounds == 7)
    PhiloxRandom(y, key, counter, static_cast<uint16_t>(rows * columns));
  else
    PhiloxRandom<10>(y, key, counter,
                     PhiloxRandomParams{stride, rows, columns});
  desk.store(yGm, y, rows * columns);
}

constexpr TransDataConfig TO_5D = {DataFormat::NCDHW, DataFormat::NDC1HWC0};
constexpr TransDataConfig FROM_5D = {DataFormat::NDC1HWC0, DataFormat::NCDHW};
constexpr TransDataConfig TO_Z = {DataFormat::NCDHW, DataFormat::FRACTAL_Z_3D};
constexpr TransDataConfig FROM_Z = {DataFormat::FRACTAL_Z_3D,
                                    DataFormat::NCDHW};
template <typename T>
__global__ __aicore__ void transdata(GM_ADDR xGm, GM_ADDR yGm, uint32_t inSize,
                                     uint32_t outSize, int32_t n, int32_t c,
                                     int32_t d, int32_t h, int32_t w,
                                     uint32_t form) {
  Desk desk;
  auto x = desk.load<T>(xGm, inSize);
  auto y = desk.take<T>(outSize);
  auto tmp = desk.take<uint8_t>(1024);
  Duplicate(y, T(0), outSize);
  PipeBarrier<PIPE_ALL>();
  int32_t c1 = (c + 15) / 16, n1 = (n + 15) / 16;
  Layout flat = MakeLayout(MakeShape(n, c, d, h, w), MakeStride());
  Layout five = MakeLayout(MakeShape(n, d, c1, h, w, 16), MakeStride());
  Layout z = MakeLayout(MakeShape(d, c1, h, w, n1, 16, 16), MakeStride());
  TransDataParams<decltype(flat), decltype(five)> to5{flat, five};
  TransDataParams<decltype(five), decltype(flat)> from5{five, flat};
  TransDataParams<decltype(flat), decltype(z)> toZ{flat, z};
  TransDataParams<decltype(z), decltype(flat)> fromZ{z, flat};
  if (form == 0)
    TransData<TO_5D>(y, x, tmp, to5);
  else if (form == 1)
    TransData<FROM_5D>(y, x, from5);
  else if (form == 2)
    TransData<TO_Z>(y, x, toZ);
  else
    TransData<FROM_Z>(y, x, tmp, fromZ);
  desk.store(yGm, y, outSize);
}
