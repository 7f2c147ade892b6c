//===- LayoutTranspose.cpp - Sixteen by sixteen, NCHW and NHWC ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Transpose.h"
#include "model/instructions/Elementwise.h"
#include "model/instructions/ListChecks.h"

#include <cstring>
#include <vector>

namespace belay::sim {

namespace {

/// Dst[j][i] = Src[i][j] for each of Count matrices.
template <typename E>
void transposeMatrices(void *Dst, const void *Src, uint32_t Count,
                       uint32_t Rows, uint32_t Columns) {
  size_t Each = size_t(Rows) * Columns;
  std::vector<E> In(Each); // the square one may be transposed in place
  for (uint32_t N = 0; N < Count; ++N) {
    std::memcpy(In.data(), static_cast<const E *>(Src) + N * Each,
                Each * sizeof(E));
    E *Out = static_cast<E *>(Dst) + N * Each;
    for (uint32_t R = 0; R < Rows; ++R)
      for (uint32_t C = 0; C < Columns; ++C)
        Out[size_t(C) * Rows + R] = In[size_t(R) * Columns + C];
  }
}

void transposeMatrices(const LayoutTranspose &T, uint32_t Count, uint32_t Rows,
                       uint32_t Columns) {
  switch (bytesOf(T.T)) {
  case 1:
    return transposeMatrices<uint8_t>(T.Dst, T.Src, Count, Rows, Columns);
  case 2:
    return transposeMatrices<uint16_t>(T.Dst, T.Src, Count, Rows, Columns);
  default:
    return transposeMatrices<uint32_t>(T.Dst, T.Src, Count, Rows, Columns);
  }
}

void noteOrigins(const LayoutTranspose &T, uint32_t Count, uint32_t Rows,
                 uint32_t Columns, Issue &I) {
  uint32_t Size = bytesOf(T.T);
  for (uint64_t N = 0; N < Count; ++N)
    for (uint64_t R = 0; R < Rows; ++R)
      for (uint64_t C = 0; C < Columns; ++C)
        I.origin(at(T.Dst, ((N * Columns + C) * Rows + R) * Size), Size,
                 at(T.Src, ((N * Rows + R) * Columns + C) * Size), Size);
}

void square(const LayoutTranspose &T, Issue &I) {
  bool Narrow = T.Extended && !I.core().arch().transposesAnyType;
  if (Narrow ? T.T != Elem::U16
             : !isOneOf(T.T, {Elem::S16, Elem::U16, Elem::F16}))
    I.unsupported(T.T);
  I.read(T.Src, {512}, rawOf(T.T));
  I.write(T.Dst, {512}, rawOf(T.T));
  if (I.later(belay_sim_transpose_layout, &T))
    return;
  if (I.watched())
    noteOrigins(T, 1, 16, 16, I);
  transposeMatrices(T, 1, 16, 16);
}

bool hasLayoutType(Elem T, const targets::Arch &Arch) {
  bool Has = isOneOf(T, {Elem::S8, Elem::U8, Elem::S16, Elem::U16, Elem::F16,
                         Elem::S32, Elem::U32, Elem::F32});
  if (Arch.transposesAnyType)
    Has |= isOneOf(T, {Elem::BF16, Elem::S4, Elem::HIF8, Elem::F8E4M3,
                       Elem::F8E5M2, Elem::F8E8M0});
  return Has;
}

void checkShape(const LayoutTranspose &T, Issue &I) {
  uint32_t Plane = uint32_t(T.H) * T.W;
  if (T.C > 4095 || Plane > 4095)
    fail("bad-repeat", I.pc(), "transpose a part of the channels or the plane",
         "Transpose has cSize %u and hSize * wSize %u, but both must be at "
         "most 4095",
         T.C, Plane);
  if (Plane * bytesOf(T.T) % BlockBytes)
    fail("misaligned-address", I.pc(), "pad the plane to whole blocks",
         "Transpose has planes of %u x %u %s, which are not whole blocks of 32 "
         "bytes",
         T.H, T.W, nameOf(T.T));
}

/// Bytes of sharedTmpBuffer that the API's documentation asks for.
uint32_t tmpBytes(const LayoutTranspose &T, const targets::Arch &Arch) {
  if (!Arch.transposeNeedsTmp)
    return 0;
  uint32_t Height = bytesOf(T.T) == 1 ? 32 : 16;
  uint32_t Squares =
      T.Change == LayoutChange::NchwToNhwc ? T.C + 2 : T.C * 2 + 1;
  return Squares * Height * BlockBytes;
}

void layout(const LayoutTranspose &T, Issue &I) {
  const targets::Arch &Arch = I.core().arch();
  uint32_t Plane = uint32_t(T.H) * T.W;
  if (!hasLayoutType(T.T, Arch))
    I.unsupported(T.T);
  if (!T.N || !T.C || !Plane)
    return;
  checkShape(T, I);
  uint64_t Bytes = uint64_t(T.N) * T.C * Plane * bytesOf(T.T);
  I.read(T.Src, {Bytes}, rawOf(T.T));
  if (uint32_t Need = tmpBytes(T, Arch)) {
    if (T.TmpBytes < Need)
      fail("local-out-of-bounds", I.pc(),
           "give sharedTmpBuffer the room that the API's documentation asks "
           "for",
           "Transpose needs %u bytes of sharedTmpBuffer, which has %u", Need,
           T.TmpBytes);
    I.write(T.Tmp, {Need}, Elem::U8);
  }
  I.write(T.Dst, {Bytes}, rawOf(T.T));
  checkApart(I, T.Dst, Bytes, T.Src, Bytes);
  if (I.later(belay_sim_transpose_layout, &T))
    return;
  bool ToLast = T.Change == LayoutChange::NchwToNhwc;
  uint32_t Rows = ToLast ? T.C : Plane, Columns = ToLast ? Plane : T.C;
  if (I.watched())
    noteOrigins(T, T.N, Rows, Columns, I);
  transposeMatrices(T, T.N, Rows, Columns);
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_transpose_layout(const LayoutTranspose *T) {
  Issue I("Transpose", on::transpose_layout, BELAY_PC);
  if (I.dropped())
    return;
  switch (T->Change) {
  case LayoutChange::Square16:
    return square(*T, I);
  case LayoutChange::NchwToNhwc:
  case LayoutChange::NhwcToNchw:
    return layout(*T, I);
  case LayoutChange::Other:
    fail("unsupported-api", I.pc(),
         "use TRANSPOSE_ND2ND_B16, TRANSPOSE_NCHW2NHWC or TRANSPOSE_NHWC2NCHW, "
         "or ConfusionTranspose",
         "Transpose does not have this transposeType");
  }
}
