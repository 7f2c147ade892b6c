// Vector functions over registers, one for each family of instructions.
#include "kernel_operator.h"
using namespace AscendC;

template <class T> constexpr uint32_t Lanes = GetVecLen() / sizeof(T);
template <class T> using Ub = __ubuf__ T *;

enum Op {
  ADD,
  SUB,
  MUL,
  DIV,
  MAX,
  MIN,
  ADDS,
  MULS,
  MAXS,
  ABS,
  EXP,
  RELU,
  FILL,
  SELECT,
  COPY,
  MULADD,
  AXPY,
  SHIFT,
};

// Two sources of n elements, the last of them under a mask.
template <class T, int Which>
__simd_vf__ inline void elements(Ub<T> z, Ub<T> x, Ub<T> y, uint32_t n,
                                 uint16_t times) {
  for (uint16_t i = 0; i < times; ++i) {
    Reg::RegTensor<T> a, b, c;
    Reg::MaskReg mask = Reg::UpdateMask<T>(n);
    Reg::LoadAlign(a, x + i * Lanes<T>);
    Reg::LoadAlign(b, y + i * Lanes<T>);
    if constexpr (Which == ADD)
      Reg::Add(c, a, b, mask);
    else if constexpr (Which == SUB)
      Reg::Sub(c, a, b, mask);
    else if constexpr (Which == MUL)
      Reg::Mul(c, a, b, mask);
    else if constexpr (Which == DIV)
      Reg::Div(c, a, b, mask);
    else if constexpr (Which == MAX)
      Reg::Max(c, a, b, mask);
    else if constexpr (Which == MIN)
      Reg::Min(c, a, b, mask);
    else if constexpr (Which == ADDS)
      Reg::Adds(c, a, 3, mask);
    else if constexpr (Which == MULS)
      Reg::Muls(c, a, T(3), mask);
    else if constexpr (Which == MAXS)
      Reg::Maxs(c, a, T(1), mask);
    else if constexpr (Which == ABS)
      Reg::Abs(c, a, mask);
    else if constexpr (Which == EXP)
      Reg::Exp(c, a, mask);
    else if constexpr (Which == RELU)
      Reg::Relu(c, a, mask);
    else if constexpr (Which == FILL)
      Reg::Duplicate(c, T(7), mask);
    else if constexpr (Which == SELECT) {
      Reg::MaskReg larger;
      Reg::Compare<T, CMPMODE::GT>(larger, a, b, mask);
      Reg::Select(c, a, b, larger);
    } else if constexpr (Which == COPY) {
      Reg::RegTensor<T> d = a;
      c = d;
    } else if constexpr (Which == MULADD) {
      Reg::Duplicate(c, T(2));
      Reg::MulAddDst(c, a, b, mask);
    } else if constexpr (Which == AXPY) {
      Reg::Duplicate(c, T(2));
      Reg::Axpy(c, a, T(3), mask);
    } else
      Reg::ShiftLefts(c, a, int16_t(2), mask);
    Reg::StoreAlign(z + i * Lanes<T>, c, mask);
  }
}

// What a store leaves out under a mask, and what an instruction does.
template <class T> __simd_vf__ inline void merging(Ub<T> z, Ub<T> x, Ub<T> y) {
  Reg::RegTensor<T> a, b, c, d;
  Reg::MaskReg all = Reg::CreateMask<T>();
  Reg::MaskReg third = Reg::CreateMask<T, Reg::MaskPattern::M3>();
  Reg::LoadAlign(a, x);
  Reg::LoadAlign(b, y);
  Reg::Duplicate(c, T(5));
  Reg::Max<T, Reg::MaskMergeMode::MERGING>(c, a, b, third);
  Reg::StoreAlign(z, c, all);
  Reg::Max(d, a, b, third);
  Reg::StoreAlign(z + Lanes<T>, d, all);
  Reg::StoreAlign(z + 2 * Lanes<T>, a, third);
}

