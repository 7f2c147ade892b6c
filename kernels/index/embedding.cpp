// Rows of a table by index; an index that does not exist stops the kernel.
// MultiKernelBench: index/embedding.
#include "belay/kernel.h"
using namespace belay;

template <class T, class I, i64 C, i64 R = 16>
[[belay::kernel]] void embedding(In<T, dyn, C> table, In<I> ids,
                                 Out<T, dyn, C> out) {
  expects(out.rows() == ids.size());
  for (auto rows : my_rows<R>(out))
    store(rows, gather<Oob::trap>(table, load(ids, rows)));
}
