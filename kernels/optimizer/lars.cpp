// One step of LARS, in place: momentum with a rate for the whole tensor that
// follows from the norms of parameters and gradients.
#include "belay/ops/numbers.h"
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void
lars(In<T> p, In<T> g, InOut<float> v, PerCore<float> of_p, PerCore<float> of_g,
     Out<T> q, float rate, float momentum, float decay, float trust) {
  expects(g.size() == q.size() && p.size() == q.size() && v.size() == q.size());
  expects(core_count() <= max_cores);
  float pp = ops::sum_mine<N>(q.size(), [&](auto s) {
    auto t = cast<float>(load(p, s));
    return t * t;
  });
  float gg = ops::sum_mine<N>(q.size(), [&](auto s) {
    auto t = cast<float>(load(g, s));
    return t * t;
  });
  store_mine(of_g, gg);
  float length = ops::sqrt_of(ops::sum_cores(of_p, pp));
  float slope = ops::sqrt_of(sum(load_all(of_g)));
  float local = trust * length / max(slope + length * decay, 1e-12f);
  for (auto w : my_tiles<N>(q)) {
    auto old = cast<float>(load(p, w));
    auto step =
        load(v, w) * momentum + (cast<float>(load(g, w)) + old * decay) * local;
    store(v, w.col(), step);
    store(w, cast<T>(old - step * rate));
  }
}
