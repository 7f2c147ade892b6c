// Cast in all its forms; z comes in with a pattern.
#include "../call.h"

using namespace AscendC;

enum Slot { Mode, XCount, ZCount };

template <typename T, typename U>
__global__ __aicore__ void cast(GM_ADDR xIn, GM_ADDR pIn, GM_ADDR zOut) {
  Numbers p(pIn);
  TPipe pipe;
  auto x = load<U>(pipe, xIn, p[XCount]);
  auto z = load<T>(pipe, zOut, p[ZCount]);
  auto mode = static_cast<RoundMode>(p[Mode]);
  BELAY_ALL_FORMS(p, p.unary(), Cast, (T, U), z, x, mode);
  store(z, zOut, p[ZCount]);
}

/// 4-bit integers travel as bytes.
template <typename T>
__global__ __aicore__ void to_nibbles(GM_ADDR xIn, GM_ADDR pIn, GM_ADDR zOut) {
  Numbers p(pIn);
  TPipe pipe;
  auto x = load<T>(pipe, xIn, p[XCount]);
  auto bytes = load<int8_t>(pipe, zOut, p[ZCount]);
  auto z = bytes.template ReinterpretCast<int4b_t>();
  auto mode = static_cast<RoundMode>(p[Mode]);
  BELAY_ALL_FORMS(p, p.unary(), Cast, (int4b_t, T), z, x, mode);
  store(bytes, zOut, p[ZCount]);
}
template <typename T>
__global__ __aicore__ void from_nibbles(GM_ADDR xIn, GM_ADDR pIn,
                                        GM_ADDR zOut) {
  Numbers p(pIn);
  TPipe pipe;
  auto x =
      load<int8_t>(pipe, xIn, p[XCount]).template ReinterpretCast<int4b_t>();
  auto z = load<T>(pipe, zOut, p[ZCount]);
  BELAY_ALL_FORMS(p, p.unary(), Cast, (T, int4b_t), z, x, RoundMode::CAST_NONE);
  store(z, zOut, p[ZCount]);
}

/// int32_t to half, with the scale or without.
__global__ __aicore__ void dequant(GM_ADDR xIn, GM_ADDR pIn, GM_ADDR zOut,
                                   float scale, int32_t op) {
  Numbers p(pIn);
  TPipe pipe;
  auto x = load<int32_t>(pipe, xIn, p[XCount]);
  auto z = load<half>(pipe, zOut, p[ZCount]);
  if (scale != 0)
    SetDeqScale((half)scale);
  if (op == 0)
    Cast(z, x, RoundMode::CAST_NONE, p.n);
  else
    CastDeq(z, x, p.n);
  store(z, zOut, p[ZCount]);
}

/// int16_t to 8 bits: one scale, or sixteen.
template <typename T, bool vec, bool upper>
__global__ __aicore__ void quant(GM_ADDR xIn, GM_ADDR pIn, GM_ADDR zOut) {
  Numbers p(pIn);
  TPipe pipe;
  auto x = load<int16_t>(pipe, xIn, p[XCount]);
  auto z = load<T>(pipe, zOut, p[ZCount]);
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 128);
  if constexpr (vec) {
    float scale[16];
    int16_t offset[16];
    bool sign[16];
    for (int i = 0; i < 16; ++i) {
      scale[i] = 0.25f * (i + 1);
      offset[i] = i - 8;
      sign[i] = std::is_signed_v<T>;
    }
    SetDeqScale<uint64_t>(buf.Get<uint64_t>(), VdeqInfo(scale, offset, sign));
  } else {
    SetDeqScale(0.5f, -3, std::is_signed_v<T>);
  }
  if (p.form == ByCount)
    CastDequant<T, int16_t, vec, upper>(z, x, p.n);
  else if (p.form == ByMask)
    CastDequant<T, int16_t, true, vec, upper>(z, x, p.n, p.repeat, p.unary());
  else
    CastDequant<T, int16_t, true, vec, upper>(z, x, p.bits, p.repeat,
                                              p.unary());
  store(z, zOut, p[ZCount]);
}

template <typename T>
__global__ __aicore__ void truncate(GM_ADDR xIn, GM_ADDR zOut, int32_t mode,
                                    int32_t n, int32_t size) {
  TPipe pipe;
  auto x = load<T>(pipe, xIn, size);
  auto z = load<T>(pipe, zOut, size);
  if (mode == 2)
    Truncate<T, RoundMode::CAST_FLOOR>(z, x, n);
  else
    Truncate<T, RoundMode::CAST_RINT>(z, x, n);
  store(z, zOut, size);
}

/// Conversions of scalars, and saturation.
__global__ __aicore__ void scalars(GM_ADDR xIn, GM_ADDR zOut) {
  auto *x = (__gm__ float *)xIn;
  auto *z = (__gm__ float *)zOut;
  z[0] = ScalarCast<float, int32_t, RoundMode::CAST_ROUND>(x[0]);
  z[1] = ScalarCast<float, int32_t, RoundMode::CAST_CEIL>(x[0]);
  z[2] = ScalarCast<float, int32_t, RoundMode::CAST_FLOOR>(x[0]);
  z[3] = Cast<float, int32_t, RoundMode::CAST_RINT>(x[0]);
  z[4] = static_cast<float>(ScalarCast<float, half, RoundMode::CAST_ODD>(x[1]));
  z[5] = ToFloat(ToBfloat16(x[1]));
  z[6] = Cast(Cast(x[1]));
  z[7] = ToFloat(ToHalf(x[1]));
}

__global__ __aicore__ void saturation(GM_ADDR xIn, GM_ADDR zOut, int32_t mode) {
  TPipe pipe;
  auto x = load<float>(pipe, xIn, 16);
  auto z = load<half>(pipe, zOut, 16);
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 64);
  auto s = buf.Get<int16_t>();
  if (mode & 1)
    SetSaturationFlag<SaturationMode::FLOAT>(true);
  if (mode & 8)
    AscendCUtils::SetOverflow(0);
  if (mode & 2)
    SetSaturationFlag<SaturationMode::CAST>(false);
  if (mode & 4) {
    Cast(s, x, RoundMode::CAST_RINT, 16);
    Cast(z, s, RoundMode::CAST_RINT, 16);
  } else {
    Cast(z, x, RoundMode::CAST_RINT, 16);
  }
  store(z, zOut, 16);
}
