//===- Chat.cpp - Models that are asked by chat completions ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "generate/Chat.h"
#include "generate/Http.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cstdlib>
#include <random>
#include <thread>

using namespace llvm;
using namespace belay::generate;

/// A source may have 1 MiB.
static constexpr size_t MaxText = size_t(1) << 20;

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

/// Adds what one object says; false if it is none of the protocol.
static bool addObject(const json::Value &Said, StringRef Part, Reply &To) {
  const json::Object *Top = Said.getAsObject();
  if (!Top)
    return false;
  if (const json::Object *Wrong = Top->getObject("error")) {
    To.Failure =
        ("the server says: " + Wrong->getString("message").value_or("an error"))
            .str();
    return true;
  }
  if (const json::Object *Usage = Top->getObject("usage")) {
    To.PromptTokens = Usage->getInteger("prompt_tokens").value_or(0);
    To.AnswerTokens = Usage->getInteger("completion_tokens").value_or(0);
  }
  const json::Array *Choices = Top->getArray("choices");
  if (!Choices)
    return false;
  if (Choices->empty()) // the last event of some servers has only numbers
    return Top->get("usage") != nullptr;
  const json::Object *Choice = Choices->front().getAsObject();
  if (!Choice)
    return false;
  if (const json::Object *Text = Choice->getObject(Part))
    To.Text += Text->getString("content").value_or("");
  To.Finish = Choice->getString("finish_reason").value_or(To.Finish).str();
  return true;
}

static void readEvents(StringRef Body, Reply &To) {
  bool IsDone = false;
  while (!Body.empty() && !IsDone && To.Failure.empty()) {
    StringRef Line;
    std::tie(Line, Body) = Body.split('\n');
    Line = Line.rtrim('\r');
    // Others are comments, names of events, and empty lines between them.
    if (!Line.consume_front("data:"))
      continue;
    Line = Line.trim();
    IsDone = Line == "[DONE]";
    if (IsDone)
      break;
    Expected<json::Value> Said = json::parse(Line);
    if (!Said) {
      consumeError(Said.takeError());
      To.Failure = "an event of the stream is no JSON";
    } else if (!addObject(*Said, "delta", To)) {
      To.Failure = "an event of the stream has no choices";
    } else if (To.Text.size() > MaxText) {
      To.Failure = "the answer has more than 1 MiB";
    }
  }
  if (To.Failure.empty() && !IsDone && To.Finish.empty())
    To.Failure = "the stream was cut";
}

