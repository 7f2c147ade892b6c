//===- main.cpp - What belay serve starts ---------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// belay-serve BELAY PORT SOC sandbox|no-sandbox open|no-open [FILE]
//
// 'belay serve' has read its options, and becomes this program: the libraries
// of HTTP would slow every other command.
//
//===----------------------------------------------------------------------===//

#include "serve/Server.h"
#include "serve/Views.h"
#include "support/ExitStatus.h"
#include "support/Files.h"
#include "support/Resources.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <thread>

using namespace belay;
using namespace llvm;

static constexpr uint64_t MaxPageBytes = 1 << 20, MaxSourceBytes = 256 << 10;

static int fail(const Twine &Why) {
  errs() << "belay: error: " << Why << '\n';
  return static_cast<int>(belay::support::ExitStatus::Failed);
}

/// The page, with what it starts with in the place of a word.
static Expected<std::string> makePage(const std::string &Secret, StringRef Soc,
                                      StringRef File) {
  Expected<std::string> Page = belay::support::readFile(
      belay::support::getSharePath("serve/page.html"), MaxPageBytes);
  if (!Page)
    return Page.takeError();
  json::Object Start{{"secret", Secret}, {"soc", Soc}};
  if (!File.empty()) {
    Expected<std::string> Source =
        belay::support::readFile(File, MaxSourceBytes);
    if (!Source)
      return Source.takeError();
    Start["file"] = json::fixUTF8(sys::path::filename(File));
    Start["source"] = json::fixUTF8(*Source);
  }
  std::string Text;
  raw_string_ostream(Text) << json::Value(std::move(Start));
  // In a script: nothing ends it.
  std::string Safe;
  for (char C : Text)
    Safe += C == '<' ? "\\u003c" : std::string(1, C);
  constexpr StringLiteral Place = "BELAY_START";
  size_t At = Page->find(Place.str());
  if (At == std::string::npos)
    return createStringError("serve/page.html has no place for its start");
  Page->replace(At, Place.size(), Safe);
  return Page;
}

/// Shows the page in the user's browser. The address is passed in a file that
/// only this user can read, since all can read command lines.
static void openBrowser(const std::string &Url, SmallVectorImpl<char> &File) {
  ErrorOr<std::string> Opener = sys::findProgramByName("xdg-open");
  bool HasScreen = ::getenv("DISPLAY") || ::getenv("WAYLAND_DISPLAY");
  int Fd = -1;
  if (!Opener || !HasScreen ||
      sys::fs::createTemporaryFile("belay-serve", "html", Fd, File))
    return;
  raw_fd_ostream(Fd, /*shouldClose=*/true)
      << "<!DOCTYPE html><meta http-equiv=refresh content=\"0;url=" << Url
      << "\">\n";
  std::string Name(File.begin(), File.end());
  sys::ExecuteNoWait(*Opener, {*Opener, Name}, /*Env=*/std::nullopt);
}

int main(int Argc, char **Argv) {
  if (Argc < 6 || Argc > 7)
    return static_cast<int>(belay::support::ExitStatus::BadCase);
  uint16_t Port = 0;
  if (StringRef(Argv[2]).getAsInteger(10, Port))
    return static_cast<int>(belay::support::ExitStatus::BadCase);
  serve::ViewSettings Settings;
  Settings.Belay = Argv[1];
  Settings.DefaultSoc = Argv[3];
  Settings.NoSandbox = StringRef(Argv[4]) == "no-sandbox";
  serve::Views Views(Settings);
  std::string Secret = serve::makeSecret();
  Expected<std::string> Page =
      makePage(Secret, Settings.DefaultSoc, Argc > 6 ? Argv[6] : "");
  if (!Page)
    return fail(toString(Page.takeError()));
  serve::Content What;
  What.Page = std::move(*Page);
  What.Answer = [&](const std::string &Body) { return Views.answer(Body); };
  What.IsBusy = [&] { return Views.isBusy(); };
  What.Timeline = [&](const std::string &Id) { return Views.timeline(Id); };
  serve::Server Server(std::move(What), Secret);

  // Threads inherit it: only this one hears that it is time to end.
  sigset_t End;
  sigemptyset(&End);
  for (int Signal : {SIGINT, SIGTERM, SIGHUP})
    sigaddset(&End, Signal);
  ::pthread_sigmask(SIG_BLOCK, &End, nullptr);
  if (!Server.bind(Port))
    return fail("port " + Twine(Port) + " of 127.0.0.1 is taken");
  SmallString<128> Redirect;
  if (StringRef(Argv[5]) == "open")
    openBrowser(Server.url(), Redirect);
  FileRemover Remove(Redirect, !Redirect.empty());
  outs() << Server.url() << "\nThe page is for this user of this machine; "
         << "Ctrl-C ends it.\n";
  outs().flush();
  std::thread Serving([&] { Server.run(); });
  int Signal = 0;
  ::sigwait(&End, &Signal);
  Server.stop();
  Serving.join();
  return 0;
}
