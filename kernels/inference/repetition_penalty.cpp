// Logits of tokens that were seen before (not 0 in the mask) divided by a
// penalty where they are positive, multiplied by it elsewhere.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void repetition_penalty(In<T> logits, In<i8> seen, Out<T> y,
                                          float penalty) {
  expects(logits.size() == y.size() && seen.size() == y.size());
  for (auto w : my_tiles<2048>(y)) {
    auto t = cast<float>(load(logits, w));
    auto was = cast<float>(cast<half>(load(seen, w))) != 0.0f;
    auto less = select(t > 0.0f, t / penalty, t * penalty);
    store(w, cast<T>(select(was, less, t)));
  }
}
