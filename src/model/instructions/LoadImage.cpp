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

#include <cstring>

namespace belay::sim {

namespace {

/// The feature map in L1 and the matrix it stands for.
class Unrolled {
public:
  Unrolled(const CubeRegisters &R, const CubeRegisters::FeatureMap &Map,
           const Window &F, const uint8_t *Src, Elem T, uint32_t Channels)
      : Map(Map), F(F), Src(Src), Type(T), C0(c0Of(T)), Channels(Channels),
        Padding(R.PaddingBits), Boundary(R.Boundary) {
    OutW = steps(Map.W + Map.Pad[0] + Map.Pad[1], F.FilterW, F.DilationW,
                 F.StrideW);
    OutH = steps(Map.H + Map.Pad[2] + Map.Pad[3], F.FilterH, F.DilationH,
                 F.StrideH);
  }

  uint32_t rows() const { return OutW * OutH; }
  uint32_t columns() const { return Channels * F.FilterH * F.FilterW; }

  /// Where element (Row, Column) comes from: Data is null for the padding.
  struct Place {
    const uint8_t *Data;
    uint64_t Index;
  };
  Place find(uint32_t Row, uint32_t Column) const {
    uint32_t Points = uint32_t(F.FilterH) * F.FilterW;
    uint32_t FullChannels = Channels / C0 * C0; // channels in full blocks
    bool Tail = Column >= FullChannels * Points;
    uint32_t Depth = Tail ? Channels - FullChannels : C0;
    uint32_t Rest = Tail ? Column - FullChannels * Points : Column;
    uint32_t Block = Tail ? FullChannels / C0 : Rest / (Points * C0);
    uint32_t Point = Rest / Depth % Points;
    int32_t H = static_cast<int32_t>(Row / OutW * F.StrideH +
                                     Point / F.FilterW * F.DilationH) -
                Map.Pad[2];
    int32_t W = static_cast<int32_t>(Row % OutW * F.StrideW +
                                     Point % F.FilterW * F.DilationW) -
                Map.Pad[0];
    return pixel(Block, Depth, H, W, Rest % Depth);
  }

  /// Writes the element to position To of Dst.
  void fetch(uint32_t Row, uint32_t Column, uint8_t *Dst, uint64_t To) const {
    Place P = find(Row, Column);
    if (!P.Data)
      P = {reinterpret_cast<const uint8_t *>(&Padding), 0};
    copyElement(Type, Dst, To, P.Data, P.Index);
  }

  /// Channel C of the pixel, or the padding.
  Place pixel(uint32_t Block, uint32_t Depth, int32_t H, int32_t W,
              uint32_t C) const {
    if (H < 0 || H >= Map.H || W < 0 || W >= Map.W)
      return {nullptr, 0};
    uint64_t Plane = uint64_t(Map.H) * Map.W;
    uint64_t Index =
        Block * Plane * C0 + (static_cast<uint64_t>(H) * Map.W + W) * Depth + C;
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
  void trace(uint32_t Row, uint32_t Column, uint8_t *Dst, uint64_t To,
             const std::function<void(Origin)> &Tell) const {
    if (Place P = find(Row, Column); P.Data)
      Tell(elementOrigin(Type, Dst, To, P.Data, P.Index));
  }

  uint64_t sourceBytes() const {
    return uint64_t(Map.H) * Map.W * Channels * bitsOf(Type) / 8;
  }
  uint32_t outWidth() const { return OutW; }

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
  uint32_t C0, Channels;
  uint64_t Padding;
  uint32_t Boundary;
  uint32_t OutW, OutH;
};

/// The rectangle that a load takes, with its repeats laid side by side.
struct Rectangle {
  uint32_t RowStart, ColumnStart; // of the first repeat
  uint32_t Rows, Columns;         // of one repeat, padded
  uint32_t Repeats;
  bool Across;   // repeats follow each other in a row
  uint32_t Step; // elements from one repeat to the next

  uint32_t height() const { return Across ? Rows : Rows * Repeats; }
  uint32_t width() const { return Across ? Columns * Repeats : Columns; }
  uint32_t sourceRow(uint32_t R) const {
    return RowStart + (Across ? R : R / Rows * Step + R % Rows);
  }
  uint32_t sourceColumn(uint32_t C) const {
    return ColumnStart + (Across ? C / Columns * Step + C % Columns : C);
  }
};

void checkMap(const Issue &I, const CubeRegisters::FeatureMap &Map,
              const Window &F) {
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
                 ceilDiv(L->Rows, FractalRows) * FractalRows,
                 ceilDiv(L->Columns, C0) * C0,
                 R.RepeatTimes,
                 R.RepeatMode == 1,
                 R.RepeatStride * (R.RepeatMode == 1 ? C0 : FractalRows)};

