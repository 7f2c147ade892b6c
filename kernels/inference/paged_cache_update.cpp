// Writes the keys or values of tokens to slots of a cache [slot][features]; a
// slot that does not exist is left out, and of several tokens for one slot the
// last wins.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void paged_cache_update(InOut<T, dyn, dyn> cache,
                                          In<T, dyn, dyn> tokens,
                                          In<i32> slots) {
  expects(tokens.rows() == slots.size() && tokens.cols() == cache.cols());
  for (i64 t = 0; t < tokens.rows(); ++t) {
    i64 slot = i64(sum(load(slots, span<1>(t, 1))));
    if (slot >= 0 && slot < cache.rows() &&
        slot % core_count() == core_index()) // one core for each slot
      for (auto c : tiles<N>(cache.cols()))
        store(cache[slot], c, load(tokens[t], c));
  }
}
