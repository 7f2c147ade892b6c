// G6: no race between pipes and no flag that is never set: the language has no
// pipe, flag, queue or buffer, and nothing of AscendC can be called.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

void PipeBarrier();
void SetFlag(i64 event);
void WaitFlag(i64 event);
void FreeTensor(const Tile<1, 64, float> &t);

[[belay::kernel]] void barrier_by_hand(In<float, 64> x, Out<float, 64> y) {
  auto t = load(x);
  PipeBarrier(); // not-in-kernels: 'PipeBarrier' is neither an operation of belay/kernel.h
  //= ;
  if (first_core())
    store(y, span<64>(0, 64), t);
}
[[belay::kernel]] void flag_by_hand(In<float, 64> x, Out<float, 64> y) {
  auto t = load(x);
  SetFlag(0); // not-in-kernels: 'SetFlag' is neither an operation of belay/kernel.h
  //= ;
  if (first_core())
    store(y, span<64>(0, 64), t);
}
[[belay::kernel]] void wait_without_set(In<float, 64> x, Out<float, 64> y) {
  WaitFlag(0); // not-in-kernels: 'WaitFlag' is neither an operation of belay/kernel.h
  //= ;
  if (first_core())
    store(y, span<64>(0, 64), load(x));
}
[[belay::kernel]] void freed_by_hand(In<float, 64> x, Out<float, 64> y) {
  auto t = load(x);
  FreeTensor(t); // not-in-kernels: 'FreeTensor' is neither an operation of belay/kernel.h
  //= ;
  if (first_core())
    store(y, span<64>(0, 64), t);
}
[[belay::kernel]] void assembly(Out<float, 4> y) {
  asm(""); // not-in-kernels: assembly cannot be proven
  //= ;
  if (first_core())
    store(y, 0, 1.0f);
}
