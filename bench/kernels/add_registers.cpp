// A float add by a vector function over registers.
#include "kernel_operator.h"
using namespace AscendC;

using Ub = __ubuf__ float *;

__simd_vf__ inline void add(Ub z, Ub x, Ub y, uint32_t count, uint16_t times) {
  constexpr uint32_t Lanes = GetVecLen() / sizeof(float);
  Reg::RegTensor<float> a, b, c;
  Reg::MaskReg mask;
  for (uint16_t i = 0; i < times; ++i) {
    mask = Reg::UpdateMask<float>(count);
    Reg::LoadAlign(a, x + i * Lanes);
    Reg::LoadAlign(b, y + i * Lanes);
    Reg::Add(c, a, b, mask);
    Reg::StoreAlign(z + i * Lanes, c, mask);
  }
}

extern "C" __global__ __aicore__ void add_registers(GM_ADDR x, GM_ADDR y,
                                                    GM_ADDR z, uint32_t n) {
  constexpr uint32_t Tile = 8192, Bytes = Tile * sizeof(float);
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> inX, inY;
  TQue<QuePosition::VECOUT, 1> outZ;
  pipe.InitBuffer(inX, 2, Bytes);
  pipe.InitBuffer(inY, 2, Bytes);
  pipe.InitBuffer(outZ, 2, Bytes);
  uint32_t tiles = (n + Tile - 1) / Tile;
  GlobalTensor<float> xGm, yGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, n);
  yGm.SetGlobalBuffer((__gm__ float *)y, n);
  zGm.SetGlobalBuffer((__gm__ float *)z, n);
  for (uint32_t t = GetBlockIdx(); t < tiles; t += GetBlockNum()) {
    uint64_t at = uint64_t(t) * Tile;
    uint32_t count = n - at < Tile ? n - at : Tile;
    DataCopyExtParams row = {1, uint32_t(count * sizeof(float)), 0, 0, 0};
    auto a = inX.AllocTensor<float>(), b = inY.AllocTensor<float>();
    DataCopyPad(a, xGm[at], row, {false, 0, 0, 0});
    DataCopyPad(b, yGm[at], row, {false, 0, 0, 0});
    inX.EnQue(a);
    inY.EnQue(b);
    a = inX.DeQue<float>();
    b = inY.DeQue<float>();
    auto c = outZ.AllocTensor<float>();
    asc_vf_call<add>((Ub)c.GetPhyAddr(), (Ub)a.GetPhyAddr(), (Ub)b.GetPhyAddr(),
                     count, uint16_t((count + 63) / 64));
    outZ.EnQue(c);
    inX.FreeTensor(a);
    inY.FreeTensor(b);
    c = outZ.DeQue<float>();
    DataCopyPad(zGm[at], c, row);
    outZ.FreeTensor(c);
  }
}
