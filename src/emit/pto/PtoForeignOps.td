//===- PtoForeignOps.td - Operations that others write -----*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations of PTO that `belay check --pto` reads and Belay does not write: the
// pipe of each in pto-isa, and which operands are space for intermediate values.
// What is known of them is what the order of instructions depends on.
//
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Views and tiles
//===----------------------------------------------------------------------===//

def Pto_AddPtrOp : Pto_Op<"addptr", [Pure]> {
  let summary = "a pointer so many elements further";
  let arguments = (ins Pto_PtrType:$ptr, Index:$offset);
  let results = (outs Pto_PtrType:$result);
  let assemblyFormat = [{
    $ptr `,` $offset attr-dict `:` qualified(type($ptr)) `->`
    qualified(type($result))
  }];
}

def Pto_GetTensorViewDimOp : Pto_Op<"get_tensor_view_dim", [Pure]> {
  let summary = "an extent of a view";
  let arguments = (ins Pto_TensorViewType:$view, Index:$dim);
  let results = (outs Index:$extent);
  let assemblyFormat = [{
    $view `,` $dim `:` qualified(type($view)) `->` type($extent) attr-dict
  }];
}

def Pto_BitcastOp : Pto_Op<"bitcast", [Pure]> {
  let summary = "the same memory as a tile of another type";
  let arguments = (ins Pto_Tile:$src);
  let results = (outs Pto_Tile:$tile);
  let assemblyFormat = [{
    $src attr-dict `:` qualified(type($src)) `->` qualified(type($tile))
  }];
}

def Pto_BindTileOp
    : Pto_Op<"bind_tile", [Pure, AttrSizedOperandSegments]> {
  let summary = "the same memory with a layout";
  let arguments = (ins AnyMemRef:$source, Optional<Index>:$valid_row,
    Optional<Index>:$valid_col);
  let results = (outs AnyMemRef:$tile);
  let assemblyFormat = [{
    $source (`,` $valid_row^ `,` $valid_col)? attr-dict
    `:` type($source) `->` type($tile)
  }];
}

def Pto_PointerCastOp
    : Pto_Op<"pointer_cast", [Pure, AttrSizedOperandSegments]> {
  let summary = "a tile at an address";
  let arguments = (ins Variadic<I64>:$addrs, Optional<Index>:$valid_row,
    Optional<Index>:$valid_col);
  let results = (outs AnyMemRef:$tile);
  let assemblyFormat = [{
    `(` $addrs `)` ($valid_row^ `,` $valid_col)? attr-dict `:` type($tile)
  }];
}

def Pto_StoreScalarOp : Pto_Op<"store_scalar"> {
  let summary = "write one element of global memory";
  let arguments = (ins Pto_Scalar:$value,
    AnyTypeOf<[Pto_PtrType, AnyMemRef]>:$ptr, Index:$offset);
  let assemblyFormat = [{
    $value `,` $ptr `[` $offset `]` attr-dict `:` qualified(type($ptr)) `,`
    type($value)
  }];
}

//===----------------------------------------------------------------------===//
// Order, by what operations are called instead of by pipes
//===----------------------------------------------------------------------===//

class Pto_NamedEvent<string mnemonic> : Pto_Op<mnemonic> {
  let arguments = (ins AnyAttr:$src_op, AnyAttr:$dst_op,
    Pto_EventAttr:$event_id);
  let assemblyFormat = "`[` $src_op `,` $dst_op `,` $event_id `]` attr-dict";
}
def Pto_RecordEventOp : Pto_NamedEvent<"record_event">;
def Pto_WaitEventOp : Pto_NamedEvent<"wait_event">;

def Pto_BarrierSyncOp : Pto_Op<"barrier_sync"> {
  let arguments = (ins AnyAttr:$op_type);
  let assemblyFormat = "`[` $op_type `]` attr-dict";
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

def Pto_TPrefetchOp : Pto_AnyTileOp<"tprefetch", "PIPE_MTE2">;
def Pto_TStoreFpOp : Pto_AnyTileOp<"tstore_fp", "PIPE_FIX">;
def Pto_MGatherOp : Pto_AnyTileOp<"mgather", "">;
def Pto_MScatterOp : Pto_AnyTileOp<"mscatter">;
def Pto_TMovFpOp : Pto_AnyTileOp<"tmov.fp", "PIPE_FIX">;
def Pto_TExtractFpOp : Pto_AnyTileOp<"textract_fp", "PIPE_FIX">;
def Pto_TInsertOp : Pto_AnyTileOp<"tinsert", "">;
def Pto_TInsertFpOp : Pto_AnyTileOp<"tinsert_fp", "PIPE_FIX">;

//===----------------------------------------------------------------------===//
// Cube unit
//===----------------------------------------------------------------------===//

foreach name = ["tmatmul.bias", "tmatmul.mx", "tmatmul.mx.acc",
                "tmatmul.mx.bias", "tgemv", "tgemv.acc",
                "tgemv.bias", "tgemv.mx", "tgemv.mx.acc", "tgemv.mx.bias"] in
  def Pto_ # !subst(".", "", name) # Op : Pto_AnyTileOp<name, "PIPE_M">;

//===----------------------------------------------------------------------===//
// Vector unit
//===----------------------------------------------------------------------===//

foreach name = ["thistogram", "taddc", "taxpy", "taddsc", "tcolexpandexpdif",
                "tcolprod", "tfmod", "tfmods", "tgatherb", "tlrelu", "tneg",
                "tpartadd", "tpartmax", "tpartmin", "tpartmul", "tquant",
                "tdequant", "tscatter", "tsubc", "tsubsc", "tconcat", "tpack",
                "tfillpad", "tfillpad_expand"] in
  def Pto_ # name # Op : Pto_AnyTileOp<name>;

// Attributes stand inside of `ins`.
foreach name = ["ttri", "tcmps", "trandom"] in
  def Pto_ # name # Op : Pto_AnyTileOp<name, "PIPE_V", [], 1>;

// The second operand is space for intermediate values.
foreach name = ["tcolargmax", "tcolargmin", "trowargmax", "trowargmin",
                "trowprod", "ttrans"] in
  def Pto_ # name # Op : Pto_AnyTileOp<name, "PIPE_V", [1]>;

// The third operand is.
foreach name = ["tprelu", "trem", "trems", "trowexpandexpdif",
                "tsels", "tsort32", "txor", "txors"] in
  def Pto_ # name # Op : Pto_AnyTileOp<name, "PIPE_V", [2]>;
