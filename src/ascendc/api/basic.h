//===- basic.h - Qualifiers, element types, positions, events ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_BASIC_H
#define BELAY_ASCENDC_API_BASIC_H

#include "abi/Functions.h"

#include <cstdint>
#include <type_traits>

// --- what the device compiler builds in --------------------------------------
#if defined(BELAY_STATIC) // who reads the source wants to see them
#define __aicore__ __attribute__((annotate("aicore")))
#define __global__ __attribute__((annotate("global")))
#else
#define __aicore__
// A file may have many kernels, and a run takes one: the others need no code.
#define __global__ inline
#endif
#define __host_aicore__
#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __biasbuf__
#define __ssbuf__
#define __vector__
// A kernel for so many cube and vector cores of a block: the section tells the
// runner (abi/Entry.h).
#define BELAY_TEXT_OF(...) #__VA_ARGS__
#define BELAY_MIX_SECTION(Cubes, Vectors)                                      \
  "belay_mix_" BELAY_TEXT_OF(Cubes) "_" BELAY_TEXT_OF(Vectors)
#define __mix__(Cubes, Vectors)                                                \
  __attribute__((section(BELAY_MIX_SECTION(Cubes, Vectors))))
// Without it, what a kernel uses would choose vector cores as well where a
// routine does nothing on a cube core.
#define __cube__ __mix__(1, 0)
#define __schedmode__(...)
#define __inout_pipe__(...)
#define __in_pipe__(...)
#define __out_pipe__(...)
#define __sync_alias__
#define __sync_noalias__
#define __check_sync_alias__
#define __BLOCK_LOCAL__ thread_local
#define __WORKGROUP_LOCAL__ thread_local
#ifndef __forceinline__
#define __forceinline__ __attribute__((always_inline))
#endif
// What __aicore__ means to the vendor's compiler, and what some headers write:
// `__forceinline__ [aicore] void f()`. (In a kernel's own file Belay writes
// __aic__ in its place, see toStandardCpp.)
#define __aic__ __aicore__
#if defined(BELAY_STATIC)
#define aicore [clang::annotate("aicore")]
#else
#define aicore [maybe_unused]
#endif

#define GM_ADDR __gm__ uint8_t *

/// API functions vanish into their caller, so that the runtime's return address
/// lies in the user's line. For a debugger they are calls, or there would be no
/// line to stop at.
#if defined(BELAY_DEBUGGED)
#define BELAY_API inline
#else
#define BELAY_API inline __attribute__((always_inline))
#endif

using half = _Float16;

/// Converts to and from every number, which the compiler's own __bf16 does not
/// (half, integers). The device has no bfloat16 arithmetic outside its vector
/// and cube units: expressions compute in float.
struct bfloat16_t {
  __bf16 value;
  bfloat16_t() = default;
  template <typename T,
            typename = std::enable_if_t<std::is_convertible_v<T, float>>>
  constexpr bfloat16_t(T v) : value(round(v)) {}
  constexpr operator float() const { return static_cast<float>(value); }

private:
  // In one step; only half goes through float, which holds all its values.
  template <typename T> static constexpr __bf16 round(T v) {
    if constexpr (std::is_arithmetic_v<T>)
      return static_cast<__bf16>(v);
    else
      return static_cast<__bf16>(static_cast<float>(v));
  }
};

/// What DTYPE_ macros name complex tensors.
struct complex32 {
  half real, imag;
};
struct complex64 {
  float real, imag;
};

/// Types that exist to be moved and converted, not computed with.
#define BELAY_STORAGE_TYPE(Name)                                               \
  struct Name {                                                                \
    uint8_t bits;                                                              \
    Name() = default;                                                          \
    constexpr explicit Name(uint8_t b) : bits(b) {}                            \
    constexpr bool operator==(const Name &o) const { return bits == o.bits; }  \
  };
BELAY_STORAGE_TYPE(fp8_e4m3fn_t)
BELAY_STORAGE_TYPE(fp8_e5m2_t)
BELAY_STORAGE_TYPE(fp8_e8m0_t)
BELAY_STORAGE_TYPE(hifloat8_t)
// Two 4-bit floats in a byte.
BELAY_STORAGE_TYPE(fp4x2_e2m1_t)
BELAY_STORAGE_TYPE(fp4x2_e1m2_t)
#undef BELAY_STORAGE_TYPE

