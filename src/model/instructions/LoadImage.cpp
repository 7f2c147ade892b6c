//===- LoadImage.cpp - LoadData 3D: image to column -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution as a matrix: one row for each position of the window on the
// feature map, one column for each (channel block, filter point, channel). The
// load takes a rectangle of that matrix, with padding where the window leaves
// the map.
//
//===----------------------------------------------------------------------===//

#include "model/instructions/Cube.h"

#include <algorithm>
#include <cstring>

namespace belay::sim {

namespace {

/// The feature map in L1 and the matrix it stands for.
class Unrolled {
public:
  Unrolled(const CubeRegisters &R, const CubeRegisters::FeatureMap &Map,
           const Window &F, const uint8_t *Src, Elem T, uint64_t Channels)
      : Map(Map), F(F), Src(Src), Type(T), C0(c0Of(T)), Channels(Channels),
        Padding(R.PaddingBits), Boundary(R.Boundary) {
    OutW = steps(Map.W + Map.Pad[0] + Map.Pad[1], F.FilterW, F.DilationW,
                 F.StrideW);
    OutH = steps(Map.H + Map.Pad[2] + Map.Pad[3], F.FilterH, F.DilationH,
                 F.StrideH);
  }

  uint64_t rows() const { return uint64_t(OutW) * OutH; }
  uint64_t columns() const { return product(Channels, F.FilterH, F.FilterW); }

  /// Where element (Row, Column) comes from: Data is null for the padding.
  struct Place {
    const uint8_t *Data;
    uint64_t Index;
  };
  Place find(uint64_t Row, uint64_t Column) const {
    uint64_t Points = uint64_t(F.FilterH) * F.FilterW;
    uint64_t FullChannels = Channels / C0 * C0; // channels in full blocks
    bool Tail = Column >= FullChannels * Points;
    uint64_t Depth = Tail ? Channels - FullChannels : C0;
    uint64_t Rest = Tail ? Column - FullChannels * Points : Column;
    uint64_t Block = Tail ? FullChannels / C0 : Rest / (Points * C0);
    uint64_t Point = Rest / Depth % Points;
    auto H = static_cast<int64_t>(Row / OutW * F.StrideH +
                                  Point / F.FilterW * F.DilationH) -
             Map.Pad[2];
    auto W = static_cast<int64_t>(Row % OutW * F.StrideW +
                                  Point % F.FilterW * F.DilationW) -
             Map.Pad[0];
    return pixel(Block, Depth, H, W, Rest % Depth);
  }

  /// Writes the element to position To of Dst.
  void fetch(uint64_t Row, uint64_t Column, uint8_t *Dst, uint64_t To) const {
    Place P = find(Row, Column);
    if (!P.Data)
      P = {reinterpret_cast<const uint8_t *>(&Padding), 0};
    copyElement(Type, Dst, To, P.Data, P.Index);
  }

  /// Channel C of the pixel, or the padding.
  Place pixel(uint64_t Block, uint64_t Depth, int64_t H, int64_t W,
              uint64_t C) const {
    if (H < 0 || H >= Map.H || W < 0 || W >= Map.W)
      return {nullptr, 0};
    uint64_t Plane = uint64_t(Map.H) * Map.W;
    uint64_t Index =
        Block * Plane * C0 +
        (static_cast<uint64_t>(H) * Map.W + static_cast<uint64_t>(W)) * Depth +
        C;
    if (Boundary) {
      // Beyond the boundary the load goes on at the start of L1.
      const uint8_t *L1 = Core::current().Memories.base(Space::L1);
      uint64_t Offset = (Src - L1) + Index * bitsOf(Type) / 8;
      if (Offset >= Boundary)
        return {L1, (Offset - Boundary) * 8 / bitsOf(Type) +
                        (Type == Elem::S4 ? Index % 2 : 0)};
    }
    return {Src, Index};
  }

  /// Tells where position To of Dst comes from, unless that is the padding.
  void trace(uint64_t Row, uint64_t Column, uint8_t *Dst, uint64_t To,
             const std::function<void(Origin)> &Tell) const {
    if (Place P = find(Row, Column); P.Data)
      Tell(elementOrigin(Type, Dst, To, P.Data, P.Index));
  }

  uint64_t sourceBytes() const {
    return divideUp(product(Map.H, Map.W, Channels, bitsOf(Type)), 8);
  }
  uint32_t outWidth() const { return OutW; }

