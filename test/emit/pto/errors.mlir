// What the verifiers of the pto dialect refuse.
// RUN: belay-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{a row of a tile is a multiple of 32 bytes}}
func.func @row(%t: !pto.tile_buf<vec, 8x5xf32>) { return }

// -----

// expected-error@+1 {{a column of a tile is a multiple of 32 bytes}}
func.func @column(%t: !pto.tile_buf<vec, 5x1xf32, blayout=col_major>) { return }

// -----

// expected-error@+1 {{more of a tile is in use than it has}}
func.func @valid(%t: !pto.tile_buf<vec, 8x8xf32, valid=9x8>) { return }

// -----

// expected-error@+1 {{a tile has elements of whole bytes}}
func.func @bits(%t: !pto.tile_buf<vec, 1x256xi1>) { return }

// -----

// expected-error@+1 {{'fragment' is not understood}}
func.func @option(%t: !pto.tile_buf<vec, 8x8xf32, fragment=512>) { return }

// -----

// expected-error@+1 {{pad is one of 0 to 3}}
func.func @pad(%t: !pto.tile_buf<vec, 8x8xf32, pad=4>) { return }

// -----

func.func @no_pad(%a: !pto.tile_buf<vec, 1x16xf32>) {
  // expected-error@+1 {{has a value for what is not in use}}
  pto.tfillpad_inplace ins(%a : !pto.tile_buf<vec, 1x16xf32>) outs(%a : !pto.tile_buf<vec, 1x16xf32>)
  return
}

// -----

func.func @open(%n: index) {
  // expected-error@+1 {{has a value for each extent that its type leaves open, and for no other}}
  %t = pto.alloc_tile valid_row = %n : !pto.tile_buf<vec, 8x8xf32>
  return
}

// -----

func.func @types(%a: !pto.tile_buf<vec, 1x16xf32>, %h: !pto.tile_buf<vec, 1x16xf16>) {
  // expected-error@+1 {{tiles and scalars have one element type}}
  pto.tadd ins(%a, %h : !pto.tile_buf<vec, 1x16xf32>, !pto.tile_buf<vec, 1x16xf16>) outs(%a : !pto.tile_buf<vec, 1x16xf32>)
  return
}

// -----

func.func @layout(%a: !pto.tile_buf<vec, 8x1xf32, blayout=col_major>) {
  // expected-error@+1 {{tiles have their rows side by side}}
  pto.texp ins(%a : !pto.tile_buf<vec, 8x1xf32, blayout=col_major>) outs(%a : !pto.tile_buf<vec, 8x1xf32, blayout=col_major>)
  return
}

// -----

func.func @extents(%a: !pto.tile_buf<vec, 1x16xf32>, %b: !pto.tile_buf<vec, 1x16xf32, valid=1x8>) {
  // expected-error@+1 {{tiles have as much in use}}
  pto.texp ins(%a : !pto.tile_buf<vec, 1x16xf32>) outs(%b : !pto.tile_buf<vec, 1x16xf32, valid=1x8>)
  return
}

// -----

func.func @scalar(%a: !pto.tile_buf<vec, 1x16xf32>, %s: i32) {
  // expected-error@+1 {{tiles and scalars have one element type}}
  pto.tadds ins(%a, %s : !pto.tile_buf<vec, 1x16xf32>, i32) outs(%a : !pto.tile_buf<vec, 1x16xf32>)
  return
}

// -----

func.func @bytes(%a: !pto.tile_buf<vec, 1x16xf32>) {
  // expected-error@+1 {{changes how many bytes a tile has}}
  %b = pto.treshape %a : !pto.tile_buf<vec, 1x16xf32> -> !pto.tile_buf<vec, 1x8xf32>
  return
}

// -----

func.func @fixed(%a: !pto.tile_buf<vec, 1x16xf32>, %n: index) {
  // expected-error@+1 {{is for tiles whose type leaves both extents open}}
  pto.set_validshape %a, %n, %n : !pto.tile_buf<vec, 1x16xf32>
  return
}

// -----

