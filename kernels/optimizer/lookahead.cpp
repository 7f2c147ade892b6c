// One step of Lookahead, in place: slow weights move towards fast ones, which
// then start from there.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void lookahead(InOut<T> fast, InOut<float> slow,
                                 float alpha) {
  expects(slow.size() == fast.size());
  for (auto w : my_tiles<2048>(fast)) {
    auto old = load(slow, w);
    auto now = old + (cast<float>(load(fast, w)) - old) * alpha;
    store(slow, w.col(), now);
    store(w, cast<T>(now));
  }
}
