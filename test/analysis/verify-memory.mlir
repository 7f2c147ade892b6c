// The second count of what the plan of the memory has counted.
// RUN: belay-opt %s --split-input-file --verify-diagnostics --ascend-verify-memory

#ub = #ascend.space<ub>
func.func @fits() attributes {ascend.kernel} {
  %b = ascend.buffer at 0 : memref<1x1024xf32, #ub>
  %c = ascend.buffer at 4096 : memref<8x1024xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @too_large() attributes {ascend.kernel} {
  // expected-error @+1 {{the plan of the memory takes 204800 bytes of the ub, and 188416 are there [local-capacity]}}
  %b = ascend.buffer at 4096 : memref<1x50176xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @second_slot(%k: index) attributes {ascend.kernel} {
  // expected-error @+1 {{the plan of the memory takes 200704 bytes of the ub}}
  %b = ascend.buffer 2 slots [%k] {offset = 0 : i64} : memref<1x25088xf32, #ub>
  return
}

// -----
#ub = #ascend.space<ub>
func.func @no_place() attributes {ascend.kernel} {
  // expected-error @+1 {{this buffer has no place in memory}}
  %b = ascend.buffer : memref<1x64xf32, #ub>
  return
}

// -----
// Sizes that would wrap in 64 bits are no buffers at all.
#ub = #ascend.space<ub>
func.func @wraps() attributes {ascend.kernel} {
  // expected-error @+1 {{must be buffer}}
  %b = ascend.buffer at 0 : memref<1x4611686018427388160xf32, #ub>
  return
}