namespace AscendC {
/// Two 4-bit integers in a byte.
struct int4x2_t {
  uint8_t data;
};
struct int4b_t {
  uint8_t storage;
};
} // namespace AscendC
using AscendC::int4b_t;
using int4x2_t = AscendC::int4x2_t;

enum pipe_t {
  PIPE_S = 0,
  PIPE_V,
  PIPE_M,
  PIPE_MTE1,
  PIPE_MTE2,
  PIPE_MTE3,
  PIPE_ALL,
  PIPE_MTE4,
  PIPE_MTE5,
  PIPE_V2,
  PIPE_FIX = 10,
};

enum event_t {
  EVENT_ID0 = 0,
  EVENT_ID1,
  EVENT_ID2,
  EVENT_ID3,
  EVENT_ID4,
  EVENT_ID5,
  EVENT_ID6,
  EVENT_ID7,
};

namespace AscendC {

namespace belay_detail {

template <typename T> struct ElemOf;
#define BELAY_ELEMENT_KERNEL(Id, Type, Dump)                                   \
  template <> struct ElemOf<Type> {                                            \
    static constexpr belay::sim::Elem value = belay::sim::Elem::Id;            \
  };
#include "belay/elements.def"
template <> struct ElemOf<int4x2_t> : ElemOf<int4b_t> {};
template <typename T> struct ElemOf<const T> : ElemOf<T> {};
// `long long` and `long` are both 64 bits wide; <cstdint> picks one of them.
template <> struct ElemOf<long long> : ElemOf<int64_t> {};
template <> struct ElemOf<unsigned long long> : ElemOf<uint64_t> {};

template <typename T> inline constexpr belay::sim::Elem elem = ElemOf<T>::value;

constexpr belay::sim::Pipe pipeOf(pipe_t p) {
  switch (p) {
  case PIPE_S:
    return belay::sim::Pipe::S;
  case PIPE_V:
  case PIPE_V2:
    return belay::sim::Pipe::V;
  case PIPE_M:
    return belay::sim::Pipe::M;
  case PIPE_MTE1:
    return belay::sim::Pipe::MTE1;
  case PIPE_MTE2:
    return belay::sim::Pipe::MTE2;
  case PIPE_MTE3:
    return belay::sim::Pipe::MTE3;
  case PIPE_FIX:
    return belay::sim::Pipe::FIX;
  default:
    return belay::sim::Pipe::All;
  }
}

} // namespace belay_detail

enum class TPosition : uint8_t {
  GM,
  A1,
  A2,
  B1,
  B2,
  C1,
  C2,
  CO1,
  CO2,
  VECIN,
  VECOUT,
  VECCALC,
  LCM = VECCALC,
  SPM,
  SHM = SPM,
  TSCM,
  C2PIPE2GM,
  C2PIPE2LOCAL,
  MAX,
};
using QuePosition = TPosition;

enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };

constexpr Hardware GetPhyType(TPosition pos) {
  switch (pos) {
  case TPosition::GM:
    return Hardware::GM;
  case TPosition::A1:
  case TPosition::B1:
  case TPosition::C1:
  case TPosition::SPM:
  case TPosition::TSCM:
    return Hardware::L1;
  case TPosition::A2:
    return Hardware::L0A;
  case TPosition::B2:
    return Hardware::L0B;
  case TPosition::C2:
    return Hardware::BIAS;
  case TPosition::CO1:
    return Hardware::L0C;
  case TPosition::C2PIPE2GM:
  case TPosition::C2PIPE2LOCAL:
    return Hardware::FIXBUF;
  default: // VECIN, VECOUT, VECCALC; CO2 is UB on parts that have it
    return Hardware::UB;
  }
}

constexpr TPosition GetPosition(TPosition src, TPosition dst) {
  return dst == TPosition::GM || dst == TPosition::CO2 ? src : dst;
}

namespace belay_detail {
/// Whether the launch makes a mistake here that is reported where the memory is
/// used. `belay check` goes on as if it did not; every other condition it
/// follows both ways.
constexpr bool isMistake(bool wrong) { return wrong; }

constexpr belay::sim::Space spaceOf(TPosition pos) {
  using belay::sim::Space;
  switch (GetPhyType(pos)) {
  case Hardware::GM:
    return Space::GM;
  case Hardware::L1:
    return Space::L1;
  case Hardware::L0A:
    return Space::L0A;
  case Hardware::L0B:
    return Space::L0B;
  case Hardware::L0C:
    return Space::L0C;
  case Hardware::BIAS:
    return Space::BT;
  case Hardware::FIXBUF:
    return Space::FB;
  default:
    return Space::UB;
  }
}
} // namespace belay_detail

