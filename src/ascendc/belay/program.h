//===- program.h - Launches of programs that hold their kernels -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `belay run` of a whole program compiles each file twice, for the host and for
// the device, and replaces
//
//   kernel<args><<<blocks, l2, stream>>>(x, y)
//
// by BELAY_LAUNCH((kernel<args>))(blocks, l2, stream)(x, y). Both sides see the
// same instances: each has an entry, whose symbol is the same on both sides.
// The host's side finds it by that in the file that BELAY_PROGRAM_KERNELS
// names.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_BELAY_PROGRAM_H
#define BELAY_ASCENDC_BELAY_PROGRAM_H

#include "abi/Serve.h"
#include "api/registers.h"
#include "belay/entry.h"
#include "belay/kernels.h"

#include <dlfcn.h>
#include <tuple>

namespace belay::program {

template <auto Kernel> constexpr const char *spell() {
  return __PRETTY_FUNCTION__; // "...spell() [Kernel = &ns::add]"
}

/// The function as the compiler spells it, "ns::add": what it says of itself
/// (KERNEL_TASK_TYPE) is found by that.
template <auto Kernel> struct Name {
  static constexpr size_t begin() {
    size_t At = 0;
    while (spell<Kernel>()[At] != '&')
      ++At;
    return At + 1;
  }
  static constexpr size_t length() {
    size_t Count = 0;
    while (spell<Kernel>()[begin() + Count] != ']')
      ++Count;
    return Count;
  }
  struct Text {
    char Chars[length() + 1] = {};
  };
  static constexpr Text make() {
    Text Result;
    for (size_t N = 0; N < length(); ++N)
      Result.Chars[N] = spell<Kernel>()[begin() + N];
    return Result;
  }
  static constexpr Text Value = make();
};

/// What the device's side exports of each kernel that is launched.
template <auto Kernel> struct Launched {
  using Signature = sim::Signature<decltype(Kernel)>;
  static const sim::Entry entry;
};
template <auto Kernel>
const sim::Entry Launched<Kernel>::entry = {
    sim::EntryVersion,
    Name<Kernel>::Value.Chars,
    Signature::NumParams,
    Signature::Params,
    Signature::template invoke<Kernel>,
    0,
    0,
    nullptr,
    reinterpret_cast<const void *>(Kernel)};

/// `kernel<<<blocks, threads, bytes, stream>>>(x)`: what is launched is
/// executed by each thread of each block.
struct ThreadsLaunch {
  uint32_t Blocks[3], Threads[3], UbBytes;
};

/// A number, or a dim3.
template <typename T> void take(uint32_t (&To)[3], const T &From) {
  if constexpr (std::is_convertible_v<T, uint32_t>) {
    To[0] = static_cast<uint32_t>(From);
    To[1] = To[2] = 1;
  } else {
    To[0] = From.x;
    To[1] = From.y;
    To[2] = From.z;
  }
}

#if __NPU_ARCH__ == 3510
/// The same for kernels whose code is that of a thread: the launch comes last.
template <typename F> struct ThreadSignature;
template <typename... P> struct ThreadSignature<void (*)(P...)> {
  static constexpr uint32_t NumParams = sizeof...(P) + 1;
  static constexpr sim::Param Params[] = {
      {sim::kindOf<std::decay_t<P>>(), sizeof(std::decay_t<P>),
       alignof(std::decay_t<P>)}...,
      {sim::kindOf<ThreadsLaunch>(), sizeof(ThreadsLaunch),
       alignof(ThreadsLaunch)},
      {}};
  template <void (*Kernel)(P...), size_t... I>
  static void call(void *const *Args, std::index_sequence<I...>) {
    const auto &L = *static_cast<const ThreadsLaunch *>(Args[sizeof...(P)]);
    belay_threads::gridY = L.Blocks[1];
    belay_threads::gridZ = L.Blocks[2];
    belay_threads::run(dim3(L.Threads[0], L.Threads[1], L.Threads[2]), [&] {
      Kernel(*static_cast<std::decay_t<P> *>(Args[I])...);
    });
  }
  template <void (*Kernel)(P...)> static void invoke(void *const *Args) {
    call<Kernel>(Args, std::index_sequence_for<P...>());
  }
};
template <auto Kernel> struct LaunchedThreads {
  using Signature = ThreadSignature<decltype(Kernel)>;
  static const sim::Entry entry;
};
template <auto Kernel>
const sim::Entry LaunchedThreads<Kernel>::entry = {
    sim::EntryVersion,
    Name<Kernel>::Value.Chars,
    Signature::NumParams,
    Signature::Params,
    Signature::template invoke<Kernel>,
    0,
    0,
    nullptr,
    reinterpret_cast<const void *>(Kernel)};
#endif

BELAY_AT_CALLER int launch(const sim::Entry *Entry, uint32_t Blocks,
                           aclrtStream Stream, void **Arguments) {
  Dl_info Symbol = {};
  if (!dladdr(Entry, &Symbol) || !Symbol.dli_sname) {
    std::fprintf(stderr, "belay: a kernel has no symbol\n");
    return 0;
  }
  char Name[256];
  sim::nameProgramKernel(Symbol.dli_sname, Name);
  return launchNamed(Name, Blocks, Stream, Arguments);
}

template <typename Pointer> class Call;
template <typename... P> class Call<void (*)(P...)> {
public:
  Call(const sim::Entry *Entry, uint32_t Blocks, aclrtStream Stream)
      : Entry(Entry), Blocks(Blocks), Stream(Stream) {}
  BELAY_AT_CALLER int operator()(std::decay_t<P>... Values) const {
    void *Arguments[] = {
        const_cast<void *>(static_cast<const volatile void *>(&Values))...,
        nullptr};
    return launch(Entry, Blocks, Stream, Arguments);
  }

private:
  const sim::Entry *Entry;
  uint32_t Blocks;
  aclrtStream Stream;
};

template <typename Pointer> class ThreadsCall;
template <typename... P> class ThreadsCall<void (*)(P...)> {
public:
  ThreadsCall(const sim::Entry *Entry, const ThreadsLaunch &L,
              aclrtStream Stream)
      : Entry(Entry), L(L), Stream(Stream) {}
  BELAY_AT_CALLER int operator()(std::decay_t<P>... Values) const {
    void *Arguments[] = {
        const_cast<void *>(static_cast<const volatile void *>(&Values))...,
        const_cast<ThreadsLaunch *>(&L), nullptr};
    return launch(Entry, L.Blocks[0] * L.Blocks[1] * L.Blocks[2], Stream,
                  Arguments);
  }

private:
  const sim::Entry *Entry;
  ThreadsLaunch L;
  aclrtStream Stream;
};

template <auto Kernel> struct Configure {
  template <typename L2 = int>
  Call<decltype(Kernel)> operator()(uint32_t Blocks, L2 = {},
                                    aclrtStream Stream = nullptr) const {
    return {&Launched<Kernel>::entry, Blocks, Stream};
  }
#if __NPU_ARCH__ == 3510
  /// With threads.
  template <typename B, typename T, typename Bytes>
  ThreadsCall<decltype(Kernel)> operator()(const B &Blocks, const T &Threads,
                                           Bytes UbBytes,
                                           aclrtStream Stream) const {
    ThreadsLaunch L;
    take(L.Blocks, Blocks);
    take(L.Threads, Threads);
    L.UbBytes = static_cast<uint32_t>(UbBytes);
    return {&LaunchedThreads<Kernel>::entry, L, Stream};
  }
#endif
};

/// The one function of a name that returns nothing: kernels may be called abs,
/// as functions of the C library are.
template <typename... P>
constexpr auto kernelOf(void (*Kernel)(P...)) -> void (*)(P...) {
  return Kernel;
}
/// The same of a constant that the program has chosen a kernel with.
template <typename... P>
constexpr auto kernelOf(void (*const *Chosen)(P...)) -> void (*)(P...) {
  return *Chosen;
}

/// A kernel as a type, for what deduces it from arguments.
template <auto Kernel> struct Instance {
  static constexpr auto Value = Kernel;
};

/// `kernel<<<blocks, l2, stream>>>(x)` of a template: the arguments say which
/// instance is launched.
template <typename Deduction, typename... Configuration> class DeducedCall {
public:
  explicit DeducedCall(Configuration... C) : C(C...) {}
  template <typename... A> BELAY_AT_CALLER int operator()(A... Values) const {
    using Found = decltype(std::declval<Deduction>()(Values...));
    return std::apply(Configure<Found::Value>{}, C)(Values...);
  }

private:
  std::tuple<Configuration...> C;
};
template <typename Deduction> struct ConfigureDeduced {
  template <typename... Configuration>
  DeducedCall<Deduction, Configuration...>
  operator()(Configuration... C) const {
    return DeducedCall<Deduction, Configuration...>(C...);
  }
};

} // namespace belay::program

#define BELAY_LAUNCH_STRIP(...) __VA_ARGS__
/// The kernel stands in brackets of its own, since it may have commas.
#define BELAY_LAUNCH(Kernel)                                                   \
  ::belay::program::Configure<::belay::program::kernelOf(                      \
      &BELAY_LAUNCH_STRIP Kernel)> {}
/// Kernel is the structure that deduces it.
#define BELAY_LAUNCH_DEDUCED(Kernel)                                           \
  ::belay::program::ConfigureDeduced<BELAY_LAUNCH_STRIP Kernel> {}

#endif // BELAY_ASCENDC_BELAY_PROGRAM_H
