// The same with a check of what was read: a header that lies reads the end.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void read_table(In<i32> file, Out<i32, 32> table) {
  expects(file.size() >= 33);
  if (first_core()) {
    i64 said = sum(load(file, span<1>(0, 1)));
    i64 begin = max(min(said, file.size() - 32), 1);
    store(table, span<32>(0, 32), load(file, span<32>(begin, 32)));
  }
}
