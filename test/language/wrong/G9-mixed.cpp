// G9: nothing that one core reads decides about the other core's instructions.
// RUN: %python %S/../Inputs/check-wrong.py %s --emit ascendc
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void length_from_memory(In<half, 32, 64> q, In<half, 64, dyn> k, In<i32, 1> length, Out<float, 32, 1> y) {
  i64 n = min(max(i64(sum(load(length))), 0), k.cols()); // not-emitted: a number that one core reads decides what the other core does
  //= i64 n = k.cols();
  for (auto w : my_rows<32>(y)) {
    auto total = zeros<float>(w);
    for (auto c : tiles<48>(n))
      total += row_sum(dot(load(q), load(k, span<64>(0, 64), c)));
    store(w, total);
  }
}
[[belay::kernel]] void until_it_is_small(In<half, dyn, 64> a, In<half, 64, 64> b, Out<float, dyn, 64> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<32>(c)) {
    auto t = dot(load(a, w), load(b)) * 1.0f;
    float error = 1;
    for (i64 i = 0; i < 10 && error > 0.1f; ++i) {
      t = dot(cast<half>(t), load(b)) * 1.0f;
      error = maximum(t); // not-emitted: a number that one core reads decides what the other core does
      //= error = 1;
    }
    store(w, t);
  }
}
[[belay::kernel]] void only_if_memory_says_so(In<half, dyn, 64> a, In<half, 64, 48> b, In<float, 1> gate, Out<float, dyn, 48> c) {
  expects(a.rows() == c.rows());
  float g = sum(load(gate)); // not-emitted: a number that one core reads decides what the other core does
  //= float g = 1;
  for (auto w : my_rows<32>(c))
    if (g > 0.5f)
      store(w, dot(load(a, w.row(), span<64>(0, 64)), load(b)));
}
[[belay::kernel]] void row_from_an_index(In<half, dyn, 64> table, In<i32> ids, In<half, 64, 48> b, Out<float, dyn, 48> c) {
  expects(ids.size() == c.rows() && table.rows() >= 1);
  for (auto w : my_rows<1>(c)) {
    i64 row = min(max(i64(sum(load(ids, w.row()))), 0), table.rows() - 1); // not-emitted: a number that one core reads decides what the other core does
    //= i64 row = 0;
    store(w, dot(load(table, span<1>(row, 1), span<64>(0, 64)), load(b)));
  }
}