// Half to float through every second place, and back.
__no_simd_vf_fusion__ __simd_vf__ inline void convert(Ub<float> z, Ub<half> w,
                                                      Ub<int16_t> v, Ub<half> x,
                                                      Ub<float> y,
                                                      uint16_t times) {
  static constexpr Reg::CastTrait up = {
      Reg::RegLayout::ZERO, Reg::SatMode::UNKNOWN, Reg::MaskMergeMode::ZEROING};
  static constexpr Reg::CastTrait down = {
      Reg::RegLayout::ZERO, Reg::SatMode::SAT, Reg::MaskMergeMode::ZEROING,
      RoundMode::CAST_RINT};
  Reg::RegTensor<half> a, c;
  Reg::RegTensor<float> b, d;
  Reg::RegTensor<int16_t> e;
  Reg::MaskReg all = Reg::CreateMask<float>();
  for (uint16_t i = 0; i < times; ++i) {
    Reg::LoadAlign<half, Reg::LoadDist::DIST_UNPACK_B16>(a, x + i * 64);
    Reg::Cast<float, half, up>(b, a, all);
    Reg::StoreAlign(z + i * 64, b, all);
    Reg::LoadAlign(d, y + i * 64);
    Reg::Cast<half, float, down>(c, d, all);
    Reg::StoreAlign<half, Reg::StoreDist::DIST_PACK_B32>(w + i * 64, c, all);
    Reg::Cast<int16_t, float, down>(e, d, all);
    Reg::StoreAlign<int16_t, Reg::StoreDist::DIST_PACK_B32>(v + i * 64, e, all);
  }
}

// One register for each way of loading.
__simd_vf__ inline void spread(Ub<int16_t> z, Ub<int16_t> x) {
  using D = Reg::LoadDist;
  constexpr uint32_t n = Lanes<int16_t>;
  Reg::RegTensor<int16_t> a, b;
  Reg::MaskReg all = Reg::CreateMask<int16_t>();
  Reg::LoadAlign<int16_t, D::DIST_BRC_B16>(a, x + 3);
  Reg::StoreAlign(z, a, all);
  Reg::LoadAlign<int16_t, D::DIST_US_B16>(a, x);
  Reg::StoreAlign(z + n, a, all);
  Reg::LoadAlign<int16_t, D::DIST_DS_B16>(a, x);
  Reg::StoreAlign(z + 2 * n, a, all);
  Reg::LoadAlign<int16_t, D::DIST_UNPACK_B16>(a, x);
  Reg::StoreAlign(z + 3 * n, a, all);
  Reg::LoadAlign<int16_t, D::DIST_BLK>(a, x + 16);
  Reg::StoreAlign(z + 4 * n, a, all);
  Reg::LoadAlign<int16_t, D::DIST_E2B_B16>(a, x);
  Reg::StoreAlign(z + 5 * n, a, all);
  Reg::LoadAlign<int16_t, D::DIST_DINTLV_B16>(a, b, x);
  Reg::StoreAlign(z + 6 * n, a, all);
  Reg::StoreAlign(z + 7 * n, b, all);
  Reg::StoreAlign<int16_t, Reg::StoreDist::DIST_INTLV_B16>(z + 8 * n, b, a,
                                                           all);
  Reg::StoreAlign<int16_t, Reg::StoreDist::DIST_FIRST_ELEMENT_B16>(
      z + 10 * n + 1, a, all);
  Reg::LoadAlign<int16_t, Reg::DataCopyMode::DATA_BLOCK_COPY>(a, x, 2, all);
  Reg::StoreAlign<int16_t, Reg::DataCopyMode::DATA_BLOCK_COPY>(z + 11 * n, a, 2,
                                                               all);
}