func.func @integers(%a: !pto.tile_buf<vec, 1x16xi32>, %m: !pto.tile_buf<vec, 1x32xui8>) {
  // expected-error@+1 {{compares integers for equality only}}
  pto.tcmp ins(%a, %a {cmpMode = #pto<cmp lt>} : !pto.tile_buf<vec, 1x16xi32>, !pto.tile_buf<vec, 1x16xi32>) outs(%m : !pto.tile_buf<vec, 1x32xui8>)
  return
}

// -----

func.func @mask(%a: !pto.tile_buf<vec, 1x512xf32>, %m: !pto.tile_buf<vec, 1x32xui8>) {
  // expected-error@+1 {{has a bit for each element}}
  pto.tcmp ins(%a, %a {cmpMode = #pto<cmp lt>} : !pto.tile_buf<vec, 1x512xf32>, !pto.tile_buf<vec, 1x512xf32>) outs(%m : !pto.tile_buf<vec, 1x32xui8>)
  return
}

// -----

func.func @shape(%a: !pto.tile_buf<vec, 1x16xf32>, %h: !pto.tile_buf<vec, 1x32xf16, valid=1x16>) {
  // expected-error@+1 {{has tiles of one shape}}
  pto.tcvt ins(%a {rmode = #pto<round_mode RINT>} : !pto.tile_buf<vec, 1x16xf32>) outs(%h : !pto.tile_buf<vec, 1x32xf16, valid=1x16>)
  return
}

// -----

func.func @rank(%x: !pto.ptr<f32>, %n: index) {
  // expected-error@+1 {{has one extent and one stride for each dimension}}
  %v = pto.make_tensor_view %x, shape = [%n], strides = [%n] {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
  return
}

// -----

!left = !pto.tile_buf<left, 32x64xf16, slayout=row_major>
!right = !pto.tile_buf<right, 32x64xf16, slayout=col_major>
!acc = !pto.tile_buf<acc, 32x64xf32, blayout=col_major, slayout=row_major, fractal=1024>
func.func @product(%l: !left, %r: !right, %a: !acc) {
  // expected-error@+1 {{a left operand of m by k and a right one of k by n make sums of m by n}}
  pto.tmatmul ins(%l, %r : !left, !right) outs(%a : !acc)
  return
}

// -----

!left = !pto.tile_buf<left, 32x32xf16, slayout=row_major>
!right = !pto.tile_buf<right, 32x64xf16, slayout=col_major>
!acc = !pto.tile_buf<acc, 32x64xf32, blayout=col_major, slayout=row_major, fractal=1024>
!other = !pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>
func.func @sums(%l: !left, %r: !right, %a: !acc, %o: !other) {
  // expected-error@+1 {{a left operand of m by k and a right one of k by n make sums of m by n}}
  pto.tmatmul.acc ins(%o, %l, %r : !other, !left, !right) outs(%a : !acc)
  return
}

// -----

func.func @larger(%a: !pto.tile_buf<vec, 1x16xf32>, %n: index) {
  // expected-error@+1 {{a part of a tile is within the tile}}
  %p = pto.subset %a[%n, %n] sizes [1, 24] : !pto.tile_buf<vec, 1x16xf32>
  return
}

// -----

func.func @outside(%a: !pto.tile_buf<vec, 1x16xf32>, %n: index) {
  %c16 = arith.constant 16 : index
  // expected-error@+1 {{is within its tile}}
  %p = pto.subset %a[%n, %c16] sizes [1, 8] : !pto.tile_buf<vec, 1x16xf32>
  return
}

// -----

func.func @place(%a: !pto.tile_buf<vec, 1x16xf32>, %n: index) {
  // expected-error@+1 {{a part of a tile has a row and a column, and as many rows and columns}}
  %p = pto.subset %a[%n] sizes [1, 8] : !pto.tile_buf<vec, 1x16xf32>
  return
}

// -----

func.func @no_flag() {
  // expected-error@+1 {{has a constant or a value for its flag}}
  "pto.sync.wait"() {pipe = #pto.pipe<PIPE_S>} : () -> ()
  return
}

// -----

func.func @two_flags(%n: index) {
  // expected-error@+1 {{has a constant or a value for its flag}}
  "pto.sync.set"(%n) {pipe = #pto.pipe<PIPE_FIX>, event_id = 1 : i32} : (index) -> ()
  return
}

// -----

func.func @mode() {
  // expected-error@+1 {{has modes 0 to 2}}
  pto.sync.set <PIPE_FIX>, 1 {ffts_mode = 3 : i32}
  return
}
