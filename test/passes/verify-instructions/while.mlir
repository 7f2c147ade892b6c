// What the condition of a loop says holds in its body, and nothing else does.
// RUN: belay-opt %s --ascend-verify-instructions --split-input-file --verify-diagnostics

module attributes {ascend.target = #ascend.target<"Ascend910B3">} {
  func.func @within(%n: index) attributes {ascend.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = ascend.buffer at 0 : memref<1x64xf32, #ascend.space<ub>>
    %r = scf.while (%i = %c0) : (index) -> index {
      %go = arith.cmpi slt, %i, %c64 : index
      scf.condition(%go) %i : index
    } do {
    ^bb0(%i: index):
      %next = arith.addi %i, %c1 : index
      ascend.vec.unary <exp> %a -> %a, %next : memref<1x64xf32, #ascend.space<ub>>, memref<1x64xf32, #ascend.space<ub>>
      scf.yield %next : index
    }
    // After the last iteration it is 64, and not more.
    ascend.vec.unary <exp> %a -> %a, %r : memref<1x64xf32, #ascend.space<ub>>, memref<1x64xf32, #ascend.space<ub>>
    return
  }
}

// -----
module attributes {ascend.target = #ascend.target<"Ascend910B3">} {
  func.func @beyond(%n: index) attributes {ascend.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = ascend.buffer at 0 : memref<1x64xf32, #ascend.space<ub>>
    %r = scf.while (%i = %c0) : (index) -> index {
      %go = arith.cmpi sle, %i, %c64 : index
      scf.condition(%go) %i : index
    } do {
    ^bb0(%i: index):
      %next = arith.addi %i, %c1 : index
      // expected-error @+1 {{cannot prove that}}
      ascend.vec.unary <exp> %a -> %a, %next : memref<1x64xf32, #ascend.space<ub>>, memref<1x64xf32, #ascend.space<ub>>
      scf.yield %next : index
    }
    return
  }
}
