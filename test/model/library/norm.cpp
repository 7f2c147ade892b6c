// Normalisations on [rows, columns] of which `valid` columns count. The tiling
// is filled in here as the host would: what the model reads of it is the shape.
#include "common.h"

constexpr LayerNormConfig PLAIN = {true, true, false, false};
constexpr NormalizeConfig BARE = {ReducePattern::AR, -1, true, true, true};
constexpr WelfordUpdateConfig IN_PLACE = {true};
constexpr WelfordFinalizeConfig CORRECTED = {true};

template <typename Tiling>
__aicore__ Tiling shapeOf(uint32_t rows, uint32_t columns, uint32_t valid) {
  Tiling t;
  t.bLength = 1;
  t.sLength = rows;
  t.hLength = columns;
  t.originalHLength = valid;
  return t;
}

/// LayerNorm, RmsNorm, DeepNorm, BatchNorm, GroupNorm.
template <typename T>
__global__ __aicore__ void norm(GM_ADDR xGm, GM_ADDR residualGm,
                                GM_ADDR gammaGm, GM_ADDR betaGm, GM_ADDR yGm,
                                GM_ADDR meanGm, GM_ADDR spreadGm, uint32_t rows,
                                uint32_t columns, uint32_t valid, uint32_t op) {
  Desk desk;
  constexpr uint32_t STATS = 64;
  uint32_t size = rows * columns, params = 64;
  auto x = desk.load<T>(xGm, size), g = desk.load<T>(residualGm, size);
  auto gamma = desk.load<T>(gammaGm, params),
       beta = desk.load<T>(betaGm, params);
  auto y = desk.take<T>(size);
  auto mean = desk.load<T>(meanGm, STATS),
       spread = desk.load<T>(spreadGm, STATS);
  auto tmp = desk.take<uint8_t>(1024);
  T eps = static_cast<T>(0.01f), alpha = static_cast<T>(1.5f);
  PipeBarrier<PIPE_ALL>();
  auto layer = shapeOf<LayerNormTiling>(rows, columns, valid);
  auto rms = shapeOf<RmsNormTiling>(rows, columns, valid);
  auto deep = shapeOf<DeepNormTiling>(rows, columns, valid);
  BatchNormTiling batch;
  batch.originalBLength = rows;
  batch.meanVarSize = columns;
  GroupNormTiling group; // [2, rows / 2, hw], two channels to a group
  group.n = 2;
  group.c = rows / 2;
  group.g = rows / 4;
  group.d = 2;
  group.hw = valid;
  group.hwAlignSize = columns;
  switch (op) {
  case 0:
    LayerNorm<T>(y, mean, spread, x, gamma, beta, eps, layer);
    break;
  case 1:
    LayerNorm<T, true>(y, mean, spread, x, gamma, beta, tmp, eps, layer);
    break;
  case 2:
    RmsNorm<T>(y, x, gamma, eps, rms);
    break;
  case 3:
    RmsNorm<T>(y, x, gamma, tmp, eps, rms);
    break;
  case 4:
    DeepNorm<T>(y, mean, spread, x, g, beta, gamma, alpha, eps, deep);
    break;
  case 5:
    DeepNorm<T>(y, mean, spread, x, g, beta, gamma, tmp, alpha, eps, deep);
    break;
  case 6:
    BatchNorm<T>(y, mean, spread, x, gamma, beta, eps, batch);
    break;
  case 7:
    BatchNorm<T>(y, mean, spread, x, gamma, beta, tmp, eps, batch);
    break;
  case 8:
    GroupNorm<T>(y, mean, spread, x, gamma, beta, eps, group);
    break;
  case 9:
    GroupNorm<T>(y, mean, spread, x, gamma, beta, tmp, eps, group);
    break;
  }
  desk.store(yGm, y, size);
  desk.store(meanGm, mean, STATS);
  desk.store(spreadGm, spread, STATS);
}

/// The forms with float statistics: LayerNorm on [A, R], and Normalize.
template <typename T, typename U>
__global__ __aicore__ void
separate(GM_ADDR xGm, GM_ADDR gammaGm, GM_ADDR betaGm, GM_ADDR yGm,
         GM_ADDR meanGm, GM_ADDR varGm, uint32_t rows, uint32_t columns,
         uint32_t valid, uint32_t op) {
  Desk desk;
  uint32_t size = rows * columns;
  auto x = desk.load<T>(xGm, size);
  auto gamma = desk.load<U>(gammaGm, columns);
  auto beta = desk.load<U>(betaGm, columns);
  auto y = desk.take<T>(size);
  auto mean = desk.load<float>(meanGm, rows),
       var = desk.load<float>(varGm, rows);
  auto rstd = desk.take<float>(rows);
  auto tmp = desk.take<uint8_t>(1024);
  Duplicate(rstd, 77.0f, rows);
  PipeBarrier<PIPE_ALL>();
  LayerNormPara para{rows, valid, columns};
  NormalizePara known{rows, valid, columns};
  LayerNormSeparateTiling tiling;
  float eps = 0.01f;
  switch (op) {
  case 0:
    LayerNorm<U, T>(y, mean, rstd, x, gamma, beta, eps, para, tiling);
    break;
  case 1:
    LayerNorm<U, T>(y, mean, rstd, x, gamma, beta, eps, tmp, para, tiling);
    break;
  case 2:
    LayerNorm<U, T, false, PLAIN>(y, mean, rstd, x, gamma, beta, eps, para,
                                  tiling);
    break;
  case 3:
    Normalize<U, T>(y, rstd, mean, var, x, gamma, beta, eps, known);
    break;
  case 4:
    Normalize<U, T>(y, rstd, mean, var, x, gamma, beta, tmp, eps, known);
    break;
  case 5:
    Normalize<U, T, false, BARE>(y, rstd, mean, var, x, gamma, beta, eps,
                                 known);
    break;
  }
  desk.store(yGm, y, size);
  desk.store(meanGm, mean, rows);
  desk.store(varGm, rstd, rows);
}

