// What is printed is what was read, at the level of instructions.
// RUN: belay-opt %s | belay-opt | FileCheck %s
// RUN: belay-opt %s --mlir-print-op-generic | belay-opt | FileCheck %s

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>

// CHECK-LABEL: func.func @add
func.func @add(%x: memref<?xf32, #gm>, %z: memref<?xf32, #gm>, %i: index,
               %n: index, %s: f32, %parity: index) {
  // CHECK: ascend.buffer at 4096 : memref<1x64xf32, #ascend.space<ub>>
  %a = ascend.buffer at 4096 : memref<1x64xf32, #ub>
  // CHECK: ascend.buffer 2 slots[%{{.*}}] : memref<1x64xf32, #ascend.space<ub>>
  %b = ascend.buffer 2 slots[%parity] : memref<1x64xf32, #ub>
  %m = ascend.buffer : memref<1x64xi1, #ub>
  %h = ascend.buffer : memref<1x64xf16, #ub>
  %one = ascend.buffer : memref<1x1xf32, #ub>
  // CHECK: ascend.dma.in %{{.*}}[%{{.*}}] [%{{.*}}] -> %{{.*}} pad(%{{.*}} : f32) : memref<?xf32, #ascend.space<gm>> -> memref<1x64xf32, #ascend.space<ub>>
  ascend.dma.in %x[%i] [%n] -> %a pad(%s : f32) : memref<?xf32, #gm> -> memref<1x64xf32, #ub>
  // CHECK: ascend.dma.in %{{.*}}[%{{.*}}] [%{{.*}}] -> %{{.*}} pad(%{{.*}} : f32) at[%{{.*}}, %{{.*}}] : memref<?xf32, #ascend.space<gm>> -> memref<1x64xf32, #ascend.space<ub>>
  ascend.dma.in %x[%i] [%n] -> %a pad(%s : f32) at [%i, %n] : memref<?xf32, #gm> -> memref<1x64xf32, #ub>
  // CHECK: ascend.flag.set <MTE2> to <V> event 0
  ascend.flag.set <MTE2> to <V> event 0
  // CHECK: ascend.flag.wait <MTE2> to <V> event 0 + %{{.*}}
  ascend.flag.wait <MTE2> to <V> event 0 + %parity
  // CHECK: ascend.vec.unary <exp> %{{.*}} -> %{{.*}}, %{{.*}} : memref<1x64xf32, #ascend.space<ub>>, memref<1x64xf32, #ascend.space<ub>>
  ascend.vec.unary <exp> %a -> %b, %n : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  // CHECK: ascend.barrier on <V>
  ascend.barrier on <V>
  // CHECK: ascend.vec.binary <add>
  ascend.vec.binary <add> %a, %b -> %b, %n : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  // CHECK: ascend.vec.scalar <mul>
  ascend.vec.scalar <mul> %a, %s -> %b, %n : memref<1x64xf32, #ub>, f32, memref<1x64xf32, #ub>
  // CHECK: ascend.vec.fill
  ascend.vec.fill %s -> %b, %n : f32, memref<1x64xf32, #ub>
  // CHECK: ascend.vec.cast <rint>
  ascend.vec.cast <rint> %a -> %h, %n : memref<1x64xf32, #ub>, memref<1x64xf16, #ub>
  // CHECK: ascend.vec.compare <lt>
  ascend.vec.compare <lt> %a, %b -> %m, %n : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>, memref<1x64xi1, #ub>
  // CHECK: ascend.vec.select
  ascend.vec.select %m, %a, %b -> %a, %n : memref<1x64xi1, #ub>, memref<1x64xf32, #ub>, memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  // CHECK: ascend.vec.reduce <sum> along <row> %{{.*}}[%{{.*}}, %{{.*}}] -> %{{.*}} work %{{.*}} :
  ascend.vec.reduce <sum> along <row> %a[%n, %n] -> %one work %b : memref<1x64xf32, #ub>, memref<1x1xf32, #ub>, memref<1x64xf32, #ub>
  // CHECK: ascend.vec.broadcast
  ascend.vec.broadcast %one -> %a[%n, %n] : memref<1x1xf32, #ub>, memref<1x64xf32, #ub>
  // CHECK: ascend.vec.broadcast %{{.*}} -> %{{.*}}[%{{.*}}, %{{.*}}] work %{{.*}} : memref<1x64xf32, #ascend.space<ub>> :
  ascend.vec.broadcast %one -> %a[%n, %n] work %b : memref<1x64xf32, #ub> : memref<1x1xf32, #ub>, memref<1x64xf32, #ub>
  // CHECK: ascend.vec.copy %{{.*}} -> %{{.*}}, %{{.*}} : memref<1x64xf32, #ascend.space<ub>>, memref<1x64xf32, #ascend.space<ub>>
  ascend.vec.copy %a -> %b, %n : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  // CHECK: ascend.scalar.read
  %v = ascend.scalar.read %one[%n] : memref<1x1xf32, #ub> -> f32
  // CHECK: ascend.scalar.dump %{{.*}}[%{{.*}}], %{{.*}} line 12 : memref<1x64xf32, #ascend.space<ub>>
  ascend.scalar.dump %a[%n], %n line 12 : memref<1x64xf32, #ub>
  // CHECK: ascend.scalar.write
  ascend.scalar.write %v, %one[%n] : f32, memref<1x1xf32, #ub>
  // CHECK: ascend.barrier{{$}}
  ascend.barrier
  // CHECK: ascend.dma.out %{{.*}} -> %{{.*}}[%{{.*}}] [%{{.*}}] combine <sum> : memref<1x64xf32, #ascend.space<ub>> -> memref<?xf32, #ascend.space<gm>>
  ascend.dma.out %a -> %z[%i] [%n] combine <sum> : memref<1x64xf32, #ub> -> memref<?xf32, #gm>
  return
}

