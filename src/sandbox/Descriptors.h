//===- Descriptors.h - Descriptors for a process that waits -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starting the processes of a sealed run takes longer than most of what they
// do, so they are started before it is known what they will do, and are sent
// descriptors then, over a socket of type SOCK_SEQPACKET. No LLVM:
// belay-runner, belay-sandbox and belay-issuer use it.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANDBOX_DESCRIPTORS_H
#define BELAY_SANDBOX_DESCRIPTORS_H

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <sys/socket.h>

namespace belay::sandbox {

/// Of one message; Linux allows a few more.
inline constexpr unsigned MaxDescriptors = 250;

/// Descriptors, and a number whose meaning is between the two ends.
struct Message {
  uint32_t Number = 0;
  uint32_t Count = 0;
  int Fds[MaxDescriptors];

  void add(int Fd) { Fds[Count++] = Fd; }
};

inline bool send(int Socket, const Message &M) {
  alignas(cmsghdr) char Room[CMSG_SPACE(sizeof(M.Fds))] = {};
  uint32_t Number = M.Number;
  iovec Data = {&Number, sizeof(Number)};
  msghdr Header = {};
  Header.msg_iov = &Data;
  Header.msg_iovlen = 1;
  Header.msg_control = Room;
  Header.msg_controllen = CMSG_SPACE(M.Count * sizeof(int));
  cmsghdr *Part = CMSG_FIRSTHDR(&Header);
  Part->cmsg_level = SOL_SOCKET;
  Part->cmsg_type = SCM_RIGHTS;
  Part->cmsg_len = CMSG_LEN(M.Count * sizeof(int));
  std::memcpy(CMSG_DATA(Part), M.Fds, M.Count * sizeof(int));
  ssize_t Sent;
  do
    Sent = ::sendmsg(Socket, &Header, MSG_NOSIGNAL);
  while (Sent < 0 && errno == EINTR);
  return Sent == sizeof(Number);
}

/// False if the other end is gone, or sends something else.
inline bool receive(int Socket, Message &M) {
  alignas(cmsghdr) char Room[CMSG_SPACE(sizeof(M.Fds))] = {};
  iovec Data = {&M.Number, sizeof(M.Number)};
  msghdr Header = {};
  Header.msg_iov = &Data;
  Header.msg_iovlen = 1;
  Header.msg_control = Room;
  Header.msg_controllen = sizeof(Room);
  ssize_t Got;
  do
    Got = ::recvmsg(Socket, &Header, MSG_CMSG_CLOEXEC);
  while (Got < 0 && errno == EINTR);
  cmsghdr *Part = CMSG_FIRSTHDR(&Header);
  if (Got != sizeof(M.Number) || Header.msg_flags & (MSG_TRUNC | MSG_CTRUNC) ||
      !Part || Part->cmsg_level != SOL_SOCKET || Part->cmsg_type != SCM_RIGHTS)
    return false;
  M.Count = static_cast<uint32_t>((Part->cmsg_len - CMSG_LEN(0)) / sizeof(int));
  std::memcpy(M.Fds, CMSG_DATA(Part), M.Count * sizeof(int));
  return true;
}

//===----------------------------------------------------------------------===//
// belay-sandbox --late
//===----------------------------------------------------------------------===//

/// The socket of belay-sandbox, and then of the program that it starts. Of the
/// descriptors that the former is sent, as many as Message::Number says, the
/// last ones, are files that the program is to see; the latter is sent the
/// others, and the same number, when they are there.
inline constexpr int LateFd = 3;
inline constexpr unsigned MaxLateFiles = 2;
inline constexpr const char *LateFiles[MaxLateFiles] = {"/file0", "/file1"};

} // namespace belay::sandbox

#endif // BELAY_SANDBOX_DESCRIPTORS_H
