// Vector functions over registers, each with one mistake that WRONG leaves in.
#include "kernel_operator.h"
using namespace AscendC;

using Ub = __ubuf__ float *;

/// Loads a buffer of n floats, runs a function on it, and stores another.
template <class Fn>
__aicore__ inline void around(GM_ADDR x, GM_ADDR z, uint32_t n, Fn run) {
  TPipe pipe;
  TBuf<> xBuf, zBuf;
  pipe.InitBuffer(xBuf, 1024);
  pipe.InitBuffer(zBuf, 1024);
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);
  auto a = xBuf.Get<float>(), c = zBuf.Get<float>();
  DataCopyPad(a, xGm, {1, uint32_t(n * 4), 0, 0, 0}, {false, 0, 0, 0});
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  run((Ub)c.GetPhyAddr(), (Ub)a.GetPhyAddr());
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopyPad(zGm, c, {1, uint32_t(n * 4), 0, 0, 0}); // leaves
}

__simd_vf__ inline void copies(Ub z, Ub x, uint32_t n, uint16_t times) {
  Reg::RegTensor<float> a;
  for (uint16_t i = 0; i < times; ++i) {
    Reg::MaskReg mask = Reg::UpdateMask<float>(n);
    Reg::LoadAlign(a, x + i * 64);        // loads
    Reg::StoreAlign(z + i * 64, a, mask); // stores
  }
}
// A tail, and perhaps more elements than were loaded or fit.
extern "C" __global__ __aicore__ void tail(GM_ADDR x, GM_ADDR z,
                                           uint32_t loaded, uint32_t stored) {
  around(x, z, loaded, [=](Ub c, Ub a) {
    asc_vf_call<copies>(c, a, stored, uint16_t((stored + 63) / 64));
  });
}
// Elements that nothing was loaded into come out in the end.
extern "C" __global__ __aicore__ void unloaded(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<> xBuf, zBuf;
  pipe.InitBuffer(xBuf, 1024);
  pipe.InitBuffer(zBuf, 1024);
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((__gm__ float *)z);
  auto a = xBuf.Get<float>(), c = zBuf.Get<float>();
  asc_vf_call<copies>((Ub)c.GetPhyAddr(), (Ub)a.GetPhyAddr(), 64u, uint16_t(1));
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopyPad(zGm, c, {1, 256, 0, 0, 0}); // lets out
}

__simd_vf__ inline void forgets(Ub z, Ub x) {
  Reg::RegTensor<float> a, b;
  Reg::MaskReg mask = Reg::CreateMask<float>();
  Reg::LoadAlign(a, x);
#ifndef WRONG
  Reg::Duplicate(b, 1.0f);
#endif
  Reg::Add(a, a, b, mask); // adds
  Reg::StoreAlign(z, a, mask);
}
extern "C" __global__ __aicore__ void unwritten(GM_ADDR x, GM_ADDR z) {
  around(x, z, 64, [](Ub c, Ub a) { asc_vf_call<forgets>(c, a); });
}

__simd_vf__ inline void maskless(Ub z, Ub x) {
  Reg::RegTensor<float> a;
  Reg::MaskReg mask;
#ifndef WRONG
  mask = Reg::CreateMask<float>();
#endif
  Reg::LoadAlign(a, x);
  Reg::StoreAlign(z, a, mask); // reads mask
}
extern "C" __global__ __aicore__ void unmasked(GM_ADDR x, GM_ADDR z) {
  around(x, z, 64, [](Ub c, Ub a) { asc_vf_call<maskless>(c, a); });
}

__simd_vf__ inline void again(Ub z, Ub x) {
  Reg::RegTensor<float> a, b, c;
  Reg::MaskReg mask = Reg::CreateMask<float>();
  Reg::LoadAlign(a, x);
  Reg::Adds(b, a, 1.0f, mask);
  Reg::StoreAlign(z, b, mask); // first
#ifndef WRONG
  Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_LOAD>();
#endif
  Reg::LoadAlign(c, z); // reads back
  Reg::Adds(c, c, 1.0f, mask);
#ifndef WRONG
  Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_STORE>();
#endif
  Reg::StoreAlign(z, c, mask); // second
}
extern "C" __global__ __aicore__ void unordered(GM_ADDR x, GM_ADDR z) {
  around(x, z, 64, [](Ub c, Ub a) { asc_vf_call<again>(c, a); });
}

// The same register orders the two by itself.
__simd_vf__ inline void same(Ub z, Ub x) {
  Reg::RegTensor<float> a;
  Reg::MaskReg mask = Reg::CreateMask<float>();
  Reg::LoadAlign(a, x);
  Reg::StoreAlign(z, a, mask);
  Reg::LoadAlign(a, z);
  Reg::StoreAlign(z, a, mask);
}
extern "C" __global__ __aicore__ void ordered(GM_ADDR x, GM_ADDR z) {
  around(x, z, 64, [](Ub c, Ub a) { asc_vf_call<same>(c, a); });
}

__simd_vf__ inline void rest(Ub z, Ub x) {
  Reg::RegTensor<float> a;
  Reg::UnalignRegForStore out;
  Reg::LoadAlign(a, x);
  Reg::StoreUnAlign(z, a, out, 50); // keeps some back
#ifndef WRONG
  Reg::StoreUnAlignPost(z, out, 0);
#endif
}
extern "C" __global__ __aicore__ void unfinished(GM_ADDR x, GM_ADDR z) {
  around(x, z, 50, [](Ub c, Ub a) { asc_vf_call<rest>(c, a); });
}

__simd_vf__ inline void first(Ub z, Ub x) {
  Reg::RegTensor<float> a;
  Reg::UnalignRegForLoad in;
  Reg::MaskReg mask = Reg::CreateMask<float>();
#ifndef WRONG
  Reg::LoadUnAlignPre(in, x + 3);
#endif
  Reg::LoadUnAlign(a, in, x + 3); // nothing held
  Reg::StoreAlign(z, a, mask);
}
extern "C" __global__ __aicore__ void unprepared(GM_ADDR x, GM_ADDR z) {
  around(x, z, 128, [](Ub c, Ub a) {
    asc_vf_call<first>(c, a);
    asc_vf_call<copies>(c + 64, a, 64u, uint16_t(1));
  });
}

// The copies around a function, with and without their flags.
extern "C" __global__ __aicore__ void flags(GM_ADDR x, GM_ADDR z, uint32_t in,
                                            uint32_t out) {
  TPipe pipe;
  TBuf<> xBuf, zBuf;
  pipe.InitBuffer(xBuf, 1024);
  pipe.InitBuffer(zBuf, 1024);
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);
  auto a = xBuf.Get<float>(), c = zBuf.Get<float>();
  DataCopy(a, xGm, 256);
  if (in) {
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
  }
  asc_vf_call<copies>((Ub)c.GetPhyAddr(), (Ub)a.GetPhyAddr(), 256u,
                      uint16_t(4));
  if (out) {
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
  }
  DataCopy(zGm, c, 256); // copies out
}