// CHECK-LABEL: func.func @others
func.func @others(%table: memref<?x64xf32, #gm>, %n: index, %c: index, %i0: i32) {
  %rows = ascend.buffer : memref<16x64xf32, #ub>
  %turned = ascend.buffer : memref<64x16xf32, #ub>
  %ids = ascend.buffer : memref<16x1xi32, #ub>
  %work = ascend.buffer : memref<1x256xf32, #ub>
  // CHECK: ascend.vec.iota %{{.*}} -> %{{.*}}, %{{.*}} : i32, memref<16x1xi32, #ascend.space<ub>>
  ascend.vec.iota %i0 -> %ids, %n : i32, memref<16x1xi32, #ub>
  // CHECK: ascend.dma.gather <clamp> %{{.*}}, %{{.*}} -> %{{.*}}, %{{.*}} : memref<?x64xf32, #ascend.space<gm>>, memref<16x1xi32, #ascend.space<ub>>, memref<16x64xf32, #ascend.space<ub>>
  ascend.dma.gather <clamp> %table, %ids -> %rows, %n : memref<?x64xf32, #gm>, memref<16x1xi32, #ub>, memref<16x64xf32, #ub>
  // CHECK: ascend.vec.take by_row %{{.*}}, %{{.*}} -> %{{.*}}[%{{.*}}, %{{.*}}] work %{{.*}} : memref<16x64xf32, #ascend.space<ub>>, memref<16x1xi32, #ascend.space<ub>>, memref<16x1xf32, #ascend.space<ub>>, memref<16x1xi32, #ascend.space<ub>>
  %named = ascend.buffer : memref<16x1xf32, #ub>
  ascend.vec.take by_row %rows, %ids -> %named[%n, %c] work %ids : memref<16x64xf32, #ub>, memref<16x1xi32, #ub>, memref<16x1xf32, #ub>, memref<16x1xi32, #ub>
  // CHECK: ascend.vec.gather %{{.*}}, %{{.*}} -> %{{.*}}, %{{.*}} : memref<16x64xf32, #ascend.space<ub>>, memref<16x1xi32, #ascend.space<ub>>, memref<16x1xf32, #ascend.space<ub>>
  ascend.vec.gather %rows, %ids -> %named, %n : memref<16x64xf32, #ub>, memref<16x1xi32, #ub>, memref<16x1xf32, #ub>
  // CHECK: ascend.vec.unary <tanh> %{{.*}} -> %{{.*}}, %{{.*}} work %{{.*}} : memref<1x256xf32, #ascend.space<ub>> : memref<16x64xf32
  ascend.vec.unary <tanh> %rows -> %rows, %n work %work : memref<1x256xf32, #ub> : memref<16x64xf32, #ub>, memref<16x64xf32, #ub>
  // CHECK: ascend.vec.scan <sum> along <row> %{{.*}}[%{{.*}}, %{{.*}}] -> %{{.*}} : memref<16x64xf32
  ascend.vec.scan <sum> along <row> %rows[%n, %c] -> %rows : memref<16x64xf32, #ub>, memref<16x64xf32, #ub>
  // CHECK: ascend.vec.arg_reduce <max> %{{.*}}[%{{.*}}, %{{.*}}] -> %{{.*}} work %{{.*}} : memref<16x64xf32
  ascend.vec.arg_reduce <max> %rows[%n, %c] -> %ids work %work : memref<16x64xf32, #ub>, memref<16x1xi32, #ub>, memref<1x256xf32, #ub>
  // CHECK: ascend.vec.extremes <min> %{{.*}}[%{{.*}}, %{{.*}}] -> %{{.*}} : memref<16x64xf32
  ascend.vec.extremes <min> %rows[%n, %c] -> %work : memref<16x64xf32, #ub>, memref<1x256xf32, #ub>
  // CHECK: ascend.vec.places %{{.*}} -> %{{.*}}, %{{.*}} : memref<1x256xf32
  ascend.vec.places %work -> %ids, %n : memref<1x256xf32, #ub>, memref<16x1xi32, #ub>
  %column = ascend.buffer : memref<16x1xf32, #ub>
  %row = ascend.buffer : memref<1x64xf32, #ub>
  // CHECK: ascend.vec.spread %{{.*}} -> %{{.*}}, %{{.*}} : memref<16x1xf32
  ascend.vec.spread %column -> %work, %n : memref<16x1xf32, #ub>, memref<1x256xf32, #ub>
  // CHECK: ascend.vec.repeated <sub> reversed %{{.*}}, %{{.*}} along <col> -> %{{.*}}[%{{.*}}, %{{.*}}] : memref<16x64xf32
  ascend.vec.repeated <sub> reversed %rows, %work along <col> -> %rows[%n, %c] : memref<16x64xf32, #ub>, memref<1x256xf32, #ub>, memref<16x64xf32, #ub>
  // CHECK: ascend.vec.repeated <mul> %{{.*}}, %{{.*}} along <row> -> %{{.*}}[%{{.*}}, %{{.*}}] : memref<16x64xf32
  ascend.vec.repeated <mul> %rows, %row along <row> -> %rows[%n, %c] : memref<16x64xf32, #ub>, memref<1x64xf32, #ub>, memref<16x64xf32, #ub>
  // CHECK: ascend.vec.transpose %{{.*}}[%{{.*}}, %{{.*}}] -> %{{.*}} : memref<16x64xf32, #ascend.space<ub>>, memref<64x16xf32
  ascend.vec.transpose %rows[%n, %c] -> %turned : memref<16x64xf32, #ub>, memref<64x16xf32, #ub>
  // CHECK: ascend.vec.every_other %{{.*}}[%{{.*}}, %{{.*}}] -> %{{.*}} at %{{.*}} : memref<16x64xf32, #ascend.space<ub>>, memref<64x16xf32
  ascend.vec.every_other %rows[%n, %c] -> %turned at %n : memref<16x64xf32, #ub>, memref<64x16xf32, #ub>
  // CHECK: ascend.dma.scatter <trap> %{{.*}} -> %{{.*}}, %{{.*}}, %{{.*}} combine <sum> : memref<16x64xf32
  ascend.dma.scatter <trap> %rows -> %table, %ids, %n combine <sum> : memref<16x64xf32, #ub>, memref<?x64xf32, #gm>, memref<16x1xi32, #ub>
  return
}
