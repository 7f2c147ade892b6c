//===- Views.h - What is made of a source, to look at -----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A page sends a source and asks for one view of it. Each view is made by a
// command of Belay in a child process under limits, in a sandbox, in a folder
// that has nothing else: what a source can do here is what it can do to 'belay
// run --sealed'.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SERVE_VIEWS_H
#define BELAY_SERVE_VIEWS_H

#include "cases/Case.h"
#include "llvm/ADT/SmallString.h"
#include <deque>
#include <mutex>

namespace belay::serve {

enum class View {
  Findings, ///< What the proof, or the check, says.
  AscendC,
  Tiles, ///< Belay's IR before buffers.
  Core,  ///< Belay's IR with instructions and flags.
  Plan,  ///< Buffers, pipes and flags in words.
  Run,   ///< A sealed launch under the sanitizer, with a timeline.
};

struct ViewRequest {
  View What = View::Findings;
  /// Text, kernel, SoC, blocks and arguments.
  cases::Case Launch;
  bool Deny = false;
};

/// Reads {"view": "ascendc", "source": "...", "kernel": "softmax", "soc": ...,
/// "blocks": 8, "deny": true, "args": [{"in": "f32:8=ones"}, {"out":
/// "f32:8"}]}. Arguments that read or write a file are refused.
llvm::Expected<ViewRequest> parseViewRequest(llvm::StringRef Json);

struct ViewSettings {
  /// The program that children run.
  std::string Belay;
  std::string DefaultSoc = "Ascend910B3";
  /// Kernels run even where they cannot be confined.
  bool NoSandbox = false;
};

/// Makes views. All functions may be called from any thread.
class Views {
public:
  explicit Views(ViewSettings Settings) : Settings(std::move(Settings)) {}
  ~Views();

  /// The answer to a request as JSON: {"status": 0, "out": "...", "err": "...",
  /// "report": {...}, "kernel": "softmax<1024>", "timeline": "ID"}. "problem"
  /// instead, if the request is none.
  std::string answer(llvm::StringRef Json);

  /// A page that an answer has named; only the last few are kept.
  std::optional<std::string> timeline(llvm::StringRef Id);

  /// Whether so many requests wait that another one is refused.
  bool isBusy() const;

private:
  llvm::Expected<std::string> make(const ViewRequest &Request);
  llvm::Error writeSource(llvm::StringRef Text);
  std::string keepTimeline(std::string Page);

  ViewSettings Settings;
  mutable std::mutex Lock;
  std::deque<std::pair<std::string, std::string>> Timelines;
  /// Waiting and at work.
  unsigned NumRequests = 0;
  /// Held while a child works in the folder.
  std::mutex AtWork;
  llvm::SmallString<128> Folder;
};

/// 128 bits that nobody can guess, as 32 digits.
std::string makeSecret();

} // namespace belay::serve

#endif // BELAY_SERVE_VIEWS_H
