// What the tests of vector calls share: the numbers of a call (lanes.py writes
// them), and whole tensors in and out of the unified buffer.
#ifndef BELAY_TEST_SIMULATOR_CALL_H
#define BELAY_TEST_SIMULATOR_CALL_H

#include "kernel_operator.h"

enum Form { ByCount, ByMask, ByBits, ByRegister, ByCounter, ByCounterRegister };

struct Numbers {
  __aicore__ inline explicit Numbers(GM_ADDR address) {
    p = (__gm__ int32_t *)address;
    form = static_cast<Form>(p[0]);
    n = p[1];
    repeat = p[2];
    for (int i = 0; i < 4; ++i)
      bits[i / 2] |= uint64_t(uint32_t(p[9 + i])) << 32 * (i % 2);
  }
  __aicore__ inline AscendC::UnaryRepeatParams unary() const {
    return {uint16_t(p[3]), uint16_t(p[4]), uint8_t(p[6]), uint8_t(p[7])};
  }
  __aicore__ inline AscendC::BinaryRepeatParams binary() const {
    return {uint8_t(p[3]), uint8_t(p[4]), uint8_t(p[5]),
            uint8_t(p[6]), uint8_t(p[7]), uint8_t(p[8])};
  }
  /// What a test adds after the thirteen words of the call.
  __aicore__ inline int32_t operator[](int i) const { return p[13 + i]; }

  __gm__ int32_t *p;
  Form form;
  int32_t n, repeat;
  uint64_t bits[2] = {0, 0};
};

/// A tensor of `count` elements, filled from global memory.
template <typename T>
__aicore__ inline AscendC::LocalTensor<T>
load(AscendC::TPipe &pipe, GM_ADDR address, uint32_t count) {
  AscendC::TBuf<AscendC::TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, count * sizeof(T));
  auto local = buf.Get<T>();
  AscendC::GlobalTensor<T> global;
  global.SetGlobalBuffer((__gm__ T *)address, count);
  AscendC::DataCopy(local, global, count);
  AscendC::PipeBarrier<PIPE_ALL>();
  return local;
}

template <typename T>
__aicore__ inline void store(const AscendC::LocalTensor<T> &local,
                             GM_ADDR address, uint32_t count) {
  AscendC::PipeBarrier<PIPE_ALL>();
  AscendC::GlobalTensor<T> global;
  global.SetGlobalBuffer((__gm__ T *)address, count);
  AscendC::DataCopy(global, local, count);
  AscendC::PipeBarrier<PIPE_ALL>();
}

/// Runs Call(...) in the form that the numbers ask for; Args come before the
/// count or mask. T is what isSetMask follows among the template arguments.
#define BELAY_MASKED_FORMS(N, Params, Name, Types, ...)                        \
  switch ((N).form) {                                                          \
  case ByMask:                                                                 \
    Name(__VA_ARGS__, (N).n, (N).repeat, Params);                              \
    break;                                                                     \
  case ByBits:                                                                 \
    Name(__VA_ARGS__, (N).bits, (N).repeat, Params);                           \
    break;                                                                     \
  case ByRegister:                                                             \
    AscendC::SetMaskNorm();                                                    \
    AscendC::SetVectorMask<int32_t>((N).bits[1], (N).bits[0]);                 \
    Name<BELAY_TYPES Types, false>(__VA_ARGS__, AscendC::MASK_PLACEHOLDER,     \
                                   (N).repeat, Params);                        \
    AscendC::ResetMask();                                                      \
    break;                                                                     \
  case ByCounter:                                                              \
    AscendC::SetMaskCount();                                                   \
    Name(__VA_ARGS__, (N).n, 1, Params);                                       \
    AscendC::SetMaskNorm();                                                    \
    AscendC::ResetMask();                                                      \
    break;                                                                     \
  case ByCounterRegister:                                                      \
    AscendC::SetMaskCount();                                                   \
    AscendC::SetVectorMask<int32_t, AscendC::MaskMode::COUNTER>((N).n);        \
    Name<BELAY_TYPES Types, false>(__VA_ARGS__, AscendC::MASK_PLACEHOLDER, 1,  \
                                   Params);                                    \
    AscendC::SetMaskNorm();                                                    \
    AscendC::ResetMask();                                                      \
    break;                                                                     \
  default:                                                                     \
    break;                                                                     \
  }
#define BELAY_TYPES(...) __VA_ARGS__
#define BELAY_ALL_FORMS(N, Params, Name, Types, ...)                           \
  if ((N).form == ByCount)                                                     \
    Name(__VA_ARGS__, (N).n);                                                  \
  else                                                                         \
    BELAY_MASKED_FORMS(N, Params, Name, Types, __VA_ARGS__)

#endif // BELAY_TEST_SIMULATOR_CALL_H
