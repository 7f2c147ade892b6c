//===- Target.h - What each SoC and architecture has ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hardware facts that everything else asks for. The numbers are in
// Targets.def; nothing else in Belay writes one of them again.
//
// This part links nothing, not even LLVM: the simulated core uses it too. A
// llvm::StringRef converts to the std::string_view taken here.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TARGETS_TARGET_H
#define BELAY_TARGETS_TARGET_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace belay::targets {

/// How far Belay knows an architecture.
enum class Coverage : uint8_t {
  Simulated, ///< Kernels for it run in the simulator.
  Described, ///< All facts below are known; the simulator does not model it.
  SizesOnly, ///< Only core counts and memory sizes are public.
};

/// What Interpolation asks its sharedTmpBuffer to hold.
enum class InterpolationTmp : uint8_t {
  None,
  Offsets, ///< As many bytes as the offsets.
  Blocks,  ///< One block for each element of source and weights.
};

/// What all SoCs of one generation of AI core share. Sizes are in bytes.
struct Arch {
  uint32_t number;         ///< The vendor's NpuArch number, 2201.
  const char *name;        ///< As compilers take it, "dav-2201".
  const char *coreVersion; ///< The core's own name, "AIC-C-220".
  Coverage coverage;

  /// \name Alignment of an operand's address, per memory.
  /// @{
  uint32_t gmAlign, ubAlign, l1Align, l0aAlign, l0bAlign, l0cAlign, btAlign,
      fbAlign;
  /// @}

  /// \name Vector unit: a repeat is a row of blocks.
  /// @{
  uint32_t blockBytes;
  uint32_t repeatBytes; ///< 0 where not public.
  uint32_t maxRepeat;   ///< Of an instruction whose repeat field has 8 bits.
  /// @}

  /// \name Copy engine.
  /// @{
  uint32_t copyMaxBursts;   ///< DataCopy: blockCount.
  uint32_t copyMaxBlocks;   ///< DataCopy: blockLen, in blocks.
  uint32_t padCopyMaxBytes; ///< DataCopyPad: blockLen, in bytes.
  uint32_t padMaxBytes;     ///< DataCopyPad: padding on each side.
  /// @}

  /// Elements of one half-precision cube step: m x k times k x n.
  uint32_t cubeM, cubeK, cubeN;

  /// What the framework keeps for itself at the top of the UB.
  uint32_t ubReserved;
  /// What the host's platform API subtracts from UB and L1 when tiling code
  /// asks for their sizes.
  uint32_t hostReserved;
  /// Start of the workspace that the library keeps for itself; what a kernel
  /// may use begins after it.
  uint32_t libWorkspace;
  /// What the allocator of device memory (aclrtMalloc) adds after a request,
  /// which it rounds up to whole blocks before.
  uint32_t mallocExtra;
  uint32_t vectorRegister; ///< Bytes; 0 where vectors live in the UB.

  uint32_t eventIds;         ///< Event ids of each pair of pipes.
  uint32_t userEventIds;     ///< Of these, the first ones are free for kernels.
  uint32_t crossCoreFlagIds; ///< CrossCoreSetFlag ids free for kernels.
  uint32_t crossCoreModes;   ///< Bit m: CrossCoreSetFlag has mode m.
  uint32_t mutexIds;         ///< Mutex ids free for kernels.

  bool hasSetFlag; ///< Kernels may call SetFlag and WaitFlag.
  bool hasDataSyncBarrier;
  bool hasDataCopyPad;
  bool hasFixpipe; ///< L0C leaves through the Fixpipe, not through the UB.
  bool hasBf16;
  /// Hardware orders vector instructions that depend on each other; where it
  /// does not, they need PipeBarrier<PIPE_V>.
  bool vectorInterlock;

  // What follows is false, or the value of most architectures, where
  // Targets.def says nothing. docs/targets.md says what was read for which.

