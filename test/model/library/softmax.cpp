// Softmax and its relatives on [rows, columns] of which `valid` columns count.
#include "common.h"

constexpr SoftmaxConfig PACKED = {false, 0, 0,
                                  SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC};
constexpr uint32_t HALF_BLOCK = 16, FLOAT_BLOCK = 8;

/// What a kernel with a tensor of statistics would hold.
template <typename T, typename S> struct Tensors {
  LocalTensor<T> x, y, expMax;
  LocalTensor<S> sum, max, inSum, inMax;
  LocalTensor<uint8_t> tmp;
};

template <typename T, typename S>
__aicore__ void forward(uint32_t op, Tensors<T, S> &t, SoftMaxTiling tiling,
                        SoftMaxShapeInfo shape) {
  switch (op) {
  case 0:
    return SoftMax<T>(t.y, t.sum, t.max, t.x, tiling, shape);
  case 1:
    return SoftMax<T>(t.y, t.sum, t.max, t.x, t.tmp, tiling, shape);
  case 2:
    return SoftMax<T, false, false, true>(t.y, t.sum, t.max, t.x, t.tmp, tiling,
                                          shape);
  case 3:
    return SimpleSoftMax<T>(t.y, t.inSum, t.inMax, t.x, tiling, shape);
  case 4:
    return SimpleSoftMax<T>(t.y, t.inSum, t.inMax, t.x, t.tmp, tiling, shape);
  case 5:
    return SoftmaxFlash<T>(t.y, t.sum, t.max, t.x, t.expMax, t.inSum, t.inMax,
                           tiling, false, shape);
  case 6:
    return SoftmaxFlash<T>(t.y, t.sum, t.max, t.x, t.expMax, t.inSum, t.inMax,
                           t.tmp, tiling, true, shape);
  case 7:
    return SoftmaxFlashV2<T>(t.y, t.sum, t.max, t.x, t.expMax, t.inSum, t.inMax,
                             tiling, shape);
  case 8:
    return SoftmaxFlashV2<T, true>(t.y, t.sum, t.max, t.x, t.expMax, t.inSum,
                                   t.inMax, t.tmp, tiling, shape);
  // In place, and the statistics over those before them.
  case 9:
    SoftmaxFlashV2<T, true>(t.x, t.inSum, t.inMax, t.x, t.expMax, t.inSum,
                            t.inMax, tiling, shape);
    t.y = t.x;
    t.sum = t.inSum;
    t.max = t.inMax;
    return;
  }
  if constexpr (std::is_same_v<T, S>)
    switch (op) {
    case 10:
      return SoftMax<T>(t.y, t.x, tiling, shape);
    case 11:
      return SoftMax<T>(t.y, t.x, t.tmp, tiling, shape);
    case 12: {
      LogSoftMaxTiling log;
      return LogSoftMax<T>(t.y, t.sum, t.max, t.x, t.tmp, log, shape);
    }
    case 13: // the shape is the tensor's
    {
      uint32_t padded[] = {shape.srcM, shape.srcK};
      uint32_t real[] = {shape.oriSrcM, shape.oriSrcK};
      t.x.SetShapeInfo(ShapeInfo(2, padded, 2, real, DataFormat::ND));
      return SoftMax<T>(t.y, t.sum, t.max, t.x, tiling);
    }
    case 14: // one number per row
      return SoftmaxFlashV2<T, true, false, false, false, PACKED>(
          t.y, t.sum, t.max, t.x, t.expMax, t.inSum, t.inMax, tiling, shape);
    case 15: // the shape is that of a tiling made in the kernel
      return SoftmaxFlashV2<T, true>(
          t.y, t.sum, t.max, t.x, t.expMax, t.inSum, t.inMax, t.tmp,
          SoftMaxFlashV2TilingFunc(shape, sizeof(T), sizeof(S), 1024, true));
    }
}

template <typename T, typename S>
__global__ __aicore__ void
softmax(GM_ADDR xGm, GM_ADDR inSumGm, GM_ADDR inMaxGm, GM_ADDR yGm,
        GM_ADDR sumGm, GM_ADDR maxGm, GM_ADDR expMaxGm, uint32_t rows,
        uint32_t columns, uint32_t valid, uint32_t op) {
  Desk desk;
  uint32_t stats = rows * 32 / sizeof(S), tStats = rows * 32 / sizeof(T);
  Tensors<T, S> t;
  t.x = desk.load<T>(xGm, rows * columns);
  t.inSum = desk.load<S>(inSumGm, stats);
  t.inMax = desk.load<S>(inMaxGm, stats);
  t.y = desk.take<T>(rows * columns);
  t.sum = desk.load<S>(sumGm, stats);
  t.max = desk.load<S>(maxGm, stats);
  t.expMax = desk.load<T>(expMaxGm, tStats);
  t.tmp = desk.take<uint8_t>(1024);
  PipeBarrier<PIPE_ALL>();
  forward<T, S>(op, t, {}, {rows, columns, rows, valid});
  desk.store(yGm, t.y, rows * columns);
  desk.store(sumGm, t.sum, stats);
  desk.store(maxGm, t.max, stats);
  desk.store(expMaxGm, t.expMax, tStats);
}

