// A moving average, in place: average * decay + x * (1 - decay).
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void ema(InOut<float> average, In<T> x, float decay) {
  expects(x.size() == average.size());
  for (auto w : my_tiles<4096>(average))
    store(w,
          load(average, w) * decay + cast<float>(load(x, w)) * (1.0f - decay));
}
