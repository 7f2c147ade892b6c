// Adds rows to the rows of a table that indices name; several may name one row.
// An index that does not exist stops the kernel. MultiKernelBench:
// index/index_add.
#include "belay/kernel.h"
using namespace belay;

template <class T, class I, i64 C, i64 R = 2>
[[belay::kernel]] void index_add(In<T, dyn, C> x, In<I> ids,
                                 InOut<T, dyn, C> table) {
  expects(x.rows() == ids.size());
  for (auto rows : my_rows<R>(x))
    scatter_add<Oob::trap>(table, load(ids, rows), load(x, rows));
}
