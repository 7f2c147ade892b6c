//===- Rendezvous.cpp - How ranks find each other -------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/hccl/Rendezvous.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace belay::device::hccl {

namespace {

/// What this process knows of a name.
struct MeetingPoint {
  std::mutex Mutex;
  std::weak_ptr<Board> Known;
  /// Held for those who have not come yet.
  std::shared_ptr<Board> Served;
  bool Serving = false;
};

std::shared_ptr<MeetingPoint> meetingPoint(const std::string &Name) {
  static auto &Mutex = *new std::mutex;
  static auto &All = *new std::map<std::string, std::shared_ptr<MeetingPoint>>;
  std::lock_guard<std::mutex> Lock(Mutex);
  std::shared_ptr<MeetingPoint> &M = All[Name];
  if (!M)
    M = std::make_shared<MeetingPoint>();
  return M;
}

/// In the abstract namespace: nothing is left behind in a file system.
socklen_t address(const std::string &Name, sockaddr_un &Address) {
  Address = {};
  Address.sun_family = AF_UNIX;
  std::string Full = "belay-hccl-" + Name;
  size_t Length = std::min(Full.size(), sizeof(Address.sun_path) - 1);
  std::memcpy(Address.sun_path + 1, Full.data(), Length);
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + Length);
}

struct Reply {
  uint32_t Ranks; // of the board
};

bool sendBoard(int Socket, const Board &B) {
  Reply Answer = {B.ranks()};
  iovec Data = {&Answer, sizeof(Answer)};
  alignas(cmsghdr) char Control[CMSG_SPACE(sizeof(int))] = {};
  msghdr Message = {};
  Message.msg_iov = &Data;
  Message.msg_iovlen = 1;
  Message.msg_control = Control;
  Message.msg_controllen = sizeof(Control);
  cmsghdr *Part = CMSG_FIRSTHDR(&Message);
  Part->cmsg_level = SOL_SOCKET;
  Part->cmsg_type = SCM_RIGHTS;
  Part->cmsg_len = CMSG_LEN(sizeof(int));
  int Fd = B.fd();
  std::memcpy(CMSG_DATA(Part), &Fd, sizeof(Fd));
  return sendmsg(Socket, &Message, MSG_NOSIGNAL) == sizeof(Answer);
}

/// The file, or -1.
int receiveBoard(int Socket) {
  Reply Answer;
  iovec Data = {&Answer, sizeof(Answer)};
  alignas(cmsghdr) char Control[CMSG_SPACE(sizeof(int))] = {};
  msghdr Message = {};
  Message.msg_iov = &Data;
  Message.msg_iovlen = 1;
  Message.msg_control = Control;
  Message.msg_controllen = sizeof(Control);
  if (recvmsg(Socket, &Message, MSG_CMSG_CLOEXEC) != sizeof(Answer))
    return -1;
  cmsghdr *Part = CMSG_FIRSTHDR(&Message);
  int Fd = -1;
  if (Part && Part->cmsg_type == SCM_RIGHTS)
    std::memcpy(&Fd, CMSG_DATA(Part), sizeof(Fd));
  return Fd;
}

/// Somebody who connects and says nothing must not keep others waiting.
void limitPatience(int Socket) {
  constexpr timeval Most = {5, 0};
  setsockopt(Socket, SOL_SOCKET, SO_RCVTIMEO, &Most, sizeof(Most));
}

bool isSameUser(int Socket) {
  ucred Other = {};
  socklen_t Length = sizeof(Other);
  return getsockopt(Socket, SOL_SOCKET, SO_PEERCRED, &Other, &Length) == 0 &&
         Other.uid == geteuid();
}

/// The mutex is held. The first who comes decides the number of ranks.
std::shared_ptr<Board> boardOf(MeetingPoint &M, uint32_t Ranks) {
  std::shared_ptr<Board> B = M.Known.lock();
  if (B)
    return B;
  M.Known = B = Board::create(Ranks);
  if (M.Serving)
    M.Served = B;
  return B;
}

void answer(MeetingPoint &M, int Socket) {
  uint32_t Ranks;
  limitPatience(Socket);
  if (!isSameUser(Socket) ||
      recv(Socket, &Ranks, sizeof(Ranks), 0) != sizeof(Ranks))
    return;
  std::shared_ptr<Board> B;
  {
    std::lock_guard<std::mutex> Lock(M.Mutex);
    B = boardOf(M, Ranks);
  }
  if (B)
    sendBoard(Socket, *B);
}

/// Answers until everybody is there.
void listenFor(const std::shared_ptr<MeetingPoint> &M, int Listener) {
  for (;;) {
    pollfd Ready = {Listener, POLLIN, 0};
    if (poll(&Ready, 1, 50) > 0)
      if (int Socket = accept4(Listener, nullptr, nullptr, SOCK_CLOEXEC);
          Socket >= 0) {
        answer(*M, Socket);
        close(Socket);
      }
    std::lock_guard<std::mutex> Lock(M->Mutex);
    if (!M->Served || !M->Served->allJoined())
      continue;
    M->Served = nullptr;
    M->Serving = false;
    close(Listener);
    return;
  }
}

