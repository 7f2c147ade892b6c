// Index arithmetic, divisions and loops: each rule broken once, and kept once.
// RUN: belay-opt %s --ascend-prove=deny --split-input-file --verify-diagnostics

func.func @overflow(%a: index loc("a"), %b: index loc("b")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  // expected-error @+2 {{cannot prove 'a + b fits in 64 bits' [index-overflow]}}
  // expected-note @+1 {{it fails for a = }}
  %sum = arith.addi %a, %b : index
  // expected-error @+2 {{cannot prove 'a * b fits in 64 bits' [index-overflow]}}
  // expected-note @+1 {{it fails for a = }}
  %product = arith.muli %a, %b : index
  %c1 = arith.constant 1 : index
  // expected-error @+2 {{cannot prove 'a - 1 fits in 64 bits' [index-overflow]}}
  // expected-note @+1 {{it fails for a = -9223372036854775808}}
  %less = arith.subi %a, %c1 : index
  return
}

// -----
// Contracts are computed by the launcher, in 128 bits.
func.func @contract(%a: index loc("a"), %b: index loc("b")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %most = arith.constant 1000000 : index
  %product = arith.muli %a, %b : index
  %e0 = arith.cmpi sge, %product, %c0 : index
  ascend.expects %e0, "a * b >= 0"
  %e1 = arith.cmpi sge, %a, %c0 : index
  %e2 = arith.cmpi sle, %a, %most : index
  %e3 = arith.cmpi sge, %b, %c0 : index
  %e4 = arith.cmpi sle, %b, %most : index
  ascend.expects %e1, "a >= 0"
  ascend.expects %e2, "a <= 1'000'000"
  ascend.expects %e3, "b >= 0"
  ascend.expects %e4, "b <= 1'000'000"
  %sum = arith.addi %a, %b : index
  %again = arith.muli %a, %b : index
  %cube = arith.muli %again, %sum : index
  return
}

// -----
func.func @too_large_for_the_launcher(%a: index loc("a")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %square = arith.muli %a, %a : index
  // expected-error @+2 {{cannot prove 'a * a * a fits in 128 bits, for the launcher' [index-overflow]}}
  // expected-note @+1 {{it fails for a = }}
  %cube = arith.muli %square, %a : index
  %e0 = arith.cmpi sge, %cube, %c0 : index
  ascend.expects %e0, "a * a * a >= 0"
  return
}

// -----
func.func @narrow(%a: index loc("a")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %most = arith.constant 2147483648 : index
  %e0 = arith.cmpi sge, %a, %c0 : index
  %e1 = arith.cmpi sle, %a, %most : index
  ascend.expects %e0, "a >= 0"
  ascend.expects %e1, "a <= 2147483648"
  // expected-error @+2 {{cannot prove 'a fits in 32 bits' [index-overflow]}}
  // expected-note @+1 {{it fails for a = 2147483648}}
  %bad = arith.index_cast %a : index to i32
  %c4 = arith.constant 4 : index
  %quarter = arith.divsi %a, %c4 : index
  %good = arith.index_cast %quarter : index to i32
  return
}

// -----
func.func @division(%a: index loc("a"), %b: index loc("b")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  // expected-error @+5 {{cannot prove 'b != 0' [division-by-zero]}}
  // expected-note @+4 {{it fails for b = 0}}
  // expected-note @+3 {{'expects(b != 0)' would settle it}}
  // expected-error @+2 {{cannot prove 'a / b fits in 64 bits' [index-overflow]}}
  // expected-note @+1 {{it fails for a = -9223372036854775808, b = -1}}
  %q = arith.divsi %a, %b : index
  %positive = arith.cmpi sgt, %b, %c0 : index
  scf.if %positive {
    %r = arith.remsi %a, %b : index
  }
  return
}

// -----
func.func @steps(%n: index loc("n"), %step: index loc("step")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+5 {{cannot prove 'step >= 1' [endless-loop]}}
  // expected-note @+4 {{it fails for step = 0}}
  // expected-note @+3 {{'expects(step >= 1)' would settle it}}
  // expected-error @+2 {{cannot prove 'n - 1 + step fits in 64 bits' [index-overflow]}}
  // expected-note @+1 {{it fails for}}
  scf.for %i = %c0 to %n step %step {
  }
  scf.for %i = %c0 to %n step %c1 {
  }
  return
}

