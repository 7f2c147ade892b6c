//===- Vector.h - Calls from a kernel: vectors and copies -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_VECTOR_H
#define BELAY_ABI_VECTOR_H

#include "abi/Instructions.h"

namespace belay::sim {

/// SELMODE of Select, in the API's order.
enum class SelectMode : uint8_t { CmpMask, Scalar, Tensor };

/// What the sources of Select and Compare are besides a vector. ScalarFirst is
/// for Select alone.
enum class Second : uint8_t { Vector, Scalar, ScalarFirst };

/// DataCopyPad into local memory. Lengths and source gaps are in bytes.
struct PadCopy {
  void *Dst;
  const void *Src;
  uint32_t Bursts;
  uint32_t BurstBytes;
  int64_t SrcGap;       // bytes, end to start
  int64_t DstGap;       // blocks of 32 bytes, end to start
  uint32_t Left, Right; // elements
  uint64_t PadBits;
  Elem Type;
  bool UsePadBits; // isPad
  bool Compact;    // bursts without gaps, padded once at the end
  bool Global;     // the destination is global memory: no padding
};

/// A copy out of NZ fractals into plain matrices. Strides are from start to
/// start, in bytes.
struct NzToNd {
  void *Dst;
  const void *Src;
  uint32_t Matrices, Rows, Columns;
  uint64_t SrcMatrixStride, SrcColumnStride;
  uint64_t DstMatrixStride, DstRowStride;
  Elem Type;
};

/// One dimension of a sliced copy, in elements of the dimension below.
struct Slice {
  uint32_t Start, End, Stride, BurstBlocks, Shape;
};

/// A copy of up to five dimensions with padding (NDDMA), innermost first.
struct MultiCopy {
  void *Dst;
  const void *Src;
  Elem Type;
  uint32_t Dims;
  uint64_t SrcStride[5]; // elements
  uint32_t DstStride[5];
  uint32_t Size[5];
  uint32_t Left[5], Right[5];
  uint64_t PadBits;
  bool Nearest; // pads repeat the nearest element
};

/// What a scalar does to a word of global memory in one step.
enum class GlobalAtomic : uint8_t { Add, Max, Min, Exchange, Compare };

/// One argument of printf.
struct PrintArg {
  enum class Kind : uint8_t { Signed, Unsigned, Real, Text, Pointer } What;
  union {
    int64_t Integer;
    double Real;
    const void *Address;
  };
};

/// A tensor that DumpTensor prints.
struct Dump {
  const void *Data;
  Elem Type;
  uint32_t Tag, Count;
  uint32_t Dims;
  const uint32_t *Shape;
};

} // namespace belay::sim

