// mean(1 - cos(a, b)) of rows.
// MultiKernelBench: loss/cosine_similarity_loss.
#include "belay/ops/numbers.h"
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void cosine_similarity(In<T, dyn, dyn> a, In<T, dyn, dyn> b,
                                         PerCore<float> part,
                                         Out<float, 1> loss) {
  expects(a.rows() == b.rows() && a.cols() == b.cols() && a.rows() >= 1);
  expects(core_count() <= max_cores);
  float mine = 0;
  for (i64 r = core_index(); r < a.rows(); r += core_count()) {
    auto ab = zeros<1, N, float>(), aa = zeros<1, N, float>();
    auto bb = zeros<1, N, float>();
    for (auto c : tiles<N>(a.cols())) {
      auto x = cast<float>(load(a[r], c, T(0)));
      auto y = cast<float>(load(b[r], c, T(0)));
      ab = ab + x * y;
      aa = aa + x * x;
      bb = bb + y * y;
    }
    float lengths =
        max(ops::sqrt_of(sum(aa)), 1e-8f) * max(ops::sqrt_of(sum(bb)), 1e-8f);
    mine += 1.0f - sum(ab) / lengths;
  }
  ops::store_sum(loss, part, mine, 1.0f / float(a.rows()));
}
