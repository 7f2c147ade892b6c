// Logits minus what a token costs for having been used, and for each time that
// it was.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void frequency_penalty(In<T> logits, In<i32> counts, Out<T> y,
                                         float presence, float frequency) {
  expects(logits.size() == y.size() && counts.size() == y.size());
  for (auto w : my_tiles<2048>(y)) {
    auto n = cast<float>(load(counts, w));
    auto cost = min(n, 1.0f) * presence + n * frequency;
    store(w, cast<T>(cast<float>(load(logits, w)) - cost));
  }
}
