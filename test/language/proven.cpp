// Forms that are safe for reasons that take a step to see, each proven.
// RUN: belay build %s --emit ascend-ir --deny | FileCheck %s
// Contracts stay until emission.
// DEFINE: %{counting} = --kernel part_of_rank_3 --kernel part_of_rank_4 --kernel nearest_row --kernel interleaved
// RUN: belay build %s --deny --emit core-ir %{counting} | FileCheck %s --check-prefix=CORE
// Loops that do not count become instructions, too.
// RUN: belay build %s --deny --emit core-ir --kernel bisect | FileCheck %s --check-prefix=WHILE
#include "belay/kernel.h"
using namespace belay;

// An argument has at most 2^40 elements, and a part of it not more.
// CHECK-LABEL: func.func @part_of_rank_3(
// CORE-LABEL: func.func @part_of_rank_3(
// CORE: ascend.expects %{{.*}}, "x.extent(0) == y.extent(0)"
[[belay::kernel]] void part_of_rank_3(In<float, dyn, dyn, dyn> x,
                                      Out<float, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1) &&
          x.extent(2) == y.extent(2));
  for (i64 n = 0; n < x.extent(0); ++n)
    for (auto w : my_tiles<8, 1024>(y[n]))
      store(w, load(x[n], w) * 2.0f);
}
// CHECK-LABEL: func.func @part_of_rank_4(
[[belay::kernel]] void part_of_rank_4(Out<float, dyn, dyn, dyn, dyn> y) {
  for (i64 n = 0; n < y.extent(0); ++n)
    for (i64 c = 0; c < y.extent(1); ++c)
      for (auto w : my_tiles<8, 1024>(y[n][c]))
        store(w, full<8, 1024, float>(1.0f));
}

// r * h / n < h for r < n.
// CHECK-LABEL: func.func @nearest_row(
[[belay::kernel]] void nearest_row(In<float, dyn, 64> x,
                                   Out<float, dyn, 64> y) {
  expects(x.rows() >= 1 && x.rows() < 1 << 20 && y.rows() >= 1 &&
          y.rows() < 1 << 20);
  for (i64 r = core_index(); r < y.rows(); r += core_count())
    store(y[r], span<64>(0, 64), load(x[r * x.rows() / y.rows()]));
}

// Elements of different cores are never congruent modulo their number.
// CHECK-LABEL: func.func @interleaved(
[[belay::kernel]] void interleaved(In<float> x, Out<float> y) {
  expects(x.size() == y.size() && x.size() % core_count() == 0 &&
          x.size() >= core_count());
  auto a = x.strided(core_index(), core_count());
  auto b = y.strided(core_index(), core_count());
  for (auto c : tiles<512>(b.size()))
    store(b, c, load(a, c) * 2.0f);
}

// That a core has a tile says that a row has tiles: the division by their number
// is no case of its own for whoever searches the columns of two cores.
// CHECK-LABEL: func.func @every_other_column(
[[belay::kernel]] void every_other_column(In<float, dyn, dyn> x,
                                          Out<float, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (auto w : my_tiles<1, 64>(y))
    for (i64 p = 0; p < 2; ++p) {
      i64 row = w.row().begin, col = w.col().begin;
      i64 first = (col - p + 1) / 2, last = (col + w.col().size - p + 1) / 2;
      store(y[row].strided(p, 2), span<64>(first, last - first),
            load(x[row].strided(p, 2), span<64>(first, last - first)));
    }
}

// What decides by data is the same for both ends.
// CHECK-LABEL: func.func @bisect(
[[belay::kernel]] void bisect(In<float> x, In<float> key, Out<i32> y) {
  expects(key.size() == y.size() && x.size() < 1 << 30);
  for (i64 i = core_index(); i < key.size(); i += core_count()) {
    float k = sum(load(key, span<1>(i, 1)));
    i64 lo = 0, hi = x.size();
    // WHILE: scf.while
    // WHILE: ascend.copy_pad.in
    while (lo < hi) {
      i64 mid = (lo + hi) / 2;
      if (sum(load(x, span<1>(mid, 1))) < k)
        lo = mid + 1;
      else
        hi = mid;
    }
    store(y, i, i32(lo));
  }
}