int ask(const std::string &Name, uint32_t Ranks) {
  sockaddr_un Address;
  socklen_t Length = address(Name, Address);
  int Socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (Socket < 0)
    return -1;
  limitPatience(Socket);
  int Fd = -1;
  if (connect(Socket, reinterpret_cast<sockaddr *>(&Address), Length) == 0 &&
      isSameUser(Socket) &&
      send(Socket, &Ranks, sizeof(Ranks), MSG_NOSIGNAL) == sizeof(Ranks))
    Fd = receiveBoard(Socket);
  close(Socket);
  return Fd;
}

} // namespace

std::string uniqueName() {
  uint64_t Random[2] = {};
  if (getrandom(Random, sizeof(Random), 0) != sizeof(Random)) {
    static std::atomic<uint64_t> Count{0};
    Random[0] = ++Count;
  }
  char Text[64];
  std::snprintf(Text, sizeof(Text), "%d-%016llx%016llx", getpid(),
                static_cast<unsigned long long>(Random[0]),
                static_cast<unsigned long long>(Random[1]));
  return Text;
}

bool serve(const std::string &Name) {
  std::shared_ptr<MeetingPoint> M = meetingPoint(Name);
  std::lock_guard<std::mutex> Lock(M->Mutex);
  sockaddr_un Address;
  socklen_t Length = address(Name, Address);
  int Listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (Listener < 0 ||
      bind(Listener, reinterpret_cast<sockaddr *>(&Address), Length) != 0 ||
      listen(Listener, SOMAXCONN) != 0) {
    if (Listener >= 0)
      close(Listener);
    return false;
  }
  M->Serving = true;
  // Ends with the process if some rank never comes.
  std::thread([M, Listener] { listenFor(M, Listener); }).detach();
  return true;
}

std::shared_ptr<Board> attach(const std::string &Name, uint32_t Ranks,
                              bool Serve, Time Until, std::string &Problem) {
  std::shared_ptr<MeetingPoint> M = meetingPoint(Name);
  if (Serve && Ranks > 1 && !serve(Name)) {
    Problem = std::string("no socket can be opened for the other ranks: ") +
              std::strerror(errno);
    return nullptr;
  }
  for (;;) {
    {
      std::lock_guard<std::mutex> Lock(M->Mutex);
      std::shared_ptr<Board> B = M->Known.lock();
      if (!B && (Serve || M->Serving))
        B = boardOf(*M, Ranks);
      int Fd = B ? -1 : ask(Name, Ranks);
      if (Fd >= 0)
        M->Known = B = Board::map(Fd);
      if (B && B->ranks() == Ranks)
        return B;
      if (B) {
        Problem = "this rank says that there are " + std::to_string(Ranks) +
                  " ranks, another that there are " +
                  std::to_string(B->ranks());
        return nullptr;
      }
    }
    if (std::chrono::steady_clock::now() >= Until) {
      Problem = "the process of the root rank does not answer";
      return nullptr;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

/// The values of all "rank_id", which both versions of the format have, as
/// text or as numbers.
uint32_t ranksOfTable(const std::string &Path, std::string &Text,
                      std::string &Problem) {
  std::ifstream File(Path);
  if (!File) {
    Problem = Path + ": " + std::strerror(errno);
    return 0;
  }
  Text.assign(std::istreambuf_iterator<char>(File), {});
  std::vector<bool> Seen;
  constexpr const char *Key = "\"rank_id\"";
  for (size_t At = 0; (At = Text.find(Key, At)) != Text.npos;) {
    At += std::strlen(Key);
    size_t Digit = Text.find_first_not_of(" \t\r\n:\"", At);
    char *End = nullptr;
    const char *Begin =
        Digit == Text.npos ? Text.c_str() + At : Text.c_str() + Digit;
    unsigned long Rank = std::strtoul(Begin, &End, 10);
    constexpr unsigned long MostRanks = 4096;
    if (End == Begin || Rank >= MostRanks) {
      Problem = Path + ": a rank_id is no number below 4096";
      return 0;
    }
    if (Rank >= Seen.size())
      Seen.resize(Rank + 1);
    if (Seen[Rank]) {
      Problem = Path + ": there are two ranks " + std::to_string(Rank);
      return 0;
    }
    Seen[Rank] = true;
  }
  for (size_t Rank = 0; Rank < Seen.size(); ++Rank)
    if (!Seen[Rank]) {
      Problem = Path + ": there is no rank " + std::to_string(Rank);
      return 0;
    }
  if (Seen.empty())
    Problem = Path + ": this is no rank table, it has no rank_id";
  return static_cast<uint32_t>(Seen.size());
}

} // namespace belay::device::hccl
