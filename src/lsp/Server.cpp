//===- Server.cpp - A language server for kernels
//-----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/Server.h"
#include "lsp/Documents.h"
#include "lsp/Input.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/LSP/Logging.h"
#include <cstdlib>
#include <future>

using namespace belay;
using namespace belay::lsp;
using namespace llvm;
using namespace llvm::lsp;
using belay::support::DiagNote;
using belay::support::getExplainPage;

/// How long an editor that closes waits for a check that is on its way.
static constexpr std::chrono::seconds Patience{1};

namespace {

/// didSave has no parameters of ours; LLVM knows none of them.
struct DidSaveParams {
  TextDocumentIdentifier textDocument;
};
bool fromJSON(const json::Value &Value, DidSaveParams &Result,
              json::Path Path) {
  json::ObjectMapper O(Value, Path);
  return O && O.map("textDocument", Result.textDocument);
}

class Server {
public:
  Server(JSONTransport &Transport, StringRef Version)
      : Handler(Transport), Version(Version),
        Publish(Handler.outgoingNotification<json::Value>(
            "textDocument/publishDiagnostics")) {
    Handler.method("initialize", this, &Server::onInitialize);
    Handler.method("shutdown", this, &Server::onShutdown);
    Handler.method("textDocument/hover", this, &Server::onHover);
    Handler.method("textDocument/codeAction", this, &Server::onCodeAction);
    Handler.notification("initialized", this, &Server::onInitialized);
    Handler.notification("textDocument/didOpen", this, &Server::onOpen);
    Handler.notification("textDocument/didChange", this, &Server::onChange);
    Handler.notification("textDocument/didSave", this, &Server::onSave);
    Handler.notification("textDocument/didClose", this, &Server::onClose);
  }

  MessageHandler Handler;
  bool SaidGoodbye = false;
  Documents Texts;

  /// Checks what waits until stop().
  void work(Analyser &How, bool Full);

private:
  void onInitialize(const InitializeParams &, Callback<json::Value> Reply);
  void onInitialized(const InitializedParams &) {}
  void onShutdown(const NoParams &, Callback<std::nullptr_t> Reply) {
    SaidGoodbye = true;
    Reply(nullptr);
  }
  void onOpen(const DidOpenTextDocumentParams &Params) {
    const TextDocumentItem &Item = Params.textDocument;
    Texts.set(Item.uri, Item.text, Item.version, /*Full=*/true);
  }
  void onChange(const DidChangeTextDocumentParams &Params);
  void onSave(const DidSaveParams &Params) {
    Texts.requestFull(Params.textDocument.uri);
  }
  void onClose(const DidCloseTextDocumentParams &Params) {
    Texts.close(Params.textDocument.uri);
    Publish(json::Object{{"uri", Params.textDocument.uri},
                         {"diagnostics", json::Array()}});
  }
  void onHover(const TextDocumentPositionParams &Params,
               Callback<json::Value> Reply);
  void onCodeAction(const CodeActionParams &Params,
                    Callback<json::Value> Reply);
  void publish(const Answer &A);

  StringRef Version;
  OutgoingNotification<json::Value> Publish;
};

} // namespace

//===----------------------------------------------------------------------===//
// Remarks as editors show them
//===----------------------------------------------------------------------===//

/// JSON refers to the text of a URI, and has to own that of a temporary one.
/// Notes of other files point there; what they point to is not open, so lines
/// are all that is known.
static json::Array relatedTo(const Remark &R, const Snapshot &Of) {
  json::Array Related;
  for (const DiagNote &Note : R.Notes) {
    if (Note.Where.File.empty() || !Note.Where.Line)
      continue;
    bool Here = Note.Where.File == Of.Uri.file();
    Expected<URIForFile> Uri =
        Here ? Of.Uri : URIForFile::fromFile(Note.Where.File);
    if (!Uri) {
      consumeError(Uri.takeError());
      continue;
    }
    Remark Place;
    Place.Line = Note.Where.Line;
    Place.Column = Here ? Note.Where.Column : 0;
    Range At = Here ? rangeOf(Place, Of.Text)
                    : Range(Position(static_cast<int>(Place.Line) - 1, 0));
    Related.push_back(json::Object{
        {"location", json::Object{{"uri", Uri->uri().str()}, {"range", At}}},
        {"message", json::fixUTF8(Note.Message)}});
  }
  return Related;
}

static json::Object toDiagnostic(const Remark &R, const Snapshot &Of) {
  std::string Text = R.Message;
  if (!R.Help.empty())
    Text += "\nHelp: " + R.Help;
  json::Object Result{
      {"range", rangeOf(R, Of.Text)},
      {"severity", static_cast<int>(R.Severity)},
      {"source", "belay"},
      {"message", json::fixUTF8(Text)},
  };
  if (!R.Id.empty())
    Result["code"] = R.Id;
  if (json::Array Related = relatedTo(R, Of); !Related.empty())
    Result["relatedInformation"] = std::move(Related);
  return Result;
}

void Server::publish(const Answer &A) {
  json::Array Diagnostics;
  for (const Remark &R : A.Remarks)
    Diagnostics.push_back(toDiagnostic(R, A.Of));
  Publish(json::Object{{"uri", A.Of.Uri},
                       {"version", A.Of.Version},
                       {"diagnostics", std::move(Diagnostics)}});
}

void Server::work(Analyser &How, bool Full) {
  while (std::optional<Snapshot> Work = Texts.takeWork(Full)) {
    Answer A;
    A.Remarks = How.analyse(Work->Uri.file().str(), Work->Text, !Full);
    A.Of = std::move(*Work);
    A.Full = Full;
    Texts.keep(std::move(A), [this](const Answer &Kept) { publish(Kept); });
  }
}