// Lanes that change their places.
__simd_vf__ inline void places(Ub<int32_t> z, Ub<int32_t> x,
                               Ub<uint32_t> index) {
  constexpr uint32_t n = Lanes<int32_t>;
  Reg::RegTensor<int32_t> a, b, c, d;
  Reg::RegTensor<uint32_t> at;
  Reg::RegTensor<int16_t> narrow;
  Reg::RegTensor<uint16_t> packed;
  Reg::MaskReg all = Reg::CreateMask<int32_t>(), odd, even, both;
  Reg::LoadAlign(a, x);
  Reg::LoadAlign(b, x + n);
  Reg::Interleave(c, d, a, b);
  Reg::StoreAlign(z, c, all);
  Reg::StoreAlign(z + n, d, all);
  Reg::DeInterleave(c, d, a, b);
  Reg::StoreAlign(z + 2 * n, c, all);
  Reg::StoreAlign(z + 3 * n, d, all);
  Reg::LoadAlign(at, index);
  Reg::Gather(c, x, at, all);
  Reg::StoreAlign(z + 4 * n, c, all);
  Reg::Gather(c, a, at);
  Reg::StoreAlign(z + 5 * n, c, all);
  Reg::Arange(c, 10);
  Reg::StoreAlign(z + 6 * n, c, all);
  Reg::Arange<int32_t, Reg::IndexOrder::DECREASE_ORDER>(c, 10);
  Reg::StoreAlign(z + 7 * n, c, all);
  Reg::Compares<int32_t, CMPMODE::GT>(odd, a, 0, all);
  Reg::Squeeze(c, a, odd);
  Reg::StoreAlign(z + 8 * n, c, all);
  Reg::Not(even, odd, all);
  Reg::Or(both, odd, even, all);
  Reg::Select(c, a, b, even);
  Reg::StoreAlign(z + 9 * n, c, both);
  Reg::Unsqueeze(c, odd);
  Reg::StoreAlign(z + 10 * n, c, all);
  Reg::Duplicate(c, a, all);
  Reg::StoreAlign(z + 11 * n, c, all);
  Reg::Scatter(z + 12 * n, a, at, all);
}

template <class T, class S>
__simd_vf__ inline void sums(Ub<T> z, Ub<S> x, uint32_t n) {
  Reg::RegTensor<S> a;
  Reg::RegTensor<T> b;
  Reg::MaskReg mask = Reg::UpdateMask<S>(n), all = Reg::CreateMask<T>();
  Reg::LoadAlign(a, x);
  Reg::Reduce<Reg::ReduceType::SUM>(b, a, mask);
  Reg::StoreAlign(z, b, all);
  Reg::ReduceDataBlock<Reg::ReduceType::SUM>(b, a, mask);
  Reg::StoreAlign(z + Lanes<T>, b, all);
  if constexpr (std::is_same_v<T, S>) {
    Reg::Reduce<Reg::ReduceType::MAX>(b, a, mask);
    Reg::StoreAlign(z + 2 * Lanes<T>, b, all);
    Reg::Reduce<Reg::ReduceType::MIN>(b, a, mask);
    Reg::StoreAlign(z + 3 * Lanes<T>, b, all);
  }
}

// From any address to any address: n elements in registers of 64.
__simd_vf__ inline void unaligned(Ub<float> z, Ub<float> x, uint32_t n) {
  Reg::RegTensor<float> a;
  Reg::UnalignRegForLoad in;
  Reg::UnalignRegForStore out;
  uint16_t times = n / 64;
  Reg::LoadUnAlignPre(in, x);
  for (uint16_t i = 0; i < times; ++i) {
    Reg::LoadUnAlign(a, in, x, 64);
    Reg::StoreUnAlign(z, a, out, 64);
  }
  Reg::StoreUnAlignPost(z, out, 0);
}

// Keeps what is positive, side by side.
__simd_vf__ inline void positive(Ub<float> z, Ub<float> x, uint16_t times) {
  Reg::RegTensor<float> a, b;
  Reg::UnalignRegForStore out;
  Reg::MaskReg all = Reg::CreateMask<float>(), kept;
  Reg::ClearSpr<SpecialPurposeReg::AR>();
  for (uint16_t i = 0; i < times; ++i) {
    Reg::LoadAlign(a, x + i * 64);
    Reg::Compares<float, CMPMODE::GT>(kept, a, 0.0f, all);
    Reg::Squeeze<float, Reg::GatherMaskMode::STORE_REG>(b, a, kept);
    Reg::StoreUnAlign<float, Reg::PostLiteral::POST_MODE_UPDATE>(z, b, out);
  }
  Reg::StoreUnAlignPost(z, out);
}

// The second iteration reads what the first has stored.
__simd_vf__ inline void repeatedly(Ub<float> x, uint16_t times) {
  Reg::RegTensor<float> a, b;
  Reg::MaskReg all = Reg::CreateMask<float>();
  for (uint16_t i = 0; i < times; ++i) {
    Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_LOAD>();
    Reg::LoadAlign(a, x);
    Reg::Adds(b, a, 1.0f, all);
    Reg::StoreAlign(x, b, all);
  }
}

