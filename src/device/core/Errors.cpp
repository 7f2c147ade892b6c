//===- Errors.cpp - What a call returns and says --------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/core/Errors.h"

#include "device/core/Configuration.h"
#include "device/core/Symbols.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unistd.h>
#include <utility>

namespace belay::device {

namespace {

/// What aclGetRecentErrMsg gave out is overwritten, not freed: a program that
/// kept the pointer reads this instead of something that looks right.
constexpr char Expired[] =
    "(this text ended with the next call of aclGetRecentErrMsg: copy it)";

struct ThreadMessages {
  std::string Recent;
  char Returned[2048] = {};
  int Last = 0;
};
thread_local ThreadMessages Messages;

std::atomic<unsigned> Mistakes{0};

std::mutex &printing() {
  static auto &Mutex = *new std::mutex;
  return Mutex;
}

/// Programs that made a mistake do not succeed, whatever they return.
struct AtEnd {
  ~AtEnd() {
    if (!Mistakes)
      return;
    std::fflush(nullptr);
    if (int Status = configuration().MistakeStatus)
      _exit(Status);
  }
} TheEnd;

void append(std::string &Text, const Mistake &M) {
  std::string Here = M.Place.empty() ? describeSite(M.Site) : M.Place;
  Text += Here.empty() ? "" : Here + ": ";
  Text += std::string(nameOf(getInfo(M.Id).Level)) + ": " + M.Text + " [" +
          std::string(getName(M.Id)) + "]\n";
  if (!M.OtherRole.empty()) {
    std::string There =
        M.OtherPlace.empty() ? describeSite(M.OtherSite) : M.OtherPlace;
    Text += (There.empty() ? "" : There + ": ") + "note: " + M.OtherRole +
            (There.empty() ? "\n" : " here\n");
  }
  if (!M.Help.empty())
    Text += "belay: help: " + M.Help + "\n";
}

} // namespace

int fail(int Error, const std::string &Text) {
  Messages.Last = Error;
  if (!Messages.Recent.empty())
    Messages.Recent += '\n';
  Messages.Recent += Text;
  return Error;
}

const char *takeRecentMessage() {
  if (Messages.Recent.empty()) {
    if (Messages.Returned[0])
      std::snprintf(Messages.Returned, sizeof(Messages.Returned), "%s",
                    Expired);
    return nullptr;
  }
  // Alternating halves: the pointer of the call before keeps its own place.
  static thread_local char Before[sizeof(Messages.Returned)];
  static thread_local bool Odd = false;
  char *Now = Odd ? Before : Messages.Returned;
  char *Old = Odd ? Messages.Returned : Before;
  Odd = !Odd;
  std::snprintf(Old, sizeof(Messages.Returned), "%s", Expired);
  std::snprintf(Now, sizeof(Messages.Returned), "%s", Messages.Recent.c_str());
  Messages.Recent.clear();
  return Now;
}

const char *takeWholeMessage() {
  static thread_local std::string Taken;
  Taken = std::exchange(Messages.Recent, {});
  return Taken.c_str();
}

int lastError(bool Clear) {
  int Error = Messages.Last;
  if (Clear)
    Messages.Last = 0;
  return Error;
}

static void print(const std::string &Text) {
  std::lock_guard<std::mutex> Lock(printing());
  std::fflush(stdout);
  std::fputs(Text.c_str(), stderr);
}

void reportText(const std::string &Text) {
  ++Mistakes;
  print(Text);
}

void report(const Mistake &M) {
  if (getInfo(M.Id).Level == support::Severity::Error)
    ++Mistakes;
  std::string Text;
  append(Text, M);
  print(Text + "belay: 'belay explain " + std::string(getName(M.Id)) +
        "' says more\n");
}

int failWith(int Error, const Mistake &M) {
  report(M);
  return fail(Error, M.Text + " [" + std::string(getName(M.Id)) + "]");
}

} // namespace belay::device
