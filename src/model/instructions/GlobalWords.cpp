//===- GlobalWords.cpp - Scalars in global memory, and caches -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Vector.h"
#include "model/core/Device.h"
#include "model/core/Issue.h"
#include "model/instructions/Dtypes.h"
#include "model/instructions/Values.h"

#include <cstring>
#include <mutex>

namespace belay::sim {

namespace {

constexpr const char *nameOf(GlobalAtomic Op) {
  constexpr const char *Names[] = {"AtomicAdd", "AtomicMax", "AtomicMin",
                                   "AtomicExch", "AtomicCas"};
  return Names[static_cast<unsigned>(Op)];
}

template <typename T>
void apply(GlobalAtomic Op, void *Address, const void *Value,
           const void *Expected, void *Old) {
  T Now, V, E{};
  std::memcpy(&Now, Address, sizeof(T));
  std::memcpy(&V, Value, sizeof(T));
  if (Expected)
    std::memcpy(&E, Expected, sizeof(T));
  std::memcpy(Old, &Now, sizeof(T));
  switch (Op) {
  case GlobalAtomic::Add:
    V = static_cast<T>(wrap(Now) + wrap(V));
    break;
  case GlobalAtomic::Max:
    V = Now > V ? Now : V;
    break;
  case GlobalAtomic::Min:
    V = Now < V ? Now : V;
    break;
  case GlobalAtomic::Exchange:
    break;
  case GlobalAtomic::Compare:
    V = Now == E ? V : Now;
    break;
  }
  std::memcpy(Address, &V, sizeof(T));
}

/// The scalar units of all cores share one lock, as they share one L2.
void applyAlone(GlobalAtomic Op, Elem T, void *Address, const void *Value,
                const void *Expected, void *Old) {
  static std::mutex OneAtATime;
  std::lock_guard<std::mutex> Lock(OneAtATime);
  switch (T) {
  case Elem::U32:
    return apply<uint32_t>(Op, Address, Value, Expected, Old);
  case Elem::U64:
    return apply<uint64_t>(Op, Address, Value, Expected, Old);
  case Elem::S32:
    return apply<int32_t>(Op, Address, Value, Expected, Old);
  case Elem::S64:
    return apply<int64_t>(Op, Address, Value, Expected, Old);
  default:
    return apply<float>(Op, Address, Value, Expected, Old);
  }
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_global_atomic(GlobalAtomic Op, Elem T, void *Address,
                             const void *Value, const void *Expected,
                             void *Old) {
  Issue I(nameOf(Op), on::global_atomic, BELAY_PC,
          InstructionKind::ScalarAccess);
  requireFact(I, I.core().arch().hasGlobalAtomics);
  bool Bits = Op == GlobalAtomic::Exchange || Op == GlobalAtomic::Compare;
  bool Unsigned = T == Elem::U32 || T == Elem::U64;
  bool Arithmetic = T == Elem::S32 || T == Elem::S64 || T == Elem::F32;
  if (!Unsigned && (Bits || !Arithmetic))
    I.unsupported(T);
  I.record().Atomic = true;
  I.write(Address, {bytesOf(T)}, T, 1);
  I.drain();
  applyAlone(Op, T, Address, Value, Expected, Old);
  // Whoever spins on an atomic waits for another core. Not under the lock: the
  // cores that have the slots may want it.
  I.core().device().slots().yield();
}

void belay_sim_uncached(const void *Address, uint32_t Bytes, bool Write) {
  Issue I(Write ? "WriteGmByPassDCache" : "ReadGmByPassDCache", Pipe::S,
          BELAY_PC, InstructionKind::ScalarAccess);
  requireFact(I, I.core().arch().hasUncachedAccess);
  // Cores talk through such words; that is what they are for.
  I.record().Atomic = true;
  if (Write)
    I.write(const_cast<void *>(Address), {Bytes}, Elem::U8, 1);
  else
    I.read(Address, {Bytes}, Elem::U8, 1);
  I.core().device().slots().yield();
}

void belay_sim_cache_clean(const void *Address, bool Entire) {
  Issue I("DataCacheCleanAndInvalid", Pipe::S, BELAY_PC,
          InstructionKind::CacheClean);
  I.record().Object = Entire ? nullptr : Address;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  I.core().device().slots().yield();
}
