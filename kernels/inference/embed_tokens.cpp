// Rows of a table by token, plus rows of another by position.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 8>
[[belay::kernel]] void embed_tokens(In<T, dyn, C> table,
                                    In<T, dyn, C> positions, In<i32> tokens,
                                    In<i32> places, Out<T, dyn, C> out) {
  expects(out.rows() == tokens.size() && out.rows() == places.size());
  for (auto w : my_rows<R>(out)) {
    auto t = cast<float>(gather<Oob::trap>(table, load(tokens, w)));
    auto p = cast<float>(gather<Oob::trap>(positions, load(places, w)));
    store(w, cast<T>(t + p));
  }
}