/// Two inputs, one output, all in the UB at once.
template <class Out, class In, class In2, class Fn>
__aicore__ inline void around(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n,
                              uint32_t m, uint32_t k, Fn run) {
  TPipe pipe;
  TBuf<> xBuf, yBuf, zBuf;
  auto whole = [](uint32_t bytes) { return (bytes + 255) / 256 * 256 + 256; };
  pipe.InitBuffer(xBuf, whole(n * sizeof(In)));
  pipe.InitBuffer(yBuf, whole(m * sizeof(In2)));
  pipe.InitBuffer(zBuf, whole(k * sizeof(Out)));
  GlobalTensor<In> xGm;
  GlobalTensor<In2> yGm;
  GlobalTensor<Out> zGm;
  xGm.SetGlobalBuffer((__gm__ In *)x, n);
  yGm.SetGlobalBuffer((__gm__ In2 *)y, m);
  zGm.SetGlobalBuffer((__gm__ Out *)z, k);
  auto a = xBuf.Get<In>();
  auto b = yBuf.Get<In2>();
  auto c = zBuf.Get<Out>();
  DataCopyPad(a, xGm, {1, uint32_t(n * sizeof(In)), 0, 0, 0}, {false, 0, 0, 0});
  DataCopyPad(b, yGm, {1, uint32_t(m * sizeof(In2)), 0, 0, 0},
              {false, 0, 0, 0});
  DataCopyPad(c, zGm, {1, uint32_t(k * sizeof(Out)), 0, 0, 0},
              {false, 0, 0, 0});
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  run((Ub<Out>)c.GetPhyAddr(), (Ub<In>)a.GetPhyAddr(), (Ub<In2>)b.GetPhyAddr());
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopyPad(zGm, c, {1, uint32_t(k * sizeof(Out)), 0, 0, 0});
}

template <class T, int Which>
__global__ __aicore__ void elementwise(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                       uint32_t n) {
  around<T, T, T>(x, y, z, n, n, n, [=](auto c, auto a, auto b) {
    asc_vf_call<elements<T, Which>>(c, a, b, n,
                                    uint16_t((n + Lanes<T> - 1) / Lanes<T>));
  });
}
__simd_vf__ inline void withoutArguments() {}
extern "C" __global__ __aicore__ void merge(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  around<float, float, float>(x, y, z, 64, 64, 192, [](auto c, auto a, auto b) {
    asc_vf_call<withoutArguments>();
    asc_vf_call<merging<float>>(c, a, b);
  });
}
// z holds the floats, then the halves, then the integers.
extern "C" __global__ __aicore__ void converts(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                               uint32_t n) {
  around<float, half, float>(x, y, z, n, n, 2 * n, [=](auto c, auto a, auto b) {
    asc_vf_call<convert>(c, (Ub<half>)(c + n), (Ub<int16_t>)(c + n + n / 2), a,
                         b, uint16_t(n / 64));
  });
}
extern "C" __global__ __aicore__ void spreads(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  around<int16_t, int16_t, int16_t>(
      x, y, z, 256, 16, 13 * 128,
      [](auto c, auto a, auto) { asc_vf_call<spread>(c, a); });
}
extern "C" __global__ __aicore__ void moves(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  around<int32_t, int32_t, uint32_t>(
      x, y, z, 128, 64, 13 * 64,
      [](auto c, auto a, auto b) { asc_vf_call<places>(c, a, b); });
}
template <class T, class S>
__global__ __aicore__ void reduces(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                   uint32_t n) {
  around<T, S, S>(x, y, z, n, 16, 4 * Lanes<T>, [=](auto c, auto a, auto) {
    asc_vf_call<sums<T, S>>(c, a, n);
  });
}
extern "C" __global__ __aicore__ void anywhere(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                               uint32_t from, uint32_t to) {
  around<float, float, float>(x, y, z, 256, 16, 256, [=](auto c, auto a, auto) {
    asc_vf_call<unaligned>(c + to, a + from, 192);
  });
}
extern "C" __global__ __aicore__ void squeezes(GM_ADDR x, GM_ADDR y,
                                               GM_ADDR z) {
  around<float, float, float>(x, y, z, 256, 16, 256, [](auto c, auto a, auto) {
    asc_vf_call<positive>(c, a, uint16_t(4));
  });
}
extern "C" __global__ __aicore__ void chain(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  around<float, float, float>(x, y, z, 64, 16, 64, [](auto c, auto, auto) {
    asc_vf_call<repeatedly>(c, uint16_t(5));
  });
}
