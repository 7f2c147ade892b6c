//===- Entry.h - What a compiled kernel tells about itself ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel's shared object exports one `belay_entry`: the parameters as the C++
// compiler saw them, so that arguments are bound by type and not by guess, and
// one trampoline that calls the kernel.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_ENTRY_H
#define BELAY_ABI_ENTRY_H

#include "abi/Types.h"

namespace belay::sim {

inline constexpr uint32_t EntryVersion = 3;

enum class ParamKind : uint8_t { Pointer, Integer, Float, Aggregate };

struct Param {
  ParamKind Kind;
  uint32_t Bytes;
  uint32_t Alignment;
};

/// One field of the tiling structure that the command line names.
struct Field {
  const char *Name;
  uint32_t Offset;
  uint32_t ElementBytes;
  uint32_t Count; // >1 for arrays
  ParamKind Kind;
  bool Signed;
};

struct Entry {
  uint32_t Version;
  const char *Name;
  uint32_t NumParams;
  const Param *Params;
  /// Calls the kernel; Args[i] points at the bytes of argument i.
  void (*Invoke)(void *const *Args);
  /// The tiling structure, or 0 bytes when the kernel has none.
  uint32_t TilingBytes;
  uint32_t NumFields;
  const Field *Fields;
  /// The kernel itself; which section it lies in says what it was marked with.
  const void *Function;
};

/// Where kernels lie that are marked __mix__(Cubes, Vectors).
struct MixedKernels {
  const char *Begin, *End; // null if there are none
  TaskKind Kind;
};

/// `KERNEL_TASK_TYPE(_DEFAULT)` leaves one of these in section belay_task.
struct TaskNote {
  const char *Function;
  uint64_t TilingKey;
  TaskKind Kind;
  bool AnyKey;
};

} // namespace belay::sim

extern "C" const belay::sim::Entry belay_entry;

#endif // BELAY_ABI_ENTRY_H
