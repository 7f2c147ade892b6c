//===- AscendDialect.td - The ascend dialect ---------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_ASCENDDIALECT_TD
#define BELAY_DIALECT_ASCENDDIALECT_TD

include "mlir/IR/OpBase.td"

def Ascend_Dialect : Dialect {
  let name = "ascend";
  let cppNamespace = "::belay::ascend";
  let summary = "Kernels of an Ascend AI Core, as values and as instructions";
  let description = [{
    One dialect at two levels, so that each fact has one place.

    **Tiles.** A kernel as its author wrote it. What is on chip is a value: a
    *tile*, `tensor<RxCxT>` of rank 2, whose extents may be dynamic below a
    static capacity (`tensor<?x1024xf32, #ascend.capacity<8x1024>>`).
    Elementwise mathematics is upstream's `arith` and `math` on tiles, control
    flow is `scf`, views of global memory are `memref`s in `#ascend.space<gm>`.
    The dialect adds what they lack: moves between global memory and tiles,
    reductions, scans, gathers, work distribution, contracts. Bounds, overflow
    and disjointness of cores are proven here, where no buffer is shared yet.

    **Core.** The same kernel as the instructions of one AI Core. Buffers are
    `memref`s in `#ascend.space<ub>` and the other spaces, every instruction states the
    pipe that executes it and writes into a destination, and order between pipes
    exists only where flags and barriers say so. Capacity, races and deadlock
    are proven here, on the final form of the kernel.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// On a func.func: it is a kernel.
    static constexpr ::llvm::StringLiteral KernelAttr = "ascend.kernel";
    /// On an argument of a kernel: a RoleAttr.
    static constexpr ::llvm::StringLiteral RoleAttrName = "ascend.role";
    /// Which operation another was made from, in kernels that are not final.
    static constexpr ::llvm::StringLiteral OriginAttrName = "ascend.origin";
    /// On a kernel: a CoresAttr.
    static constexpr ::llvm::StringLiteral CoresAttrName = "ascend.cores";
    /// On a module: a TargetAttr.
    static constexpr ::llvm::StringLiteral TargetAttrName = "ascend.target";
  }];
}

class Ascend_Op<string mnemonic, list<Trait> traits = []>
    : Op<Ascend_Dialect, mnemonic, traits>;

#endif // BELAY_DIALECT_ASCENDDIALECT_TD
