//===- Policy.cpp - What a child process may reach ------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sandbox/Policy.h"

#include <cstdlib>
#include <filesystem>

using namespace belay::sandbox;
namespace fs = std::filesystem;

void Policy::readLibraries() {
  for (const char *Folder : {"/usr/lib", "/usr/lib32", "/usr/lib64",
                             "/usr/local/lib", "/etc/ld.so.cache"})
    Read.emplace_back(Folder);
  std::error_code Ignored;
  for (const char *Folder : {"/lib", "/lib32", "/lib64"})
    if (!fs::is_symlink(Folder, Ignored)) // links are made again as they are
      Read.emplace_back(Folder);
}

void Policy::readSystem() {
  readLibraries();
  Read.emplace_back("/usr");
  Read.emplace_back("/etc/alternatives");
  std::error_code Ignored;
  for (const char *Folder : {"/bin", "/sbin"})
    if (!fs::is_symlink(Folder, Ignored))
      Read.emplace_back(Folder);
}

void Policy::readLinked(const std::string &Folder) {
  Read.push_back(Folder);
  std::error_code Failed;
  for (fs::directory_iterator Each(Folder, Failed), End; !Failed && Each != End;
       Each.increment(Failed)) {
    std::error_code Ignored;
    if (!Each->is_symlink(Ignored))
      continue;
    fs::path Real = fs::canonical(Each->path(), Ignored);
    if (!Ignored)
      Read.push_back(Real.string());
  }
}

std::vector<std::string>
belay::sandbox::commandOf(const Policy &P, const std::string &Sandbox,
                          int StatusFd,
                          const std::vector<std::string> &Program) {
  std::vector<std::string> Args = {Sandbox};
  auto Add = [&](const char *Option, const std::string &Value) {
    Args.emplace_back(Option);
    Args.push_back(Value);
  };
  if (StatusFd >= 0)
    Add("--status", std::to_string(StatusFd));
  for (const std::string &Path : P.Read)
    Add("--read", Path);
  for (const std::string &Path : P.Write)
    Add("--write", Path);
  for (const std::string &Path : P.Hide)
    Add("--hide", Path);
  if (P.TemporaryBytes)
    Add("--tmp", std::to_string(P.TemporaryBytes));
  if (P.Proc)
    Add("--proc", "1");
  if (P.Late)
    Add("--late", "1");
  Add("--processes", std::to_string(P.Processes));
  Args.emplace_back("--");
  Args.insert(Args.end(), Program.begin(), Program.end());
  return Args;
}
