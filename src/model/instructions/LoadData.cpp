//===- LoadData.cpp - Fractals into L1 and L0 -----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/Cube.h"

#include <cstring>
#include <utility>

namespace belay::sim {

void requireSpace(const Issue &I, const void *Address, const char *Role,
                  std::initializer_list<Space> Allowed) {
  Space S = spaceOf(Address);
  for (Space A : Allowed)
    if (S == A)
      return;
  char Names[96] = "";
  for (Space A : Allowed) {
    if (Names[0])
      std::strcat(Names, " or ");
    std::strcat(Names, nameOf(A));
  }
  fail("wrong-memory", I.pc(),
       "check the position of the tensor and move the data along the path that "
       "the part has",
       "%s takes its %s from %s, but the tensor lies in %s", I.name(), Role,
       Names, nameOf(S));
}

namespace {

/// GM to L1 or L0, L1 to L0.
void requireLoadPath(const Issue &I, const void *Dst, const void *Src) {
  if (spaceOf(Src) == Space::GM)
    requireSpace(I, Dst, "destination", {Space::L1, Space::L0A, Space::L0B});
  else {
    requireSpace(I, Src, "source", {Space::L1, Space::GM});
    requireSpace(I, Dst, "destination", {Space::L0A, Space::L0B});
  }
}

void transposeFractal16(uint8_t *Dst, const uint8_t *Src) {
  uint16_t In[FractalRows][FractalRows], Out[FractalRows][FractalRows];
  std::memcpy(In, Src, FractalBytes);
  for (unsigned R = 0; R < FractalRows; ++R)
    for (unsigned C = 0; C < FractalRows; ++C)
      Out[C][R] = In[R][C];
  std::memcpy(Dst, Out, FractalBytes);
}

/// Declares fractals read with a stride that may be negative.
void readFractals(Issue &I, const uint8_t *First, int64_t Stride,
                  uint32_t Count, Extent One, Elem T) {
  auto Distance = static_cast<uint64_t>(std::abs(Stride));
  One.Repeats = Count;
  One.RepeatStride = std::abs(Stride);
  I.read(Stride < 0 ? offsetBy(First, -product(Distance, Count - 1)) : First,
         One, T, alignmentOf(spaceOf(First)));
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_cube_load_fractals(const LoadFractals *L) {
  Issue I("LoadData",
          pipeBy(on::cube_load_fractals, spaceOf(L->Src), spaceOf(L->Dst)),
          BELAY_PC, InstructionKind::Copy);
  if (I.dropped() || !L->Repeat)
    return;
  requireLoadPath(I, L->Dst, L->Src);
  if (L->Transpose && bytesOf(L->Type) != 2)
    I.unsupported(L->Type);
  const uint8_t *Src = offsetBy(L->Src, product(L->Start, FractalBytes));
  auto *Dst = static_cast<uint8_t *>(L->Dst);
  int64_t SrcStride = static_cast<int64_t>(L->SrcStride) * FractalBytes;
  int64_t DstStride = static_cast<int64_t>(L->DstStride) * FractalBytes;
  readFractals(I, Src, SrcStride, L->Repeat, {FractalBytes}, L->Type);
  I.write(Dst, {FractalBytes, L->Repeat, DstStride}, L->Type,
          alignmentOf(spaceOf(Dst)));
  bool Transpose = L->Transpose && spaceOf(L->Src) == Space::L1;
  I.originsBy([=](auto &Tell) {
    for (uint32_t R = 0; R < L->Repeat; ++R) {
      uint8_t *To = Dst + R * DstStride;
      const uint8_t *From = Src + R * SrcStride;
      for (uint32_t E = 0; E < FractalRows * c0Of(L->Type); ++E)
        Tell(elementOrigin(
            L->Type, To,
            Transpose ? E % FractalRows * FractalRows + E / FractalRows : E,
            From, E));
    }
  });
  if (I.later(belay_sim_cube_load_fractals, L))
    return;
  for (uint32_t R = 0; R < L->Repeat; ++R) {
    uint8_t *To = Dst + R * DstStride;
    const uint8_t *From = Src + R * SrcStride;
    if (Transpose)
      transposeFractal16(To, From);
    else
      std::memmove(To, From, FractalBytes);
  }
}

void belay_sim_cube_load_matrix(const LoadMatrix *L) {
  Issue I("LoadData",
          pipeBy(on::cube_load_matrix, spaceOf(L->Src), spaceOf(L->Dst)),
          BELAY_PC, InstructionKind::Copy);
  if (I.dropped() || !L->Rows || !L->Columns)
    return;
  if (!I.core().arch().hasLoadData2Dv2)
    fail("unsupported-api", I.pc(), "use LoadData2DParams there",
         "LoadData with LoadData2DParamsV2 does not exist on arch %u",
         I.core().machine().Arch);
  requireLoadPath(I, L->Dst, L->Src);
  uint32_t C0 = c0Of(L->Type);
  auto SrcStride = static_cast<uint64_t>(std::abs(int64_t(L->SrcStride)));
  const uint8_t *Src =
      offsetBy(L->Src, product(product(L->ColumnStart, SrcStride) + L->RowStart,
                               FractalBytes));
  auto *Dst = static_cast<uint8_t *>(L->Dst);
  bool Transpose = L->Transpose && spaceOf(L->Src) == Space::L1;
  uint64_t Height = uint64_t(L->Rows) * FractalRows;
  uint64_t Width = uint64_t(L->Columns) * C0;
  // Transposed, rows become columns: they must fill whole fractals again.
  if (Transpose && (Height % C0 || Width % FractalRows))
    fail("bad-repeat", I.pc(),
         "round mStep (b8, b4) or kStep (b32) up to whole square matrices",
         "a transposing LoadData of %u x %u fractals of %s: transposed, they "
         "do not fill whole fractals",
         L->Rows, L->Columns, nameOf(L->Type));
  uint64_t OutRows = Transpose ? Width / FractalRows : L->Rows;
  uint64_t OutColumns = Transpose ? Height / C0 : L->Columns;
  I.read(Src,
         {product(L->Rows, FractalBytes), L->Columns,
          static_cast<int64_t>(SrcStride * FractalBytes)},
         L->Type, alignmentOf(spaceOf(Src)));
  I.write(Dst,
          {product(OutRows, FractalBytes), OutColumns,
           static_cast<int64_t>(L->DstStride) * FractalBytes},
          L->Type, alignmentOf(spaceOf(Dst)));
  uint64_t Elements = uint64_t(FractalRows) * C0;
  // Calls Visit(To, From) for each element of a transposing load.
  auto ForEachElement = [=](auto Visit) {
    for (uint64_t R = 0; R < Height; ++R)
      for (uint64_t C = 0; C < Width; ++C)
        Visit((R / C0 * L->DstStride + C / FractalRows) * Elements +
                  C % FractalRows * C0 + R % C0,
              (C / C0 * SrcStride + R / FractalRows) * Elements +
                  R % FractalRows * C0 + C % C0);
  };
  if (Transpose)
    I.originsBy([=](auto &Tell) {
      ForEachElement([&](uint64_t To, uint64_t From) {
        Tell(elementOrigin(L->Type, Dst, To, Src, From));
      });
    });
  if (I.later(belay_sim_cube_load_matrix, L))
    return;
  if (!Transpose) {
    for (uint32_t C = 0; C < L->Columns; ++C)
      std::memmove(Dst + static_cast<uint64_t>(C) * L->DstStride * FractalBytes,
                   Src + C * SrcStride * FractalBytes,
                   size_t(L->Rows) * FractalBytes);
    return;
  }
  ForEachElement([&](uint64_t To, uint64_t From) {
    copyElement(L->Type, Dst, To, Src, From);
  });
}

void belay_sim_cube_load_squares(const LoadSquares *L) {
  Issue I("LoadDataWithTranspose", on::cube_load_squares, BELAY_PC,
          InstructionKind::Copy);
  if (I.dropped() || !L->Repeat)
    return;
  requireSpace(I, L->Src, "source", {Space::L1});
  requireSpace(I, L->Dst, "destination", {Space::L0A, Space::L0B});
  if (!I.core().arch().hasLoadTransposed)
    fail("unsupported-api", I.pc(), "use LoadData with ifTranspose",
         "LoadDataWithTranspose does not exist on arch %u",
         I.core().arch().number);
  uint32_t C0 = c0Of(L->Type);
  uint32_t Side = C0 > FractalRows ? C0 : FractalRows;
  uint32_t Fractals = Side * Side / (FractalRows * C0);
  uint32_t Tall = Side / FractalRows; // fractals down one column of a square
  const uint8_t *Src = offsetBy(L->Src, product(L->Start, FractalBytes));
  auto *Dst = static_cast<uint8_t *>(L->Dst);
  int64_t SrcStride = static_cast<int64_t>(L->SrcStride) * FractalBytes;
  int64_t DstStride = static_cast<int64_t>(L->DstStride) * FractalBytes;
  readFractals(I, Src, SrcStride, L->Repeat,
               {FractalBytes, Fractals,
                static_cast<int64_t>(L->SrcFractalStride) * FractalBytes},
               L->Type);
  I.write(Dst,
          {FractalBytes, Fractals,
           static_cast<int64_t>(L->DstFractalStride) * FractalBytes, L->Repeat,
           DstStride},
          L->Type, FractalBytes);
  uint64_t Elements = uint64_t(FractalRows) * C0;
  // Calls Visit(Dst, To, Src, From) for each element.
  auto ForEachElement = [=](auto Visit) {
    for (uint32_t N = 0; N < L->Repeat; ++N)
      for (uint64_t R = 0; R < Side; ++R)
        for (uint64_t C = 0; C < Side; ++C) {
          uint64_t FromFractal = R / FractalRows + C / C0 * Tall;
          uint64_t ToFractal = C / FractalRows + R / C0 * Tall;
          Visit(Dst + N * DstStride,
                ToFractal * L->DstFractalStride * Elements +
                    C % FractalRows * C0 + R % C0,
                Src + N * SrcStride,
                FromFractal * L->SrcFractalStride * Elements +
                    R % FractalRows * C0 + C % C0);
        }
  };
  I.originsBy([=](auto &Tell) {
    ForEachElement([&](uint8_t *To, uint64_t ToIndex, const uint8_t *From,
                       uint64_t FromIndex) {
      Tell(elementOrigin(L->Type, To, ToIndex, From, FromIndex));
    });
  });
  if (I.later(belay_sim_cube_load_squares, L))
    return;
  ForEachElement([&](uint8_t *To, uint64_t ToIndex, const uint8_t *From,
                     uint64_t FromIndex) {
    copyElement(L->Type, To, ToIndex, From, FromIndex);
  });
}

void belay_sim_cube_fill(const FillBlocks *F) {
  Space Where = spaceOf(F->Dst);
  Issue I("Fill", pipeBy(on::cube_fill, Where, Where), BELAY_PC);
  // Repeats of 512 bytes, if a call cannot say how many blocks.
  bool Plain = !I.core().arch().fillsByBlocks;
  uint32_t Blocks = Plain ? 1 : F->Blocks;
  if (I.dropped() || !F->Repeat || !Blocks)
    return;
  requireSpace(I, F->Dst, "destination", {Space::L1, Space::L0A, Space::L0B});
  if (bytesOf(F->Type) != 2 && bytesOf(F->Type) != 4)
    I.unsupported(F->Type);
  uint32_t Unit = Where == Space::L1 && !Plain ? BlockBytes : FractalBytes;
  uint64_t Bytes = product(Blocks, Unit);
  int64_t Stride = (int64_t(Blocks) + (Plain ? 0 : F->Gap)) * Unit;
  I.write(F->Dst, {Bytes, F->Repeat, Stride}, F->Type, alignmentOf(Where));
  if (I.later(belay_sim_cube_fill, F))
    return;
  uint32_t Size = bytesOf(F->Type);
  for (uint32_t R = 0; R < F->Repeat; ++R) {
    uint8_t *To = static_cast<uint8_t *>(F->Dst) + R * Stride;
    for (uint64_t B = 0; B < Bytes; B += Size)
      std::memcpy(To + B, &F->Bits, Size);
  }
}
