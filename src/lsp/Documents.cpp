//===- Documents.cpp - What an editor has open
//--------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/Documents.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace belay::lsp;
using namespace llvm;
using llvm::lsp::URIForFile;

void Documents::set(const URIForFile &Uri, std::string Text, int64_t Version,
                    bool Full) {
  std::lock_guard<std::mutex> Guard(Lock);
  Document &D = Open[Uri.file().str()];
  D.Now = {Uri, std::move(Text), Version, ++NumTexts};
  D.WantsQuick = true;
  D.WantsFull = Full;
  Changed.notify_all();
}

void Documents::requestFull(const URIForFile &Uri) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto At = Open.find(Uri.file().str());
  if (At == Open.end())
    return;
  At->second.WantsFull = true;
  Changed.notify_all();
}

void Documents::close(const URIForFile &Uri) {
  std::lock_guard<std::mutex> Guard(Lock);
  Open.erase(Uri.file().str());
}

std::optional<Snapshot> Documents::takeWork(bool Full) {
  std::unique_lock<std::mutex> Guard(Lock);
  while (!Stopped) {
    // The oldest first: nobody waits for another's editing to end.
    Document *Next = nullptr;
    for (auto &[Name, D] : Open)
      if ((Full ? D.WantsFull : D.WantsQuick) &&
          (!Next || D.Now.Serial < Next->Now.Serial))
        Next = &D;
    if (Next) {
      (Full ? Next->WantsFull : Next->WantsQuick) = false;
      return Next->Now;
    }
    Changed.wait(Guard);
  }
  return std::nullopt;
}

void Documents::stop() {
  std::lock_guard<std::mutex> Guard(Lock);
  Stopped = true;
  Changed.notify_all();
}

bool Documents::keep(Answer A, function_ref<void(const Answer &)> Publish) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto At = Open.find(A.Of.Uri.file().str());
  if (At == Open.end() || At->second.Now.Serial != A.Of.Serial)
    return false;
  std::optional<Answer> &Last = At->second.Last;
  if (Last && Last->Of.Serial == A.Of.Serial && Last->Full && !A.Full)
    return false;
  Last = std::move(A);
  Publish(*Last);
  return true;
}

std::optional<Answer> Documents::answerFor(const URIForFile &Uri) const {
  std::lock_guard<std::mutex> Guard(Lock);
  auto At = Open.find(Uri.file().str());
  if (At == Open.end() || !At->second.Last ||
      At->second.Last->Of.Serial != At->second.Now.Serial)
    return std::nullopt;
  return At->second.Last;
}

std::optional<std::string> Documents::textOf(const URIForFile &Uri) const {
  std::lock_guard<std::mutex> Guard(Lock);
  auto At = Open.find(Uri.file().str());
  if (At == Open.end())
    return std::nullopt;
  return At->second.Now.Text;
}
