//===- fuzz_records.cpp - Random records for the model of a sealed run ----===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// fuzz_records [--count N] [--seed S] [--only FUNCTION]
//
// Puts N records into a ring and has the model execute them. Most are calls as
// the issuer encodes them, with random parameters; some of their bytes are then
// changed. Every record may be refused; none may crash, which AddressSanitizer
// and UBSan decide. One line for each 10 % says how many were executed.
//
//===----------------------------------------------------------------------===//

#include "model/core/Device.h"
#include "sanitizer/Sanitizers.h"
#include "sealed/Seat.h"
#include "sealed/issuer/Encoder.h"
#include "targets/Target.h"

#include "abi/MachineOf.h"

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace belay::sim {
extern void (*FailureHook)();
} // namespace belay::sim

using namespace belay::sim;
using namespace belay::sim::sealed;

namespace {

std::mt19937_64 Random;
uint64_t pick(uint64_t Below) { return Random() % Below; }
bool chance(unsigned Percent) { return pick(100) < Percent; }

constexpr size_t BufferBytes = 64 << 10;
uint8_t *Buffers[3];
const uint8_t *Local[8]; // by space, of the core

uint64_t integer() {
  static constexpr uint64_t Edges[] = {
      0,    1,          2,          3,          7,          8,
      15,   16,         31,         32,         33,         63,
      64,   127,        128,        255,        256,        1024,
      4095, 4096,       8192,       65535,      0x7fffffff, 0x80000000,
      ~0u,  1ull << 32, 1ull << 62, 1ull << 63, ~0ull,      ~31ull};
  return chance(85) ? Edges[pick(chance(70) ? 16 : std::size(Edges))]
                    : Random() >> pick(64);
}

void *address() {
  uint64_t Offset = chance(80) ? pick(64) * 32 : integer();
  uint64_t Base = chance(50) ? 0 : Random() >> pick(64);
  if (chance(60))
    Base = reinterpret_cast<uint64_t>(Local[chance(70) ? 1 : 1 + pick(7)]);
  else if (chance(90))
    Base = reinterpret_cast<uint64_t>(Buffers[pick(3)]);
  return reinterpret_cast<void *>(Base + Offset);
}

const char *text() {
  static constexpr const char *Texts[] = {"DataCopy",   "Add",      "",
                                          "%d %s %p\n", "%100000d", nullptr};
  return Texts[pick(std::size(Texts) - chance(90))];
}

/// Values of the kernel that calls point at.
alignas(8) uint8_t Room[64][4096];
unsigned NextRoom;
void *room() {
  uint8_t *At = Room[NextRoom++ % 64];
  for (unsigned N = 0; N < 64; N += 8) {
    uint64_t Word = integer();
    std::memcpy(At + N, &Word, 8);
  }
  return At;
}

template <typename T> void fill(T &Value) {
  if constexpr (std::is_same_v<T, const char *>) {
    Value = text();
  } else if constexpr (std::is_same_v<T, bool>) {
    Value = chance(50);
  } else if constexpr (std::is_same_v<T, TransposeKind>) {
    Value = static_cast<T>(1 + pick(7));
  } else if constexpr (std::is_enum_v<T>) {
    Value = static_cast<T>(pick(static_cast<uint64_t>(LastOf<T>) + 1));
  } else if constexpr (std::is_pointer_v<T>) {
    Value = static_cast<T>(address());
  } else if constexpr (std::is_floating_point_v<T> ||
                       std::is_same_v<T, _Float16>) {
    Value = static_cast<T>(static_cast<double>(pick(100)) - 50);
  } else if constexpr (std::is_arithmetic_v<T>) {
    Value = static_cast<T>(integer());
  } else if constexpr (std::is_array_v<T>) {
    for (auto &Each : Value)
      fill(Each);
  } else if constexpr (std::is_same_v<T, Source>) {
    fill(Value.Scalar);
    Value.Data = Value.Scalar ? room() : address();
  } else if constexpr (std::is_same_v<T, PrintArg>) {
    fill(Value.What);
    Value.Integer = static_cast<int64_t>(integer());
    if (Value.What == PrintArg::Kind::Text)
      Value.Address = text();
  } else {
    forEachField(Value, [](auto &Field) { fill(Field); });
  }
  if constexpr (std::is_same_v<T, PadCall>)
    Value.Value = room();
  if constexpr (std::is_same_v<T, Dump>) {
    Value.Shape = static_cast<const uint32_t *>(room());
    Value.Dims = pick(5);
  }
  if constexpr (std::is_same_v<T, QueueState> || std::is_same_v<T, PoolRange> ||
                std::is_same_v<T, MatmulState>)
    forEachField(Value, [](auto &Field) {
      using F = std::remove_reference_t<decltype(Field)>;
      if constexpr (std::is_integral_v<F> && !std::is_same_v<F, bool>)
        if (chance(80))
          Field = static_cast<F>(pick(chance(50) ? 4 : 65));
    });
}

template <Function F, typename T> struct Maker;
template <Function F, typename R, typename... Params>
struct Maker<F, R(Params...)> {
  template <size_t N, typename T> static void make(T &Value) {
    if constexpr (std::is_pointer_v<T>) {
      using Target = std::remove_cv_t<std::remove_pointer_t<T>>;
      constexpr auto Kind = ruleOf(F, N).What;
      if constexpr (Kind == Rule::Kind::Array) {
        auto *At = static_cast<Target *>(room());
        if constexpr (std::is_class_v<Target>)
          for (unsigned I = 0; I < 8; ++I)
            fill(At[I]);
        Value = At;
      } else if constexpr (std::is_same_v<Target, char>) {
        Value = text();
      } else if constexpr (std::is_class_v<Target> &&
                           !std::is_same_v<Target, BufferRecord>) {
        auto *At = static_cast<Target *>(room());
        static_assert(sizeof(Target) <= sizeof(Room[0]));
        fill(*At);
        Value = At;
      } else if constexpr (Kind != Rule::Kind::Address &&
                           Kind != Rule::Kind::Buffer) {
        Value = static_cast<T>(
            chance(95) || Kind == Rule::Kind::Bytes ? room() : nullptr);
      } else {
        Value = reinterpret_cast<T>(address());
      }
    } else {
      fill(Value);
    }
  }
  static void write(Encoder &To) {
    std::tuple<Params...> P;
    [&]<size_t... N>(std::index_sequence<N...>) {
      (make<N>(std::get<N>(P)), ...);
      // Lists are as long as the call says.
      auto Limit = [&]<size_t I>(std::integral_constant<size_t, I>) {
        constexpr Rule Is = ruleOf(F, I);
        if constexpr (Is.What == Rule::Kind::Array)
          std::get<Is.Number>(P) = pick(9);
        if constexpr (Is.IfSecond != 0)
          std::get<I>(P) =
              std::get<Is.Number>(P) == static_cast<Second>(Is.IfSecond)
                  ? room()
                  : address();
      };
      (Limit(std::integral_constant<size_t, N>()), ...);
      To.parameters<F>(std::get<N>(P)...);
    }(std::index_sequence_for<Params...>());
  }
};

constexpr void (*Makers[])(Encoder &) = {
#define BELAY_ABI(Name, Result, Parameters)                                    \
  Maker<Function::Name, function_types::Name>::write,
#include "abi/Functions.def"
};
constexpr const char *Names[] = {
#define BELAY_ABI(Name, Result, Parameters) #Name,
#include "abi/Functions.def"
};

/// These wait for other cores, and fail while they hold a lock.
bool waits(unsigned F) {
  std::string_view Name = Names[F];
  return Name == "sync_all" || Name == "soft_sync" || Name == "cross_wait" ||
         Name == "ib_wait" || Name.starts_with("order_");
}

struct Progress {
  uint64_t Done, Executed, LastSeed;
  unsigned Function;
};
Progress *Shared;
Ring *TheRing;
jmp_buf Back;
int Only = -1;

void putRecord(Encoder &Record) {
  unsigned F;
  do
    F = Only >= 0 ? static_cast<unsigned>(Only) : pick(std::size(Makers));
  while (Only < 0 && waits(F) && !chance(1));
  Shared->Function = F;
  Record.begin(static_cast<Function>(F));
  if (chance(70))
    Record.addFrame(CodeBase + pick(1 << 20));
  Makers[F](Record);
  auto *Bytes = const_cast<uint8_t *>(Record.finish());
  uint32_t Count = Record.bytes();
  if (chance(20))
    for (unsigned N = pick(8); N; --N)
      Bytes[chance(20) ? pick(8) : pick(Count)] =
          static_cast<uint8_t>(integer());
  uint64_t At = TheRing->Written.load();
  for (uint32_t N = 0; N < Count; ++N)
    TheRing->Data[(At + N) % RingBytes] = Bytes[N];
  TheRing->Written.store(At + Count);
}

/// Runs on the thread of the core, until a record that waited has failed.
void run(uint64_t Count) {
  auto S = std::make_unique<Seat>();
  S->attach(*TheRing);
  static Encoder Record;
  for (unsigned N = 1; N < 8; ++N)
    Local[N] = belay_sim_memory(static_cast<Space>(N));
  while (Shared->Done < Count) {
    // From a clean ring: what was refused is not taken out.
    if (!setjmp(Back)) {
      alarm(10);
      putRecord(Record);
      ++Shared->Done;
      while (S->takeRecord()) {
        if (S->isNextBlock())
          refuse("the end of a block");
        S->execute();
        ++Shared->Executed;
      }
      if (TheRing->Written.load() == TheRing->Taken.load())
        continue;
    } else if (waits(Shared->Function)) {
      _exit(0);
    }
    TheRing->Written = TheRing->Taken = 0;
    S->attach(*TheRing);
  }
}

uint64_t TheCount;

/// A request that no machine can fulfil ends the run, as in SealedKernel.
constexpr size_t TooLarge = size_t(1) << 30;

[[noreturn]] void child(uint64_t Seed) {
  Random.seed(Seed);
  static Launch L;
  constexpr const char *Socs[] = {"Ascend910B1", "Ascend310P3",
                                  "Ascend950PR_9599"};
  L.Ask.Target = machineOf(*belay::targets::findSoc(Socs[Seed % 3]));
  L.Ask.NumBlocks = 1;
  L.Ask.RunSlots = 1;
  L.Ask.Check = Seed % 4 != 0;
  setReport(&L.Answer);
  setSealed();
  setKernelRange(CodeBase, CodeBase + CodeBytes);
  belay_sim_observed = L.Ask.Check;
  FailureHook = [] { longjmp(Back, 1); };
  (void)!freopen("/dev/null", "w", stdout);
  Device D(L.Ask);
  for (uint8_t *&B : Buffers) {
    B = new uint8_t[BufferBytes]();
    D.addGlobal({B, BufferBytes, B != Buffers[0], "buffer"});
  }
  checkIfRequested(D);
  Entry E = {};
  E.Invoke = [](void *const *) { run(TheCount); };
  bool Cube = Seed % 5 == 0 && Seed % 3 != 1;
  D.run(E, E,
        Seed % 3 == 1 ? TaskKind::Coupled
        : Cube        ? TaskKind::Cube
                      : TaskKind::Vector,
        nullptr);
  _exit(0);
}

} // namespace