  /// Whether the matrix is what lies in L1, as it is when products are loaded:
  /// a window of one point that goes over all of a map without padding.
  bool isPlain() const {
    bool OnePoint =
        F.FilterW == 1 && F.FilterH == 1 && F.StrideW == 1 && F.StrideH == 1;
    return OnePoint && !Map.Pad[0] && !Map.Pad[1] && !Map.Pad[2] &&
           !Map.Pad[3] && !Boundary && Channels % C0 == 0;
  }
  /// Of a plain matrix: rows of this column lie C0 elements apart.
  const uint8_t *column(uint64_t Column) const {
    uint64_t Index = Column / C0 * rows() * C0 + Column % C0;
    return Src + Index * bitsOf(Type) / 8;
  }

private:
  static uint32_t steps(uint32_t Size, uint32_t Filter, uint32_t Dilation,
                        uint32_t Stride) {
    uint32_t Reach = (Filter - 1) * Dilation + 1;
    return Size < Reach || !Stride ? 0 : (Size - Reach) / Stride + 1;
  }

  CubeRegisters::FeatureMap Map;
  Window F;
  const uint8_t *Src;
  Elem Type;
  uint32_t C0;
  uint64_t Channels;
  uint64_t Padding;
  uint32_t Boundary;
  uint32_t OutW, OutH;
};

/// The rectangle that a load takes, with its repeats laid side by side.
struct Rectangle {
  uint64_t RowStart, ColumnStart; // of the first repeat
  uint64_t Rows, Columns;         // of one repeat, padded
  uint64_t Repeats;
  bool Across;   // repeats follow each other in a row
  uint64_t Step; // elements from one repeat to the next

