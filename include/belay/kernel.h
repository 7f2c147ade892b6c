//===- kernel.h - The kernel language ---------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels for Ascend NPUs in ordinary C++20:
//
//   template <class T, i64 N = 8192>
//   [[belay::kernel]] void vec_add(In<T> x, In<T> y, Out<T> z) {
//     expects(x.size() == z.size() && y.size() == z.size());
//     for (auto w : my_tiles<N>(z))
//       store(w, load(x, w) + load(y, w));
//   }
//
// The same file has two readers. `belay build` proves the kernel safe and emits
// AscendC. Any C++20 compiler makes the *host twin* of it, which runs on the
// CPU: for unit tests, debuggers and sanitizers (belay/twin.h launches it).
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_KERNEL_H
#define BELAY_KERNEL_H

#if __cplusplus < 202002L
#error "belay/kernel.h is C++20: compile with -std=c++20"
#else

// [[belay::kernel]] is known to `belay build` alone; other compilers skip it.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunknown-attributes"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wattributes"
#endif

#include "belay/kernel/cores.h"
#include "belay/kernel/elementwise.h"
#include "belay/kernel/moves.h"
#include "belay/kernel/print.h"
#include "belay/kernel/products.h"
#include "belay/kernel/reductions.h"
#include "belay/kernel/scalars.h"
#include "belay/kernel/tiles.h"
#include "belay/kernel/views.h"

#endif // C++20

#endif // BELAY_KERNEL_H
