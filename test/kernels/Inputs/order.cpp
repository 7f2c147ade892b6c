// Right kernels whose instructions are hard to order: loops that may be empty,
// loops that move on inside loops that do not, and several stores to one view.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void halves(In<float, dyn, 64> x, Out<float, dyn, 64> y) {
  expects(x.rows() == y.rows());
  for (auto rows : my_spans<8>(x.rows())) {
    auto left = load(x, rows, span<32>(0, 32)),
         right = load(x, rows, span<32>(32, 32));
    store(y, rows, span<32>(0, 32), left + right);
    store(y, rows, span<32>(32, 32), left - right);
  }
}

[[belay::kernel]] void interleaved(In<float, dyn, 64> x,
                                   Out<float, dyn, 64> y) {
  expects(x.rows() == y.rows());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    auto even = load(x[r].strided(0, 2), span<32>(0, 32));
    auto odd = load(x[r].strided(1, 2), span<32>(0, 32));
    store(y[r].strided(0, 2), span<32>(0, 32), odd);
    store(y[r].strided(1, 2), span<32>(0, 32), even);
  }
}

[[belay::kernel]] void scaled_sums(In<float, dyn, 16> x,
                                   Out<float, dyn, 16> y) {
  expects(x.rows() == y.rows());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    auto row = load(x[r]);
    for (i64 i = 0; i < 16; ++i)
      store(y[r], i, sum(row * sum(load(x[r], span<1>(i, 1)))));
  }
}

[[belay::kernel]] void gathered(In<float> at, In<float, dyn, dyn> table,
                                Out<float, dyn, dyn> y) {
  expects(at.size() == y.cols() && table.rows() == y.rows());
  for (auto cols : my_spans<256>(y.cols())) {
    auto places = cast<i32>(load(at, cols));
    for (i64 r = 0; r < y.rows(); ++r)
      store(y[r], cols, gather<Oob::zero>(table[r], places));
  }
}

[[belay::kernel]] void running_max(In<float, dyn, dyn> x, Out<float> y) {
  expects(x.cols() == y.size() && x.rows() >= 1);
  for (auto cols : my_tiles<256>(y)) {
    auto most = copy(load(x[0], cols.col()));
    for (i64 r = 1; r < x.rows(); ++r)
      most = max(most, load(x[r], cols.col()));
    store(cols, most);
  }
}

[[belay::kernel]] void extents_only(In<float, dyn, dyn> x,
                                    Out<float, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols() && x.rows() >= 1);
  for (auto cols : my_spans<256>(x.cols())) {
    auto so_far = col_sum(full_like(load(x, span<1>(0, 1), cols), 0.0f));
    for (auto rows : tiles<8>(x.rows())) {
      auto t = load(x, rows, cols);
      store(y, rows, cols, t + so_far);
      so_far = so_far + col_sum(t);
    }
  }
}

[[belay::kernel]] void put_rows(In<float, dyn, dyn> x, In<i32> ids,
                                InOut<float, dyn, dyn> table) {
  expects(x.rows() == ids.size() && x.cols() == table.cols());
  for (i64 i = 0; i < ids.size(); ++i) {
    i64 id = i64(sum(load(ids, span<1>(i, 1))));
    if (id >= 0 && id < table.rows() && id % core_count() == core_index())
      for (auto cols : tiles<128>(x.cols()))
        store(table[id], cols, load(x[i], cols) + load(table[id], cols));
  }
}

[[belay::kernel]] void window_max(In<float, dyn, dyn> x,
                                  Out<float, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols() && x.cols() < 1 << 24);
  for (i64 r = core_index(); r < y.rows(); r += core_count())
    for (auto cols : tiles<64>(y.cols())) {
      auto most = load(x[r], cols);
      for (i64 i = -1; i < 2; ++i)
        if (r + i >= 0 && r + i < x.rows())
          for (i64 j = 0; j < 2; ++j)
            most = max(most, load(x[r + i], cols) * 0.5f);
      store(y[r], cols, most);
    }
}

template <i64 D>
[[belay::kernel]] void rotated(In<half, dyn, dyn, 2 * D> x,
                               In<float, dyn, D> cosine, In<float, dyn, D> sine,
                               Out<half, dyn, dyn, 2 * D> y) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1));
  expects(cosine.rows() == x.extent(0) && sine.rows() == x.extent(0));
  for (i64 t = core_index(); t < x.extent(0); t += core_count()) {
    auto c = load(cosine[t]), s = load(sine[t]);
    for (auto heads : tiles<16>(x.extent(1))) {
      auto a = cast<float>(load(x[t], heads, span<D>(0, D)));
      auto b = cast<float>(load(x[t], heads, span<D>(D, D)));
      store(y[t], heads, span<D>(0, D), cast<half>(a * c - b * s));
      store(y[t], heads, span<D>(D, D), cast<half>(b * c + a * s));
    }
  }
}
