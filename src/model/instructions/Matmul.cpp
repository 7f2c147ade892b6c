//===- Matmul.cpp - The library's Matmul object ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On the device a vector core sends messages to its cube core, which computes
// block by block and answers. Here the core that asks computes, in the same
// blocks and in the same order of additions, at the moment it asks. The vector
// core waits for the answer, so each call is recorded as one step of its scalar
// unit: what it issues later comes after.
//
//===----------------------------------------------------------------------===//

#include "abi/Matmul.h"

#include "model/core/Device.h"
#include "model/instructions/Atomic.h"
#include "model/instructions/Gemm.h"
#include "model/instructions/MatmulSteps.h"
#include "model/instructions/RowConverter.h"

#include <memory>

using namespace belay::sim;

namespace {

uint64_t roundUp(uint64_t N, uint32_t To) { return divideUp(N, To) * To; }

/// A rectangle of a stored matrix.
struct Rectangle {
  uint32_t Row, Rows, Column, Columns;
};

/// A matrix as it is stored: ND with rows of Pitch elements, or NZ with columns
/// of Pitch rows.
struct Stored {
  const uint8_t *Data;
  Elem Type;
  bool Nz;
  uint64_t Pitch;

  uint64_t bytes(uint64_t Elements) const {
    return divideUp(product(Elements, bitsOf(Type)), 8);
  }
  const uint8_t *at(uint64_t Row, uint64_t Column) const {
    uint32_t C0 = c0Of(Type);
    uint64_t Elements =
        Nz ? product(Column / C0, Pitch, C0) + product(Row, C0) + Column % C0
           : product(Row, Pitch) + Column;
    return offsetBy(Data, product(Elements, bitsOf(Type)) / 8);
  }
  /// Elements of a row that lie together, from Column on.
  uint32_t run(uint32_t Column, uint32_t End) const {
    uint32_t C0 = c0Of(Type);
    return Nz ? std::min(End - Column, C0 - Column % C0) : End - Column;
  }
  /// Declares that a rectangle is read. NZ starts at whole blocks.
  void declare(Issue &I, const Rectangle &R) const {
    uint32_t C0 = c0Of(Type), Inside = Nz ? R.Column % C0 : 0;
    I.read(at(R.Row, R.Column - Inside),
           Nz ? Extent{product(R.Rows, BlockBytes),
                       divideUp(uint64_t(Inside) + R.Columns, C0),
                       static_cast<int64_t>(product(Pitch, BlockBytes))}
              : Extent{bytes(R.Columns), R.Rows,
                       static_cast<int64_t>(bytes(Pitch))},
           Type, 1);
  }
};

/// Results of the step under way.
struct Engine {
  std::vector<float> A, B, Floats, Scratch;
  std::vector<int32_t> Integers;
  Step Held = {};
};

Engine &engineOf(MatmulState *S) {
  if (!S->Results) {
    auto Owned = std::make_shared<Engine>();
    S->Results = Owned.get();
    Core::current().Objects.push_back(std::move(Owned));
  }
  return *static_cast<Engine *>(S->Results);
}

/// The core of a mixed launch that leaves the calls to the others.
bool idle(const MatmulState *S) {
  Core &C = Core::current();
  TaskKind Task = C.device().task();
  if (Task != TaskKind::Mix1To1 && Task != TaskKind::Mix1To2)
    return false;
  return (C.Kind == CoreKind::Cube) != S->DualMaster;
}

bool isLocal(const void *P) {
  return Core::current().Memories.spaceOf(P) != Space::Host;
}

Elem accumulatorOf(Elem T) {
  return T == Elem::S8 || T == Elem::U8 || T == Elem::S4 ? Elem::S32
                                                         : Elem::F32;
}

/// Rows x Columns is the stored shape of this core's part, Pitch the whole
/// matrix's.
Stored storedAs(const MatrixOperand &O, uint32_t WholeRows,
                uint32_t WholeColumns, uint32_t Rows, uint32_t Columns) {
  bool Nz = O.Format == MatrixFormat::NZ;
  bool Local = isLocal(O.Data);
  uint32_t C0 = c0Of(O.Type);
  // Negative ones are as large as they look: outside of every memory.
  uint64_t Pitch =
      Local ? (Nz ? roundUp(Rows, FractalRows) : roundUp(Columns, C0))
      : Nz  ? roundUp(WholeRows, FractalRows)
            : WholeColumns;
  return {static_cast<const uint8_t *>(O.Data), O.Type, Nz, Pitch};
}

bool isTransposed(const MatrixOperand &O) {
  return O.Transposed != (O.Format == MatrixFormat::ColumnMajor);
}

/// Unpacks a rectangle into Out[row][column], or Out[column][row] if
/// Transposed, with rows of Width floats.
void unpack(const Stored &X, const Rectangle &R, bool Transposed, float *Out,
            uint64_t Width) {
  std::vector<float> Line(R.Columns);
  for (uint32_t Row = 0; Row < R.Rows; ++Row) {
    float *To = Transposed ? Line.data() : Out + Row * Width;
    for (uint32_t C = 0; C < R.Columns;) {
      uint32_t Run = X.run(R.Column + C, R.Column + R.Columns);
      widen(To + C, X.at(R.Row + Row, R.Column + C), X.Type, Run);
      C += Run;
    }
    if (Transposed)
      for (uint32_t C = 0; C < R.Columns; ++C)
        Out[C * Width + Row] = Line[C];
  }
}

/// One of the two factors: declares what it reads and unpacks it.
void fetch(Issue &I, const MatrixOperand &O, const Stored &X, Rectangle R,
           std::vector<float> &Out, uint64_t Width, uint32_t Height) {
  if (O.IsScalar) {
    // No memory says how large it may be.
    constexpr uint64_t MaxElements = uint64_t(1) << 22;
    if (product(Height, Width) > MaxElements)
      fail("tiling-mismatch", I.pc(),
           "give REGIST_MATMUL_OBJ or Init the tiling that the host computed",
           "the Matmul object makes a matrix of %u x %llu elements of one",
           Height, static_cast<unsigned long long>(Width));
    Out.resize(size_t(Height) * Width);
    float V;
    widen(&V, &O.ScalarBits, O.Type, 1);
    std::fill(Out.begin(), Out.end(), V);
    return;
  }
  bool Transposed = isTransposed(O);
  if (Transposed) {
    std::swap(R.Row, R.Column);
    std::swap(R.Rows, R.Columns);
  }
  X.declare(I, R);
  Out.assign(size_t(Height) * Width, 0.0F);
  unpack(X, R, Transposed, Out.data(), Width);
}

void roundHf32(const MatmulState *S, Engine &E) {
  if (!S->Hf32 || S->A.Type != Elem::F32)
    return;
  uint32_t Bits = Core::current().arch().hf32Mantissa;
  for (auto *Matrix : {&E.A, &E.B})
    for (float &F : *Matrix)
      F = toHf32(F, Bits, S->Hf32TowardsZero);
}

/// The bias of the step's columns, or zeros, into every row.
template <typename T>
void startFromBias(Issue &I, const MatmulState *S, const Step &P,
                   uint32_t Width, std::vector<T> &Sums) {
  Sums.assign(size_t(P.Rows) * Width, T(0));
  // The first part of K has the bias.
  if (!S->HasBias || !S->Bias.Data || P.K)
    return;
  uint32_t Size = bytesOf(S->Bias.Type);
  if (std::is_integral_v<T> != (S->Bias.Type == Elem::S32))
    I.unsupported(S->Bias.Type);
  const uint8_t *From = offsetBy(S->Bias.Data, uint64_t(P.N) * Size);
  I.read(From, {uint64_t(P.Columns) * Size}, S->Bias.Type, 1);
  std::vector<float> Wide(P.Columns);
  if constexpr (std::is_same_v<T, float>)
    widen(Wide.data(), From, S->Bias.Type, P.Columns);
  for (uint32_t R = 0; R < P.Rows; ++R)
    for (uint32_t C = 0; C < P.Columns; ++C)
      if constexpr (std::is_same_v<T, float>)
        Sums[size_t(R) * Width + C] = Wide[C];
      else
        std::memcpy(&Sums[size_t(R) * Width + C], From + size_t(C) * Size,
                    sizeof(T));
}

void checkTiling(const MatmulState *S, const void *PC) {
  if (S->SingleM <= 0 || S->SingleN <= 0 || S->SingleK <= 0 || S->BaseM <= 0 ||
      S->BaseN <= 0 || (S->PartialK && S->BaseK <= 0))
    fail("tiling-mismatch", PC,
         "give REGIST_MATMUL_OBJ or Init the tiling that the host computed",
         "the Matmul object has a tiling of %d x %d x %d in steps of %d x %d",
         S->SingleM, S->SingleN, S->SingleK, S->BaseM, S->BaseN);
}

/// Ends the run if a call has more steps than what it fills has bytes.
void checkSteps(const MatmulState *S, const MatmulTarget *T, uint32_t Batches,
                const void *PC) {
  Core &C = Core::current();
  Space Where = C.Memories.spaceOf(T->Dst);
  const GlobalBuffer *B =
      Where == Space::Host ? C.device().findGlobal(T->Dst) : nullptr;
  uint64_t Room = Where != Space::Host ? C.Memories.bytes(Where)
                  : B                  ? B->Bytes + B->Slack
                                       : 1;
  auto Steps = static_cast<uint64_t>(stepsOf(S));
  if (product(Batches, Steps) > Room)
    fail(B || Where != Space::Host ? "tiling-mismatch" : "gm-out-of-bounds", PC,
         "give REGIST_MATMUL_OBJ or Init the tiling that the host computed",
         "the Matmul object makes %u x %llu results, of which the memory at %p "
         "has no room for one byte each",
         Batches, static_cast<unsigned long long>(Steps), T->Dst);
}

/// Computes one step into the engine.
void compute(Issue &I, const MatmulState *S, Engine &E, const Step &P,
             bool PartialSum) {
  auto K = static_cast<uint32_t>(S->SingleK);
  uint32_t Depth = P.Depth;
  auto Width = static_cast<uint32_t>(roundUp(P.Columns, GemmWidth));
  auto M = static_cast<uint32_t>(S->SingleM);
  auto N = static_cast<uint32_t>(S->SingleN);
  bool TransposeA = isTransposed(S->A), TransposeB = isTransposed(S->B);
  Stored A =
      storedAs(S->A, TransposeA ? S->Ka : S->M, TransposeA ? S->M : S->Ka,
               TransposeA ? K : M, TransposeA ? M : K);
  Stored B =
      storedAs(S->B, TransposeB ? S->N : S->Kb, TransposeB ? S->Kb : S->N,
               TransposeB ? N : K, TransposeB ? K : N);
  fetch(I, S->A, A, {P.M, P.Rows, P.K, Depth}, E.A, Depth, P.Rows);
  fetch(I, S->B, B, {P.K, Depth, P.N, P.Columns}, E.B, Width, Depth);
  roundHf32(S, E);
  bool IsInteger = accumulatorOf(S->A.Type) == Elem::S32;
  if (IsInteger != (accumulatorOf(S->B.Type) == Elem::S32))
    I.unsupported(S->B.Type);
  size_t Sums = IsInteger ? E.Integers.size() : E.Floats.size();
  bool Fresh = !PartialSum || E.Held.Rows != P.Rows ||
               E.Held.Columns != P.Columns || Sums != size_t(P.Rows) * Width;
  E.Held = P;
  if (IsInteger) {
    if (Fresh)
      startFromBias(I, S, P, Width, E.Integers);
    multiplyInteger(E.Integers.data(), E.A.data(), E.B.data(), P.Rows, Width,
                    Depth, Depth, E.Scratch);
    return;
  }
  if (Fresh)
    startFromBias(I, S, P, Width, E.Floats);
  multiplyFloat(E.Floats.data(), E.A.data(), E.B.data(), P.Rows, Width, Depth,
                Depth);
}

/// What the engine holds; the object may say another type than it had then.
const uint8_t *sumsOf(const Issue &I, const MatmulState *S, const Engine &E) {
  bool IsInteger = accumulatorOf(S->A.Type) == Elem::S32;
  if ((IsInteger ? E.Integers.size() : E.Floats.size()) <
      E.Held.Rows * roundUp(E.Held.Columns, GemmWidth))
    fail("bad-repeat", I.pc(), "call Iterate before each GetTensorC",
         "%s without a step of this type that Iterate has computed", I.name());
  return accumulatorOf(S->A.Type) == Elem::S32
             ? reinterpret_cast<const uint8_t *>(E.Integers.data())
             : reinterpret_cast<const uint8_t *>(E.Floats.data());
}

Conversion conversionOf(const Issue &I, const MatmulState *S, uint32_t Column) {
  Conversion C;
  C.From = accumulatorOf(S->A.Type);
  C.To = S->CType;
  C.Relu = S->Relu;
  bool Quant = S->QuantBy != MatmulState::Quant::None;
  if (C.From == Elem::F32)
    C.Mode = C.To == Elem::F16    ? QuantMode::F32ToF16
             : C.To == Elem::BF16 ? QuantMode::F32ToBF16
             : C.To == Elem::F32  ? QuantMode::None
                                  : QuantMode::F32ToB8;
  else
    C.Mode = C.To == Elem::F16    ? QuantMode::S32ToF16
             : C.To == Elem::BF16 ? QuantMode::S32ToBF16
             : C.To == Elem::S32  ? QuantMode::None
                                  : QuantMode::S32ToB8;
  bool Needs = C.Mode == QuantMode::F32ToB8 || C.Mode == QuantMode::S32ToF16 ||
               C.Mode == QuantMode::S32ToBF16 || C.Mode == QuantMode::S32ToB8;
  if (Needs && !Quant)
    fail("unsupported-dtype", I.pc(),
         "call SetQuantScalar or SetQuantVector before Iterate",
         "%s turns %s into %s, but has no scale", I.name(), nameOf(C.From),
         nameOf(C.To));
  C.Vector = S->QuantBy == MatmulState::Quant::Vector;
  C.Scalar = S->QuantScalar;
  if (C.Vector)
    C.Tensor = offsetBy(S->QuantTensor, uint64_t(Column) * sizeof(uint64_t));
  if (!C.known())
    fail("unsupported-dtype", I.pc(), "choose another type for C",
         "%s has no form from %s to %s", I.name(), nameOf(C.From),
         nameOf(C.To));
  return C;
}

/// The memory that a block of C fills.
struct Place {
  uint8_t *Data; // element (0, 0) of the matrix that the block belongs to
  uint32_t Row, Column;
  uint64_t Pitch; // as Stored
  MatrixFormat Format;
  uint32_t C0;