extern "C" {

// --- conversions -------------------------------------------------------------
BELAY_SIM_CALL void belay_sim_truncate(belay::sim::Elem T,
                                       belay::sim::Rounding Mode, void *Dst,
                                       const void *Src,
                                       const belay::sim::Walk *W);
BELAY_SIM_CALL _Float16 belay_sim_half_to_odd(float X);
BELAY_SIM_CALL void belay_sim_set_deq_half(uint16_t Bits);
BELAY_SIM_CALL void belay_sim_set_deq_tensor(float Factor, int16_t Offset,
                                             bool Signed);
BELAY_SIM_CALL void belay_sim_set_deq_vector(void *Vdeq, const float *Factors,
                                             const int16_t *Offsets,
                                             const bool *Signs);
BELAY_SIM_CALL void belay_sim_cast_dequant(belay::sim::Elem DstT,
                                           belay::sim::Elem SrcT, void *Dst,
                                           const void *Src,
                                           const belay::sim::Walk *W,
                                           bool Vector, bool UpperHalf);

// --- comparing and selecting -------------------------------------------------
/// Dst is null for the form that writes the compare register. Src1 points at
/// one element if Kind is Scalar.
BELAY_SIM_CALL void
belay_sim_compare(belay::sim::CompareOp Op, belay::sim::Elem T, void *Dst,
                  const void *Src0, const void *Src1, belay::sim::Second Kind,
                  const belay::sim::Walk *W, const char *Name);
/// Sel is null for the forms that read the compare register.
BELAY_SIM_CALL void belay_sim_select(belay::sim::SelectMode Mode,
                                     belay::sim::Elem T, void *Dst,
                                     const void *Sel, const void *Src0,
                                     const void *Src1, belay::sim::Second Kind,
                                     const belay::sim::Walk *W);
BELAY_SIM_CALL void belay_sim_get_cmp_mask(void *Dst);
BELAY_SIM_CALL void belay_sim_set_cmp_mask(const void *Src);

// --- moving and making elements ----------------------------------------------
/// Copy between vectors: in counter mode the mask counts each repeat.
BELAY_SIM_CALL void belay_sim_vector_copy(belay::sim::Elem T, void *Dst,
                                          const void *Src,
                                          const belay::sim::Walk *W);
BELAY_SIM_CALL void belay_sim_brcb(belay::sim::Elem T, void *Dst,
                                   const void *Src, uint32_t Repeat,
                                   belay::sim::Stride S);
BELAY_SIM_CALL void belay_sim_vec_index(belay::sim::Elem T, void *Dst,
                                        const void *First,
                                        const belay::sim::Walk *W);
BELAY_SIM_CALL void belay_sim_interleave(belay::sim::Elem T, void *Dst0,
                                         void *Dst1, const void *Src0,
                                         const void *Src1, int64_t Count);
/// Src1 is null for the form with one source of Count elements.
BELAY_SIM_CALL void belay_sim_deinterleave(belay::sim::Elem T, void *Dst0,
                                           void *Dst1, const void *Src0,
                                           const void *Src1, int64_t Count);
/// 32-bit products in two halves: Low, and High above it.
BELAY_SIM_CALL void belay_sim_mull(belay::sim::Elem T, void *Low, void *High,
                                   const void *Src0, const void *Src1,
                                   int64_t Count);

// --- data movement -----------------------------------------------------------
BELAY_SIM_CALL void belay_sim_copy_pad(const belay::sim::PadCopy *C);
BELAY_SIM_CALL void belay_sim_copy_nz2nd(const belay::sim::NzToNd *C);
BELAY_SIM_CALL void belay_sim_copy_slices(void *Dst, const void *Src,
                                          belay::sim::Elem T,
                                          const belay::sim::Slice *DstSlices,
                                          const belay::sim::Slice *SrcSlices,
                                          uint32_t Dims);
BELAY_SIM_CALL void belay_sim_copy_multi(const belay::sim::MultiCopy *C);
BELAY_SIM_CALL void belay_sim_set_pad_value(uint64_t Bits);
/// Direction 0 is to global memory, 1 from it.
BELAY_SIM_CALL void belay_sim_set_loop_mode(uint32_t Direction, uint32_t Inner,
                                            uint32_t Outer, uint64_t InnerSrc,
                                            uint64_t InnerDst,
                                            uint64_t OuterSrc,
                                            uint64_t OuterDst);
BELAY_SIM_CALL void belay_sim_get_atomic(belay::sim::AtomicOp *Op,
                                         belay::sim::Elem *T);
BELAY_SIM_CALL void belay_sim_set_atomic_type(belay::sim::Elem T);

/// Old receives what was there. For Compare, Value replaces it if it equals
/// Expected.
BELAY_SIM_CALL void belay_sim_global_atomic(belay::sim::GlobalAtomic Op,
                                            belay::sim::Elem T, void *Address,
                                            const void *Value,
                                            const void *Expected, void *Old);
/// Loads and stores past the data cache; Name for messages.
BELAY_SIM_CALL void belay_sim_uncached(const void *Address, uint32_t Bytes,
                                       bool Write);
/// Data cache maintenance: lets cores that poll see each other.
BELAY_SIM_CALL void belay_sim_cache_clean(const void *Address, bool Entire);

// --- registers and synchronisation -------------------------------------------
BELAY_SIM_CALL void belay_sim_set_saturation(bool Float, bool On);
BELAY_SIM_CALL bool belay_sim_get_saturation(bool Float);
BELAY_SIM_CALL void belay_sim_data_barrier();
BELAY_SIM_CALL void belay_sim_mutex(bool Lock, belay::sim::Pipe P, uint32_t Id);
BELAY_SIM_CALL uint32_t belay_sim_alloc_mutex();
BELAY_SIM_CALL void belay_sim_release_mutex(uint32_t Id);
BELAY_SIM_CALL void belay_sim_ib_set(int32_t *Workspace, int32_t *Local,
                                     int32_t Block, int32_t Event);
BELAY_SIM_CALL void belay_sim_ib_wait(int32_t *Workspace, int32_t *Local,
                                      int32_t Block, int32_t Event);
BELAY_SIM_CALL void belay_sim_soft_sync(int32_t *Workspace, int32_t *Local,
                                        int32_t Cores);
BELAY_SIM_CALL void belay_sim_order_init(int32_t *Workspace, int32_t *Local);
BELAY_SIM_CALL void belay_sim_order_wait(int32_t *Workspace, int32_t *Local);
BELAY_SIM_CALL void belay_sim_order_notify(int32_t *Workspace, int32_t *Local);

// --- talking to the user -----------------------------------------------------
BELAY_SIM_CALL void belay_sim_printf(const char *Format,
                                     const belay::sim::PrintArg *Args,
                                     uint32_t Count);
[[noreturn]] BELAY_SIM_CALL void
belay_sim_assert(const char *Condition, const char *File, uint32_t Line,
                 const char *Format, const belay::sim::PrintArg *Args,
                 uint32_t Count);
BELAY_SIM_CALL void belay_sim_dump(const belay::sim::Dump *D);
BELAY_SIM_CALL void belay_sim_time_stamp(uint32_t Tag);
[[noreturn]] BELAY_SIM_CALL void belay_sim_trap();
}

#endif // BELAY_ABI_VECTOR_H
