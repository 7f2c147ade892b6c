// What a gather reads is said by the instructions before it: each of them missing or
// changed once.
// RUN: belay-opt %s --split-input-file --verify-diagnostics --ascend-verify-instructions

#ub = #ascend.space<ub>
!a = memref<1x1024xf32, #ub>
!w = memref<1x64xi32, #ub>
!b = memref<1x64xf32, #ub>
func.func @right() {
  %zero = arith.constant 0 : i32
  %last = arith.constant 1023 : i32
  %bytes = arith.constant 4 : i32
  %n = arith.constant 64 : index
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 4352 : !w
  %b = ascend.buffer at 4608 : !b
  ascend.vec.scalar <max> %i, %zero -> %w, %n : !w, i32, !w
  ascend.barrier on <V>
  ascend.vec.scalar <min> %w, %last -> %w, %n : !w, i32, !w
  ascend.barrier on <V>
  ascend.vec.scalar <mul> %w, %bytes -> %w, %n : !w, i32, !w
  ascend.barrier on <V>
  ascend.vec.gather %a, %w -> %b, %n : !a, !w, !b
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<1x1024xf32, #ub>
!w = memref<1x64xi32, #ub>
!b = memref<1x64xf32, #ub>
func.func @no_least() {
  %zero = arith.constant 0 : i32
  %last = arith.constant 1023 : i32
  %bytes = arith.constant 4 : i32
  %n = arith.constant 64 : index
  %few = arith.constant 56 : index
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 4352 : !w
  %b = ascend.buffer at 4608 : !b
  ascend.vec.scalar <min> %i, %last -> %w, %n : !w, i32, !w
  ascend.vec.scalar <mul> %w, %bytes -> %w, %n : !w, i32, !w
  // expected-error @+1 {{cannot prove what the offsets of Gather are}}
  ascend.vec.gather %a, %w -> %b, %n : !a, !w, !b
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<1x1024xf32, #ub>
!w = memref<1x64xi32, #ub>
!b = memref<1x64xf32, #ub>
func.func @no_most() {
  %zero = arith.constant 0 : i32
  %last = arith.constant 1023 : i32
  %bytes = arith.constant 4 : i32
  %n = arith.constant 64 : index
  %few = arith.constant 56 : index
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 4352 : !w
  %b = ascend.buffer at 4608 : !b
  ascend.vec.scalar <max> %i, %zero -> %w, %n : !w, i32, !w
  ascend.vec.scalar <mul> %w, %bytes -> %w, %n : !w, i32, !w
  // expected-error @+1 {{cannot prove what the offsets of Gather are}}
  ascend.vec.gather %a, %w -> %b, %n : !a, !w, !b
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<1x1024xf32, #ub>
!w = memref<1x64xi32, #ub>
!b = memref<1x64xf32, #ub>
func.func @no_bytes() {
  %zero = arith.constant 0 : i32
  %last = arith.constant 1023 : i32
  %bytes = arith.constant 4 : i32
  %n = arith.constant 64 : index
  %few = arith.constant 56 : index
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 4352 : !w
  %b = ascend.buffer at 4608 : !b
  ascend.vec.scalar <max> %i, %zero -> %w, %n : !w, i32, !w
  ascend.vec.scalar <min> %w, %last -> %w, %n : !w, i32, !w
  // expected-error @+1 {{cannot prove what the offsets of Gather are}}
  ascend.vec.gather %a, %w -> %b, %n : !a, !w, !b
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<1x1024xf32, #ub>
!w = memref<1x64xi32, #ub>
!b = memref<1x64xf32, #ub>
func.func @below_zero() {
  %zero = arith.constant -1 : i32
  %last = arith.constant 1023 : i32
  %bytes = arith.constant 4 : i32
  %n = arith.constant 64 : index
  %few = arith.constant 56 : index
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 4352 : !w
  %b = ascend.buffer at 4608 : !b
  ascend.vec.scalar <max> %i, %zero -> %w, %n : !w, i32, !w
  ascend.vec.scalar <min> %w, %last -> %w, %n : !w, i32, !w
  ascend.vec.scalar <mul> %w, %bytes -> %w, %n : !w, i32, !w
  // expected-error @+1 {{cannot prove what the offsets of Gather are}}
  ascend.vec.gather %a, %w -> %b, %n : !a, !w, !b
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<1x1024xf32, #ub>
!w = memref<1x64xi32, #ub>
!b = memref<1x64xf32, #ub>
func.func @none_allowed() {
  %zero = arith.constant 0 : i32
  %last = arith.constant -1 : i32
  %bytes = arith.constant 4 : i32
  %n = arith.constant 64 : index
  %few = arith.constant 56 : index
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 4352 : !w
  %b = ascend.buffer at 4608 : !b
  ascend.vec.scalar <max> %i, %zero -> %w, %n : !w, i32, !w
  ascend.vec.scalar <min> %w, %last -> %w, %n : !w, i32, !w
  ascend.vec.scalar <mul> %w, %bytes -> %w, %n : !w, i32, !w
  // expected-error @+1 {{cannot prove what the offsets of Gather are}}
  ascend.vec.gather %a, %w -> %b, %n : !a, !w, !b
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<1x1024xf32, #ub>
!w = memref<1x64xi32, #ub>
!b = memref<1x64xf32, #ub>
func.func @other_elements() {
  %zero = arith.constant 0 : i32
  %last = arith.constant 1023 : i32
  %bytes = arith.constant 2 : i32
  %n = arith.constant 64 : index
  %few = arith.constant 56 : index
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 4352 : !w
  %b = ascend.buffer at 4608 : !b
  ascend.vec.scalar <max> %i, %zero -> %w, %n : !w, i32, !w
  ascend.vec.scalar <min> %w, %last -> %w, %n : !w, i32, !w
  ascend.vec.scalar <mul> %w, %bytes -> %w, %n : !w, i32, !w
  // expected-error @+1 {{cannot prove what the offsets of Gather are}}
  ascend.vec.gather %a, %w -> %b, %n : !a, !w, !b
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<1x1024xf32, #ub>
!w = memref<1x64xi32, #ub>
!b = memref<1x64xf32, #ub>
func.func @one_too_many() {
  %zero = arith.constant 0 : i32
  %last = arith.constant 1024 : i32
  %bytes = arith.constant 4 : i32
  %n = arith.constant 64 : index
  %few = arith.constant 56 : index
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 4352 : !w
  %b = ascend.buffer at 4608 : !b
  ascend.vec.scalar <max> %i, %zero -> %w, %n : !w, i32, !w
  ascend.vec.scalar <min> %w, %last -> %w, %n : !w, i32, !w
  ascend.vec.scalar <mul> %w, %bytes -> %w, %n : !w, i32, !w
  // expected-error @+1 {{cannot prove that Gather has what is read to be inside of the 4096 bytes of its buffer}}
  ascend.vec.gather %a, %w -> %b, %n : !a, !w, !b
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<1x1024xf32, #ub>
!w = memref<1x64xi32, #ub>
!b = memref<1x64xf32, #ub>
func.func @starts_again() {
  %zero = arith.constant 0 : i32
  %last = arith.constant 1023 : i32
  %bytes = arith.constant 4 : i32
  %n = arith.constant 64 : index
  %few = arith.constant 56 : index
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 4352 : !w
  %b = ascend.buffer at 4608 : !b
  ascend.vec.scalar <max> %i, %zero -> %w, %n : !w, i32, !w
  ascend.vec.scalar <min> %i, %last -> %w, %n : !w, i32, !w
  ascend.vec.scalar <mul> %w, %bytes -> %w, %n : !w, i32, !w
  // expected-error @+1 {{cannot prove what the offsets of Gather are}}
  ascend.vec.gather %a, %w -> %b, %n : !a, !w, !b
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<1x1024xf32, #ub>
!w = memref<1x64xi32, #ub>
!b = memref<1x64xf32, #ub>
func.func @not_all() {
  %zero = arith.constant 0 : i32
  %last = arith.constant 1023 : i32
  %bytes = arith.constant 4 : i32
  %n = arith.constant 64 : index
  %few = arith.constant 56 : index
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 4352 : !w
  %b = ascend.buffer at 4608 : !b
  ascend.vec.scalar <max> %i, %zero -> %w, %n : !w, i32, !w
  ascend.vec.scalar <min> %w, %last -> %w, %few : !w, i32, !w
  ascend.vec.scalar <mul> %w, %bytes -> %w, %n : !w, i32, !w
  // expected-error @+1 {{cannot prove what the offsets of Gather are}}
  ascend.vec.gather %a, %w -> %b, %n : !a, !w, !b
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<1x1024xf32, #ub>
!w = memref<1x64xi32, #ub>
!b = memref<1x64xf32, #ub>
func.func @written_since() {
  %zero = arith.constant 0 : i32
  %last = arith.constant 1023 : i32
  %bytes = arith.constant 4 : i32
  %n = arith.constant 64 : index
  %few = arith.constant 56 : index
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 4352 : !w
  %b = ascend.buffer at 4608 : !b
  ascend.vec.scalar <max> %i, %zero -> %w, %n : !w, i32, !w
  ascend.vec.scalar <min> %w, %last -> %w, %n : !w, i32, !w
  ascend.vec.scalar <mul> %w, %bytes -> %w, %n : !w, i32, !w
  ascend.vec.fill %last -> %w, %few : i32, !w
  // expected-error @+1 {{cannot prove what the offsets of Gather are}}
  ascend.vec.gather %a, %w -> %b, %n : !a, !w, !b
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<1x1024xf32, #ub>
!w = memref<1x64xi32, #ub>
!b = memref<1x64xf32, #ub>
func.func @written_between() {
  %zero = arith.constant 0 : i32
  %last = arith.constant 1023 : i32
  %bytes = arith.constant 4 : i32
  %n = arith.constant 64 : index
  %few = arith.constant 56 : index
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 4352 : !w
  %b = ascend.buffer at 4608 : !b
  ascend.vec.scalar <max> %i, %zero -> %w, %n : !w, i32, !w
  ascend.vec.scalar <min> %w, %last -> %w, %n : !w, i32, !w
  ascend.vec.binary <add> %w, %i -> %w, %n : !w, !w, !w
  ascend.vec.scalar <mul> %w, %bytes -> %w, %n : !w, i32, !w
  // expected-error @+1 {{cannot prove what the offsets of Gather are}}
  ascend.vec.gather %a, %w -> %b, %n : !a, !w, !b
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<1x1024xf32, #ub>
!w = memref<1x64xi32, #ub>
!b = memref<1x64xf32, #ub>
func.func @shares_memory() {
  %zero = arith.constant 0 : i32
  %last = arith.constant 1023 : i32
  %bytes = arith.constant 4 : i32
  %n = arith.constant 64 : index
  %few = arith.constant 56 : index
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 4352 : !w
  %b = ascend.buffer at 4608 : !b
  ascend.vec.scalar <max> %i, %zero -> %w, %n : !w, i32, !w
  ascend.vec.scalar <min> %w, %last -> %w, %n : !w, i32, !w
  ascend.vec.scalar <mul> %w, %bytes -> %w, %n : !w, i32, !w
  %other = ascend.buffer at 4480 : !w
  ascend.vec.fill %last -> %other, %few : i32, !w
  // expected-error @+1 {{cannot prove what the offsets of Gather are}}
  ascend.vec.gather %a, %w -> %b, %n : !a, !w, !b
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<1x1024xf32, #ub>
!w = memref<1x64xi32, #ub>
!b = memref<1x64xf32, #ub>
func.func @in_a_branch() {
  %zero = arith.constant 0 : i32
  %last = arith.constant 1023 : i32
  %bytes = arith.constant 4 : i32
  %n = arith.constant 64 : index
  %few = arith.constant 56 : index
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 4352 : !w
  %b = ascend.buffer at 4608 : !b
  ascend.vec.scalar <max> %i, %zero -> %w, %n : !w, i32, !w
  ascend.vec.scalar <min> %w, %last -> %w, %n : !w, i32, !w
  ascend.vec.scalar <mul> %w, %bytes -> %w, %n : !w, i32, !w
  %yes = arith.cmpi sge, %n, %few : index
  scf.if %yes {
    ascend.vec.fill %last -> %w, %n : i32, !w
  }
  // expected-error @+1 {{cannot prove what the offsets of Gather are}}
  ascend.vec.gather %a, %w -> %b, %n : !a, !w, !b
  return
}

// -----
#ub = #ascend.space<ub>
!a = memref<1x1024xf32, #ub>
!w = memref<1x64xi32, #ub>
!b = memref<1x64xf32, #ub>
func.func @over_source() {
  %zero = arith.constant 0 : i32
  %last = arith.constant 1023 : i32
  %bytes = arith.constant 4 : i32
  %n = arith.constant 64 : index
  %few = arith.constant 56 : index
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 4352 : !w
  %b = ascend.buffer at 1024 : !b
  ascend.vec.scalar <max> %i, %zero -> %w, %n : !w, i32, !w
  ascend.vec.scalar <min> %w, %last -> %w, %n : !w, i32, !w
  ascend.vec.scalar <mul> %w, %bytes -> %w, %n : !w, i32, !w
  // expected-error @+1 {{cannot prove that Gather has a result apart from operands}}
  ascend.vec.gather %a, %w -> %b, %n : !a, !w, !b
  return
}

// -----
// Nothing to gather is nothing that all architectures know to do.
#ub = #ascend.space<ub>
!a = memref<1x1024xf32, #ub>
!w = memref<1x64xi32, #ub>
!b = memref<1x64xf32, #ub>
func.func @nothing(%n: index) {
  %zero = arith.constant 0 : i32
  %last = arith.constant 1023 : i32
  %bytes = arith.constant 4 : i32
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %least = arith.cmpi sge, %n, %c0 : index
  ascend.expects %least, "n >= 0"
  %most = arith.cmpi sle, %n, %c64 : index
  ascend.expects %most, "n <= 64"
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 4352 : !w
  %b = ascend.buffer at 4608 : !b
  ascend.vec.scalar <max> %i, %zero -> %w, %n : !w, i32, !w
  ascend.vec.scalar <min> %w, %last -> %w, %n : !w, i32, !w
  ascend.vec.scalar <mul> %w, %bytes -> %w, %n : !w, i32, !w
  // expected-error @+1 {{cannot prove that Gather has a count of 1 to 2147483647}}
  ascend.vec.gather %a, %w -> %b, %n : !a, !w, !b
  return
}

// -----
// Some offsets that were not made so.
#ub = #ascend.space<ub>
!a = memref<1x1024xf32, #ub>
!w = memref<1x64xi32, #ub>
!b = memref<1x64xf32, #ub>
func.func @too_few() {
  %zero = arith.constant 0 : i32
  %last = arith.constant 1023 : i32
  %bytes = arith.constant 4 : i32
  %n = arith.constant 64 : index
  %few = arith.constant 63 : index
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 4352 : !w
  %b = ascend.buffer at 4608 : !b
  ascend.vec.scalar <max> %i, %zero -> %w, %few : !w, i32, !w
  ascend.vec.scalar <min> %w, %last -> %w, %few : !w, i32, !w
  ascend.vec.scalar <mul> %w, %bytes -> %w, %few : !w, i32, !w
  // expected-error @+1 {{cannot prove that Gather has offsets that are all inside of its source}}
  ascend.vec.gather %a, %w -> %b, %n : !a, !w, !b
  return
}

// -----
// Rows one by one, by offsets that were made at once.
#ub = #ascend.space<ub>
!a = memref<8x128xf32, #ub>
!w = memref<8x64xi32, #ub>
!b = memref<8x64xf32, #ub>
!row = memref<?xf32, strided<[1], offset: ?>, #ub>
!places = memref<?xi32, strided<[1], offset: ?>, #ub>
func.func @rows(%rows: index) {
  %zero = arith.constant 0 : i32
  %last = arith.constant 127 : i32
  %bytes = arith.constant 4 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %least = arith.cmpi sge, %rows, %c0 : index
  ascend.expects %least, "rows >= 0"
  %most = arith.cmpi sle, %rows, %c8 : index
  ascend.expects %most, "rows <= 8"
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 6144 : !w
  %b = ascend.buffer at 8192 : !b
  %n = arith.muli %rows, %c64 : index
  ascend.vec.scalar <max> %i, %zero -> %w, %n : !w, i32, !w
  ascend.vec.scalar <min> %w, %last -> %w, %n : !w, i32, !w
  ascend.vec.scalar <mul> %w, %bytes -> %w, %n : !w, i32, !w
  scf.for %r = %c0 to %rows step %c1 {
    %from = ascend.slice %a[%r, 0] : !a -> !row
    %by = ascend.slice %w[%r, 0] : !w -> !places
    %to = ascend.slice %b[%r, 0] : !b -> !row
    ascend.vec.gather %from, %by -> %to, %c64 : !row, !places, !row
  }
  return
}

// -----
// More rows than have offsets.
#ub = #ascend.space<ub>
!a = memref<8x128xf32, #ub>
!w = memref<8x64xi32, #ub>
!b = memref<8x64xf32, #ub>
!row = memref<?xf32, strided<[1], offset: ?>, #ub>
!places = memref<?xi32, strided<[1], offset: ?>, #ub>
func.func @more_rows(%rows: index) {
  %zero = arith.constant 0 : i32
  %last = arith.constant 127 : i32
  %bytes = arith.constant 4 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %least = arith.cmpi sge, %rows, %c0 : index
  ascend.expects %least, "rows >= 0"
  %most = arith.cmpi sle, %rows, %c8 : index
  ascend.expects %most, "rows <= 8"
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 6144 : !w
  %b = ascend.buffer at 8192 : !b
  %n = arith.muli %rows, %c64 : index
  ascend.vec.scalar <max> %i, %zero -> %w, %n : !w, i32, !w
  ascend.vec.scalar <min> %w, %last -> %w, %n : !w, i32, !w
  ascend.vec.scalar <mul> %w, %bytes -> %w, %n : !w, i32, !w
  scf.for %r = %c0 to %c8 step %c1 {
    %from = ascend.slice %a[%r, 0] : !a -> !row
    %by = ascend.slice %w[%r, 0] : !w -> !places
    %to = ascend.slice %b[%r, 0] : !b -> !row
    // expected-error @+1 {{cannot prove that Gather has offsets that are all inside of its source}}
    ascend.vec.gather %from, %by -> %to, %c64 : !row, !places, !row
  }
  return
}

// -----
// Written by the iteration before.
#ub = #ascend.space<ub>
!a = memref<8x128xf32, #ub>
!w = memref<8x64xi32, #ub>
!b = memref<8x64xf32, #ub>
!row = memref<?xf32, strided<[1], offset: ?>, #ub>
!places = memref<?xi32, strided<[1], offset: ?>, #ub>
func.func @rewritten(%rows: index) {
  %zero = arith.constant 0 : i32
  %last = arith.constant 127 : i32
  %bytes = arith.constant 4 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %least = arith.cmpi sge, %rows, %c0 : index
  ascend.expects %least, "rows >= 0"
  %most = arith.cmpi sle, %rows, %c8 : index
  ascend.expects %most, "rows <= 8"
  %a = ascend.buffer at 0 : !a
  %i = ascend.buffer at 4096 : !w
  %w = ascend.buffer at 6144 : !w
  %b = ascend.buffer at 8192 : !b
  %n = arith.muli %rows, %c64 : index
  ascend.vec.scalar <max> %i, %zero -> %w, %n : !w, i32, !w
  ascend.vec.scalar <min> %w, %last -> %w, %n : !w, i32, !w
  ascend.vec.scalar <mul> %w, %bytes -> %w, %n : !w, i32, !w
  scf.for %r = %c0 to %rows step %c1 {
    %from = ascend.slice %a[%r, 0] : !a -> !row
    %by = ascend.slice %w[%r, 0] : !w -> !places
    %to = ascend.slice %b[%r, 0] : !b -> !row
    // expected-error @+1 {{cannot prove what the offsets of Gather are}}
    ascend.vec.gather %from, %by -> %to, %c64 : !row, !places, !row
    ascend.vec.fill %last -> %w, %c1 : i32, !w
  }
  return
}