  uint8_t *at(uint32_t R, uint32_t C, uint32_t Size) const {
    uint64_t Index =
        Format == MatrixFormat::NZ
            ? product(C / C0, Pitch, C0) + uint64_t(R) * C0 + C % C0
        : Format == MatrixFormat::ColumnMajor ? product(C, Pitch) + R
                                              : product(R, Pitch) + C;
    return offsetBy(Data, product(Index, Size));
  }
};

Place placeOf(const MatmulState *S, const MatmulTarget *T, const Step &P,
              uint32_t WholeM, uint32_t WholeN) {
  uint32_t Size = bytesOf(S->CType);
  uint32_t PerBlock = BlockBytes / Size;
  uint32_t C0 = S->ChannelSplit ? 8 : Size == 1 ? 32 : 16;
  Place X;
  X.Data = static_cast<uint8_t *>(T->Dst);
  X.Format = S->CFormat;
  X.C0 = C0;
  // A block by itself has its own size; in place it is a part of the whole.
  bool Alone = T->Sequential;
  X.Row = Alone ? 0 : P.M;
  X.Column = Alone ? 0 : P.N;
  uint32_t M = Alone ? P.Rows : WholeM, N = Alone ? P.Columns : WholeN;
  if (X.Format == MatrixFormat::NZ)
    X.Pitch = roundUp(M, FractalRows);
  else if (X.Format == MatrixFormat::ColumnMajor)
    X.Pitch = M;
  else
    X.Pitch = X.Format == MatrixFormat::NDAlign || (T->Local && N % PerBlock)
                  ? roundUp(N, PerBlock)
                  : N;
  return X;
}

/// Writes the rows of \p P, which are those of the step that the engine holds
/// from First on.
void put(Issue &I, const MatmulState *S, Engine &E, const MatmulTarget *T,
         const Place &X, const Step &P, uint32_t First = 0) {
  uint32_t Size = bytesOf(S->CType);
  uint64_t Width = roundUp(P.Columns, GemmWidth);
  auto Pitch = static_cast<int64_t>(product(X.Pitch, Size));
  // NZ is written from whole blocks on.
  uint32_t Inside = X.Format == MatrixFormat::NZ ? X.Column % X.C0 : 0;
  Extent Bytes = {product(P.Columns, Size), P.Rows, Pitch};
  if (X.Format == MatrixFormat::NZ)
    Bytes = {product(P.Rows, X.C0, Size),
             divideUp(uint64_t(Inside) + P.Columns, X.C0),
             static_cast<int64_t>(product(X.Pitch, Size, X.C0))};
  else if (X.Format == MatrixFormat::ColumnMajor)
    Bytes = {product(P.Rows, Size), P.Columns, Pitch};
  Conversion How = conversionOf(I, S, P.N);
  if (How.Vector)
    I.read(How.Tensor, {product(P.Columns, 8u)}, Elem::U64, 1);
  I.write(X.at(X.Row, X.Column - Inside, Size), Bytes, S->CType, 1);
  const uint8_t *Sums = sumsOf(I, S, E);
  const Registers &R = I.core().Regs;
  // SetAtomicAdd speaks to the core that writes: the cube core's own.
  bool Own = I.core().Kind != CoreKind::Vector;
  Store Put(I,
            T->Atomic != AtomicOp::None ? T->Atomic
            : Own                       ? R.Atomic
                                        : AtomicOp::None,
            S->CType);
  RowConverter Convert(How, P.Columns);
  for (uint32_t Row = 0; Row < P.Rows; ++Row) {
    const uint8_t *Values =
        Convert.convert(Sums + (First + Row) * Width * 4,
                        size_t(FractalRows) * 4, 0, P.Columns);
    if (X.Format == MatrixFormat::ND || X.Format == MatrixFormat::NDAlign) {
      Put(X.at(X.Row + Row, X.Column, Size), Values, size_t(P.Columns) * Size);
      continue;
    }
    for (uint32_t C = 0; C < P.Columns; ++C)
      Put(X.at(X.Row + Row, X.Column + C, Size), Values + size_t(C) * Size,
          Size);
  }
}

/// Leaves the step in L0C, as fractals.
void leaveInL0C(Issue &I, const MatmulState *S, const Engine &E, void *L0C) {
  requireSpace(I, L0C, "result", {Space::L0C});
  const Step &P = E.Held;
  uint64_t Width = roundUp(P.Columns, GemmWidth);
  uint64_t Tall = roundUp(P.Rows, FractalRows);
  I.write(L0C, {product(Tall, Width, 4u)}, accumulatorOf(S->A.Type), 1024);
  const uint8_t *Sums = sumsOf(I, S, E);
  for (uint64_t R = 0; R < P.Rows; ++R)
    for (uint64_t C = 0; C < Width; C += FractalRows)
      std::memcpy(static_cast<uint8_t *>(L0C) +
                      (C * Tall + R * FractalRows) * 4,
                  Sums + (R * Width + C) * 4, size_t(FractalRows) * 4);
}

uint32_t columnsOfC(const MatmulState *S) {
  return uint32_t(S->CColumns > 0 ? S->CColumns : S->N);
}

} // namespace