void *operator new(size_t Bytes) {
  if (Bytes > TooLarge && FailureHook)
    refuse("more memory than there is");
  void *At = std::malloc(Bytes);
  if (!At)
    std::abort();
  return At;
}
void operator delete(void *At) noexcept { std::free(At); }
void operator delete(void *At, size_t) noexcept { std::free(At); }

uint64_t belay::sim::sealed::ordinalOf(const void *) {
  return chance(90) ? pick(12) : integer();
}

int main(int Argc, char **Argv) {
  uint64_t Seed = 1, Step = 0;
  TheCount = 20000;
  for (int N = 1; N + 1 < Argc; N += 2) {
    std::string_view Option = Argv[N];
    if (Option == "--count")
      TheCount = std::strtoull(Argv[N + 1], nullptr, 10);
    else if (Option == "--seed")
      Seed = std::strtoull(Argv[N + 1], nullptr, 10);
    else if (Option == "--only")
      for (unsigned F = 0; F < std::size(Names); ++F)
        if (std::string_view(Names[F]) == Argv[N + 1])
          Only = static_cast<int>(F);
  }
  void *At = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Shared = static_cast<Progress *>(At);
  TheRing = new Ring();
  uint64_t Crashes = 0, Slow = 0;
  while (Shared->Done < TheCount) {
    uint64_t Before = Shared->Done;
    std::fflush(stdout);
    pid_t Child = fork();
    if (!Child)
      child(Seed);
    int Status = 0;
    waitpid(Child, &Status, 0);
    if (WIFSIGNALED(Status) && WTERMSIG(Status) == SIGALRM) {
      ++Slow; // a time limit is what ends such a kernel
      std::printf("slow: %s\n", Names[Shared->Function]);
    } else if (Status) {
      std::printf("seed %llu: %s ended with status 0x%x\n",
                  static_cast<unsigned long long>(Seed),
                  Names[Shared->Function], static_cast<unsigned>(Status));
      if (++Crashes == 20)
        break;
      if (Shared->Done == Before)
        ++Shared->Done;
    }
    ++Seed;
    if (Shared->Done * 10 / TheCount != Step) {
      Step = Shared->Done * 10 / TheCount;
      std::printf("%llu records, %llu executed, next seed %llu\n",
                  static_cast<unsigned long long>(Shared->Done),
                  static_cast<unsigned long long>(Shared->Executed),
                  static_cast<unsigned long long>(Seed));
      std::fflush(stdout);
    }
  }
  std::printf(
      "%llu records, %llu executed, %llu took over 10 s, %llu crashes\n",
      static_cast<unsigned long long>(Shared->Done),
      static_cast<unsigned long long>(Shared->Executed),
      static_cast<unsigned long long>(Slow),
      static_cast<unsigned long long>(Crashes));
  return Crashes != 0;
}