// Each event is the pair of pipes in its name.
// clang-format off
#define BELAY_HARD_EVENTS(X) \
  X(MTE2, MTE1) X(MTE1, MTE2) X(MTE1, M) X(M, MTE1) X(MTE2, V) X(V, MTE2) \
  X(MTE3, V) X(V, MTE3) X(M, V) X(V, M) X(V, V) X(MTE3, MTE1) X(MTE1, MTE3) \
  X(MTE1, V) X(MTE2, M) X(M, MTE2) X(V, MTE1) X(M, FIX) X(FIX, M) \
  X(MTE3, MTE2) X(MTE2, MTE3) X(S, V) X(V, S) X(S, MTE2) X(MTE2, S) \
  X(S, MTE3) X(MTE3, S) X(MTE2, FIX) X(FIX, MTE2) X(FIX, S) X(M, S) \
  X(FIX, MTE3) X(MTE1, FIX) X(FIX, MTE1) X(FIX, FIX) X(FIX, V) X(V, FIX) \
  X(S, M) X(S, MTE1) X(S, FIX) X(MTE1, S)
// clang-format on

enum class HardEvent : uint8_t {
#define BELAY_EVENT(From, To) From##_##To,
  BELAY_HARD_EVENTS(BELAY_EVENT)
#undef BELAY_EVENT
      MAX,
};

namespace belay_detail {
struct PipePair {
  belay::sim::Pipe from, to;
};
constexpr PipePair pipesOf(HardEvent e) {
  switch (e) {
#define BELAY_EVENT(From, To)                                                  \
  case HardEvent::From##_##To:                                                 \
    return {belay::sim::Pipe::From, belay::sim::Pipe::To};
    BELAY_HARD_EVENTS(BELAY_EVENT)
#undef BELAY_EVENT
  default:
    return {belay::sim::Pipe::All, belay::sim::Pipe::All};
  }
}
} // namespace belay_detail

using TEventID = int8_t;
using TBufHandle = uint8_t *;
using TTagType = int32_t;
enum class TBufState : uint8_t { FREE = 0, OCCUPIED, ENQUE, DEQUE };

constexpr int32_t ONE_BLK_SIZE = 32;
constexpr uint32_t DEFAULT_C0_SIZE = 32;
constexpr uint32_t ONE_BLK_HALF_NUM = 16;
constexpr uint32_t ONE_BLK_FLOAT_NUM = 8;
constexpr uint32_t BRCB_BROADCAST_NUMBER = 8;
constexpr int32_t ONE_REPEAT_BYTE_SIZE = 256;
constexpr int32_t DEFAULT_BLK_NUM = 8;
constexpr int32_t DEFAULT_BLK_STRIDE = 1;
constexpr uint8_t DEFAULT_REPEAT_STRIDE = 8;
constexpr uint8_t HALF_DEFAULT_REPEAT_STRIDE = 4;
constexpr int32_t MAX_REPEAT_TIMES = 255;
constexpr uint64_t MASK_PLACEHOLDER = 0;
constexpr int32_t BLOCK_CUBE = 16;
constexpr uint32_t K_MAX_SHAPE_DIM = 8;
constexpr uint32_t K_MAX_DIM = 8;

enum class DataFormat : uint8_t {
  ND = 0,
  NZ,
  NCHW,
  NC1HWC0,
  NHWC,
  NCDHW,
  NDC1HWC0,
  FRACTAL_Z_3D,
};
enum class CacheMode {
  CACHE_MODE_DISABLE = 0,
  CACHE_MODE_NORMAL = 1,
  CACHE_MODE_LAST = 2,
  CACHE_MODE_PERSISTENT = 4,
};
enum class CacheRwMode { READ = 1, WRITE = 2, RW = 3 };
enum class MaskMode : uint8_t { NORMAL = 0, COUNTER };

template <typename T> struct PrimTypeOf {
  using type = T;
};
template <typename T> using PrimT = typename PrimTypeOf<T>::type;

} // namespace AscendC

#endif // BELAY_ASCENDC_API_BASIC_H
