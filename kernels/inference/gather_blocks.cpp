// Blocks of a paged cache [block][elements] in the order that a table names
// them.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void gather_blocks(In<T, dyn, dyn> cache, In<i32> table,
                                     Out<T, dyn, dyn> out) {
  expects(out.rows() == table.size() && out.cols() == cache.cols());
  expects(cache.rows() >= 1);
  for (i64 r = core_index(); r < out.rows(); r += core_count()) {
    i64 block = i64(sum(load(table, span<1>(r, 1))));
    i64 from = max(min(block, cache.rows() - 1), 0);
    for (auto c : tiles<N>(out.cols()))
      store(out[r], c, load(cache[from], c));
  }
}
