//===- Service.cpp - Verdicts on request ----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Service.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace llvm;
using namespace belay;
using namespace belay::bench;

/// A source of 1 MiB, with each character escaped.
static constexpr size_t MaxLine = size_t(8) << 20, MaxSource = size_t(1) << 20;

namespace {

/// Lines of a file that may never end.
class LineReader {
public:
  explicit LineReader(int File) : File(File) {}
  /// False at the end of the file, or of a line that is too long.
  bool next(std::string &Line) {
    while (true) {
      size_t End = Buffer.find('\n', Seen);
      if (End != std::string::npos) {
        Line = Buffer.substr(0, End);
        Buffer.erase(0, End + 1);
        Seen = 0;
        return true;
      }
      Seen = Buffer.size();
      if (IsTooLong = Buffer.size() > MaxLine; IsTooLong)
        return false;
      char Bytes[1 << 16];
      ssize_t Count = ::read(File, Bytes, sizeof Bytes);
      if (Count < 0 && errno == EINTR)
        continue;
      if (Count <= 0)
        return false;
      Buffer.append(Bytes, static_cast<size_t>(Count));
    }
  }
  bool IsTooLong = false;

private:
  int File;
  std::string Buffer;
  size_t Seen = 0;
};

class Service {
public:
  Service(Campaign &By, int To) : By(By), Out(To, /*shouldClose=*/false) {}
  void work(unsigned Thread);
  void add(std::string Line);
  void end();

private:
  json::Object answer(unsigned Thread, StringRef Line);

  Campaign &By;
  raw_fd_ostream Out;
  std::mutex Guard, Writing, Preparing;
  std::condition_variable HasWork, HasRoom;
  std::deque<std::string> Lines;
  bool IsEnded = false;
};

} // namespace

json::Object Service::answer(unsigned Thread, StringRef Line) {
  json::Object Reply;
  auto Refuse = [&](const Twine &Why) {
    Reply["error"] = json::fixUTF8(Why.str());
    return std::move(Reply);
  };
  Expected<json::Value> Read = json::parse(Line);
  if (!Read)
    return Refuse("a request is no JSON: " + toString(Read.takeError()));
  const json::Object *Request = Read->getAsObject();
  if (const json::Value *Id = Request ? Request->get("id") : nullptr)
    Reply["id"] = *Id;
  std::optional<StringRef> Task, Source;
  if (Request) {
    Task = Request->getString("task");
    Source = Request->getString("source");
  }
  if (!Task || !Source || Source->size() > MaxSource)
    return Refuse("a request has a task, and a source of up to 1 MiB");
  {
    // The values of a task are made once.
    std::lock_guard<std::mutex> Lock(Preparing);
    if (Error E = By.prepare(Task->str()))
      return Refuse(toString(std::move(E)));
  }
  Expected<std::string> Key = By.keyOf(*Task, *Source);
  if (!Key)
    return Refuse(toString(Key.takeError()));
  Expected<std::string> Record = By.recordFor(Thread, *Task, *Source);
  if (!Record)
    return Refuse(toString(Record.takeError()));
  Expected<json::Value> Result = json::parse(*Record);
  if (!Result)
    return Refuse(toString(Result.takeError()));
  Reply["key"] = *Key;
  Reply["result"] = std::move(*Result);
  return Reply;
}

void Service::work(unsigned Thread) {
  std::unique_lock<std::mutex> Lock(Guard);
  while (true) {
    HasWork.wait(Lock, [&] { return IsEnded || !Lines.empty(); });
    if (Lines.empty())
      return;
    std::string Line = std::move(Lines.front());
    Lines.pop_front();
    HasRoom.notify_one();
    Lock.unlock();
    std::string Reply =
        formatv("{0}\n", json::Value(answer(Thread, Line))).str();
    {
      std::lock_guard<std::mutex> One(Writing);
      Out << Reply;
      Out.flush();
    }
    Lock.lock();
  }
}

void Service::add(std::string Line) {
  // Whoever sends faster than candidates are judged waits in the pipe.
  constexpr size_t Most = 256;
  std::unique_lock<std::mutex> Lock(Guard);
  HasRoom.wait(Lock, [&] { return Lines.size() < Most; });
  Lines.push_back(std::move(Line));
  HasWork.notify_one();
}

void Service::end() {
  std::lock_guard<std::mutex> Lock(Guard);
  IsEnded = true;
  HasWork.notify_all();
}

Error belay::bench::serveRequests(Campaign &By, int From, int To,
                                  unsigned Threads) {
  Service All(By, To);
  std::vector<std::thread> Workers;
  for (unsigned I = 0; I < std::max(1U, Threads); ++I)
    Workers.emplace_back([&, I] { All.work(I); });
  LineReader Requests(From);
  for (std::string Line; Requests.next(Line);)
    if (!StringRef(Line).trim().empty())
      All.add(std::move(Line));
  All.end();
  for (std::thread &Each : Workers)
    Each.join();
  if (Requests.IsTooLong)
    return createStringError("a request has more than 8 MiB");
  return Error::success();
}
