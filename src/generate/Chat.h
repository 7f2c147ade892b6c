//===- Chat.h - Models that are asked by chat completions --------*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_GENERATE_CHAT_H
#define BELAY_GENERATE_CHAT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <chrono>
#include <mutex>
#include <string>

namespace belay::generate {

struct Message {
  std::string Role, Text;
};

/// What a model has said.
struct Reply {
  std::string Text;
  /// "stop", "length", ... as the server says.
  std::string Finish;
  int64_t PromptTokens = 0, AnswerTokens = 0;
  /// Requests that it took.
  unsigned Requests = 0;
  /// Why there is no answer after all of them; "" if there is one.
  std::string Failure;
};

/// What the body of an answer says: a stream of events, or one object.
/// Everything that is not whole is a failure.
Reply readReply(llvm::StringRef Body);

/// A server that speaks the protocol, and how it is asked. May be used by
/// several threads.
class ChatServer {
public:
  struct Options {
    /// Up to /v1.
    std::string Endpoint;
    std::string Model;
    double Temperature = 0.8;
    unsigned MaxTokens = 16384;
    /// Of one question.
    unsigned MostRequests = 6;
    /// Of a minute; 0: as many as there are threads for.
    double Rate = 0;
    /// The first pause after a failure; it doubles with each.
    double FirstPause = 1;
    double SilentSeconds = 120;
    std::atomic<bool> *Stop = nullptr;
  };
  /// The key is in BELAY_API_KEY, if the server wants one.
  static llvm::Expected<std::unique_ptr<ChatServer>> create(Options Opts);

  /// Errors are those that asking again cannot help: the server refuses the
  /// key or the request.
  llvm::Expected<Reply> ask(llvm::ArrayRef<Message> Messages, uint64_t Seed);

  const Options &options() const { return Opts; }

private:
  ChatServer(Options Opts, std::string Key)
      : Opts(std::move(Opts)), Key(std::move(Key)) {}
  bool isStopped() const { return Opts.Stop && *Opts.Stop; }
  void waitForSlot();
  void pause(double Seconds) const;

  Options Opts;
  std::string Key;
  std::mutex Guard;
  std::chrono::steady_clock::time_point Next;
};

} // namespace belay::generate

#endif // BELAY_GENERATE_CHAT_H