bool belay_sim_matmul_serves() {
  Core &C = Core::current();
  TaskKind Task = C.device().task();
  return C.Kind == CoreKind::Cube &&
         (Task == TaskKind::Mix1To1 || Task == TaskKind::Mix1To2);
}

void belay_sim_cube_matmul_reset(MatmulState *S) {
  S->Next = 0;
  S->Held = -1;
  S->Fetched = 0;
}

bool belay_sim_cube_matmul_iterate(MatmulState *S, bool PartialSum, void *L0C) {
  if (idle(S))
    return false;
  Issue I("Matmul::Iterate", on::cube_matmul_iterate, BELAY_PC);
  checkTiling(S, I.pc());
  // A share of rows leaves out steps, but not so many that this takes seconds.
  constexpr int64_t MostSteps = 1 << 24;
  if (stepsOf(S) > MostSteps)
    fail("tiling-mismatch", I.pc(),
         "give REGIST_MATMUL_OBJ or Init the tiling that the host computed",
         "the Matmul object has more than %lld steps",
         static_cast<long long>(MostSteps));
  while (S->Next >= 0 && S->Next < stepsOf(S) && isLeftOut(S, S->Next))
    ++S->Next;
  if (S->Next < 0 || S->Next >= stepsOf(S)) {
    S->Next = 0;
    return false;
  }
  Engine &E = engineOf(S);
  compute(I, S, E, stepAt(S, S->Next), PartialSum);
  S->Held = S->Next++;
  if (L0C)
    leaveInL0C(I, S, E, L0C);
  return true;
}