Reply belay::generate::readReply(StringRef Body) {
  Reply To;
  if (!Body.ltrim().starts_with("{")) {
    readEvents(Body, To);
  } else if (Expected<json::Value> Said = json::parse(Body); !Said) {
    consumeError(Said.takeError());
    To.Failure = "the answer is no JSON";
  } else if (!addObject(*Said, "message", To)) {
    To.Failure = "the answer has no choices";
  }
  if (To.Text.size() > MaxText)
    To.Failure = "the answer has more than 1 MiB";
  if (To.Failure.empty() && To.Text.empty())
    To.Failure = "the answer is empty";
  if (!To.Failure.empty())
    To.Text.clear();
  return To;
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

/// Whether what is sent can be read by others on its way.
static bool isReadable(StringRef Url) {
  if (!Url.consume_front_insensitive("http://"))
    return false;
  StringRef Host = Url.take_until([](char C) { return C == '/' || C == '?'; });
  if (!Host.consume_front("[::1]"))
    Host = Host.split(':').first;
  return !Host.empty() && Host != "localhost" && !Host.starts_with("127.") &&
         !Host.starts_with(":");
}

Expected<std::unique_ptr<ChatServer>> ChatServer::create(Options Opts) {
  if (std::string Why = whyNoHttp(); !Why.empty())
    return createStringError(Why);
  StringRef Url = Opts.Endpoint;
  if (!Url.starts_with_insensitive("http://") &&
      !Url.starts_with_insensitive("https://"))
    return createStringError("an endpoint begins with https:// or http://");
  if (Url.contains('@') || Url.contains('?'))
    return createStringError("an endpoint has no user, password or parameters; "
                             "the key comes from BELAY_API_KEY");
  const char *FromEnvironment = std::getenv("BELAY_API_KEY");
  std::string Key = FromEnvironment ? FromEnvironment : "";
  if (Key.find_first_of("\r\n") != std::string::npos)
    return createStringError("BELAY_API_KEY has more than one line");
  if (!Key.empty() && isReadable(Url))
    return createStringError("the key would travel to this endpoint for "
                             "everyone to read: take https, or unset "
                             "BELAY_API_KEY if the server wants none");
  Opts.Endpoint = Url.rtrim('/').str();
  return std::unique_ptr<ChatServer>(
      new ChatServer(std::move(Opts), std::move(Key)));
}

void ChatServer::pause(double Seconds) const {
  auto End =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(Seconds);
  while (!isStopped() && std::chrono::steady_clock::now() < End)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

void ChatServer::waitForSlot() {
  if (Opts.Rate <= 0)
    return;
  std::chrono::steady_clock::time_point Mine;
  {
    std::lock_guard<std::mutex> Lock(Guard);
    Mine = std::max(Next, std::chrono::steady_clock::now());
    Next = Mine + std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::duration<double>(60 / Opts.Rate));
  }
  pause(std::chrono::duration<double>(Mine - std::chrono::steady_clock::now())
            .count());
}

static bool mayPass(long Status) {
  return Status == 408 || Status == 409 || Status == 425 || Status == 429 ||
         Status >= 500;
}

static std::string requestFor(const ChatServer::Options &Opts,
                              ArrayRef<Message> Messages, uint64_t Seed) {
  json::Array All;
  for (const Message &Each : Messages)
    All.push_back(json::Object{{"role", Each.Role},
                               {"content", json::fixUTF8(Each.Text)}});
  json::Object Body{{"model", Opts.Model},
                    {"messages", std::move(All)},
                    {"temperature", Opts.Temperature},
                    {"max_tokens", Opts.MaxTokens},
                    {"seed", static_cast<int64_t>(Seed)},
                    {"stream", true}};
  return formatv("{0}", json::Value(std::move(Body))).str();
}

/// What a refusal says, without what it may repeat of the request.
static std::string refusal(const HttpAnswer &Got) {
  Reply Said = readReply(Got.Body);
  return formatv("the server answers {0}: {1}", Got.Status,
                 StringRef(Said.Failure).take_front(300))
      .str();
}

Expected<Reply> ChatServer::ask(ArrayRef<Message> Messages, uint64_t Seed) {
  constexpr double LongestPause = 60, LongestAsked = 600;
  HttpRequest What;
  What.Url = Opts.Endpoint + "/chat/completions";
  What.Body = requestFor(Opts, Messages, Seed);
  What.Headers = {"Content-Type: application/json",
                  "Accept: text/event-stream"};
  if (!Key.empty())
    What.Headers.push_back("Authorization: Bearer " + Key);
  What.SilentSeconds = Opts.SilentSeconds;
  What.Stop = Opts.Stop;
  std::minstd_rand Chance(static_cast<unsigned>(Seed));
  Reply Last;
  double Pause = Opts.FirstPause;
  for (unsigned Request = 1; Request <= Opts.MostRequests; ++Request) {
    waitForSlot();
    if (isStopped())
      break;
    HttpAnswer Got = post(What);
    bool IsRefused = Got.Failure.empty() && Got.Status != 200;
    if (IsRefused && !mayPass(Got.Status))
      return createStringError(refusal(Got));
    Last = Got.Failure.empty() && !IsRefused ? readReply(Got.Body) : Reply();
    if (!Got.Failure.empty())
      Last.Failure = Got.Failure;
    else if (IsRefused)
      Last.Failure = refusal(Got);
    Last.Requests = Request;
    // One that says too much says it again, and is paid for it.
    if (Last.Failure.empty() || Got.TooLarge || Request == Opts.MostRequests)
      return Last;
    // Those who wait for the same server do not all come back at once.
    double Jitter = 0.5 + static_cast<double>(Chance() % 1000) / 1000;
    pause(Got.RetryAfter ? std::min(*Got.RetryAfter, LongestAsked)
                         : Pause * Jitter);
    Pause = std::min(LongestPause, Pause * 2);
  }
  Last.Failure = "stopped";
  return Last;
}
