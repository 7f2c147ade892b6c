// Where each key belongs in a sorted table: a loop whose end depends on data.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void search_sorted(In<float> table, In<float> keys,
                                     Out<i32> places) {
  expects(keys.size() == places.size() && table.size() < 1 << 30);
  for (i64 i = core_index(); i < keys.size(); i += core_count()) {
    float key = sum(load(keys, span<1>(i, 1)));
    i64 low = 0, high = table.size();
    while (low < high) { // on both ways through it they come closer
      i64 middle = (low + high) / 2;
      if (sum(load(table, span<1>(middle, 1))) < key)
        low = middle + 1;
      else
        high = middle;
    }
    store(places, i, i32(low));
  }
}