void belay_sim_cube_matmul_get(MatmulState *S, const MatmulTarget *T) {
  if (idle(S))
    return;
  Issue I("Matmul::GetTensorC", on::cube_matmul_get, BELAY_PC);
  checkTiling(S, I.pc());
  Engine &E = engineOf(S);
  if (S->Held < 0)
    fail("bad-repeat", I.pc(), "call Iterate before each GetTensorC",
         "GetTensorC without a step that Iterate has computed");
  // What reaches a local tensor is one block.
  MatmulTarget Block = *T;
  Block.Sequential |= T->Local;
  Step Part = E.Held;
  uint32_t First = 0;
  if (S->SplitM && T->Local) {
    uint32_t Half = static_cast<uint32_t>(divideUp(Part.Rows, 2u));
    First = I.core().SubBlock ? Half : 0;
    Part.Rows = First ? Part.Rows - Half : Half;
    if (!Part.Rows)
      return;
  }
  put(I, S, E, &Block, placeOf(S, &Block, Part, uint32_t(S->M), columnsOfC(S)),
      Part, First);
}

void belay_sim_cube_matmul_all(MatmulState *S, const MatmulTarget *T) {
  if (idle(S))
    return;
  const void *PC = BELAY_PC;
  checkTiling(S, PC);
  checkSteps(S, T, 1, PC);
  Engine &E = engineOf(S);
  MatmulTarget Next = *T;
  for (int64_t N = 0; N < stepsOf(S); ++N) {
    if (isLeftOut(S, N))
      continue;
    Issue I("Matmul::IterateAll", on::cube_matmul_all, PC);
    compute(I, S, E, stepAt(S, N), false);
    put(I, S, E, &Next,
        placeOf(S, &Next, E.Held, uint32_t(T->Local ? S->SingleM : S->M),
                T->Local ? uint32_t(S->SingleN) : columnsOfC(S)),
        E.Held);
    if (T->Sequential)
      Next.Dst =
          offsetBy(Next.Dst, product(uint32_t(S->BaseM), uint32_t(S->BaseN),
                                     bytesOf(S->CType)));
  }
  belay_sim_cube_matmul_reset(S);
}

