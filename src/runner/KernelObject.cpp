//===- KernelObject.cpp - A compiled kernel -------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runner/KernelObject.h"

#include "runner/TaskInference.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

namespace belay::sim {

KernelObject::KernelObject(const char *Path) {
  void *Handle = dlopen(Path, RTLD_NOW | RTLD_LOCAL);
  if (!Handle) {
    std::fprintf(stderr, "belay-runner: %s\n", dlerror());
    std::exit(2);
  }
  TheEntry = static_cast<const Entry *>(dlsym(Handle, "belay_entry"));
  if (!TheEntry || TheEntry->Version != EntryVersion) {
    std::fprintf(stderr, "belay-runner: %s is not a kernel of this version\n",
                 Path);
    std::exit(2);
  }
  FirstNote = static_cast<const TaskNote *>(dlsym(Handle, "belay_tasks_begin"));
  LastNote = static_cast<const TaskNote *>(dlsym(Handle, "belay_tasks_end"));
  if (FirstNote) {
    // Both symbols are variables that hold the bounds of the section.
    FirstNote = *reinterpret_cast<const TaskNote *const *>(FirstNote);
    LastNote = *reinterpret_cast<const TaskNote *const *>(LastNote);
  }
  Mixed = static_cast<const MixedKernels *>(dlsym(Handle, "belay_mixed"));
  link_map *Loaded;
  dlinfo(Handle, RTLD_DI_LINKMAP, &Loaded);
  Map = Loaded;
  Begin = Map->l_addr;
  Needs.import(Map);
  struct Search {
    uintptr_t Begin, End;
  } S = {Begin, Begin};
  dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *Data) {
        auto *S = static_cast<Search *>(Data);
        if (Info->dlpi_addr != S->Begin)
          return 0;
        for (unsigned N = 0; N < Info->dlpi_phnum; ++N)
          if (Info->dlpi_phdr[N].p_type == PT_LOAD)
            S->End = std::max<uintptr_t>(S->End,
                                         S->Begin + Info->dlpi_phdr[N].p_vaddr +
                                             Info->dlpi_phdr[N].p_memsz);
        return 1;
      },
      &S);
  End = S.End;
}

/// Function is __func__; the entry's name may have a scope and template
/// arguments.
static bool names(std::string_view Entry, std::string_view Function) {
  Entry = Entry.substr(0, Entry.find('<'));
  size_t Scope = Entry.rfind("::");
  return (Scope == Entry.npos ? Entry : Entry.substr(Scope + 2)) == Function;
}

TaskKind KernelObject::taskKind(const Plan &P) const {
  if (!P.Target.Split)
    return TaskKind::Coupled;
  if (P.Task != TaskKind::Unset)
    return P.Task;
  const TaskNote *Default = nullptr;
  for (const TaskNote *N = FirstNote; N != LastNote; ++N) {
    if (!names(TheEntry->Name, N->Function))
      continue;
    if (!N->AnyKey && N->TilingKey == P.TilingKey)
      return N->Kind;
    if (N->AnyKey)
      Default = N;
  }
  if (Default)
    return Default->Kind;
  TaskKind Marked = marked();
  return Marked != TaskKind::Unset ? Marked : Needs.task();
}

TaskKind KernelObject::marked() const {
  auto *Function = static_cast<const char *>(TheEntry->Function);
  const MixedKernels *M = Mixed;
  while (M && M->Kind != TaskKind::Unset &&
         !(Function >= M->Begin && Function < M->End))
    ++M;
  return M ? M->Kind : TaskKind::Unset;
}

} // namespace belay::sim
