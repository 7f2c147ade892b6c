// Adds rows to the rows of a table that indices name; several cores may add to
// one row.
#include "belay/kernel.h"
using namespace belay;

template <i64 C>
[[belay::kernel]] void scatter_rows(In<float, dyn, C> x, In<i32> ids,
                                    InOut<float, dyn, C> table) {
  expects(x.rows() == ids.size());
  for (auto rows : my_rows<16>(x))
    scatter_add<Oob::trap>(table, load(ids, rows), load(x, rows));
}
