// The twins of print_kernels.cpp on one core.
#include "print_kernels.cpp"

#include "belay/twin.h"

int main() {
  std::vector<float> x(60), y(60);
  for (int i = 0; i < 60; ++i)
    x[i] = float(i);
  twin::launch(1, [&] {
    rows(twin::as<In<float, dyn, 12>>(x.data(), 5, 12),
         twin::as<Out<float, dyn, 12>>(y.data(), 5, 12));
  });
  std::vector<half> h(5, half(3.0f));
  std::vector<i32> n(5);
  twin::launch(1, [&] {
    halves(twin::as<In<half>>(h.data(), 5), twin::as<Out<i32>>(n.data(), 5));
  });
}
