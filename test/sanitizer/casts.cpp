// Casts that cut a number, in the places where people write them: what becomes
// a length, a count or an offset, and what does not.
#include "kernel_operator.h"
using namespace AscendC;

namespace {
struct Sizes {
  uint16_t length;
  uint32_t unused;
};

__aicore__ inline uint16_t lengthOf(uint64_t bytes) {
  return static_cast<uint16_t>(bytes); // returned
}

template <typename T> class Copier {
public:
  __aicore__ inline void init(GM_ADDR x, uint64_t bytes) {
    pipe.InitBuffer(buf, 4096);
    g.SetGlobalBuffer((__gm__ T *)x);
    length = static_cast<uint16_t>(bytes / 32); // in a member
  }
  __aicore__ inline void copy() { run(length); }

private:
  __aicore__ inline void run(uint16_t blocks) {
    DataCopyParams p;
    p.blockLen = blocks;
    DataCopy(buf.Get<T>(), g, p);
  }
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  GlobalTensor<T> g;
  uint16_t length = 0;
};
} // namespace

#define KERNEL(NAME)                                                           \
  extern "C" __global__ __aicore__ void NAME(GM_ADDR x, uint64_t n)

#define SPACE                                                                  \
  TPipe pipe;                                                                  \
  TBuf<TPosition::VECCALC> buf;                                                \
  pipe.InitBuffer(buf, 4096);                                                  \
  GlobalTensor<float> g;                                                       \
  g.SetGlobalBuffer((__gm__ float *)x);                                        \
  LocalTensor<float> t = buf.Get<float>()

// In braces, as they want it.
KERNEL(braces) {
  SPACE;
  DataCopyParams p{1, static_cast<uint16_t>(n * 4 / 32), 0, 0}; // braces
  DataCopy(t, g, p);
}

KERNEL(c_style) {
  SPACE;
  DataCopyExtParams p = {1, (uint32_t)(n * 4), 0, 0, 0}; // c style
  DataCopyPad(t, g, p, DataCopyPadExtParams<float>{false, 0, 0, 0.0f});
}

KERNEL(functional) {
  SPACE;
  DataCopyParams p;
  p.blockLen = uint16_t(n / 8); // functional
  DataCopy(t, g, p);
}

KERNEL(variable) {
  SPACE;
  uint16_t length = static_cast<uint16_t>(n / 8); // variable
  uint16_t same = length;
  DataCopy(t, g, DataCopyParams{1, same, 0, 0});
}

KERNEL(result) {
  SPACE;
  DataCopy(t, g, DataCopyParams{1, lengthOf(n / 8), 0, 0});
}

KERNEL(member) {
  Copier<float> copier;
  copier.init(x, n * sizeof(float));
  copier.copy();
}

KERNEL(structure) {
  SPACE;
  Sizes sizes{(uint16_t)(n / 8), (uint32_t)n}; // structure
  DataCopy(t, g, DataCopyParams{1, sizes.length, 0, 0});
}

KERNEL(count) {
  SPACE;
  Duplicate(t, 1.0f, static_cast<int32_t>(n)); // count
}

KERNEL(repeats) {
  SPACE;
  Adds(t, t, 1.0f, 64, static_cast<uint8_t>(n / 64), // repeats
       UnaryRepeatParams{1, 1, 8, 8});
}

KERNEL(offset) {
  SPACE;
  DataCopy(t, g[static_cast<uint32_t>(n)], 8); // offset
}

KERNEL(sum) {
  SPACE;
  uint32_t rows = static_cast<uint32_t>(n); // sum
  DataCopy(t, g, (rows + 1) * 8);
}

// On purpose: elements, bits, and numbers that are two in one.
KERNEL(element) {
  SPACE;
  LocalTensor<int32_t> words = buf.Get<int32_t>();
  Duplicate(words, static_cast<int32_t>(n), 64);
  LocalTensor<int16_t> halves = buf.Get<int16_t>();
  Duplicate(halves, static_cast<int16_t>(n), 64);
  words.SetValue(0, static_cast<int32_t>(n));
}

KERNEL(hash) {
  SPACE;
  uint64_t h = 1469598103934665603ull;
  for (uint32_t i = 0; i < 8; ++i)
    h = (h ^ (n + i)) * 1099511628211ull;
  uint32_t short_hash = static_cast<uint32_t>(h);
  DataCopy(t, g[short_hash % 8 * 8], 8);
  uint8_t low = static_cast<uint8_t>(h);
  g.SetValue(low & 7, static_cast<float>(low));
}

KERNEL(low_bits) {
  SPACE;
  uint16_t length = static_cast<uint16_t>(n & 0x3f);
  DataCopy(t, g, DataCopyParams{1, static_cast<uint16_t>(length | 1), 0, 0});
}

KERNEL(packed) {
  SPACE;
  uint16_t length = static_cast<uint16_t>(n);
  uint16_t count = static_cast<uint16_t>(n >> 16);
  DataCopy(t, g, DataCopyParams{count, length, 0, 0});
}
