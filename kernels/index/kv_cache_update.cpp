// Writes the keys or values of new tokens to consecutive places of a cache
// [batch][length][features], from a place of each sequence on; what does not
// fit is left out.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void kv_cache_update(InOut<T, dyn, dyn, dyn> cache,
                                       In<T, dyn, dyn, dyn> tokens,
                                       In<i32> lengths) {
  expects(cache.extent(0) == tokens.extent(0));
  expects(cache.extent(2) == tokens.extent(2));
  expects(lengths.size() == cache.extent(0));
  for (i64 b = core_index(); b < cache.extent(0); b += core_count()) {
    i64 first = i64(sum(load(lengths, span<1>(b, 1))));
    for (i64 t = 0; t < tokens.extent(1); ++t)
      if (first + t >= 0 && first + t < cache.extent(1))
        for (auto c : tiles<N>(cache.extent(2)))
          store(cache[b][first + t], c, load(tokens[b][t], c));
  }
}
