//===- Await.cpp - A runner that is started in advance --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Its descriptors are those of sealed/Protocol.h, AwaitFd and on. The launch
// comes in messages: the first descriptor of all is a file with the arguments,
// each ended by a zero; the others get the numbers from FirstSentFd on. The
// number of a message says how many descriptors are still to come after it.
//
//===----------------------------------------------------------------------===//

#include "runner/Await.h"

#include "sandbox/Descriptors.h"

#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace belay::sim {

using namespace sealed;

static std::vector<std::string> readWords(int Fd) {
  std::string All;
  char Buffer[4096];
  off_t At = 0;
  for (ssize_t Got; (Got = pread(Fd, Buffer, sizeof(Buffer), At)) > 0;
       At += Got)
    All.append(Buffer, static_cast<size_t>(Got));
  close(Fd);
  std::vector<std::string> Words;
  for (size_t Begin = 0, Next; (Next = All.find('\0', Begin)) != All.npos;
       Begin = Next + 1)
    Words.push_back(All.substr(Begin, Next - Begin));
  return Words;
}

/// A descriptor under a number that nothing else gets, or the end.
static int moveAway(int Fd, int From) {
  int Moved = fcntl(Fd, F_DUPFD_CLOEXEC, From);
  if (Moved < 0)
    std::exit(2);
  close(Fd);
  return Moved;
}

SentLaunch awaitLaunch() {
  SentLaunch Sent;
  IssuerCommand Command = {readWords(AwaitCommandFd), AwaitStatusFd};
  Sent.Issuer = startIssuer(Command);
  close(AwaitStatusFd);
  std::vector<int> Fds;
  sandbox::Message M;
  do {
    if (!sandbox::receive(AwaitFd, M))
      std::exit(2);
    Fds.insert(Fds.end(), M.Fds, M.Fds + M.Count);
  } while (M.Number);
  close(AwaitFd);
  Sent.Words = readWords(Fds.front());
  Fds.erase(Fds.begin());
  int Free = FirstSentFd + static_cast<int>(Fds.size());
  Sent.Issuer.Socket = moveAway(Sent.Issuer.Socket, Free);
  for (int &Fd : Fds)
    Fd = moveAway(Fd, Free);
  for (size_t N = 0; N < Fds.size(); ++N) {
    if (dup2(Fds[N], FirstSentFd + static_cast<int>(N)) < 0)
      std::exit(2);
    close(Fds[N]);
  }
  return Sent;
}

} // namespace belay::sim