  /// \name Instructions and forms of them that only some architectures have.
  /// @{
  bool hasVectorShift = false; ///< ShiftLeft and ShiftRight.
  bool hasIntEqual = false;    ///< Compare of 32-bit integers for equality.
  bool hasIntCompare = false;  ///< Compare of integers in every mode.
  bool hasRepeatCopy = false;  ///< Copy within the UB, by repeats.
  /// CAST_RINT to half, and from integers to it; elsewhere CAST_NONE rounds so.
  bool hasCastRint = false;
  /// DataCacheCleanAndInvalid takes a DcciDst.
  bool hasDcciDst = false;
  /// WholeReduceMax and Min take ORDER_ONLY_VALUE and ORDER_ONLY_INDEX;
  /// elsewhere a value comes with its place only.
  bool hasOrderOnlyValue = false;
  bool hasScatter = false;        ///< Scatter within the UB.
  bool hasGatherb = false;        ///< Gatherb, by blocks.
  bool hasVectorPadding = false;  ///< VectorPadding.
  bool hasTransData = false;      ///< TransData.
  bool hasReducePattern = false;  ///< ReduceMax and others by Pattern.
  bool hasConfiguredSort = false; ///< Sort of a tensor with a SortConfig.
  bool hasMull = false;           ///< Mull: both halves of a product.
  bool hasCopyCount = false;      ///< Copy within the UB, by count.
  bool hasSaturationFlag = false; ///< SetSaturationFlag.
  /// The host chooses whether floats saturate, and learns of overflows.
  bool hasFloatModes = false;
  /// aclrtMemAllocManaged and aclrtRandomNumAsync.
  bool hasManagedMemory = true;
  bool hasRandomTasks = true;
  /// @}

  /// \name Copies.
  /// @{
  /// DataCopyPad has PaddingMode::Compact, gaps of 40 bits in global memory,
  /// and fills the last block with the call's padding value, pads or not.
  bool widePadCopy = false;
  bool hasLoopMode = false;       ///< SetLoopModePara.
  bool hasMultiCopy = false;      ///< DataCopy of up to five dimensions.
  bool hasGlobalAtomics = false;  ///< Atomic functions of the scalar unit.
  bool hasUncachedAccess = false; ///< ReadGmByPassDCache and its counterpart.
  /// Copies to global memory also take the maximum and the minimum, and combine
  /// int8, int32 and bfloat16; elsewhere they add int16, half and float.
  bool hasAllAtomics = false;
  /// @}

  /// \name Cube.
  /// @{
  bool hasDn2Nz = false;              ///< DataCopy with Dn2NzParams.
  bool hasLoadData2Dv2 = false;       ///< LoadData with LoadData2DParamsV2.
  bool hasLoadData3Dv1 = false;       ///< LoadData with LoadData3DParamsV1.
  bool hasLoadTransposed = false;     ///< LoadDataWithTranspose.
  bool fillsByBlocks = false;         ///< Fill takes blockNum and dstGap.
  bool leftIsNz = false;              ///< L0A keeps the left matrix as NZ.
  bool cubeTakesFloat = false;        ///< Mmad of float and of bfloat16.
  bool cubeTakesUnsigned = false;     ///< Mmad of uint8, and of half to half.
  bool cubeTakesInt4 = false;         ///< Mmad of int4.
  bool ndStrideInRows = false;        ///< Fixpipe to ND: srcNdStride in rows.
  uint32_t hf32Mantissa = 11;         ///< Bits of mantissa that HF32 keeps.
  uint32_t biasUnit = 64;             ///< Bytes that a copy to BT counts in.
  uint32_t loadTransposeMinBits = 16; ///< Narrowest type LoadData transposes.
  /// @}

  /// \name Vector unit: types and masks.
  /// @{
  bool hasInt64 = false;     ///< Types of 64 bits in vector instructions.
  bool gathersBytes = false; ///< Gather and GatherMask of 8 bits.
  /// Gatherb takes every type; elsewhere uint16 and uint32.
  bool gathersAnyBlock = false;
  bool scattersSigned = false; ///< Scatter of int16 and int32.
  /// Gather reads offsets of elements narrower than 32 bits as 16-bit indices.
  bool narrowOffsets = false;
  /// Transpose takes bfloat16, 4 bits and 8-bit floats, and half in its
  /// extended form.
  bool transposesAnyType = false;
  bool transposeNeedsTmp = false; ///< Transpose uses sharedTmpBuffer.
  bool dequantsToHalf = false;    ///< CastDequant from int32 to half.
  bool hasEmptyMask = false;      ///< A mask may select nothing.
  /// Compare with a destination heeds its mask, which elsewhere is there only
  /// for symmetry.
  bool compareHeedsMask = false;
  bool limitsShifts = false; ///< Shifts go up to the width of the type.
  /// GatherMask in counter mode: the mask counts all elements; elsewhere those
  /// of each repeat.
  bool gatherMaskCountsAll = false;
  uint32_t gatherMaskPatterns = 7; ///< Built-in patterns of GatherMask.
  /// Sort, MrgSort and Extract work on Region Proposals of eight elements;
  /// elsewhere on pairs of value and index.
  bool sortsProposals = false;
  InterpolationTmp interpolationTmp = InterpolationTmp::Blocks;
  bool hasFloat8 = false; ///< 8-bit floats: HIF8, E4M3, E5M2, E8M0.
  /// Math routines have the types that came with the register-based library.
  bool hasNewMath = false;
  /// @}