template <typename T>
__global__ __aicore__ void grad(GM_ADDR gradGm, GM_ADDR srcGm, GM_ADDR yGm,
                                uint32_t rows, uint32_t columns, uint32_t valid,
                                uint32_t op) {
  Desk desk;
  auto g = desk.load<T>(gradGm, rows * columns);
  auto s = desk.load<T>(srcGm, rows * columns);
  auto y = desk.take<T>(rows * columns);
  auto tmp = desk.take<uint8_t>(1024);
  PipeBarrier<PIPE_ALL>();
  SoftMaxTiling tiling;
  SoftMaxShapeInfo shape{rows, columns, rows, valid};
  if (op == 0)
    SoftmaxGrad<T>(y, g, s, tiling, false, shape);
  else if (op == 1)
    SoftmaxGrad<T>(y, g, s, tmp, tiling, true, shape);
  else if (op == 2)
    SoftmaxGradFront<T>(y, g, s, tiling, shape);
  else
    SoftmaxGradFront<T>(y, g, s, tmp, tiling, shape);
  desk.store(yGm, y, op == 0 ? rows * columns : rows * 32 / sizeof(T));
}

template <typename T>
__global__ __aicore__ void adjust(GM_ADDR resGm, GM_ADDR maxGm, GM_ADDR foundGm,
                                  uint32_t rows, uint32_t columns,
                                  uint32_t from, float to) {
  Desk desk;
  auto res = desk.load<T>(resGm, rows * columns);
  auto max = desk.load<float>(maxGm, rows * FLOAT_BLOCK);
  auto found = desk.take<uint32_t>(8);
  PipeBarrier<PIPE_ALL>();
  SoftMaxShapeInfo shape{rows, columns, rows, columns};
  bool any =
      AdjustSoftMaxRes<T, float>(res, max, from, static_cast<T>(to), shape);
  found.SetValue(0, any);
  desk.store(resGm, res, rows * columns);
  desk.store(foundGm, found, 1);
}

/// The shifted form: half data, float statistics.
__global__ __aicore__ void pasa(GM_ADDR xGm, GM_ADDR inMeanGm, GM_ADDR inSumGm,
                                GM_ADDR inMaxGm, GM_ADDR yGm, GM_ADDR meanGm,
                                GM_ADDR sumGm, GM_ADDR maxGm, GM_ADDR expMaxGm,
                                uint32_t rows, uint32_t columns,
                                uint32_t loopCount, uint32_t update) {
  Desk desk;
  uint32_t stats = rows * FLOAT_BLOCK;
  auto x = desk.load<half>(xGm, rows * columns);
  auto inMean = desk.load<float>(inMeanGm, stats);
  auto inSum = desk.load<float>(inSumGm, stats);
  auto inMax = desk.load<float>(inMaxGm, stats);
  auto y = desk.take<half>(rows * columns);
  auto mean = desk.take<float>(stats), sum = desk.take<float>(stats),
       max = desk.take<float>(stats);
  auto expMax = desk.take<half>(rows * HALF_BLOCK);
  Duplicate(expMax, half(7), rows * HALF_BLOCK);
  auto tmp = desk.take<uint8_t>(1024);
  PipeBarrier<PIPE_ALL>();
  SoftMaxTiling tiling;
  SoftMaxParams params{rows, columns, rows, columns, loopCount, 8, 0.9375f};
  if (update)
    SoftmaxFlashV3<half, float, true>(y, mean, sum, max, x, expMax, inMean,
                                      inSum, inMax, tmp, tiling, params);
  else
    SoftmaxFlashV3<half, float>(y, mean, sum, max, x, expMax, inMean, inSum,
                                inMax, tiling, params);
  desk.store(yGm, y, rows * columns);
  desk.store(meanGm, mean, stats);
  desk.store(sumGm, sum, stats);
  desk.store(maxGm, max, stats);
  desk.store(expMaxGm, expMax, rows * HALF_BLOCK);
}
