//===- RegisterFile.h - Registers of a vector function ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector function is one instruction of the vector unit. What it does between
// its registers is carried out at once; which bytes of the UB it touches is
// told to the observer when it ends, with the line of each access.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_REGISTERS_REGISTERFILE_H
#define BELAY_MODEL_REGISTERS_REGISTERFILE_H

#include "abi/Registers.h"
#include "model/core/Core.h"
#include "model/core/Failure.h"
#include "model/registers/Accesses.h"

#include <cstring>
#include <memory>
#include <vector>

namespace belay::sim {

/// The length of a register, and of one of twice that length.
inline constexpr uint32_t RegisterBytes = 256, WideBytes = 2 * RegisterBytes;

struct Register {
  alignas(64) uint8_t Bytes[WideBytes];
  /// The rest is kept while someone watches. Not 0 for each byte without a
  /// value; all 0 unless Suspect.
  alignas(64) uint8_t Undefined[WideBytes];
  bool Suspect = false, Written = false;
  /// The load that filled it; 0 if it was computed.
  AccessId FilledBy = 0;
  /// Where bytes without a value come from.
  const void *Root = nullptr;
};

/// A bit for each byte of a register. Of the bits of an element only the lowest
/// counts.
struct MaskRegister {
  uint64_t Bits[RegisterBytes / 64] = {};
  bool Written = false;

  // A forged call may name elements that no register has: none is selected.
  bool test(uint32_t Bit) const {
    return Bit < RegisterBytes && (Bits[Bit / 64] >> Bit % 64 & 1);
  }
  void set(uint32_t Bit, bool On) {
    if (Bit >= RegisterBytes)
      return;
    uint64_t One = uint64_t(1) << Bit % 64;
    Bits[Bit / 64] = On ? Bits[Bit / 64] | One : Bits[Bit / 64] & ~One;
  }
  /// Whether it selects every element of Step bytes.
  bool allOf(uint32_t Step) const {
    uint64_t Lowest = Step == 1   ? ~uint64_t(0)
                      : Step == 2 ? 0x5555555555555555
                      : Step == 4 ? 0x1111111111111111
                                  : 0x0101010101010101;
    return (Bits[0] & Bits[1] & Bits[2] & Bits[3] & Lowest) == Lowest;
  }
};

/// Of unaligned loads: the block of 32 bytes that the next one starts in. Of
/// unaligned stores: what has not filled a block yet.
struct UnalignedRegister {
  enum class Use : uint8_t { None, Load, Store } For = Use::None;
  uint8_t Bytes[32] = {}, Undefined[32] = {};
  const uint8_t *Address = nullptr; // of the block, or of the first byte held
  uint32_t Held = 0;
  const void *PC = nullptr;
};

/// Finds what the kernel's objects name; clear() forgets all of them.
template <typename T, uint32_t Slots> class ByName {
public:
  /// Null if there are too many names.
  T *find(RegisterName Name, bool &New) {
    auto At = static_cast<uint32_t>(
        (reinterpret_cast<uintptr_t>(Name) >> 3) * 0x9e3779b97f4a7c15u >> 40);
    for (;; ++At) {
      Slot &S = Table[At % Slots];
      New = S.Generation != Generation;
      if (!New && S.Name == Name)
        return Pool[S.Index].get();
      if (!New)
        continue;
      if (Used == Slots / 2)
        return nullptr;
      S = {Name, Generation, Used};
      if (Used == Pool.size())
        Pool.push_back(std::make_unique<T>());
      return Pool[Used++].get();
    }
  }
  void clear() {
    ++Generation;
    Used = 0;
  }
  template <typename Fn> void forEach(Fn Visit) {
    for (uint32_t N = 0; N < Used; ++N)
      Visit(*Pool[N]);
  }

private:
  struct Slot {
    RegisterName Name = nullptr;
    uint64_t Generation = 0;
    uint32_t Index = 0;
  };
  std::vector<Slot> Table = std::vector<Slot>(Slots);
  std::vector<std::unique_ptr<T>> Pool;
  uint64_t Generation = 1;
  uint32_t Used = 0;
};

/// The instruction of a vector function that is being carried out.
struct MicroCall {
  const char *Name;
  const void *PC;
};

/// The vector function that a core is in, and its registers.
class RegisterFile {
public:
  /// That of the core which the calling thread plays.
  static RegisterFile &current();

  void begin(const void *PC);
  void end(const void *PC);
  /// Before each instruction: false if it is to be left out, because this core
  /// has no vector unit. Ends the run outside of vector functions.
  bool enter(const MicroCall &M);

  Register &read(RegisterName Name, const MicroCall &M);
  /// For a result that does not depend on what was there.
  Register &write(RegisterName Name, const MicroCall &M);
  /// For a result that leaves some lanes as they were.
  Register &merge(RegisterName Name, const MicroCall &M);
  const MaskRegister &mask(RegisterName Name, const MicroCall &M);
  MaskRegister &writeMask(RegisterName Name, const MicroCall &M);
  UnalignedRegister &unaligned(RegisterName Name, const MicroCall &M);
  /// An object that names a register was made: nothing is in it.
  void forget(RegisterName Name, bool Mask);

  /// Null unless someone watches.
  VectorAccesses *accesses() { return Watched ? &Seen : nullptr; }
  Core &core() const { return *C; }

  /// Bytes that unaligned stores have stored since ClearSpr, and those that the
  /// last Squeeze has kept for the next one.
  int64_t Ar = 0;
  uint32_t Squeezed = 0;

private:
  Register &find(RegisterName Name, const MicroCall &M, bool &New);
  MaskRegister &findMask(RegisterName Name, const MicroCall &M, bool &New);
  void reportLostBytes();

  Core *C = nullptr;
  bool Inside = false, Dropped = false, Watched = false;
  const void *BeginPC = nullptr;
  uint32_t Count = 0; // instructions of the function so far
  ByName<Register, 2048> Registers;
  ByName<MaskRegister, 1024> Masks;
  ByName<UnalignedRegister, 256> Unaligned;
  VectorAccesses Seen;
};

/// Ends the run: the model does not have it.
[[noreturn]] void unsupportedType(const MicroCall &M, Elem To, Elem From);
[[noreturn]] void unsupportedForm(const MicroCall &M, const char *What);

} // namespace belay::sim

#endif // BELAY_MODEL_REGISTERS_REGISTERFILE_H
