//===- Server.cpp - A page on this machine, for its user ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "serve/Server.h"
#include <atomic>
#include <chrono>
#include <httplib.h>
#include <thread>

using namespace belay::serve;
using httplib::Request;
using httplib::Response;

/// Larger requests are refused before they are read.
static constexpr size_t MaxRequestBytes = 1 << 20;
static constexpr unsigned NumThreads = 8;
static constexpr int SecondsForRequest = 5;
static constexpr const char *SecretHeader = "X-Belay-Secret";

/// Takes as long whatever the two have in common.
static bool isSame(const std::string &A, const std::string &B) {
  if (A.size() != B.size())
    return false;
  unsigned char Different = 0;
  for (size_t I = 0; I < A.size(); ++I)
    Different |= static_cast<unsigned char>(A[I] ^ B[I]);
  return Different == 0;
}

struct Server::Impl {
  Content What;
  std::string Secret;
  httplib::Server Http;
  std::string Numeric, Named;
  std::atomic<bool> Ended = false;

  bool isOurs(const std::string &Name) const {
    return Name == Numeric || Name == Named;
  }
  bool isAdmitted(const Request &Req) const;
  void addRoutes();
};

/// Whether a request is for this server, and not from a page of another. What
/// is asked of it has still to bring the secret.
bool Server::Impl::isAdmitted(const Request &Req) const {
  if (Req.get_header_value_count("Host") != 1 ||
      !isOurs(Req.get_header_value("Host")))
    return false;
  for (size_t I = 0; I < Req.get_header_value_count("Origin"); ++I) {
    std::string Origin = Req.get_header_value("Origin", I);
    if (Origin.rfind("http://", 0) != 0 || !isOurs(Origin.substr(7)))
      return false;
  }
  // Nothing has to be unpacked, or put together of parts.
  if (Req.has_header("Content-Encoding") || Req.has_header("Transfer-Encoding"))
    return false;
  return Req.method == "GET" ||
         (Req.method == "POST" &&
          Req.get_header_value("Content-Type") == "application/json" &&
          Req.has_header("Content-Length"));
}

static void refuse(Response &Answer, int Status, const char *Why) {
  Answer.status = Status;
  Answer.set_content(Why, "text/plain");
}

/// Nothing from elsewhere, nothing kept, nothing shown inside of other pages.
static void protect(Response &Answer, const char *Policy) {
  Answer.set_header("Content-Security-Policy", Policy);
  Answer.set_header("X-Content-Type-Options", "nosniff");
  Answer.set_header("Referrer-Policy", "no-referrer");
  Answer.set_header("Cache-Control", "no-store");
  Answer.set_header("Cross-Origin-Resource-Policy", "same-origin");
}

static constexpr const char *PagePolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src "
    "'unsafe-inline'; connect-src 'self'; frame-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
// Names of the kernel are in it: it has an origin of its own, and reaches
// nothing.
static constexpr const char *TimelinePolicy =
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action "
    "'none'; frame-ancestors 'self'";

void Server::Impl::addRoutes() {
  Http.set_pre_routing_handler([this](const Request &Req, Response &Answer) {
    if (isAdmitted(Req))
      return httplib::Server::HandlerResponse::Unhandled;
    refuse(Answer, 403, "This is not a request of Belay's page.\n");
    return httplib::Server::HandlerResponse::Handled;
  });
  Http.Get("/", [this](const Request &Req, Response &Answer) {
    if (!isSame(Req.get_param_value("secret"), Secret))
      return refuse(Answer, 403,
                    "Open the address that belay serve printed.\n");
    protect(Answer, PagePolicy);
    Answer.set_content(What.Page, "text/html; charset=utf-8");
  });
  Http.Post("/view", [this](const Request &Req, Response &Answer) {
    if (!isSame(Req.get_header_value(SecretHeader), Secret))
      return refuse(Answer, 403, "The page is of an earlier belay serve.\n");
    if (What.IsBusy())
      return refuse(Answer, 429, "Too many requests wait.\n");
    protect(Answer, "default-src 'none'");
    Answer.set_content(What.Answer(Req.body), "application/json");
  });
  // Its name is a secret of its own, since it is shown to its own scripts.
  Http.Get(
      "/timeline/([0-9a-f]{32})", [this](const Request &Req, Response &Answer) {
        std::optional<std::string> Page = What.Timeline(Req.matches[1].str());
        if (!Page)
          return refuse(Answer, 404, "This timeline is no longer kept.\n");
        protect(Answer, TimelinePolicy);
        Answer.set_content(*Page, "text/html; charset=utf-8");
      });
}

Server::Server(Content What, std::string Secret)
    : State(std::make_unique<Impl>()) {
  State->What = std::move(What);
  State->Secret = std::move(Secret);
  State->Http.new_task_queue = [] {
    return new httplib::ThreadPool(NumThreads);
  };
  State->Http.set_payload_max_length(MaxRequestBytes);
  State->Http.set_read_timeout(SecondsForRequest, 0);
  State->Http.set_write_timeout(SecondsForRequest, 0);
  // The library's own would share a port with another server.
  State->Http.set_socket_options([](socket_t Socket) {
    int Yes = 1;
    ::setsockopt(Socket, SOL_SOCKET, SO_REUSEADDR, &Yes, sizeof(Yes));
  });
  // A connection that stays open would keep a thread.
  State->Http.set_keep_alive_max_count(1);
  State->addRoutes();
}

Server::~Server() = default;

bool Server::bind(uint16_t Port) {
  constexpr const char *Loopback = "127.0.0.1";
  int Got = Port ? (State->Http.bind_to_port(Loopback, Port) ? Port : -1)
                 : State->Http.bind_to_any_port(Loopback);
  if (Got < 0)
    return false;
  State->Numeric = Loopback + (":" + std::to_string(Got));
  State->Named = "localhost:" + std::to_string(Got);
  return true;
}

std::string Server::url() const {
  return "http://" + State->Numeric + "/?secret=" + State->Secret;
}

void Server::run() {
  State->Http.listen_after_bind();
  State->Ended = true;
}

void Server::stop() {
  // Before it runs, the library would forget that it was stopped.
  while (!State->Http.is_running() && !State->Ended)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  State->Http.stop();
}
