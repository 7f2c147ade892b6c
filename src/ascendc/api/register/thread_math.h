//===- register/thread_math.h - Numbers in code for threads -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What threads have besides the C library's functions on floats.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_REGISTER_THREAD_MATH_H
#define BELAY_ASCENDC_API_REGISTER_THREAD_MATH_H

#include <cmath>
#include <limits>
#include <type_traits>

using std::isfinite;
using std::isinf;
using std::isnan;

namespace belay_threads {

template <class T> BELAY_API T mulHigh(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    using Wide =
        std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return static_cast<T>(static_cast<Wide>(a) * b >> 64);
  } else {
    using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
    return static_cast<T>(static_cast<Wide>(a) * b >> 32);
  }
}
template <class T> BELAY_API T reverseBits(T x) {
  if constexpr (sizeof(T) == 8)
    return static_cast<T>(__builtin_bitreverse64(static_cast<uint64_t>(x)));
  else
    return static_cast<T>(__builtin_bitreverse32(static_cast<uint32_t>(x)));
}
template <class T> BELAY_API int32_t leadingZeros(T x) {
  constexpr int32_t Bits = 8 * sizeof(T);
  if (x == 0)
    return Bits;
  return __builtin_clzll(static_cast<std::make_unsigned_t<T>>(x)) - (64 - Bits);
}

/// Rounded to a whole number, then into the range of T.
template <class T> BELAY_API T toInteger(float x) {
  if (std::isnan(x))
    return T(0);
  constexpr T Least = std::numeric_limits<T>::min(),
              Most = std::numeric_limits<T>::max();
  if (x <= static_cast<float>(Least))
    return Least;
  if (x >= static_cast<float>(Most))
    return Most;
  return static_cast<T>(x);
}

} // namespace belay_threads

BELAY_API int32_t __mulhi(int32_t a, int32_t b) {
  return belay_threads::mulHigh(a, b);
}
BELAY_API uint32_t __umulhi(uint32_t a, uint32_t b) {
  return belay_threads::mulHigh(a, b);
}
BELAY_API int64_t __mul64hi(int64_t a, int64_t b) {
  return belay_threads::mulHigh(a, b);
}
BELAY_API uint64_t __umul64hi(uint64_t a, uint64_t b) {
  return belay_threads::mulHigh(a, b);
}
BELAY_API int32_t __popc(uint32_t x) { return __builtin_popcount(x); }
BELAY_API int32_t __popcll(uint64_t x) { return __builtin_popcountll(x); }
BELAY_API int32_t __clz(int32_t x) { return belay_threads::leadingZeros(x); }
BELAY_API int32_t __clzll(int64_t x) { return belay_threads::leadingZeros(x); }
BELAY_API int32_t __ffs(int32_t x) { return __builtin_ffs(x); }
BELAY_API int32_t __ffsll(int64_t x) { return __builtin_ffsll(x); }
BELAY_API uint32_t __brev(uint32_t x) { return belay_threads::reverseBits(x); }
BELAY_API uint64_t __brevll(uint64_t x) {
  return belay_threads::reverseBits(x);
}

BELAY_API int32_t __float_as_int(float x) {
  return __builtin_bit_cast(int32_t, x);
}
BELAY_API uint32_t __float_as_uint(float x) {
  return __builtin_bit_cast(uint32_t, x);
}
BELAY_API float __int_as_float(int32_t x) {
  return __builtin_bit_cast(float, x);
}
BELAY_API float __uint_as_float(uint32_t x) {
  return __builtin_bit_cast(float, x);
}

#define BELAY_THREAD_ROUND(Name, T)                                            \
  BELAY_API T Name##_rn(float x) {                                             \
    return belay_threads::toInteger<T>(__builtin_rintf(x));                    \
  }                                                                            \
  BELAY_API T Name##_rna(float x) {                                            \
    return belay_threads::toInteger<T>(__builtin_roundf(x));                   \
  }                                                                            \
  BELAY_API T Name##_rd(float x) {                                             \
    return belay_threads::toInteger<T>(__builtin_floorf(x));                   \
  }                                                                            \
  BELAY_API T Name##_ru(float x) {                                             \
    return belay_threads::toInteger<T>(__builtin_ceilf(x));                    \
  }                                                                            \
  BELAY_API T Name##_rz(float x) {                                             \
    return belay_threads::toInteger<T>(__builtin_truncf(x));                   \
  }
BELAY_THREAD_ROUND(__float2int, int32_t)
BELAY_THREAD_ROUND(__float2uint, uint32_t)
BELAY_THREAD_ROUND(__float2ll, int64_t)
BELAY_THREAD_ROUND(__float2ull, uint64_t)
#undef BELAY_THREAD_ROUND
// To the nearest, ties to even: the form that the host computes in.
BELAY_API float __int2float_rn(int32_t x) { return static_cast<float>(x); }
BELAY_API float __uint2float_rn(uint32_t x) { return static_cast<float>(x); }
BELAY_API float __ll2float_rn(int64_t x) { return static_cast<float>(x); }
BELAY_API float __ull2float_rn(uint64_t x) { return static_cast<float>(x); }

BELAY_API float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
BELAY_API float fdividef(float a, float b) { return a / b; }

// --- short vectors -----------------------------------------------------------
#define BELAY_SHORT_VECTOR(Name, T)                                            \
  struct alignas(2 * sizeof(T)) Name##2 { T x, y; };                           \
  struct Name##3 { T x, y, z; };                                               \
  struct alignas(sizeof(T) == 8 ? 16 : 4 * sizeof(T)) Name##4 {                \
    T x, y, z, w;                                                              \
  };                                                                           \
  BELAY_API Name##2 make_##Name##2(T x, T y) { return {x, y}; }                \
  BELAY_API Name##3 make_##Name##3(T x, T y, T z) { return {x, y, z}; }        \
  BELAY_API Name##4 make_##Name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
BELAY_SHORT_VECTOR(char, signed char)
BELAY_SHORT_VECTOR(uchar, unsigned char)
BELAY_SHORT_VECTOR(short, short)
BELAY_SHORT_VECTOR(ushort, unsigned short)
BELAY_SHORT_VECTOR(int, int)
BELAY_SHORT_VECTOR(uint, unsigned int)
BELAY_SHORT_VECTOR(long, long)
BELAY_SHORT_VECTOR(ulong, unsigned long)
BELAY_SHORT_VECTOR(longlong, long long)
BELAY_SHORT_VECTOR(ulonglong, unsigned long long)
BELAY_SHORT_VECTOR(float, float)
#undef BELAY_SHORT_VECTOR
struct alignas(4) half2 {
  half x, y;
};
#define BELAY_HALF2(Op)                                                        \
  BELAY_API half2 operator Op(half2 a, half2 b) {                              \
    return {static_cast<half>(a.x Op b.x), static_cast<half>(a.y Op b.y)};     \
  }
BELAY_HALF2(+)
BELAY_HALF2(-)
BELAY_HALF2(*)
#undef BELAY_HALF2

// --- numbers with a name -----------------------------------------------------
#define ASCRT_INF_F __builtin_inff()
#define ASCRT_NAN_F __builtin_nanf("")
#define ASCRT_PI_F 3.14159265358979323846f
#define ASCRT_PIO2_F (ASCRT_PI_F / 2)
#define ASCRT_PIO4_F (ASCRT_PI_F / 4)
#define ASCRT_LN2_F 0.69314718055994530942f
#define ASCRT_L2E_F 1.44269504088896340736f
#define ASCRT_SQRT_TWO_F 1.41421356237309504880f

#endif // BELAY_ASCENDC_API_REGISTER_THREAD_MATH_H