  // The matrix lands as it is, or transposed, with 16 rows and C0 columns to a
  // fractal. L0B's ZN is the transposed matrix in NZ.
  uint32_t Height = Transpose ? X.width() : X.height();
  uint32_t Width = Transpose ? X.height() : X.width();
  uint32_t Tall = ceilDiv(Height, FractalRows), Wide = ceilDiv(Width, C0);
  bool Nz = Right || leftIsNz(I.core());
  uint32_t ColumnStride = !Nz ? 1 : L->UseDstStride ? R.DstStride : Tall;
  uint32_t RowStride = Nz ? 1 : Wide;
  I.read(Src, {static_cast<uint32_t>(U.sourceBytes())}, L->Type, BlockBytes);
  I.write(Dst,
          {FractalBytes, Tall, int64_t(RowStride) * FractalBytes, Wide,
           int64_t(ColumnStride) * FractalBytes},
          L->Type, FractalBytes);

  // Calls Visit(Row, Column, To) for each element that the load writes.
  auto ForEachElement = [=](auto Visit) {
    for (uint32_t Row = 0; Row < X.height(); ++Row)
      for (uint32_t Column = 0; Column < X.width(); ++Column) {
        uint32_t ToRow = Transpose ? Column : Row;
        uint32_t ToColumn = Transpose ? Row : Column;
        uint64_t Fractal = uint64_t(ToRow / FractalRows) * RowStride +
                           uint64_t(ToColumn / C0) * ColumnStride;
        Visit(X.sourceRow(Row), X.sourceColumn(Column),
              Fractal * FractalRows * C0 + ToRow % FractalRows * C0 +
                  ToColumn % C0);
      }
  };
  I.originsBy([=](auto &Tell) {
    ForEachElement([&](uint32_t Row, uint32_t Column, uint64_t To) {
      if (Row < U.rows() && Column < U.columns())
        U.trace(Row, Column, Dst, To, Tell);
    });
  });
  if (I.later(belay_sim_cube_load_image, L))
    return;
  static constexpr uint8_t Zero[8] = {};
  ForEachElement([&](uint32_t Row, uint32_t Column, uint64_t To) {
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
  uint32_t Points = uint32_t(F.FilterW) * F.FilterH;
  uint32_t First = L->FetchH * F.FilterW + L->FetchW;
  uint32_t LastBlock =
      L->ChannelBlock + (L->AlongRows ? 0 : (First + L->Repeat - 1) / Points);
  Unrolled U(R, Map, F, Src, L->Type, (LastBlock + 1) * C0);
  I.read(Src, {static_cast<uint32_t>(U.sourceBytes())}, L->Type, BlockBytes);
  I.write(Dst, {FractalBytes, L->Repeat, int64_t(L->JumpStride) * FractalBytes},
          L->Type, FractalBytes);

  // The window starts at (LeftTopH, LeftTopW), which is a position of its grid.
  uint32_t Start = (L->LeftTopH + Map.Pad[2]) / F.StrideH * U.outWidth() +
                   (L->LeftTopW + Map.Pad[0]) / F.StrideW;
  // Calls Visit(Row, Column, To, Index) for each element.
  auto ForEachElement = [=](auto Visit) {
    for (uint32_t N = 0; N < L->Repeat; ++N) {
      uint32_t Point = First + (L->AlongRows ? 0 : N);
      uint32_t Block = L->ChannelBlock + Point / Points;
      uint32_t Row = Start + (L->AlongRows ? N * FractalRows : 0);
      uint8_t *To = Dst + uint64_t(N) * L->JumpStride * FractalBytes;
      for (uint32_t P = 0; P < FractalRows; ++P)
        for (uint32_t C = 0; C < C0; ++C)
          Visit(Row + P, (Block * Points + Point % Points) * C0 + C, To,
                P * C0 + C);
    }
  };
  I.originsBy([=](auto &Tell) {
    ForEachElement(
        [&](uint32_t Row, uint32_t Column, uint8_t *To, uint64_t Index) {
          U.trace(Row, Column, To, Index, Tell);
        });
  });
  if (I.later(belay_sim_cube_load_window, L))
    return;
  ForEachElement([&](uint32_t Row, uint32_t Column, uint8_t *To,
                     uint64_t Index) { U.fetch(Row, Column, To, Index); });
}
