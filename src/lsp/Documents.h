//===- Documents.h - What an editor has open ------------------------*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The texts, the work that waits on them, and what was last said. All functions
// may be called from any thread.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LSP_DOCUMENTS_H
#define BELAY_LSP_DOCUMENTS_H

#include "lsp/Remarks.h"
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>

namespace belay::lsp {

/// A text as it was when somebody asked about it.
struct Snapshot {
  llvm::lsp::URIForFile Uri;
  std::string Text;
  int64_t Version = 0;
  /// Counts all texts of all documents: a document may be closed and opened
  /// again with the same version.
  uint64_t Serial = 0;
};

/// A snapshot, and what is said about it.
struct Answer {
  Snapshot Of;
  std::vector<Remark> Remarks;
  bool Full = false;
};

class Documents {
public:
  /// A text is new. Its quick check waits; if Full, the full one, too.
  void set(const llvm::lsp::URIForFile &Uri, std::string Text, int64_t Version,
           bool Full);
  /// The full check of what is there waits.
  void requestFull(const llvm::lsp::URIForFile &Uri);
  void close(const llvm::lsp::URIForFile &Uri);

  /// Waits for work of one kind and takes it: of each document only the newest
  /// text is ever checked. Nothing after stop().
  std::optional<Snapshot> takeWork(bool Full);
  void stop();

  /// Keeps an answer, unless its text is no longer the newest, or the full
  /// check of it has answered; whether it was kept. Publish is called with it
  /// before anyone else can keep another.
  bool keep(Answer A, llvm::function_ref<void(const Answer &)> Publish);

  /// What was said about the text that is there now.
  std::optional<Answer> answerFor(const llvm::lsp::URIForFile &Uri) const;
  std::optional<std::string> textOf(const llvm::lsp::URIForFile &Uri) const;

private:
  struct Document {
    Snapshot Now;
    std::optional<Answer> Last;
    bool WantsQuick = false, WantsFull = false;
  };

  std::map<std::string, Document> Open;
  uint64_t NumTexts = 0;
  bool Stopped = false;
  mutable std::mutex Lock;
  std::condition_variable Changed;
};

} // namespace belay::lsp

#endif // BELAY_LSP_DOCUMENTS_H