template <typename T>
__global__ __aicore__ void
gradient(GM_ADDR dyGm, GM_ADDR xGm, GM_ADDR varGm, GM_ADDR meanGm,
         GM_ADDR gammaGm, GM_ADDR dxGm, GM_ADDR resGm, GM_ADDR dGammaGm,
         GM_ADDR dBetaGm, uint32_t rows, uint32_t columns, uint32_t valid,
         uint32_t form) {
  Desk desk;
  uint32_t size = rows * columns;
  auto dy = desk.load<T>(dyGm, size), x = desk.load<T>(xGm, size);
  auto var = desk.load<T>(varGm, rows), mean = desk.load<T>(meanGm, rows);
  auto gamma = desk.load<T>(gammaGm, columns);
  auto dx = desk.take<T>(size), res = desk.take<T>(size);
  auto dGamma = desk.take<T>(columns), dBeta = desk.take<T>(columns);
  auto tmp = desk.take<uint8_t>(1024);
  PipeBarrier<PIPE_ALL>();
  auto t = shapeOf<LayerNormGradTiling>(rows, columns, valid);
  auto b = shapeOf<LayerNormGradBetaTiling>(rows, columns, valid);
  T eps = static_cast<T>(0.01f);
  if (form == 0) {
    LayerNormGrad<T>(dx, res, dy, x, var, mean, gamma, eps, t);
    LayerNormGradBeta<T>(dGamma, dBeta, res, dy, b);
  } else {
    LayerNormGrad<T>(dx, res, dy, x, var, mean, gamma, tmp, eps, t);
    LayerNormGradBeta<T>(dGamma, dBeta, res, dy, tmp, b);
  }
  desk.store(dxGm, dx, size);
  desk.store(resGm, res, size);
  desk.store(dGammaGm, dGamma, columns);
  desk.store(dBetaGm, dBeta, columns);
}

/// Mean and variance of `parts` rows, the last of which may be short.
template <typename T>
__global__ __aicore__ void welford(GM_ADDR xGm, GM_ADDR outGm, uint32_t parts,
                                   uint32_t length, uint32_t last,
                                   uint32_t form) {
  Desk desk;
  auto x = desk.load<T>(xGm, parts * length);
  LocalTensor<float> mean[2] = {desk.take<float>(length),
                                desk.take<float>(length)};
  LocalTensor<float> var[2] = {desk.take<float>(length),
                               desk.take<float>(length)};
  auto counts = desk.take<int32_t>(length);
  auto outMean = desk.take<float>(8), outVar = desk.take<float>(8);
  auto tmp = desk.take<uint8_t>(1024);
  Duplicate(mean[0], 0.0f, length);
  Duplicate(var[0], 0.0f, length);
  for (uint32_t i = 0; i < length; ++i)
    counts.SetValue(i, i < last ? parts : parts - 1);
  PipeBarrier<PIPE_ALL>();
  for (uint32_t i = 0; i < parts; ++i) {
    WelfordUpdateParam p{1, length, i + 1 == parts ? last : length,
                         1.0f / (i + 1)};
    uint32_t from = i % 2, to = 1 - from;
    if (form % 2)
      WelfordUpdate<T, float, false, IN_PLACE>(
          mean[to], var[to], mean[from], var[from], x[i * length], tmp, p);
    else
      WelfordUpdate<T, float, false, IN_PLACE>(mean[to], var[to], mean[from],
                                               var[from], x[i * length], p);
  }
  auto m = mean[parts % 2], v = var[parts % 2];
  float total = (parts - 1) * length + last;
  WelfordFinalizePara p{parts,         length,       parts,
                        last,          parts - 1,    length - last,
                        1.0f / length, 1.0f / total, 1.0f / (total - 1)};
  switch (form) {
  case 0:
    WelfordFinalize(outMean, outVar, m, v, p);
    break;
  case 1:
    WelfordFinalize(outMean, outVar, m, v, tmp, p);
    break;
  case 2:
    WelfordFinalize(outMean, outVar, m, v, counts, p);
    break;
  case 3:
    WelfordFinalize<false, CORRECTED>(outMean, outVar, m, v, counts, tmp, p);
    break;
  }
  outMean.SetValue(1, outVar.GetValue(0));
  desk.store(outGm, outMean, 2);
}
