// Single elements of global memory pass through the data cache of a core, which
// copies and other cores do not see: what was cleaned when is part of the proof.
// RUN: belay-opt %s --split-input-file --verify-diagnostics --ascend-verify-instructions

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
!v = memref<?xf32, #gm>
!a = memref<1x64xf32, #ub>
func.func @right(%x: !v {ascend.role = #ascend.role<inout>}, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %e = memref.dim %x, %c0 : !v
  %large = arith.cmpi sge, %e, %c64 : index
  ascend.expects %large, "x.size() >= 64"
  ascend.cache.clean all %x[0] [64] : !v
  scf.for %k = %c0 to %c64 step %c1 {
    %f = ascend.gm.read %x[%k] : !v -> f32
    // What this core writes through its cache it reads there.
    ascend.gm.write %f, %x[%k] : f32, !v
    ascend.cache.clean %x[%k] [1] : !v
  }
  return
}

// -----

#gm = #ascend.space<gm>
!v = memref<64xf32, #gm>
func.func @never(%x: !v {ascend.role = #ascend.role<inout>}, %in: !v {ascend.role = #ascend.role<in>}) {
  %a = ascend.gm.read %in[0] : !v -> f32
  // expected-error @+1 {{cannot prove that the data cache was cleaned of what is read after it was written last}}
  %b = ascend.gm.read %x[0] : !v -> f32
  return
}

// -----

#gm = #ascend.space<gm>
!v = memref<64xf32, #gm>
func.func @of_something_else(%x: !v {ascend.role = #ascend.role<inout>}, %y: !v {ascend.role = #ascend.role<inout>}) {
  ascend.cache.clean all %x[0] [32] : !v
  %a = ascend.gm.read %x[31] : !v -> f32
  // expected-error @+1 {{cannot prove that the data cache was cleaned}}
  %b = ascend.gm.read %x[32] : !v -> f32
  // expected-error @+1 {{cannot prove that the data cache was cleaned}}
  %c = ascend.gm.read %y[0] : !v -> f32
  return
}

// -----

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
!v = memref<64xf32, #gm>
!a = memref<1x64xf32, #ub>
func.func @written_since(%x: !v {ascend.role = #ascend.role<inout>}, %y: !v {ascend.role = #ascend.role<inout>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %a = ascend.buffer at 0 : !a
  ascend.cache.clean all %x[0] [64] : !v
  ascend.cache.clean all %y[0] [64] : !v
  ascend.copy_pad.out %a -> %y[0] [64] blocks %c1 bytes %c256 gm_gap %c0 ub_gap %c0 : !a, !v
  %e = ascend.gm.read %x[1] : !v -> f32
  // expected-error @+1 {{cannot prove that the data cache was cleaned}}
  %f = ascend.gm.read %y[1] : !v -> f32
  ascend.sync_cores
  // expected-error @+1 {{cannot prove that the data cache was cleaned}}
  %g = ascend.gm.read %x[1] : !v -> f32
  return
}

// -----

// Written by the iteration before.
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
!v = memref<64xf32, #gm>
!a = memref<1x64xf32, #ub>
func.func @in_a_loop(%x: !v {ascend.role = #ascend.role<inout>}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %a = ascend.buffer at 0 : !a
  ascend.cache.clean all %x[0] [64] : !v
  scf.for %k = %c0 to %n step %c1 {
    // expected-error @+1 {{cannot prove that the data cache was cleaned}}
    %e = ascend.gm.read %x[1] : !v -> f32
    ascend.copy_pad.out %a -> %x[0] [64] blocks %c1 bytes %c256 gm_gap %c0 ub_gap %c0 : !a, !v
  }
  scf.for %k = %c0 to %n step %c1 {
    ascend.copy_pad.out %a -> %x[0] [64] blocks %c1 bytes %c256 gm_gap %c0 ub_gap %c0 : !a, !v
    ascend.cache.clean all %x[0] [64] : !v
    scf.for %j = %c0 to %n step %c1 {
      %e = ascend.gm.read %x[1] : !v -> f32
    }
  }
  // A loop may have no iterations.
  // expected-error @+1 {{cannot prove that the data cache was cleaned}}
  %f = ascend.gm.read %x[1] : !v -> f32
  return
}

// -----

// On one of two paths.
#gm = #ascend.space<gm>
!v = memref<64xf32, #gm>
func.func @in_a_branch(%x: !v {ascend.role = #ascend.role<inout>}, %n: index) {
  %c0 = arith.constant 0 : index
  %some = arith.cmpi sgt, %n, %c0 : index
  scf.if %some {
    ascend.cache.clean all %x[0] [64] : !v
    %e = ascend.gm.read %x[1] : !v -> f32
  }
  // expected-error @+1 {{cannot prove that the data cache was cleaned}}
  %f = ascend.gm.read %x[1] : !v -> f32
  return
}

// -----

// One line is not a window.
#gm = #ascend.space<gm>
!v = memref<64xf32, #gm>
func.func @line(%x: !v {ascend.role = #ascend.role<inout>}) {
  ascend.cache.clean %x[8] [40] : !v
  %e = ascend.gm.read %x[8] : !v -> f32
  // expected-error @+1 {{cannot prove that the data cache was cleaned}}
  %f = ascend.gm.read %x[40] : !v -> f32
  return
}

// -----

// What is written has to leave the cache.
#gm = #ascend.space<gm>
!v = memref<64xf32, #gm>
func.func @kept(%x: !v {ascend.role = #ascend.role<out>}, %f: f32) {
  ascend.gm.write %f, %x[1] : f32, !v
  ascend.cache.clean %x[1] [1] : !v
  // expected-error @+1 {{what is written stays in the data cache of this core}}
  ascend.gm.write %f, %x[1] : f32, !v
  ascend.cache.clean %x[33] [1] : !v
  // expected-error @+1 {{what is written stays in the data cache of this core}}
  ascend.gm.write %f, %x[2] : f32, !v
  return
}
