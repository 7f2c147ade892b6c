// Square roots by Newton's method: tiles that a loop carries until they are
// good enough, but not for ever.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void square_root(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<2048>(y)) {
    auto a = load(x, w);
    auto root = max(a, 1.0f);
    float change = 1;
    for (i64 k = 0; k < 50 && change > 1e-6f; ++k) {
      auto better = (root + a / root) * 0.5f;
      change = maximum(abs(better - root) / better);
      root = copy(better);
    }
    store(w, root);
  }
}
