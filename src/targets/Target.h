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
  /// may use begins behind it.
  uint32_t libWorkspace;
  /// What the allocator of device memory (aclrtMalloc) adds behind a request,
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

  bool hasCrossCore() const { return crossCoreModes != 0; }
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

/// Bytes behind a buffer of device memory that still belong to it.
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
