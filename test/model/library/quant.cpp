// To and from scaled integers.
#include "common.h"

template <typename T>
__global__ __aicore__ void quant(GM_ADDR xGm, GM_ADDR scaleGm, GM_ADDR offsetGm,
                                 GM_ADDR yGm, uint32_t channels, uint32_t count,
                                 uint32_t form) {
  Desk desk;
  auto x = desk.load<T>(xGm, count);
  auto scale = desk.load<T>(scaleGm, channels);
  auto offset = desk.load<T>(offsetGm, channels);
  auto y = desk.take<int8_t>(count);
  auto tmp = desk.take<uint8_t>(1024);
  PipeBarrier<PIPE_ALL>();
  T o = offset.GetValue(0);
  float s = static_cast<float>(scale.GetValue(0)), f = static_cast<float>(o);
  switch (form) {
  case 0:
    AscendQuant<T>(y, x, s, f, count);
    break;
  case 1:
    AscendQuant<T>(y, x, tmp, s, f);
    break;
  case 2:
    AscendQuant<T>(y, x, scale, o, channels, count);
    break;
  case 3:
    AscendQuant<T>(y, x, tmp, scale, o);
    break;
  case 4:
    AscendQuant<T>(y, x, scale, offset, channels, channels, count);
    break;
  case 5:
    AscendQuant<T>(y, x, tmp, scale, offset);
    break;
  case 6: // the destination's type by name
    AscendQuant<int8_t, T>(y, x, tmp, scale, offset, channels, channels, count);
    break;
  }
  desk.store(yGm, y, count);
}

template <typename D, typename S>
__global__ __aicore__ void dequant(GM_ADDR xGm, GM_ADDR scaleGm, GM_ADDR yGm,
                                   uint32_t m, uint32_t n, uint32_t count,
                                   uint32_t form) {
  Desk desk;
  auto x = desk.load<int32_t>(xGm, m * n);
  auto scale = desk.load<S>(scaleGm, n);
  uint32_t rows = form == 3 ? n / count : m;
  uint32_t stride =
      ((form == 3 ? count : n) * sizeof(D) + 31) / 32 * 32 / sizeof(D);
  auto y = desk.take<D>(rows * stride);
  auto tmp = desk.take<uint8_t>(1024);
  Duplicate(y, D(0), rows * stride);
  PipeBarrier<PIPE_ALL>();
  DequantParams p{m, n, count};
  switch (form) {
  case 0:
    AscendDequant<D, S>(y, x, scale, p);
    break;
  case 1:
    AscendDequant<D, S>(y, x, scale, tmp, p);
    break;
  case 2:
    AscendDequant<D, S, DeQuantMode::DEQUANT_WITH_MULTI_ROW>(y, x, scale, p);
    break;
  case 3: // one row that stands for several
    AscendDequant<D, S>(y, x, scale, tmp, p);
    break;
  case 4: // rows as long as the scales
    AscendDequant<D, S>(y, x, scale, n);
    break;
  case 5:
    AscendDequant<D, S>(y, x, scale, tmp);
    break;
  case 6:
    if constexpr (!std::is_same_v<S, uint64_t>)
      AscendDequant<D, S>(y, x, scale.GetValue(0), tmp, p);
    break;
  }
  desk.store(yGm, y, rows * stride);
}

template <typename D, bool transpose>
__global__ __aicore__ void
antiquant(GM_ADDR xGm, GM_ADDR scaleGm, GM_ADDR offsetGm, GM_ADDR yGm,
          uint32_t k, uint32_t n, uint32_t groups, uint32_t form) {
  Desk desk;
  auto x = desk.load<int8_t>(xGm, k * n);
  auto scale = desk.load<D>(scaleGm, groups * n);
  auto offset = desk.load<D>(offsetGm, groups * n);
  auto y = desk.take<D>(k * n);
  auto tmp = desk.take<uint8_t>(1024);
  PipeBarrier<PIPE_ALL>();
  AntiQuantShapeInfo shape = {groups, n, groups, n};
  if (transpose)
    shape = {n, groups, n, groups};
  D s = scale.GetValue(0), o = offset.GetValue(0);
  switch (form) {
  case 0:
    AscendAntiQuant<int8_t, D, transpose>(y, x, offset, scale, k, shape);
    break;
  case 1:
    AscendAntiQuant<int8_t, D, transpose>(y, x, offset, scale, tmp, k);
    break;
  case 2:
    AscendAntiQuant<int8_t, D, transpose>(y, x, scale, tmp, k, shape);
    break;
  case 3:
    AscendAntiQuant<int8_t, D, transpose>(y, x, o, s, k);
    break;
  case 4:
    AscendAntiQuant<int8_t, D, transpose>(y, x, s, tmp, k);
    break;
  }
  desk.store(yGm, y, k * n);
}