//===----------------------------------------------------------------------===//
// What editors ask
//===----------------------------------------------------------------------===//

void Server::onInitialize(const InitializeParams &,
                          Callback<json::Value> Reply) {
  Reply(json::Object{
      {"capabilities",
       json::Object{
           // Texts come whole: kernels are small.
           {"textDocumentSync",
            json::Object{{"openClose", true}, {"change", 1}, {"save", true}}},
           {"hoverProvider", true},
           {"codeActionProvider",
            json::Object{{"codeActionKinds", json::Array{"quickfix"}}}},
       }},
      {"serverInfo", json::Object{{"name", "belay"}, {"version", Version}}},
  });
}

void Server::onChange(const DidChangeTextDocumentParams &Params) {
  // Of several whole texts the last counts. Pieces were not offered.
  if (Params.contentChanges.empty() || Params.contentChanges.back().range) {
    Logger::error("a change without the whole text");
    return;
  }
  Texts.set(Params.textDocument.uri, Params.contentChanges.back().text,
            Params.textDocument.version, /*Full=*/false);
}

static bool overlap(const Range &A, const Range &B) {
  return !(A.end < B.start) && !(B.end < A.start);
}

/// A name with dashes, as ids of diagnostics are, around a position.
static StringRef idAt(StringRef Text, const Position &At) {
  StringRef Line = lineOf(Text, static_cast<unsigned>(At.line) + 1);
  auto IsPart = [](char C) { return isLower(C) || C == '-'; };
  size_t Here = std::min<size_t>(At.character, Line.size());
  size_t From = Here, To = Here;
  while (From && IsPart(Line[From - 1]))
    --From;
  while (To < Line.size() && IsPart(Line[To]))
    ++To;
  return Line.slice(From, To);
}

void Server::onHover(const TextDocumentPositionParams &Params,
                     Callback<json::Value> Reply) {
  const Position &At = Params.position;
  if (At.line < 0 || At.character < 0)
    return Reply(nullptr);
  std::vector<std::string> Pages;
  auto AddPage = [&](StringRef Id) {
    std::string Page = getExplainPage(Id).str();
    if (!Page.empty() && !is_contained(Pages, Page))
      Pages.push_back(std::move(Page));
  };
  if (std::optional<Answer> A = Texts.answerFor(Params.textDocument.uri))
    for (const Remark &R : A->Remarks)
      if (overlap(rangeOf(R, A->Of.Text), Range(At)))
        AddPage(R.Id);
  // An id in a comment: // belay: allow missing-sync
  if (std::optional<std::string> Text = Texts.textOf(Params.textDocument.uri))
    AddPage(idAt(*Text, At));
  if (Pages.empty())
    return Reply(nullptr);
  Reply(json::Object{
      {"contents",
       json::Object{{"kind", "markdown"},
                    {"value", json::fixUTF8(join(Pages, "\n\n---\n\n"))}}}});
}

/// The statements that fix a finding, on a line of their own before it.
static json::Object fixFor(const Remark &R, const Snapshot &Of) {
  StringRef Line = lineOf(Of.Text, R.Line);
  StringRef Indent =
      Line.take_while([](char C) { return C == ' ' || C == '\t'; });
  Range Start(Position(static_cast<int>(R.Line) - 1, 0));
  json::Object Edit{
      {"range", Start},
      {"newText", json::fixUTF8((Indent + R.Insert + "\n").str())}};
  return json::Object{
      {"title", json::fixUTF8(R.Help.empty() ? R.Insert : R.Help)},
      {"kind", "quickfix"},
      {"diagnostics", json::Array{toDiagnostic(R, Of)}},
      {"edit",
       json::Object{{"changes", json::Object{{Of.Uri.uri(),
                                              json::Array{std::move(Edit)}}}}}},
  };
}

void Server::onCodeAction(const CodeActionParams &Params,
                          Callback<json::Value> Reply) {
  json::Array Actions;
  // An answer about an older text would insert at the wrong line.
  std::optional<Answer> A = Texts.answerFor(Params.textDocument.uri);
  if (A)
    for (const Remark &R : A->Remarks)
      if (!R.Insert.empty() && R.Line &&
          overlap(rangeOf(R, A->Of.Text), Params.range))
        Actions.push_back(fixFor(R, A->Of));
  Reply(std::move(Actions));
}

//===----------------------------------------------------------------------===//

Expected<bool> belay::lsp::serve(const Settings &Options, std::FILE *In,
                                 raw_ostream &Out, StringRef Version) {
  Expected<Analyser> Quick = Analyser::create(Options);
  if (!Quick)
    return Quick.takeError();
  Expected<Analyser> Full = Analyser::create(Options);
  if (!Full)
    return Full.takeError();
  JSONTransport Transport(std::make_unique<BoundedInput>(In), Out);
  Server S(Transport, Version);
  // What a full check takes must not delay a quick one.
  auto Start = [&](Analyser &How, bool IsFull) {
    return std::async(std::launch::async,
                      [&S, &How, IsFull] { S.work(How, IsFull); });
  };
  std::future<void> Workers[] = {Start(*Quick, /*IsFull=*/false),
                                 Start(*Full, /*IsFull=*/true)};
  // An editor that went without a word is no failure of ours.
  consumeError(Transport.run(S.Handler));
  S.Texts.stop();
  for (std::future<void> &Worker : Workers)
    if (Worker.wait_for(Patience) != std::future_status::ready) {
      // Nobody waits for the check; its process ends with this one.
      Out.flush();
      std::_Exit(!S.SaidGoodbye);
    }
  return S.SaidGoodbye;
}