  uint64_t height() const { return Across ? Rows : Rows * Repeats; }
  uint64_t width() const { return Across ? Columns * Repeats : Columns; }
  uint64_t sourceRow(uint64_t R) const {
    return RowStart + (Across ? R : R / Rows * Step + R % Rows);
  }
  uint64_t sourceColumn(uint64_t C) const {
    return ColumnStart + (Across ? C / Columns * Step + C % Columns : C);
  }
};

/// Where fractals of a load lie, in fractals.
struct FractalStrides {
  uint64_t Row, Column;
};

/// A plain matrix as it is, in rows of C0 elements; zeros beyond it.
void copyRows(const Unrolled &U, const Rectangle &X, FractalStrides Strides,
              uint32_t C0, uint8_t *Dst) {
  uint64_t Rows = std::min(U.rows(), X.RowStart + X.Rows);
  for (uint64_t Column = 0; Column < X.Columns; Column += C0) {
    bool Inside = X.ColumnStart + Column < U.columns();
    const uint8_t *From = Inside ? U.column(X.ColumnStart + Column) : nullptr;
    for (uint64_t Row = 0; Row < X.Rows; ++Row) {
      uint8_t *To =
          Dst +
          (Row / FractalRows * Strides.Row + Column / C0 * Strides.Column) *
              FractalBytes +
          Row % FractalRows * BlockBytes;
      if (Inside && X.RowStart + Row < Rows)
        std::memcpy(To, From + (X.RowStart + Row) * BlockBytes, BlockBytes);
      else
        std::memset(To, 0, BlockBytes);
    }
  }
}

/// ... transposed: its columns are rows of fractals.
template <class T>
void copyTransposed(const Unrolled &U, const Rectangle &X,
                    FractalStrides Strides, uint8_t *Dst) {
  constexpr uint64_t C0 = BlockBytes / sizeof(T);
  uint64_t Rows = U.rows() > X.RowStart ? U.rows() - X.RowStart : 0;
  for (uint64_t Column = 0; Column < X.Columns; ++Column) {
    bool Inside = X.ColumnStart + Column < U.columns();
    const auto *From = reinterpret_cast<const T *>(
        Inside ? U.column(X.ColumnStart + Column) : nullptr);
    uint64_t Last = Inside ? std::min(Rows, X.Rows) : 0;
    for (uint64_t Row = 0; Row < X.Rows; Row += C0) {
      auto *To = reinterpret_cast<T *>(
          Dst +
          (Column / FractalRows * Strides.Row + Row / C0 * Strides.Column) *
              FractalBytes +
          Column % FractalRows * BlockBytes);
      for (uint64_t I = 0; I < C0; ++I)
        To[I] = Row + I < Last ? From[(X.RowStart + Row + I) * C0] : T(0);
    }
  }
}

void checkMap(const Issue &I, const CubeRegisters::FeatureMap &Map,
              const Window &F) {
  if (!F.FilterW || !F.FilterH)
    fail("bad-repeat", I.pc(), "set filterW and filterH to 1 or more",
         "LoadData has a filter of %u x %u", F.FilterW, F.FilterH);
  if (!F.StrideW || !F.StrideH)
    fail("bad-repeat", I.pc(), "set strideW and strideH to 1 or more",
         "LoadData moves its window by %u x %u", F.StrideW, F.StrideH);
  uint32_t H = Map.H + Map.Pad[2] + Map.Pad[3];
  uint32_t W = Map.W + Map.Pad[0] + Map.Pad[1];
  uint32_t ReachH = (F.FilterH - 1u) * F.DilationH + 1;
  uint32_t ReachW = (F.FilterW - 1u) * F.DilationW + 1;
  if (H < ReachH || W < ReachW)
    fail("bad-repeat", I.pc(), "check l1H, l1W, padList and the filter",
         "LoadData has a window of %u x %u on a padded map of %u x %u", ReachH,
         ReachW, H, W);
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_cube_load_image(const LoadImage *L) {
  Issue I(L->Name, on::cube_load_image, BELAY_PC, InstructionKind::Copy);
  const CubeRegisters &R = I.core().Regs.Cube;
  const CubeRegisters::FeatureMap &Map = R.Map[L->RightMap];
  if (I.dropped() || !Map.H || !Map.W || !L->Channels || !L->Rows ||
      !L->Columns || !L->Filter.FilterW || !L->Filter.FilterH || !R.RepeatTimes)
    return;
  requireSpace(I, L->Src, "source", {Space::L1});
  requireSpace(I, L->Dst, "destination", {Space::L0A, Space::L0B});
  checkMap(I, Map, L->Filter);
  const auto *Src = static_cast<const uint8_t *>(L->Src);
  auto *Dst = static_cast<uint8_t *>(L->Dst);
  Unrolled U(R, Map, L->Filter, Src, L->Type, L->Channels);
  uint32_t C0 = c0Of(L->Type);

  bool Right = spaceOf(L->Dst) == Space::L0B;
  bool Transpose = Right || L->Transpose;
  if (Transpose && bitsOf(L->Type) < I.core().arch().loadTransposeMinBits)
    I.unsupported(L->Type);
  Rectangle X = {L->RowStart,
                 L->ColumnStart,
                 divideUp(L->Rows, FractalRows) * FractalRows,
                 divideUp(L->Columns, C0) * C0,
                 R.RepeatTimes,
                 R.RepeatMode == 1,
                 uint64_t(R.RepeatStride) *
                     (R.RepeatMode == 1 ? C0 : FractalRows)};

  // The matrix lands as it is, or transposed, with 16 rows and C0 columns to a
  // fractal. L0B's ZN is the transposed matrix in NZ.
  uint64_t Height = Transpose ? X.width() : X.height();
  uint64_t Width = Transpose ? X.height() : X.width();
  uint64_t Tall = divideUp(Height, FractalRows), Wide = divideUp(Width, C0);
  bool Nz = Right || leftIsNz(I.core());
  uint64_t ColumnStride = !Nz ? 1 : L->UseDstStride ? R.DstStride : Tall;
  uint64_t RowStride = Nz ? 1 : Wide;
  I.read(Src, {U.sourceBytes()}, L->Type, BlockBytes);
  I.write(Dst,
          {FractalBytes, Tall, int64_t(RowStride * FractalBytes), Wide,
           int64_t(ColumnStride * FractalBytes)},
          L->Type, FractalBytes);

  // Calls Visit(Row, Column, To) for each element that the load writes.
  auto ForEachElement = [=](auto Visit) {
    for (uint64_t Row = 0; Row < X.height(); ++Row)
      for (uint64_t Column = 0; Column < X.width(); ++Column) {
        uint64_t ToRow = Transpose ? Column : Row;
        uint64_t ToColumn = Transpose ? Row : Column;
        uint64_t Fractal =
            ToRow / FractalRows * RowStride + ToColumn / C0 * ColumnStride;
        Visit(X.sourceRow(Row), X.sourceColumn(Column),
              Fractal * FractalRows * C0 + ToRow % FractalRows * C0 +
                  ToColumn % C0);
      }
  };
  I.originsBy([=](auto &Tell) {
    ForEachElement([&](uint64_t Row, uint64_t Column, uint64_t To) {
      if (Row < U.rows() && Column < U.columns())
        U.trace(Row, Column, Dst, To, Tell);
    });
  });
  if (I.later(belay_sim_cube_load_image, L))
    return;
  if (U.isPlain() && X.Repeats == 1 && L->ColumnStart % C0 == 0) {
    FractalStrides Strides{RowStride, ColumnStride};
    if (!Transpose)
      return copyRows(U, X, Strides, C0, Dst);
    if (bitsOf(L->Type) == 16)
      return copyTransposed<uint16_t>(U, X, Strides, Dst);
    if (bitsOf(L->Type) == 32)
      return copyTransposed<uint32_t>(U, X, Strides, Dst);
  }
  static constexpr uint8_t Zero[8] = {};
  ForEachElement([&](uint64_t Row, uint64_t Column, uint64_t To) {
    // What lies beyond the matrix fills the last fractals with zeros.
    if (Row < U.rows() && Column < U.columns())
      U.fetch(Row, Column, Dst, To);
    else
      copyElement(L->Type, Dst, To, Zero, 0);
  });
}

void belay_sim_cube_load_window(const LoadWindow *L) {
  Issue I("LoadData", on::cube_load_window, BELAY_PC, InstructionKind::Copy);
  if (I.dropped() || !L->Repeat)
    return;
  if (!I.core().arch().hasLoadData3Dv1)
    fail("unsupported-api", I.pc(), "use LoadData3DParamsV2",
         "LoadData with LoadData3DParamsV1 does not exist on arch %u",
         I.core().machine().Arch);
  requireSpace(I, L->Src, "source", {Space::L1});
  requireSpace(I, L->Dst, "destination", {Space::L0A, Space::L0B});
  const CubeRegisters &R = I.core().Regs.Cube;
  const CubeRegisters::FeatureMap &Map = R.Map[0];
  checkMap(I, Map, L->Filter);
  const auto *Src = static_cast<const uint8_t *>(L->Src);
  auto *Dst = static_cast<uint8_t *>(L->Dst);
  uint32_t C0 = c0Of(L->Type);
  const Window &F = L->Filter;
  uint64_t Points = uint64_t(F.FilterW) * F.FilterH;
  uint64_t First = uint64_t(L->FetchH) * F.FilterW + L->FetchW;
  uint64_t LastBlock =
      L->ChannelBlock +
      (First + (L->AlongRows ? 0 : uint64_t(L->Repeat) - 1)) / Points;
  Unrolled U(R, Map, F, Src, L->Type, (LastBlock + 1) * C0);
  I.read(Src, {U.sourceBytes()}, L->Type, BlockBytes);
  I.write(Dst, {FractalBytes, L->Repeat, int64_t(L->JumpStride) * FractalBytes},
          L->Type, FractalBytes);

  // The window starts at (LeftTopH, LeftTopW), which is a position of its grid.
  if (L->LeftTopH + Map.Pad[2] < 0 || L->LeftTopW + Map.Pad[0] < 0)
    fail("bad-repeat", I.pc(), "start inside of the padded map",
         "LoadData starts at (%d, %d), before the padding of its map",
         L->LeftTopH, L->LeftTopW);
  uint64_t Start =
      static_cast<uint64_t>((L->LeftTopH + Map.Pad[2]) / F.StrideH) *
          U.outWidth() +
      static_cast<uint64_t>((L->LeftTopW + Map.Pad[0]) / F.StrideW);
  // Calls Visit(Row, Column, To, Index) for each element.
  auto ForEachElement = [=](auto Visit) {
    for (uint32_t N = 0; N < L->Repeat; ++N) {
      uint64_t Point = First + (L->AlongRows ? 0 : N);
      uint64_t Block = L->ChannelBlock + Point / Points;
      uint64_t Row = Start + (L->AlongRows ? uint64_t(N) * FractalRows : 0);
      uint8_t *To = Dst + uint64_t(N) * L->JumpStride * FractalBytes;
      for (uint32_t P = 0; P < FractalRows; ++P)
        for (uint32_t C = 0; C < C0; ++C)
          Visit(Row + P, (Block * Points + Point % Points) * C0 + C, To,
                uint64_t(P) * C0 + C);
    }
  };
  I.originsBy([=](auto &Tell) {
    ForEachElement(
        [&](uint64_t Row, uint64_t Column, uint8_t *To, uint64_t Index) {
          U.trace(Row, Column, To, Index, Tell);
        });
  });
  if (I.later(belay_sim_cube_load_window, L))
    return;
  ForEachElement([&](uint64_t Row, uint64_t Column, uint8_t *To,
                     uint64_t Index) { U.fetch(Row, Column, To, Index); });
}
