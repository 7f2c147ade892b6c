// G5: no use after a move, nothing to free.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
#include <utility>
using namespace belay;

[[belay::kernel]] void moved(In<float, 64> x, Out<float, 64> y) {
  auto t = load(x);
  auto u = std::move(t);
  if (first_core())
    store(y, span<64>(0, 64), t); // use-after-move: 't' is used after it was moved
  //= store(y, span<64>(0, 64), u);
}
[[belay::kernel]] void moved_in_branch(In<float, 64> x, Out<float, 64> y, i64 n) {
  auto t = load(x);
  auto u = load(x);
  if (n > 3)
    u = std::move(t);
  if (first_core())
    store(y, span<64>(0, 64), t); // use-after-move: 't' is used after it was moved
  //= store(y, span<64>(0, 64), u);
}
[[belay::kernel]] void moved_in_else(In<float, 64> x, Out<float, 64> y, i64 n) {
  auto t = load(x);
  auto u = load(x);
  if (n > 3)
    u = u + 1.0f;
  else
    u = std::move(t);
  if (first_core())
    store(y, span<64>(0, 64), t + u); // use-after-move: 't' is used after it was moved
  //= store(y, span<64>(0, 64), u);
}
[[belay::kernel]] void moved_in_loop(In<float, 64> x, Out<float, 64> y, i64 n) {
  auto t = load(x);
  auto u = load(x);
  for (i64 i = 0; i < n; ++i)
    u = std::move(t); // use-after-move: 't' is used after it was moved
  //= u = t + 1.0f;
  if (first_core())
    store(y, span<64>(0, 64), u);
}
[[belay::kernel]] void moved_in_while(In<float, 64> x, Out<float, 64> y, i64 n) {
  auto t = load(x);
  auto u = load(x);
  i64 i = 0;
  while (i < n) {
    u = std::move(t); // use-after-move: 't' is used after it was moved
    //= u = t + 1.0f;
    ++i;
  }
  if (first_core())
    store(y, span<64>(0, 64), u);
}
auto doubled(Tile<1, 64, float> t) { return t + t; }
[[belay::kernel]] void moved_into_call(In<float, 64> x, Out<float, 64> y) {
  auto t = load(x);
  auto u = doubled(std::move(t));
  if (first_core())
    store(y, span<64>(0, 64), t + u); // use-after-move: 't' is used after it was moved
  //= store(y, span<64>(0, 64), u);
}
[[belay::kernel]] void moved_twice(In<float, 64> x, Out<float, 64> y) {
  auto t = load(x);
  auto u = doubled(std::move(t));
  auto v = doubled(std::move(t)); // use-after-move: 't' is used after it was moved
  //= auto v = doubled(load(x));
  if (first_core())
    store(y, span<64>(0, 64), u + v);
}
[[belay::kernel]] void moved_in_function(In<float, 64> x, Out<float, 64> y) {
  auto give = [&](Tile<1, 64, float> t) {
    auto u = std::move(t);
    return t + u; // use-after-move: 't' is used after it was moved
    //= return u + u;
  };
  if (first_core())
    store(y, span<64>(0, 64), give(load(x)));
}
[[belay::kernel]] void pointer(Out<float, 4> y) {
  float *p = nullptr; // not-in-kernels: 'p' is a pointer or array
  //= float p = 0;
  if (first_core())
    store(y, 0, 1.0f);
}
[[belay::kernel]] void array(Out<float, 4> y) {
  float a[4] = {}; // not-in-kernels: 'a' is a pointer or array
  //= float a = 0;
  if (first_core())
    store(y, 0, 1.0f);
}
[[belay::kernel]] void address(Out<float, 4> y) {
  float s = 1;
  float t = *&s; // not-in-kernels: there are no addresses
  //= float t = s;
  if (first_core())
    store(y, 0, t);
}
[[belay::kernel]] void allocates(Out<float, 4> y) {
  float s = *new float(1); // not-in-kernels: nothing is allocated on a core
  //= float s = 1;
  if (first_core())
    store(y, 0, s);
}
[[belay::kernel]] void remembers(Out<float, 4> y) {
  static i64 count = 3; // not-in-kernels: a core keeps nothing
  //= i64 count = 3;
  if (first_core())
    store(y, count, 1.0f);
}
[[belay::kernel]] void captures_a_copy(Out<float, 4> y, i64 n) {
  i64 k = 3;
  auto f = [k] { return k; }; // not-in-kernels: a lambda sees variables as they are when it is called
  //= auto f = [&] { return k; };
  if (first_core())
    store(y, f(), 1.0f);
}
[[belay::kernel]] void sum_after_move(In<half, dyn, 64> a, In<half, 64, 32> b, Out<float, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c)) {
    auto sum = zeros<float>(w);
    auto other = std::move(sum);
    sum += dot(load(a, w.row(), span<64>(0, 64)), load(b)); // use-after-move: 'sum' is used after it was moved
    //= other += dot(load(a, w.row(), span<64>(0, 64)), load(b));
    store(w, other);
  }
}
[[belay::kernel]] void maximum_after_its_move(In<half, dyn, 48> q, In<half, 48, dyn> k, Out<float, dyn, 1> o) {
  expects(q.rows() == o.rows());
  for (auto w : my_rows<32>(o)) {
    auto most = full<float>(w, -3e38f), total = zeros<float>(w);
    for (auto c : tiles<64>(k.cols())) {
      auto s = dot(load(q, w.row(), span<48>(0, 48)), load(k, span<48>(0, 48), c));
      auto now = max(most, row_max(s));
      total = total * exp(most - now);
      most = std::move(now);
      total += row_sum(exp(s - now)); // use-after-move: 'now' is used after it was moved
      //= total += row_sum(exp(s - most));
    }
    store(w, total);
  }
}
[[belay::kernel]] void sum_moved_in_a_loop(In<half, dyn, dyn> a, In<half, dyn, 48> b, Out<float, dyn, 48> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows());
  for (auto w : my_rows<32>(c)) {
    auto sum = zeros<float>(w), last = zeros<float>(w);
    for (auto k : tiles<64>(a.cols())) {
      sum += dot(load(a, w.row(), k), load(b, k, w.col())); // use-after-move: 'sum' is used after it was moved
      last = std::move(sum); // use-after-move: 'sum' is used after it was moved
      //= last = copy(sum);
    }
    store(w, last);
  }
}
