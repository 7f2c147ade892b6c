// Compare and Select work on whole repeats: lanes past the last element have
// no value, and that is no fault as long as none of them is stored.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void choose(GM_ADDR x, GM_ADDR y,
                                             uint32_t loaded, uint32_t stored) {
  constexpr uint32_t LANES = 256;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, LANES);
  yGm.SetGlobalBuffer((__gm__ float *)y, LANES);
  TPipe pipe;
  TBuf<TPosition::VECCALC> aBuf, zeroBuf, yBuf, maskBuf;
  pipe.InitBuffer(aBuf, LANES * sizeof(float));
  pipe.InitBuffer(zeroBuf, LANES * sizeof(float));
  pipe.InitBuffer(yBuf, LANES * sizeof(float));
  pipe.InitBuffer(maskBuf, LANES / 8);
  LocalTensor<float> a = aBuf.Get<float>(), zero = zeroBuf.Get<float>();
  LocalTensor<uint8_t> mask = maskBuf.Get<uint8_t>();
  DataCopyPad(a, xGm, {1, uint32_t(loaded * sizeof(float)), 0, 0, 0},
              {false, 0, 0, 0});
  PipeBarrier<PIPE_ALL>();
  Duplicate(zero, 0.0f, LANES);
  PipeBarrier<PIPE_V>();
  Compare(mask, a, zero, CMPMODE::LE, LANES);
  PipeBarrier<PIPE_V>();
  // Words of 16 bits: the last one has lanes with a value and lanes without.
  LocalTensor<uint16_t> words = mask.ReinterpretCast<uint16_t>();
  Or(words, words, words, LANES / 16);
  PipeBarrier<PIPE_V>();
  And(words, words, words, LANES / 16);
  PipeBarrier<PIPE_V>();
  Not(words, words, LANES / 16);
  PipeBarrier<PIPE_V>();
  Select(yBuf.Get<float>(), mask, a, zero, SELMODE::VSEL_TENSOR_TENSOR_MODE,
         LANES);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(yGm, yBuf.Get<float>(), // leaves
              {1, uint32_t(stored * sizeof(float)), 0, 0, 0});
}
