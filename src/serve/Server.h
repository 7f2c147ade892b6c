//===- Server.h - A page on this machine, for its user ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// HTTP on the loopback interface, by cpp-httplib. Other users of the machine
// and every page in the user's browser can connect to it, so that a request
// counts only with a secret of this run, under the name and from the page of
// this server: a name of somebody else that resolves to 127.0.0.1 is refused.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SERVE_SERVER_H
#define BELAY_SERVE_SERVER_H

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace belay::serve {

/// What the server shows. Called from several threads.
struct Content {
  std::string Page;
  /// The answer to the body of a request.
  std::function<std::string(const std::string &)> Answer;
  std::function<bool()> IsBusy;
  std::function<std::optional<std::string>(const std::string &)> Timeline;
};

class Server {
public:
  Server(Content What, std::string Secret);
  ~Server();

  /// Takes a port of 127.0.0.1, any for 0; false if it cannot have it.
  bool bind(uint16_t Port);
  /// With the secret.
  std::string url() const;
  /// Serves until stop() is called from another thread.
  void run();
  void stop();

private:
  struct Impl;
  std::unique_ptr<Impl> State;
};

} // namespace belay::serve

#endif // BELAY_SERVE_SERVER_H
