// What all routines have in common: types, scratch memory, overlap, cores,
// include paths, and the small helpers of AscendC::Std.
#include "adv_api/math/power.h"
#include "common.h"
#include "impl/dav_c220/kernel_operator_reg_others_impl.h"
#include "kernel_utils.h"
#include "lib/activation/softmax.h"
#include "lib/math/kernel_operator_asin_intf.h"
#include "lib/normalization/layernorm.h"
#include "lib/quantization/ascend_quant.h"
#include "lib/reduce/sum.h"
#include "lib/sigmoid/kernel_operator_sigmoid_intf.h"

/// Positions in one buffer of floats; what lies where decides the outcome.
__global__ __aicore__ void overlap(GM_ADDR xGm, GM_ADDR yGm, uint32_t n,
                                   uint32_t dst, uint32_t tmpAt,
                                   uint32_t tmpSize) {
  Desk desk;
  auto all = desk.load<float>(xGm, 1024);
  auto tmp = all[tmpAt].ReinterpretCast<uint8_t>();
  tmp.SetSize(tmpSize * sizeof(float));
  PipeBarrier<PIPE_ALL>();
  if (tmpSize)
    Tanh(all[dst], all, tmp, n); // with scratch
  else
    Tanh(all[dst], all, n); // without scratch
  desk.store(yGm, all, 1024);
}

__global__ __aicore__ void in_place_tanh(GM_ADDR xGm, GM_ADDR yGm) {
  Desk desk;
  auto x = desk.load<float>(xGm, 64);
  PipeBarrier<PIPE_ALL>();
  Tanh(x, x, 64); // in_place_tanh
  desk.store(yGm, x, 64);
}
__global__ __aicore__ void in_place_power(GM_ADDR xGm, GM_ADDR yGm) {
  Desk desk;
  auto x = desk.load<float>(xGm, 64);
  PipeBarrier<PIPE_ALL>();
  Power(x, x, 3.0f, 64u); // in_place_power
  desk.store(yGm, x, 64);
}
__global__ __aicore__ void in_place_trunc(GM_ADDR xGm, GM_ADDR yGm) {
  Desk desk;
  auto x = desk.load<float>(xGm, 64);
  PipeBarrier<PIPE_ALL>();
  Trunc(x, x, 64);
  desk.store(yGm, x, 64);
}

template <typename T>
__global__ __aicore__ void typed(GM_ADDR xGm, GM_ADDR yGm, uint32_t n) {
  Desk desk;
  auto x = desk.load<T>(xGm, n);
  auto y = desk.take<T>(n);
  PipeBarrier<PIPE_ALL>();
  Sin(y, x, n);
  desk.store(yGm, y, n);
}

/// A mixed kernel calls the library on both kinds of cores; only the vector
/// core computes.
__global__ __aicore__ void mixed(GM_ADDR xGm, GM_ADDR yGm, uint32_t n) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
  Desk desk;
  LocalTensor<float> x = desk.take<float>(n), y = desk.take<float>(n);
  if ASCEND_IS_AIV
    for (uint32_t i = 0; i < n; ++i)
      x.SetValue(i, reinterpret_cast<__gm__ float *>(xGm)[i]);
  PipeBarrier<PIPE_ALL>();
  Sigmoid(y, x, n);
  if ASCEND_IS_AIV
    desk.store(yGm, y, n);
}

constexpr auto TRIPLE = Std::make_tuple(7, 2.5f, true);
static_assert(Std::get<0>(TRIPLE) == 7 && Std::get<2>(TRIPLE));
static_assert(Std::tuple_size_v<Std::tuple<int, half>> == 2);
static_assert(
    Std::is_same_v<Std::tuple_element_t<1, Std::tuple<int, half>>, half>);
static_assert(Std::is_same<Std::conditional_t<true, int, float>, int>::value);
static_assert(Std::is_floating_point_v<half> && !Std::is_floating_point_v<int>);
static_assert(Std::integral_constant<int, 5>::value == 5);
static_assert(Std::min(3, 4) == 3 && Std::max(3, 4) == 4);
static_assert(Std::make_index_sequence<3>::size() == 3);
static_assert(DivCeil(33, 32) == 2 && AlignUp(33, 32) == 64);
static_assert(CeilDivision(7, 2) == 4 && CeilDivision(7, 0) == 0);
static_assert(GetDataBlockSizeInBytes() == 32);

constexpr auto GRID = MakeLayout(MakeShape(3, 4, 5), MakeStride(20, 5, 1));
static_assert(GRID(MakeCoord(1, 2, 3)) == 33);
static_assert(is_layout_v<Layout<Shape<int>, Stride<int>>>);
static_assert(Std::get<1>(GRID.GetShape()) == 4);
// A number along a nested axis is taken apart, first axis fastest.
static_assert(Crd2Idx(MakeCoord(11, 12),
                      MakeShape(MakeShape(2, 4), MakeShape(3, 5)),
                      MakeStride(MakeStride(3, 6), MakeStride(1, 24))) == 129);

__global__ __aicore__ void limits(GM_ADDR bitsGm, GM_ADDR otherGm) {
  auto *f = reinterpret_cast<__gm__ float *>(bitsGm);
  f[0] = NumericLimits<float>::Max();
  f[1] = NumericLimits<float>::Lowest();
  f[2] = NumericLimits<float>::Min();
  f[3] = NumericLimits<float>::Infinity();
  f[4] = NumericLimits<float>::NegativeInfinity();
  f[5] = NumericLimits<float>::QuietNaN();
  f[6] = NumericLimits<float>::DeNormMin();
  f[7] = static_cast<float>(NumericLimits<half>::Max());
  auto *i = reinterpret_cast<__gm__ int64_t *>(otherGm);
  i[0] = NumericLimits<int8_t>::Max();
  i[1] = NumericLimits<int8_t>::Lowest();
  i[2] = NumericLimits<uint16_t>::Max();
  i[3] = NumericLimits<int32_t>::Min();
  int a = 0;
  float b = 0;
  Std::tie(a, b) = Std::make_tuple(11, 3.0f);
  auto pair = Std::tuple<int, int>(1, 2);
  Std::get<1>(pair) = 9;
  i[4] = a;
  i[5] = static_cast<int64_t>(b);
  i[6] = Std::get<1>(pair);
  i[7] = Std::abs(-4) + static_cast<int64_t>(Std::sqrt(81.0f));
}