  /// \name Vector unit: reductions.
  /// @{
  bool reducesIntegers = false; ///< Reductions of integers.
  /// Reductions of blocks and pairs also write where no lane was active.
  bool fillsEmptyBlocks = false;
  /// ReduceMax and ReduceMin keep the results of repeats in sharedTmpBuffer.
  bool reduceNeedsTmp = false;
  /// ReduceSum by count adds the sums of repeats one after the other, without
  /// sharedTmpBuffer.
  bool sumsSequentially = false;
  /// ReduceSum of 64-bit elements, or of few repeats, adds lane by lane.
  bool sumsLanes = false;
  bool reduceHeedsMask = false;   ///< Reductions heed isSetMask=false.
  bool hasReduceSumSpr = false;   ///< GetReduceRepeatSumSpr.
  bool hasMaxMinSpr = false;      ///< GetReduceRepeatMaxMinSpr of two results.
  bool hasMaxMinSprAlone = false; ///< GetReduceRepeatMaxMinSpr of other counts.
  /// @}

  /// \name Collectives.
  /// @{
  /// HCCL reduces int64, and int16 by maximum and minimum, not by sum alone.
  bool hcclReducesInts = false;
  bool hcclReducesWide = false; ///< HCCL reduces uint64 and double.
  /// @}

  /// A wait for another core's flag holds up its pipe alone; elsewhere the
  /// whole core.
  bool crossWaitHoldsPipe = false;

  /// Copies between global memory and the UB move whole blocks only.
  bool copiesWholeBlocks() const { return !hasDataCopyPad; }
  bool hasCrossCoreMode(uint32_t Mode) const {
    return crossCoreModes >> Mode & 1;
  }
  bool hasCrossCore() const { return crossCoreModes != 0; }
  /// The highest offset, in bytes, by which Gather finds elements of a size:
  /// some architectures address narrow ones with narrow indices.
  uint64_t highestOffset(uint32_t Bytes) const {
    if (!narrowOffsets || Bytes > 2)
      return UINT32_MAX;
    return (uint64_t(1) << (15 + Bytes)) - 1;
  }
  uint32_t blocksPerRepeat() const { return repeatBytes / blockBytes; }
};

/// One SoC. Sizes are in bytes; 0 means none, or not public.
struct Soc {
  const char *name;   ///< "Ascend910B3".
  const char *series; ///< "Ascend910B".
  const Arch *arch;
  const char *ccecAic; ///< Compiler architecture of AI or cube cores.
  const char *ccecAiv; ///< Compiler architecture of vector cores, or "".
  uint32_t aiCores, cubeCores, vectorCores;
  bool split; ///< Cube and vector cores are separate.
  uint32_t ub, l1, l0a, l0b, l0c, bt;
  uint32_t fb[4];
  uint64_t l2;
  uint32_t clockMHz;
  bool coreSync; ///< Cores raise flags for each other in hardware.
  uint32_t ubBanks, ubBankBytes, ubBankGroups;
  uint64_t memory; ///< Device memory.
};

std::span<const Arch> allArchs();
const Arch *findArch(uint32_t Number);

/// All SoCs, grouped by architecture, the most used first.
std::span<const Soc> allSocs();

/// Finds a SoC by name, in any case. "Ascend" may be left out (910B3), except
/// where the short form is also the name of a series (910B): that is null.
const Soc *findSoc(std::string_view Name);

/// What a user should know who typed \p Name: that it names a series and which
/// parts belong to it, or that it is often mistaken for another part. Empty for
/// most names, of SoCs that exist and of those that do not.
std::string nameNote(std::string_view Name);

/// The SoC whose name is nearest to \p Name, or null if none is near.
const Soc *suggestSoc(std::string_view Name);

/// UB bytes that a kernel may allocate: the UB less the framework's reserve.
/// Manuals for 2201 ask for 256 bytes more, which its headers do not keep.
inline uint32_t usableUb(const Soc &S) { return S.ub - S.arch->ubReserved; }

/// Bytes after a buffer of device memory that still belong to it.
inline uint64_t mallocSlack(const Arch &A, uint64_t Bytes) {
  return (A.blockBytes - Bytes % A.blockBytes) % A.blockBytes + A.mallocExtra;
}

/// Cores that run vector code at the same time: the vector cores of a split
/// part, else its AI cores.
inline uint32_t vectorWorkers(const Soc &S) {
  return S.split ? S.vectorCores : S.aiCores;
}

/// Cores that run cube code at the same time.
inline uint32_t cubeWorkers(const Soc &S) {
  return S.split ? S.cubeCores : S.aiCores;
}

} // namespace belay::targets

#endif // BELAY_TARGETS_TARGET_H
