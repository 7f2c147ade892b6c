//===- Accesses.h - What a vector function touches --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load reads a whole register, and code relies on masks to ignore what lies
// past the data. So a load counts as an access to the bytes that masks let
// through later, and no others.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_REGISTERS_ACCESSES_H
#define BELAY_MODEL_REGISTERS_ACCESSES_H

#include "abi/Registers.h"

#include <cstdint>
#include <string>
#include <vector>

namespace belay::sim {

class Core;
struct BufferRecord;
struct MaskRegister;
struct MicroCall;
struct Register;

/// From 1; 0 is none.
using AccessId = uint32_t;

/// Byte B of a register comes from byte B * Times / Over of memory.
struct Spread {
  uint32_t Times = 1, Over = 1;
};

/// The accesses of a vector function, while someone watches.
class VectorAccesses {
public:
  void begin(Core &Of);
  /// Hands them to the observer.
  void end();

  /// Which of the bytes have no value, as flags.
  void undefined(const uint8_t *From, uint64_t Bytes, uint8_t *Flags);
  /// A load into the register Into. By an index if Base is given: then it is
  /// Base that tells the buffer.
  AccessId load(const MicroCall &M, const uint8_t *From, uint64_t Bytes, Elem T,
                Spread How, RegisterName Into, const uint8_t *Base = nullptr);
  /// Bytes [Begin, End) of a register count.
  void use(const Register &R, uint32_t Begin, uint32_t End);
  /// The lanes that a mask selects count, of Size bytes and a bit every Step.
  void use(const Register &R, const MaskRegister &Mask, uint32_t Step,
           uint32_t Size);
  /// All of a register counts, as far as its buffer goes. Where the buffer is
  /// not known only its first block does: what follows may be another's.
  void useWhole(const Register &R);
  /// A store of bytes whose values are as Flags say.
  void store(const MicroCall &M, uint8_t *To, uint64_t Bytes, Elem T,
             const uint8_t *Flags, const void *Root, RegisterName From,
             const uint8_t *Base = nullptr);
  void barrier(MemoryPort From, MemoryPort To);
  /// Tells the observer what is wrong with the instruction itself.
  void misuse(const char *Id, const void *PC, const std::string &Message,
              const char *Hint, const void *Other = nullptr,
              const char *Role = "");

  /// So many accesses that they have to be handed on before the end. Afterwards
  /// Keep(id) is the access that a register still comes from.
  bool full() const { return All.size() > 8192; }
  template <typename Fn> void compact(Fn ForEachRegister) {
    tellAll();
    std::vector<Access> Kept;
    ForEachRegister([&](AccessId &Id) {
      if (!Id)
        return;
      Kept.push_back(All[Id - 1]);
      Kept.back().Begin = Kept.back().End = Kept.back().From;
      Id = static_cast<AccessId>(Kept.size());
    });
    All = std::move(Kept);
  }

private:
  struct Access {
    const void *PC;
    const char *Name;
    const uint8_t *From;        // where the register's first byte comes from
    const uint8_t *Begin, *End; // what counts
    Elem Type;
    bool Write;
    Spread How;
    const uint8_t *Base;
    /// Of a load: stored to without a LocalMemBar since.
    const uint8_t *ConflictBegin = nullptr, *ConflictEnd = nullptr;
    const void *StoredAt = nullptr;
  };
  struct Stored {
    uint32_t Time = 0, Site = 0;
  };
  struct StoreSite {
    const void *PC;
    RegisterName From;
  };

  void tell(const Access &A, const BufferRecord *Before);
  void tellAll();
  const BufferRecord *bufferOf(const uint8_t *Begin, const uint8_t *End,
                               unsigned &Owners) const;
  uint32_t siteOf(const void *PC, RegisterName From);

  Core *C = nullptr;
  std::vector<Access> All;
  /// By byte of the UB: the last store of this function.
  std::vector<Stored> Stores;
  std::vector<StoreSite> Sites;
  /// Stores up to these times are complete for loads, and for stores.
  uint32_t Now = 1, ForLoads = 1, ForStores = 1;
};

} // namespace belay::sim

#endif // BELAY_MODEL_REGISTERS_ACCESSES_H
