//===- Use.td - An instruction of which only memory matters -*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_PTO_USE_TD
#define BELAY_CHECK_PTO_USE_TD

include "dialect/AscendAttributes.td"
include "dialect/AscendInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Order_Dialect : Dialect {
  let name = "order";
  let cppNamespace = "::belay::order";
  let summary = "Instructions of which only pipe and memory are known";
}

def Order_UseOp : Op<Order_Dialect, "use", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<Ascend_InstructionInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "an instruction of a pipe that reads and writes memory";
  let description = [{
    What the order of instructions depends on. Of `values`, nothing is known.

    ```mlir
    order.use on <V> reads(%a : memref<128xi8>) writes(%b : memref<128xi8>)
    ```
  }];
  let arguments = (ins Ascend_PipeAttr:$on, Variadic<AnyMemRef>:$reads,
    Variadic<AnyMemRef>:$writes);
  let results = (outs Variadic<AnyType>:$values);
  let assemblyFormat = [{
    `on` $on (`reads` `(` $reads^ `:` type($reads) `)`)?
    (`writes` `(` $writes^ `:` type($writes) `)`)? attr-dict
    (`->` type($values)^)?
  }];
  let extraClassDefinition =
    "::belay::ascend::Pipe $cppClass::getPipe() { return getOn(); }";
}

#endif // BELAY_CHECK_PTO_USE_TD
