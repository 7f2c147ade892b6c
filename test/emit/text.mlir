// What emitted code looks like: names and lines of the source, guards, no #line if
// nobody wants it.
// RUN: belay-translate --ascend-to-ascendc --soc=Ascend910B3 %s | FileCheck %s
// RUN: belay-translate --ascend-to-ascendc --no-lines %s | FileCheck %s --check-prefix=PLAIN
// RUN: not belay-translate --ascend-to-ascendc --soc=Ascend910 %s 2>&1 | FileCheck %s --check-prefix=SOC

// PLAIN-NOT: #line
// SOC: there is no SoC 'Ascend910'

#gm = #ascend.space<gm>
// CHECK: // Made by Belay for Ascend910B3.
// CHECK: #include "kernel_operator.h"
// CHECK: extern "C" __global__ __aicore__ void guarded(GM_ADDR xAddress, GM_ADDR yAddress, int64_t xExtent0, int64_t yExtent0, int64_t at) {
func.func @guarded(%x: memref<?xf32, #gm> {ascend.role = #ascend.role<in>} loc("x"),
                   %y: memref<?xf32, #gm> {ascend.role = #ascend.role<out>} loc("y"),
                   %at: index loc("at")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %x, %c0 : memref<?xf32, #gm>
  %m = memref.dim %y, %c0 : memref<?xf32, #gm>
  %fits = arith.cmpi sge, %m, %c64 : index
  ascend.expects %fits, "y.size() >= 64"
  %inside = arith.cmpi sge, %at, %c0 : index
  ascend.expects %inside, "at >= 0"
  %end = arith.addi %at, %c64 : index
  %ok = arith.cmpi sle, %end, %n : index
  // A name of AscendC's is not taken.
  // CHECK: LocalTensor<float> Exp_ = ub.GetWithOffset<float>(64, 256);
  // CHECK: #line [[# @LINE + 2]] "{{.*}}text.mlir"
  // CHECK-NEXT: BELAY_GUARD((at + 64) <= xExtent0, "gm-out-of-bounds", "at + 64 <= x.size()");
  ascend.guard %ok, "gm-out-of-bounds", "at + 64 <= x.size()"
  // CHECK-NEXT: DataCopyPad(Exp_, x[at], DataCopyExtParams{1, 256, 0, 0, 0}, DataCopyPadExtParams<float>{false, 0, 0, 0});
  // CHECK-NEXT: SetFlag<HardEvent::MTE2_V>(0);
  %t = ascend.load %x[%at] [64] : memref<?xf32, #gm> -> tensor<1x64xf32> loc("Exp")
  // CHECK-NEXT: WaitFlag<HardEvent::MTE2_V>(0);
  // CHECK-NEXT: Exp(u, Exp_, 64);
  %u = math.exp %t : tensor<1x64xf32> loc("u")
  // CHECK-NEXT: SetFlag<HardEvent::V_MTE3>(0);
  // CHECK-NEXT: #line [[# @LINE + 4]] "{{.*}}text.mlir"
  // CHECK-NEXT: WaitFlag<HardEvent::V_MTE3>(0);
  // CHECK-NEXT: #line [[# @LINE + 2]] "{{.*}}text.mlir"
  // CHECK-NEXT: DataCopyPad(y, u, DataCopyExtParams{1, 256, 0, 0, 0});
  ascend.store %u, %y[0] [64] : tensor<1x64xf32> -> memref<?xf32, #gm>
  return
}
