// Rotary position embedding of x[token][head][2 * D], halves rotated against
// each other. Sines are negated once for each token, so that a product for all
// and a product that is added to each half are all that a token takes.
#include "../lines.h"

constexpr int64_t D = 64, Heads = 32, Tokens = 2, Row = Heads * 2 * D;

extern "C" __global__ __aicore__ void
rope(GM_ADDR xAt, GM_ADDR cosAt, GM_ADDR sinAt, GM_ADDR yAt, int64_t tokens) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  auto x = Global<float>(xAt, tokens * Row),
       y = Global<float>(yAt, tokens * Row);
  auto cos = Global<float>(cosAt, tokens * D),
       sin = Global<float>(sinAt, tokens * D);
  constexpr int64_t N = Tokens * Row, Angles = Tokens * D;
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  TBuf<TPosition::VECCALC> space;
  pipe.InitBuffer(in, 2, (N + 2 * Angles) * sizeof(float));
  pipe.InitBuffer(out, 2, N * sizeof(float));
  pipe.InitBuffer(space, Angles * sizeof(float));
  auto negated = space.Get<float>();
  for (int64_t first = GetBlockIdx() * Tokens; first < tokens;
       first += GetBlockNum() * Tokens) {
    const int64_t count = tokens - first < Tokens ? tokens - first : Tokens;
    auto loading = in.AllocTensor<float>();
    In(loading, x, first * Row, count * Row);
    In(loading[N], cos, first * D, count * D);
    In(loading[N + Angles], sin, first * D, count * D);
    in.EnQue(loading);
    auto t = in.DeQue<float>();
    auto r = out.AllocTensor<float>();
    Muls(negated, t[N + Angles], -1.0f, count * D);
    Then();
    for (int64_t k = 0; k < count; ++k)
      Mul(r[k * Row], t[k * Row], t[N + k * D], uint64_t(D), 2 * Heads,
          {1, 1, 1, 8, 8, 0});
    Then();
    for (int64_t k = 0; k < count; ++k) {
      const int64_t low = k * Row, high = low + D;
      MulAddDst(r[low], t[high], negated[k * D], uint64_t(D), Heads,
                {1, 1, 1, 16, 16, 0});
      MulAddDst(r[high], t[low], t[N + Angles + k * D], uint64_t(D), Heads,
                {1, 1, 1, 16, 16, 0});
    }
    Then();
    out.EnQue(r);
    in.FreeTensor(t);
    auto saving = out.DeQue<float>();
    Out(y, saving, first * Row, count * Row);
    out.FreeTensor(saving);
  }
}