namespace {

/// How far apart rows and batches of a layout are, in elements.
struct BatchStride {
  uint64_t Row, Batch;
};

BatchStride strideOf(BatchLayout L, const BatchAxes &X, uint64_t Rows,
                     uint64_t Columns, uint64_t Stride) {
  uint64_t D = uint32_t(X.D);
  uint64_t Heads = product(D, uint32_t(X.N), uint32_t(X.G));
  switch (L) {
  case BatchLayout::BSNGD:
    return {Heads, D};
  case BatchLayout::SBNGD:
    return {product(Heads, uint32_t(X.B)), D};
  default: // matrices one after the other
    return {Columns, Stride ? Stride : product(Rows, Columns)};
  }
}

} // namespace

void belay_sim_cube_matmul_batch(MatmulState *S, const MatmulBatch *B,
                                 const MatmulTarget *T) {
  if (idle(S))
    return;
  const void *PC = BELAY_PC;
  checkTiling(S, PC);
  uint32_t Batches = std::max(B->A, B->B);
  if (!B->A || !B->B || Batches % B->A || Batches % B->B)
    fail("bad-repeat", PC, "let one number of batches divide the other",
         "IterateBatch of %u and %u matrices", B->A, B->B);
  checkSteps(S, T, Batches, PC);
  MatmulState One = *S;
  bool TransposeA = isTransposed(S->A), TransposeB = isTransposed(S->B);
  auto M = uint64_t(S->SingleM), N = uint64_t(S->SingleN),
       K = uint64_t(S->SingleK);
  // A pitch that the object cannot keep leads out of every memory.
  auto Pitch = [](uint64_t Row) {
    return static_cast<int32_t>(std::min<uint64_t>(Row, INT32_MAX));
  };
  BatchStride A = strideOf(S->A.Layout, S->AAxes, TransposeA ? K : M,
                           TransposeA ? M : K, B->StrideA);
  BatchStride Right = strideOf(S->B.Layout, S->BAxes, TransposeB ? N : K,
                               TransposeB ? K : N, B->StrideB);
  BatchStride C = strideOf(S->CLayout, S->CAxes, M, N, 0);
  (TransposeA ? One.M : One.Ka) = Pitch(A.Row);
  (TransposeA ? One.Ka : One.M) = static_cast<int32_t>(TransposeA ? K : M);
  (TransposeB ? One.Kb : One.N) = Pitch(Right.Row);
  One.CColumns = Pitch(C.Row);
  Engine &E = engineOf(S);
  for (uint32_t X = 0; X < Batches; ++X) {
    auto Offset = [](const void *P, uint64_t Elements, Elem Type) {
      return offsetBy(P, product(Elements, bitsOf(Type)) / 8);
    };
    One.A.Data =
        Offset(S->A.Data, product(X / (Batches / B->A), A.Batch), S->A.Type);
    One.B.Data = Offset(S->B.Data, product(X / (Batches / B->B), Right.Batch),
                        S->B.Type);
    if (S->Bias.Data && S->BiasPerBatch)
      One.Bias.Data = Offset(S->Bias.Data, product(X, N), S->Bias.Type);
    MatmulTarget Out = *T;
    Out.Dst = offsetBy(T->Dst, product(X, C.Batch, bytesOf(S->CType)));
    for (int64_t P = 0; P < stepsOf(&One); ++P) {
      if (isLeftOut(&One, P))
        continue;
      Issue I("Matmul::IterateBatch", on::cube_matmul_batch, PC);
      compute(I, &One, E, stepAt(&One, P), B->PartialSum);
      Out.Sequential = false;
      put(I, &One, E, &Out,
          placeOf(&One, &Out, E.Held, uint32_t(M), columnsOfC(&One)), E.Held);
    }
  }
}
