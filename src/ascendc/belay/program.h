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
#include "belay/entry.h"
#include "belay/kernels.h"

#include <dlfcn.h>

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

template <auto Kernel> struct Configure {
  template <typename L2 = int>
  Call<decltype(Kernel)> operator()(uint32_t Blocks, L2 = {},
                                    aclrtStream Stream = nullptr) const {
    return {&Launched<Kernel>::entry, Blocks, Stream};
  }
};

} // namespace belay::program

#define BELAY_LAUNCH_STRIP(...) __VA_ARGS__
/// The kernel stands in brackets of its own, since it may have commas.
#define BELAY_LAUNCH(Kernel)                                                   \
  ::belay::program::Configure<&BELAY_LAUNCH_STRIP Kernel> {}

#endif // BELAY_ASCENDC_BELAY_PROGRAM_H
