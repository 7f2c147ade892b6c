//===- KeepNumbers.td - Numbers that stay in tiles ---------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_KEEPNUMBERS_TD
#define BELAY_PASSES_KEEPNUMBERS_TD

include "mlir/Pass/PassBase.td"

def KeepNumbers : Pass<"ascend-keep-numbers", "::mlir::func::FuncOp"> {
  let summary = "Keep numbers in tiles that are read only to be stored";
  let description = [{
    A number that is taken from a tile of one element, computed with, carried by
    loops or chosen by branches, and then becomes such a tile again, never
    leaves the unified buffer: neither does the scalar unit wait for the vector
    unit, nor does it access memory.

    Before:
    ```mlir
    %s = ascend.reduce <sum> along <all> %t : tensor<1x4096xf32>
    %x = tensor.extract %s[%c0, %c0] : tensor<1x1xf32>
    %y = arith.mulf %x, %scale : f32
    %u = ascend.splat %y[] : f32 -> tensor<1x1xf32>
    ascend.store %u, %out[%r] [1] : tensor<1x1xf32> -> !view
    ```
    After:
    ```mlir
    %s = ascend.reduce <sum> along <all> %t : tensor<1x4096xf32>
    %f = ascend.splat %scale[] : f32 -> tensor<1x1xf32>
    %u = arith.mulf %s, %f : tensor<1x1xf32>
    ascend.store %u, %out[%r] [1] : tensor<1x1xf32> -> !view
    ```
  }];
  let dependentDialects = [
    "::belay::ascend::AscendDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect"
  ];
}

#endif // BELAY_PASSES_KEEPNUMBERS_TD
