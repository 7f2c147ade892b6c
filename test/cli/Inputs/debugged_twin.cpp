#include "belay/kernel.h"
#include "belay/twin.h"
#include <cstdio>

using namespace belay;

int main() {
  auto t = Tile<2, 4, float>::twin_make(
      2, 3, [](i64 r, i64 c) { return static_cast<float>(r * 10 + c); });
  auto h = Tile<1, 4, half>::twin_make(
      1, 4, [](i64, i64 c) { return half(static_cast<float>(c) + 0.5f); });
  std::printf("%d %d\n", int(t.rows()), int(h.cols()));
}