// -----
func.func @while(%n: index loc("n")) attributes {ascend.kernel} {
  %most = arith.constant 1000 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ends = scf.while (%a = %n) : (index) -> index {
    %go = arith.cmpi sgt, %a, %c1 : index
    scf.condition(%go) %a : index
  } do {
  ^bb0(%a: index):
    %next = arith.divsi %a, %c2 : index
    scf.yield %next : index
  }
  %steps = scf.while (%a = %c0) : (index) -> index {
    %go = arith.cmpi slt, %a, %most : index
    scf.condition(%go) %a : index
  } do {
  ^bb0(%a: index):
    %next = arith.addi %a, %c3 : index
    scf.yield %next : index
  }
  // expected-error @+2 {{cannot prove 'the loop ends: what its condition compares comes closer in every iteration' [endless-loop]}}
  // expected-note @+1 {{on every way through the body that leads to another iteration, one side has to move towards the other by at least 1; if that depends on data, count}}
  %endless = scf.while (%a = %n) : (index) -> index {
    %go = arith.cmpi sgt, %a, %c1 : index
    scf.condition(%go) %a : index
  } do {
  ^bb0(%a: index):
    %half = arith.divsi %a, %c2 : index
    %odd = arith.remsi %a, %c2 : index
    %is_odd = arith.cmpi eq, %odd, %c1 : index
    %next = arith.select %is_odd, %a, %half : index
    scf.yield %next : index
  }
  return
}

// -----
// Either the flag is set, and there is no other iteration, or the number moves on.
func.func @found(%n: index loc("n"), %key: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %r:2 = scf.while (%i = %c0, %found = %false) : (index, i1) -> (index, i1) {
    %in = arith.cmpi slt, %i, %n : index
    %go = scf.if %in -> i1 {
      %not = arith.xori %found, %true : i1
      scf.yield %not : i1
    } else {
      scf.yield %false : i1
    }
    scf.condition(%go) %i, %found : index, i1
  } do {
  ^bb0(%i: index, %found: i1):
    %is = arith.cmpf ogt, %key, %key : f32
    %next:2 = scf.if %is -> (index, i1) {
      scf.yield %i, %true : index, i1
    } else {
      %more = arith.addi %i, %c1 : index
      scf.yield %more, %found : index, i1
    }
    scf.yield %next#0, %next#1 : index, i1
  }
  // It says nothing of a flag that may be taken back.
  // expected-error @+2 {{cannot prove 'the loop ends: what its condition compares comes closer in every iteration' [endless-loop]}}
  // expected-note @+1 {{on every way through the body}}
  %s:2 = scf.while (%i = %c0, %found = %false) : (index, i1) -> (index, i1) {
    %in = arith.cmpi slt, %i, %n : index
    %go = arith.ori %in, %found : i1
    scf.condition(%go) %i, %found : index, i1
  } do {
  ^bb0(%i: index, %found: i1):
    %is = arith.cmpf ogt, %key, %key : f32
    %next = arith.minsi %i, %n : index
    scf.yield %next, %is : index, i1
  }
  return
}

// -----
// Not equal is enough where the order is known: before the loop, and from one iteration to
// the next.
func.func @not_equal(%n: index loc("n")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c1000 = arith.constant 1000 : index
  %least = arith.cmpi sge, %n, %c0 : index
  ascend.expects %least, "n >= 0"
  %most = arith.cmpi sle, %n, %c1000 : index
  ascend.expects %most, "n <= 1000"
  // It counts its iterations, of which there are at most so many as it has to go.
  %r:2 = scf.while (%i = %c0, %k = %c0) : (index, index) -> (index, index) {
    %go = arith.cmpi ne, %i, %n : index
    scf.condition(%go) %i, %k : index, index
  } do {
  ^bb0(%i: index, %k: index):
    %next = arith.addi %i, %c1 : index
    %more = arith.addi %k, %c2 : index
    scf.yield %next, %more : index, index
  }
  // One that may step over it.
  // expected-error @+2 {{cannot prove 'the loop ends: what its condition compares comes closer in every iteration' [endless-loop]}}
  // expected-note @+1 {{on every way through the body}}
  %s = scf.while (%i = %c0) : (index) -> index {
    %go = arith.cmpi ne, %i, %n : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    // expected-error @+1 {{fits in 64 bits' [index-overflow]}}
    %next = arith.addi %i, %c2 : index
    scf.yield %next : index
  }
  return
}

