//===- Print.cpp - printf, DumpTensor, assertions -------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Functions.h"
#include "model/core/Device.h"
#include "model/core/Issue.h"
#include "model/instructions/Convert.h"
#include "model/instructions/Values.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>

namespace belay::sim {

namespace {

/// One conversion of a format: its flags, width and precision, and its letter.
struct Conversion {
  std::string Flags;
  char Letter;
};

/// Reads a conversion that starts after '%'; length modifiers say nothing that
/// the argument does not know better.
Conversion parse(const char *&F) {
  Conversion C;
  // Numbers of more than three digits would print nothing but blanks.
  for (unsigned Digits = 0; *F && std::strchr("-+ #0123456789.", *F); ++F) {
    Digits = *F >= '0' && *F <= '9' ? Digits + 1 : 0;
    if (Digits <= 3 && C.Flags.size() < 32)
      C.Flags += *F;
  }
  while (*F && std::strchr("hlzjtL", *F))
    ++F;
  C.Letter = *F ? *F++ : 0;
  return C;
}

template <typename... T>
void append(std::string &Out, const std::string &Format, T... Values) {
  char Text[512];
  std::snprintf(Text, sizeof(Text), Format.c_str(), Values...);
  Out += Text;
}

int64_t integerOf(const PrintArg &A) {
  return A.What == PrintArg::Kind::Real ? toInteger<int64_t>(A.Real, true)
                                        : A.Integer;
}
double realOf(const PrintArg &A) {
  switch (A.What) {
  case PrintArg::Kind::Real:
    return A.Real;
  case PrintArg::Kind::Unsigned:
    return static_cast<double>(static_cast<uint64_t>(A.Integer));
  default:
    return static_cast<double>(A.Integer);
  }
}

void format(std::string &Out, const Conversion &C, const PrintArg &A) {
  std::string Start = "%" + C.Flags;
  switch (C.Letter) {
  case 'd':
  case 'i':
    return append(Out, Start + PRId64, integerOf(A));
  case 'u':
  case 'x':
  case 'X':
  case 'o':
    return append(Out, Start + PRId64[0] + C.Letter, integerOf(A));
  case 'c':
    return append(Out, Start + 'c', static_cast<int>(integerOf(A)));
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
    return append(Out, Start + C.Letter, realOf(A));
  case 's':
    if (A.What == PrintArg::Kind::Text)
      Out += static_cast<const char *>(A.Address);
    return;
  case 'p':
    return append(Out, Start + 'p', A.Address);
  default:
    Out += Start + C.Letter;
  }
}

std::string formatAll(const char *F, const PrintArg *Args, uint32_t Count) {
  std::string Out;
  uint32_t Next = 0;
  while (*F) {
    if (*F != '%') {
      Out += *F++;
      continue;
    }
    ++F;
    if (*F == '%') {
      Out += *F++;
      continue;
    }
    Conversion C = parse(F);
    if (Next < Count)
      format(Out, C, Args[Next++]);
    else
      Out += "%" + C.Flags + C.Letter;
  }
  return Out;
}

/// In one piece, so that the lines of two cores do not mix.
void print(const std::string &Text) {
  std::fwrite(Text.data(), 1, Text.size(), stdout);
}

template <typename T> T valueAt(const void *Data, uint32_t Index) {
  T V;
  std::memcpy(&V, static_cast<const uint8_t *>(Data) + Index * sizeof(T),
              sizeof(T));
  return V;
}

void appendElement(std::string &Out, Elem T, const void *Data, uint32_t N) {
  switch (T) {
  case Elem::S8:
    return append(Out, "%d", valueAt<int8_t>(Data, N));
  case Elem::U8:
  case Elem::Bool:
    return append(Out, "%u", valueAt<uint8_t>(Data, N));
  case Elem::S16:
    return append(Out, "%d", valueAt<int16_t>(Data, N));
  case Elem::U16:
    return append(Out, "%u", valueAt<uint16_t>(Data, N));
  case Elem::S32:
    return append(Out, "%d", valueAt<int32_t>(Data, N));
  case Elem::U32:
    return append(Out, "%u", valueAt<uint32_t>(Data, N));
  case Elem::S64:
    return append(Out, "%" PRId64, valueAt<int64_t>(Data, N));
  case Elem::U64:
    return append(Out, "%" PRIu64, valueAt<uint64_t>(Data, N));
  case Elem::F16:
    return append(Out, "%f", static_cast<double>(valueAt<F16>(Data, N)));
  case Elem::BF16:
    return append(Out, "%f",
                  static_cast<double>(float(valueAt<BF16>(Data, N))));
  case Elem::F32:
    return append(Out, "%f", static_cast<double>(valueAt<float>(Data, N)));
  case Elem::F64:
    return append(Out, "%f", valueAt<double>(Data, N));
  default:
    return append(Out, "0x%02x", valueAt<uint8_t>(Data, N));
  }
}

/// The names that the device's dump uses.
const char *dumpNameOf(Elem T) {
  constexpr const char *Names[] = {
#define BELAY_ELEMENT_KERNEL(Id, Type, Dump) Dump,
#include "belay/elements.def"
  };
  return Names[static_cast<unsigned>(T)];
}

/// Nested brackets by shape; '-' for elements that were not asked for.
void appendShaped(std::string &Out, const Dump &D, uint32_t Dim,
                  uint32_t &Next) {
  Out += '[';
  for (uint32_t N = 0; N < D.Shape[Dim]; ++N) {
    if (N)
      Out += Dim + 1 == D.Dims ? "," : ",\n";
    if (Dim + 1 < D.Dims)
      appendShaped(Out, D, Dim + 1, Next);
    else if (Next < D.Count)
      appendElement(Out, D.Type, D.Data, Next++);
    else
      Out += '-';
  }
  Out += ']';
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_printf(const char *Format, const PrintArg *Args,
                      uint32_t Count) {
  print(formatAll(Format, Args, Count));
}

void belay_sim_assert(const char *Condition, const char *File, uint32_t Line,
                      const char *Format, const PrintArg *Args,
                      uint32_t Count) {
  std::string More = Format ? formatAll(Format, Args, Count) : "";
  while (!More.empty() && More.back() == '\n')
    More.pop_back();
  fail("kernel-assert", BELAY_PC, "the kernel's own text says what it expected",
       "%s:%u: assertion `%s' does not hold%s%s", File, Line, Condition,
       More.empty() ? "" : ": ", More.c_str());
}

void belay_sim_dump(const Dump *D) {
  Issue I("DumpTensor", Pipe::S, BELAY_PC, InstructionKind::ScalarAccess);
  I.read(D->Data, {product(D->Count, bytesOf(D->Type))}, D->Type);
  I.drain();
  const OperandRecord &O = I.operandRecord(0);
  bool Global = !D->Count || O.Where == Space::GM;
  uint64_t Offset = Global ? 0
                           : static_cast<const uint8_t *>(D->Data) -
                                 I.core().Memories.base(O.Where);
  std::string Out;
  append(Out,
         "DumpTensor: desc=%u, addr=0x%llx, data_type=%s, position=%s, "
         "dump_size=%u\n",
         D->Tag, static_cast<unsigned long long>(Offset), dumpNameOf(D->Type),
         Global ? "GM" : nameOf(O.Where), D->Count);
  uint64_t Shaped = D->Dims ? 1 : 0;
  for (uint32_t N = 0; N < D->Dims; ++N)
    Shaped = product(Shaped, D->Shape[N]);
  uint32_t Next = 0;
  if (D->Dims) {
    if (Shaped != D->Count) {
      Out += "shape is [";
      for (uint32_t N = 0; N < D->Dims; ++N)
        append(Out, N ? ", %u" : "%u", D->Shape[N]);
      append(Out, "], dumpSize is %u, %s.\n", D->Count,
             Shaped > D->Count ? "data is not enough"
                               : "dumpSize is greater than shapeSize");
    }
    appendShaped(Out, *D, 0, Next);
  } else {
    Out += '[';
    for (; Next < D->Count; ++Next) {
      Out += Next ? ", " : "";
      appendElement(Out, D->Type, D->Data, Next);
    }
    Out += ']';
  }
  print(Out + "\n");
}

void belay_sim_time_stamp(uint32_t Tag) {
  std::string Out;
  append(Out, "descId is %u, rsv is 0, timeStamp is %lld.\n", Tag,
         static_cast<long long>(belay_sim_cycles()));
  print(Out);
}

void belay_sim_guard(const char *Id, const char *Property) {
  fail("guard-failed", BELAY_PC,
       "the kernel stopped before it could happen; say it in an expects, or "
       "fix what leads here",
       "`%s' does not hold, which would be %s", Property, Id);
}

void belay_sim_trap() {
  fail("kernel-trap", BELAY_PC, "the line says under which condition",
       "the kernel called Trap()");
}