// --- arch 3510: one form for all policies ------------------------------------
constexpr QuantizeConfig QUANT_TENSOR = {QuantizePolicy::PER_TENSOR, true};
constexpr QuantizeConfig QUANT_CHANNEL = {QuantizePolicy::PER_CHANNEL, true,
                                          RoundMode::CAST_FLOOR};
constexpr QuantizeConfig QUANT_TOKEN = {QuantizePolicy::PER_TOKEN, false,
                                        RoundMode::CAST_CEIL};
constexpr QuantizeConfig QUANT_ROWS = {QuantizePolicy::PER_GROUP, true,
                                       RoundMode::CAST_ROUND, 0};
constexpr QuantizeConfig QUANT_COLUMNS = {QuantizePolicy::PER_GROUP, true,
                                          RoundMode::CAST_TRUNC, 1};
constexpr AscendQuantConfig OLD_TOKEN = {true};
constexpr AscendQuantPolicy BY_TOKEN = AscendQuantPolicy::PER_TOKEN;

template <typename T>
__global__ __aicore__ void
quantize(GM_ADDR xGm, GM_ADDR scaleGm, GM_ADDR offsetGm, GM_ADDR yGm,
         uint32_t m, uint32_t n, uint32_t params, uint32_t policy) {
  Desk desk;
  auto x = desk.load<T>(xGm, m * n);
  auto scale = desk.load<float>(scaleGm, params);
  auto offset = desk.load<float>(offsetGm, params);
  auto y = desk.take<int8_t>(m * n);
  auto tmp = desk.take<uint8_t>(1024);
  PipeBarrier<PIPE_ALL>();
  QuantizeParams p{m, n, 32};
  AscendQuantParam old{m, n, m * n};
  switch (policy) {
  case 0:
    Quantize<QUANT_TENSOR>(y, x, scale.GetValue(0), offset.GetValue(0), p);
    break;
  case 1:
    Quantize<QUANT_CHANNEL>(y, x, scale, offset, tmp, p);
    break;
  case 2:
    Quantize<QUANT_TOKEN>(y, x, scale, offset, p);
    break;
  case 3:
    Quantize<QUANT_ROWS>(y, x, scale, offset, p);
    break;
  case 4:
    Quantize<QUANT_COLUMNS>(y, x, scale, offset, tmp, p);
    break;
  case 5:
    AscendQuant<int8_t, T, float, false, OLD_TOKEN, BY_TOKEN>(y, x, tmp, scale,
                                                              offset, old);
    break;
  }
  desk.store(yGm, y, m * n);
}

constexpr DequantizeConfig DEQUANT_TOKEN = {DequantizePolicy::PER_TOKEN};
constexpr AntiQuantizeConfig ANTI_CHANNEL = {AntiQuantizePolicy::PER_CHANNEL,
                                             true};
__global__ __aicore__ void back(GM_ADDR xGm, GM_ADDR x8Gm, GM_ADDR scaleGm,
                                GM_ADDR offsetGm, GM_ADDR yGm, GM_ADDR y8Gm,
                                uint32_t m, uint32_t n) {
  Desk desk;
  auto x = desk.load<int32_t>(xGm, m * n);
  auto x8 = desk.load<int8_t>(x8Gm, m * n);
  auto scale = desk.load<float>(scaleGm, n);
  auto offset = desk.load<float>(offsetGm, n);
  auto y = desk.take<float>(m * n), y8 = desk.take<float>(m * n);
  PipeBarrier<PIPE_ALL>();
  Dequantize<DEQUANT_TOKEN>(y, x, scale, offset, DequantizeParams{m, n});
  AntiQuantize<ANTI_CHANNEL>(y8, x8, scale, offset, AntiQuantizeParams{m, n});
  desk.store(yGm, y, m * n);
  desk.store(y8Gm, y8, m * n);
}