// -----
// Twice as much in each iteration: more, as it is never below where it began.
func.func @doubles(%n: index loc("n"), %from: index loc("from")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c1000 = arith.constant 1000 : index
  %most = arith.cmpi sle, %n, %c1000 : index
  ascend.expects %most, "n <= 1000"
  %r = scf.while (%s = %c1) : (index) -> index {
    %go = arith.cmpi slt, %s, %n : index
    scf.condition(%go) %s : index
  } do {
  ^bb0(%s: index):
    %next = arith.muli %s, %c2 : index
    scf.yield %next : index
  }
  // Twice 0 is no more than 0.
  // expected-error @+2 {{cannot prove 'the loop ends: what its condition compares comes closer in every iteration' [endless-loop]}}
  // expected-note @+1 {{on every way through the body}}
  %z = scf.while (%s = %c0) : (index) -> index {
    %go = arith.cmpi slt, %s, %n : index
    scf.condition(%go) %s : index
  } do {
  ^bb0(%s: index):
    %next = arith.muli %s, %c2 : index
    scf.yield %next : index
  }
  return
}

// -----
func.func @contradiction(%n: index loc("n")) attributes {ascend.kernel} {
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %e0 = arith.cmpi sge, %n, %c64 : index
  ascend.expects %e0, "n >= 64"
  %small = arith.cmpi slt, %n, %c64 : index
  // expected-warning @+1 {{this code is never reached: conditions around it contradict each other [contradiction]}}
  scf.if %small {
    %m = arith.muli %n, %n : index
  }
  %e1 = arith.cmpi slt, %n, %c64 : index
  // expected-error @+1 {{no launch fulfils this together with what is expected before it [contradiction]}}
  ascend.expects %e1, "n < 64"
  return
}

// -----
func.func private @other()
func.func @unknown() attributes {ascend.kernel} {
  // expected-error @+1 {{nothing is known of 'func.call' in kernels [unknown-operation]}}
  func.call @other() : () -> ()
  return
}

// -----
// No argument has more elements than a memory, so it has no more tiles either.
!matrix = memref<?x?xf32, #ascend.space<gm>>
func.func @tiles_of_one(%x: !matrix {ascend.role = #ascend.role<in>} loc("x")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %rows = memref.dim %x, %c0 : !matrix
  %cols = memref.dim %x, %c1 : !matrix
  %r = arith.addi %rows, %c63 : index
  %c = arith.addi %cols, %c63 : index
  %down = arith.divsi %r, %c64 : index
  %across = arith.divsi %c, %c64 : index
  %tiles = arith.muli %down, %across : index
  return
}

// -----
// Of two arguments, nothing of the kind is known.
!matrix = memref<?x?xf32, #ascend.space<gm>>
func.func @rows_of_two(%x: !matrix {ascend.role = #ascend.role<in>} loc("x"),
                       %y: !matrix {ascend.role = #ascend.role<in>} loc("y")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %rows = memref.dim %x, %c0 : !matrix
  %others = memref.dim %y, %c0 : !matrix
  // expected-error @+2 {{cannot prove 'x.rows() * y.rows() fits in 64 bits' [index-overflow]}}
  // expected-note @+1 {{it fails for}}
  %pairs = arith.muli %rows, %others : index
  return
}

// -----
// With one open extent, the bound is that of the elements.
!rows = memref<?x1048576xf32, #ascend.space<gm>>
func.func @elements(%x: !rows {ascend.role = #ascend.role<in>} loc("x")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %many = arith.constant 8796093022207 : index
  %too_many = arith.constant 8796093022208 : index
  %rows = memref.dim %x, %c0 : !rows
  %fits = arith.muli %rows, %many : index
  // expected-error @+2 {{cannot prove 'x.rows() * 8796093022208 fits in 64 bits' [index-overflow]}}
  // expected-note @+1 {{it fails for x.rows() = 1048576}}
  %wraps = arith.muli %rows, %too_many : index
  return
}
