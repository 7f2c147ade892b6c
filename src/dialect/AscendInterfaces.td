//===- AscendInterfaces.td - What instructions say ---------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_ASCENDINTERFACES_TD
#define BELAY_DIALECT_ASCENDINTERFACES_TD

include "mlir/IR/OpBase.td"

def Ascend_InstructionInterface : OpInterface<"InstructionInterface"> {
  let cppNamespace = "::belay::ascend";
  let description = [{
    An operation of the core level that a pipe executes asynchronously. Which
    buffers it reads and writes is said by its memory effects: every memref
    operand has one, on the operand itself. Scalar operands are read when the
    instruction is issued.
  }];
  let methods = [
    InterfaceMethod<"The pipe that executes the instruction.",
                    "::belay::ascend::Pipe", "getPipe">,
    InterfaceMethod<[{
      Describes the instruction as the hardware gets it. Fails for what is no
      single instruction of that architecture.
    }], "::llvm::LogicalResult", "describe",
      (ins "const ::belay::targets::Arch &":$arch,
           "::belay::ascend::InstructionForm &":$form), "",
      [{ return ::mlir::failure(); }]>,
  ];
}

#endif // BELAY_DIALECT_ASCENDINTERFACES_TD
