//===- LikelyCalls.h - Parameters that mean something -----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random numbers and addresses for fuzz_records, and for each structure of
// src/abi what makes a call with it likely to be carried out.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TEST_SECURITY_LIKELYCALLS_H
#define BELAY_TEST_SECURITY_LIKELYCALLS_H

#include "abi/Functions.h"
#include "model/core/Core.h"

#include <iterator>
#include <random>

namespace belay::sim::fuzzing {

inline std::mt19937_64 Random;
inline uint64_t pick(uint64_t Below) { return Random() % Below; }
inline bool chance(unsigned Percent) { return pick(100) < Percent; }

inline constexpr size_t BufferBytes = 64 << 10;
inline uint8_t *Buffers[3];
inline uint8_t *TheWindow; // the memories of the core

inline uint8_t *local(Space S) {
  return TheWindow + static_cast<size_t>(S) * LocalMemories::SlotBytes;
}

/// What the parameters of one record have in common, most of the time.
inline struct Common {
  Elem Type;
  unsigned NextPlace;
  bool InUb; // all operands
} Now;

inline uint64_t integer() {
  static constexpr uint64_t Edges[] = {
      0,    1,          2,          3,          7,          8,
      15,   16,         31,         32,         33,         63,
      64,   127,        128,        255,        256,        1024,
      4095, 4096,       8192,       65535,      0x7fffffff, 0x80000000,
      ~0u,  1ull << 32, 1ull << 62, 1ull << 63, ~0ull,      ~31ull};
  if (chance(40))
    return 16 * pick(9);
  return chance(85) ? Edges[pick(chance(70) ? 16 : std::size(Edges))]
                    : Random() >> pick(64);
}

/// Of a memory of the core or of an argument: mostly somewhere of its own.
inline void *place(uint8_t *Base) {
  uint64_t Offset = chance(70)   ? Now.NextPlace++ * 4096ull
                    : chance(80) ? pick(64) * 32
                                 : integer();
  return reinterpret_cast<void *>(reinterpret_cast<uint64_t>(Base) + Offset);
}
inline void *inLocal(Space S) { return place(local(S)); }
inline void *inGlobal() { return place(Buffers[chance(70) ? 1 : pick(3)]); }

inline void *address() {
  if (Now.InUb && chance(98))
    return inLocal(Space::UB);
  if (chance(60))
    return inLocal(chance(70) ? Space::UB : static_cast<Space>(1 + pick(7)));
  if (chance(85))
    return inGlobal();
  return chance(40) ? nullptr : reinterpret_cast<void *>(Random() >> pick(64));
}

/// Which memories and types a structure asks for, and how its numbers depend on
/// each other.
template <typename T> void direct(T &) {}
inline void direct(Walk &W) {
  W.Mode = static_cast<MaskMode>(pick(4));
  W.Mask[0] = chance(50) ? 16 * (1 + pick(4)) : Random();
  W.Repeat = 1 + pick(4);
  if (chance(70))
    for (Stride &S : W.Operand)
      S = {1, 8};
}
inline void direct(Copy &C) {
  bool In = chance(50);
  C.Dst = In ? inLocal(Space::UB) : inGlobal();
  C.Src = In ? inGlobal() : inLocal(Space::UB);
  C.Bursts = 1 + pick(4);
  C.DstStride = C.SrcStride = C.BurstBytes = 32 * (1 + pick(8));
  C.LeftPadBytes = C.RightPadBytes = chance(80) ? 0 : 32;
}
inline void direct(LocalCopy &C) {
  Space To = chance(50) ? Space::UB : static_cast<Space>(1 + pick(7));
  C.Dst = inLocal(To);
  C.Src = inLocal(chance(50) ? Space::L1 : Space::UB);
}
inline void direct(PadCopy &C) {
  C.Dst = C.Global ? inGlobal() : inLocal(Space::UB);
  C.Src = C.Global ? inLocal(Space::UB) : inGlobal();
  C.BurstBytes = 32 * pick(9);
  C.Left = C.Right = chance(70) ? 0 : pick(9);
  C.SrcGap = C.DstGap = chance(60) ? 0 : static_cast<int64_t>(32 * pick(4));
  C.PadBits = chance(50) ? 0 : C.PadBits;
}
inline void direct(NzToNd &C) {
  C.Dst = inGlobal();
  C.Src = inLocal(Space::UB);
  C.Matrices = 1 + pick(2);
  C.Rows = 1 + pick(16);
  C.Columns = 16 * (1 + pick(3));
  C.SrcColumnStride = C.SrcMatrixStride = C.DstRowStride = 512;
  C.DstMatrixStride = 4096;
}
inline void direct(MultiCopy &C) {
  C.Dst = inLocal(Space::UB);
  C.Src = inGlobal();
  C.Dims = pick(6);
  for (unsigned D = 0; D < 5; ++D) {
    C.Size[D] = 1 + pick(4);
    C.SrcStride[D] = C.DstStride[D] = pick(32);
    C.Left[D] = C.Right[D] = pick(3);
  }
}
inline void direct(LoadFractals &L) {
  L.Dst = inLocal(chance(50) ? Space::L0A : Space::L0B);
  L.Src = chance(50) ? inLocal(Space::L1) : inGlobal();
  L.Start = pick(3);
  L.Repeat = 1 + pick(4);
  L.SrcStride = L.DstStride = pick(4);
}
inline void direct(LoadMatrix &L) {
  L.Dst = inLocal(chance(50) ? Space::L0A : Space::L0B);
  L.Src = inLocal(Space::L1);
  L.RowStart = L.ColumnStart = pick(3);
  L.Rows = 2 * (1 + pick(2));
  L.Columns = 2 * (1 + pick(2));
  L.SrcStride = L.DstStride = 4;
}
inline void direct(LoadSquares &L) {
  L.Dst = inLocal(chance(50) ? Space::L0A : Space::L0B);
  L.Src = inLocal(Space::L1);
  L.Start = pick(3);
  L.Repeat = 1 + pick(3);
  L.SrcStride = L.SrcFractalStride = L.DstStride = L.DstFractalStride = pick(4);
}
inline void direct(belay::sim::Window &W) {
  W.StrideW = W.StrideH = W.DilationW = W.DilationH = 1 + pick(2);
  W.FilterW = W.FilterH = 1 + pick(3);
}
inline void direct(LoadImage &L) {
  L.Dst = inLocal(chance(50) ? Space::L0A : Space::L0B);
  L.Src = inLocal(Space::L1);
  L.Channels = 16 * (1 + pick(2));
  L.Rows = L.Columns = 16 * (1 + pick(2));
  L.RowStart = L.ColumnStart = pick(16);
  direct(L.Filter);
}
inline void direct(LoadWindow &L) {
  L.Dst = inLocal(chance(50) ? Space::L0A : Space::L0B);
  L.Src = inLocal(Space::L1);
  L.ChannelBlock = pick(3);
  L.LeftTopW = L.LeftTopH = pick(3);
  L.Repeat = 1 + pick(3);
  direct(L.Filter);
}
inline void direct(FillBlocks &F) {
  F.Dst = inLocal(static_cast<Space>(2 + pick(3)));
  F.Repeat = F.Blocks = 1 + pick(4);
  F.Gap = pick(4);
}
inline void direct(NdToNz &N) {
  N.Dst = inLocal(Space::L1);
  N.Src = chance(70) ? inGlobal() : inLocal(Space::UB);
  N.Matrices = 1 + pick(2);
  N.Rows = N.Columns = 1 + pick(40);
  N.SrcRowStride = 64;
  N.SrcMatrixStride = N.DstMatrixStride = 4096;
  N.DstColumnStride = 64;
  N.DstRowStride = 1;
}
inline void direct(Multiply &M) {
  constexpr Elem Types[][2] = {{Elem::F16, Elem::F32},
                               {Elem::S8, Elem::S32},
                               {Elem::F32, Elem::F32},
                               {Elem::S4, Elem::S32}};
  const auto &T = Types[pick(4)];
  M.AType = M.BType = T[0];
  M.CType = M.BiasType = T[1];
  M.A = inLocal(Space::L0A);
  M.B = inLocal(Space::L0B);
  M.C = inLocal(Space::L0C);
  M.Bias = chance(70) ? nullptr : inLocal(Space::BT);
  M.M = M.N = M.K = 1 + pick(33);
}
inline void direct(FixOut &F) {
  F.SrcType = F.DstType = chance(50) ? Elem::F32 : Elem::S32;
  F.Quant = QuantMode::None;
  if (chance(50)) {
    F.SrcType = Elem::F32;
    F.DstType = Elem::F16;
    F.Quant = chance(50) ? QuantMode::F32ToF16 : QuantMode::QuantF32ToF16;
  }
  F.Src = inLocal(Space::L0C);
  F.Dst = chance(70) ? inGlobal() : inLocal(Space::L1);
  F.QuantTensor = inLocal(chance(50) ? Space::FB : Space::L1);
  F.M = 1 + pick(16);
  F.N = 16 * (1 + pick(3));
  F.SrcStride = 16;
  F.DstStride = 512;
  F.Matrices = 1 + pick(2);
  F.SrcMatrixStride = F.DstMatrixStride = 4096;
  F.SrcRowStride = 1 + pick(2);
  F.DualTarget = 0;
}
inline void direct(FractalsOut &F) {
  F.SrcType = F.DstType = chance(50) ? Elem::F32 : Elem::S32;
  F.Quant = DequantMode::None;
  if (chance(50)) {
    F.SrcType = Elem::S32;
    F.DstType = chance(50) ? Elem::F16 : Elem::S8;
    F.Quant = F.DstType == Elem::S8 ? DequantMode::B8 : DequantMode::Half;
  }
  F.Src = inLocal(Space::L0C);
  F.Dst = inLocal(Space::UB);
  F.QuantTensor = inLocal(Space::UB);
  F.Blocks = F.BlockFractals = 1 + pick(3);
}
inline void direct(MatrixOperand &O) {
  O.Data = chance(80) ? inGlobal() : inLocal(Space::UB);
  O.IsScalar = chance(5);
}
inline void direct(MatmulState &S) {
  bool Integers = chance(30);
  S.A.Type = S.B.Type = Integers     ? Elem::S8
                        : chance(50) ? Elem::F16
                                     : Elem::F32;
  S.Bias.Type = S.CType = Integers ? Elem::S32 : Elem::F32;
  S.M = S.N = S.Ka = S.Kb = 16 * (1 + static_cast<int>(pick(4)));
  S.CColumns = chance(50) ? 0 : S.N;
  S.SingleM = S.SingleN = S.SingleK = S.M;
  S.BaseM = S.BaseN = S.BaseK = 8 << pick(4);
  S.QuantBy = MatmulState::Quant::None;
  S.Next = S.Held = 0;
  S.Results = nullptr;
}
inline void direct(MatmulTarget &T) {
  T.Dst = T.Local ? inLocal(Space::UB) : inGlobal();
}
inline void direct(MatmulBatch &B) {
  B.A = B.B = 1 + pick(3);
  B.StrideA = B.StrideB = 0;
}
inline void direct(RowShape &S) {
  S.Rows = 1 + pick(4);
  S.Columns = 16 * (1 + pick(4));
  S.Valid = S.Columns - pick(4);
}
inline void direct(NormCall &C) {
  C.Rows = 4 * (1 + pick(4));
  C.Channels = 2;
  C.Columns = C.Valid = 16 * (1 + pick(4));
  C.GammaPeriod = 4;
  C.StatType = C.Type;
}
inline void direct(SoftmaxCall &C) { C.Splits = 1 + pick(8); }
inline void direct(WelfordFinalizeCall &C) {
  C.Length = 8 * (1 + pick(8));
  C.HeadLength = pick(8);
  C.TailLength = C.Length - C.HeadLength;
}
inline void direct(FoldCall &C) {
  C.Outer = 1 + pick(8);
  C.Inner = C.Stride = 16 * (1 + pick(4));
}
inline void direct(BroadcastCall &C) {
  C.Rank = 1 + pick(4);
  for (unsigned A = 0; A < MaxBroadcastRank; ++A) {
    C.DstShape[A] = 1 + pick(8);
    C.SrcShape[A] = chance(50) ? 1 : C.DstShape[A];
  }
}
inline void direct(DropOutCall &C) { C.MaskColumns = C.Columns; }
inline void direct(ByteSelectCall &C) {
  C.Columns = C.MaskColumns = 16 * pick(5);
  C.MaskType = Elem::U8;
}
inline void direct(QuantCall &C) {
  constexpr Elem Types[][2] = {
      {Elem::S8, Elem::F16}, {Elem::F16, Elem::S32}, {Elem::F16, Elem::S8}};
  C.DstType = Types[static_cast<unsigned>(C.Op)][0];
  C.SrcType = Types[static_cast<unsigned>(C.Op)][1];
  C.ParamType = C.Op == QuantOp::Dequant ? Elem::F32 : Elem::F16;
  C.Rows = 1 + pick(4);
  C.Columns = C.Computed = C.SrcStride = C.DstStride = 16 * (1 + pick(4));
  C.GroupSize = 1 + pick(16);
}
inline void direct(TopKCall &C) {
  C.Outer = 1 + pick(3);
  C.Inner = C.Valid = 32 * (1 + pick(3));
  C.K = C.ValuePad = C.IndexPad = 8;
}
inline void direct(TransposeCall &C) {
  C.B = C.N = 1 + pick(3);
  C.S = 16 * (1 + pick(2));
  C.D = 16;
}
inline void direct(TransDataCall &C) {
  C.N = C.C = C.D = C.H = C.W = 1 + pick(5);
}
inline void direct(RecordSort &S) {
  S.T = chance(50) ? Elem::F16 : Elem::F32;
  S.Repeat = 1 + pick(4);
  S.Name = chance(50) ? "Sort" : "Sort32";
}
inline void direct(RecordMerge &M) {
  M.T = chance(50) ? Elem::F16 : Elem::F32;
  M.ValidBit = static_cast<uint16_t>((2 << pick(4)) - 1);
  M.Repeat = 1;
  for (uint16_t &L : M.Length)
    L = pick(40);
}
inline void direct(ValueSort &S) {
  S.IndexT = chance(50) ? Elem::U32 : Elem::S64;
}
inline void direct(PartReduction &R) {
  R.Repeat = 1 + pick(4);
  R.DstRepeatStride = R.SrcBlockStride = 1;
  R.SrcRepeatStride = 8;
}
inline void direct(FullReduction &R) {
  R.Repeat = 1 + pick(100);
  R.SrcRepeatStride = 8;
  R.TmpBytes = 0;
}
inline void direct(BlockTranspose &T) {
  for (uint64_t &A : T.Dst)
    A = reinterpret_cast<uint64_t>(local(Space::UB) + pick(64) * 32);
  for (uint64_t &A : T.Src)
    A = reinterpret_cast<uint64_t>(local(Space::UB) + pick(64) * 32);
  T.Repeat = 1 + pick(3);
}
inline void direct(Interpolation &P) {
  P.T = Elem::F16;
  P.Horizontal = P.Vertical = 1 + pick(3);
  P.DstStep = 128;
  P.SrcBytes = P.OffsetBytes = P.WeightBytes = 512;
  P.TmpBytes = 65536;
}
inline void direct(MaskGather &G) {
  G.PatternT = bytesOf(G.T) == 2 ? Elem::U16 : Elem::U32;
  G.Repeat = 1 + pick(4);
  G.SrcBlockStride = 1;
  G.SrcRepeatStride = 8;
  G.BuiltIn = 1 + pick(7);
}
inline void direct(QueueState &Q) {
  Q.Num = 1 + pick(2);
  Q.Next = pick(Q.Num);
  Q.Head = pick(MaxQueueBuffers);
  Q.Length = pick(Q.Num + 1);
  Q.Depth = pick(3);
  Q.Where = Space::UB;
  Q.Producer = Pipe::MTE2;
  Q.Consumer = Pipe::V;
  for (uint8_t &N : Q.Ring)
    N = pick(Q.Num);
}
inline void direct(PoolRange &P) {
  P.Where = Space::UB;
  P.Begin = 4096 * pick(4);
  P.Bytes = 4096;
  P.Used = 32 * pick(4);
}
inline void direct(Slice &S) {
  S.Start = S.Stride = 0;
  S.BurstBlocks = 1;
  S.End = 7;
  S.Shape = 8;
}

} // namespace belay::sim::fuzzing

#endif // BELAY_TEST_SECURITY_LIKELYCALLS_H
