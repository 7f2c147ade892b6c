//===- TaskInference.cpp - What cores a kernel needs ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runner/TaskInference.h"

#include <elf.h>

namespace belay::sim {

static bool startsWith(std::string_view Text, std::string_view Prefix) {
  return Text.substr(0, Prefix.size()) == Prefix;
}

/// What both kinds of cores have. A name that is missing here costs no more
/// than two vector cores that run beside the cube core and find nothing to do.
static bool isCommon(std::string_view Name) {
  constexpr std::string_view Prefixes[] = {
      "block_",  "buffer_",   "copy",     "cross_",        "cycles",
      "element", "fail",      "is_",      "memory",        "note_",
      "pipe_",   "pool_",     "print",    "queue_",        "scalar_global",
      "set_",    "sub_block", "sync_all", "scalar_local",  "tiling_key",
      "wait_",   "workspace", "observed", "matmul_serves",
  };
  for (std::string_view P : Prefixes)
    if (startsWith(Name, P))
      return true;
  return false;
}

void TaskInference::import(std::string_view Name) {
  constexpr std::string_view Runtime = "belay_sim_";
  if (!startsWith(Name, Runtime))
    return;
  Name.remove_prefix(Runtime.size());
  AsksKind |= Name == "is_cube" || Name == "is_vector";
  Served |= Name == "matmul_serves";
  if (startsWith(Name, "cube_"))
    Cube = true;
  else if (!isCommon(Name))
    Vector = true;
}

TaskKind TaskInference::task() const {
  if (Served || (Cube && (Vector || AsksKind)))
    return TaskKind::Mix1To2;
  return Cube ? TaskKind::Cube : TaskKind::Vector;
}

void TaskInference::import(const link_map *Object) {
  const char *Strings = nullptr;
  const ElfW(Sym) *Symbols = nullptr;
  const uint32_t *Hash = nullptr;
  for (const ElfW(Dyn) *D = Object->l_ld; D->d_tag != DT_NULL; ++D) {
    if (D->d_tag == DT_STRTAB)
      Strings = reinterpret_cast<const char *>(D->d_un.d_ptr);
    else if (D->d_tag == DT_SYMTAB)
      Symbols = reinterpret_cast<const ElfW(Sym) *>(D->d_un.d_ptr);
    else if (D->d_tag == DT_GNU_HASH)
      Hash = reinterpret_cast<const uint32_t *>(D->d_un.d_ptr);
  }
  if (!Strings || !Symbols || !Hash)
    return;
  // The hash table begins with the first symbol that the object defines: what
  // stands before is imported.
  for (uint32_t N = 1; N < Hash[1]; ++N)
    import(std::string_view(Strings + Symbols[N].st_name));
}

} // namespace belay::sim
