// What is expected of the number of cores.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void below(Out<float> y) {
  expects(y.size() + core_count() == 200 && core_count() <= 100);
  sync_cores();
  if (first_core())
    store(y, span<64>(200 - core_count() - 64, 64), full<1, 64, float>(1.0f));
}
[[belay::kernel]] void shares(InOut<float> a, Out<float> y) {
  expects(a.size() >= 64 && y.size() == core_count() * 64);
  store_add(a, span<64>(0, 64), full<1, 64, float>(1.0f));
  sync_cores();
  store(y, span<64>(core_index() * 64, 64), load(a, span<64>(0, 64)));
}
[[belay::kernel]] void two(Out<float> y) {
  expects(core_count() == 2);
  for (i64 i = core_index(); i < y.size(); i += core_count())
    store(y, i, 1.0f);
}
// All cores work if rows are whole blocks.
[[belay::kernel]] void rows(Out<float, dyn, dyn> y) {
  expects(y.cols() <= 64 && y.rows() == core_count());
  store(y[core_index()], span<64>(0, y.cols()), full<1, 64, float>(1.0f));
}
