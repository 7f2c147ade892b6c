// One step of Rprop, in place: steps grow where the gradient keeps its sign and
// shrink where it changes.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void rprop(InOut<T> p, In<T> g, InOut<float> before,
                             InOut<float> step, float up, float down,
                             float least, float most) {
  expects(g.size() == p.size() && before.size() == p.size() &&
          step.size() == p.size());
  for (auto w : my_tiles<1024>(p)) {
    auto grad = cast<float>(load(g, w));
    auto same = grad * load(before, w);
    auto old = load(step, w);
    auto s = clamp(
        select(same > 0.0f, old * up, select(same < 0.0f, old * down, old)),
        least, most);
    auto used = select(same < 0.0f, full_like(grad, 0.0f), grad);
    store(step, w.col(), s);
    store(before, w.col(), used);
    auto by =
        select(used > 0.0f, s, select(used < 0.0f, -s, full_like(s, 0.0f)));
    store(w, cast<T>(cast<float>(load(p, w)) - by));
  }
}
