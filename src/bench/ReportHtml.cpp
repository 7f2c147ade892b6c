//===- ReportHtml.cpp - The page of a report ------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Report.h"
#include "bench/Standing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <tuple>

using namespace llvm;
using namespace belay::bench;

static constexpr StringLiteral Style = R"(
:root{--ink:#1d2733;--soft:#5d6b7a;--line:#dde3ea;--pale:#f5f7f9;--good:#2e7d5b;--bad:#b3413a;--mark:#2f6db5}
*{box-sizing:border-box}body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);margin:0 auto;max-width:1080px;padding:24px}
h1{font-size:24px;margin:0 0 4px}h2{font-size:18px;margin:32px 0 8px}p{margin:4px 0;color:var(--soft)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:5px 10px;border-bottom:1px solid var(--line);text-align:right}th{color:var(--soft);font-weight:600}
th:first-child,td:first-child{text-align:left}small{color:var(--soft)}
.row{display:flex;gap:24px;flex-wrap:wrap}.row>*{flex:1 1 320px}
svg{width:100%;height:auto}svg text{font:11px system-ui,sans-serif;fill:var(--soft)}
details{border:1px solid var(--line);border-radius:4px;margin:4px 0;padding:0 10px}summary{cursor:pointer;padding:5px 0}
pre{background:var(--pale);padding:10px;overflow:auto;font:12px/1.45 ui-monospace,monospace;max-height:420px}
.v{display:inline-block;min-width:90px;font-weight:600;color:var(--bad)}.v.passed{color:var(--good)}.v.waiting,.v.unjudged{color:var(--soft)}
input{font:inherit;padding:4px 8px;border:1px solid var(--line);border-radius:4px;width:100%;margin:4px 0 8px}
)";

static constexpr StringLiteral Script = R"(
const box=document.getElementById('filter');
box.addEventListener('input',()=>{const words=box.value.toLowerCase().split(' ').filter(Boolean);
for(const d of document.querySelectorAll('details.c')){const t=d.dataset.t;d.hidden=!words.every(w=>t.includes(w));}});
)";

static constexpr size_t MostShown = 5000;
static constexpr StringLiteral Colors[] = {"#2f6db5", "#b3413a", "#2e7d5b",
                                           "#8a5fb0", "#b5802f", "#4a8f9c"};

static std::string escaped(StringRef Text) {
  std::string Result;
  for (char C : Text)
    switch (C) {
    case '&':
      Result += "&amp;";
      break;
    case '<':
      Result += "&lt;";
      break;
    case '>':
      Result += "&gt;";
      break;
    case '"':
      Result += "&quot;";
      break;
    default:
      // Terminals are not the only ones that control characters confuse.
      if (static_cast<unsigned char>(C) >= 0x20 || C == '\n' || C == '\t')
        Result += C;
    }
  return json::fixUTF8(Result);
}

static std::string percent(double Share) {
  return formatv("{0:f1} %", Share * 100).str();
}

static std::string cell(const Estimate &E) {
  if (!E.Tasks)
    return "<td>–</td>";
  return formatv("<td>{0} <small>{1:f0}–{2:f0}</small></td>", percent(E.Value),
                 E.Low * 100, E.High * 100)
      .str();
}

namespace {

class Page {
public:
  Page(StringRef Experiment, ArrayRef<Row> Rows)
      : Experiment(Experiment), Rows(Rows), All(readRows(Rows)), OS(Text) {}

  std::string write();

private:
  void leaderboard();
  void table(StringRef Title, ArrayRef<Standing> Of);
  void funnel();
  void curves();
  void speeds();
  void problems();
  void bars(StringRef Title, ArrayRef<std::pair<std::string, unsigned>> Counts);
  void candidates();
  void candidate(const Judged &Each);

  StringRef Experiment;
  ArrayRef<Row> Rows;
  std::vector<Judged> All;
  std::vector<Standing> Models;
  std::string Text;
  raw_string_ostream OS;
};

} // namespace

static std::string shownName(StringRef Name) {
  return Name.empty() ? "(no name)" : escaped(Name);
}

void Page::leaderboard() {
  OS << "<h2>Leaderboard</h2><p>Shares of tasks, with 95 % intervals over "
        "tasks. <i>pass</i>: right in all public and hidden cases; "
        "<i>safe</i>: and without a finding; <i>fast_1</i>: and at least as "
        "fast as the answer. <i>score</i>: 1 for an answer that is right, safe "
        "and as fast as the answer of the library.</p>"
        "<table><tr><th>model</th><th>candidates</th><th>compile@1</th>"
        "<th>pass@1</th><th>safe@1</th><th>fast_1</th><th>score</th></tr>";
  for (const Standing &S : Models) {
    Standing::AtK None = {};
    const Standing::AtK &First = S.At.empty() ? None : S.At.front();
    OS << "<tr><td>" << shownName(S.Name) << "</td><td>" << S.Candidates;
    if (S.Unjudged)
      OS << " <small>" << S.Unjudged << " not judged</small>";
    if (S.Waiting)
      OS << " <small>" << S.Waiting << " waiting</small>";
    OS << "</td>" << cell(First.Compile) << cell(First.Pass) << cell(First.Safe)
       << cell(S.Faster[2].Share) << cell(S.Score) << "</tr>";
  }
  OS << "</table>";
}

void Page::table(StringRef Title, ArrayRef<Standing> Of) {
  OS << "<div><h2>" << Title
     << "</h2><table><tr><th></th><th>candidates</th><th>compile</th>"
        "<th>right</th><th>safe</th><th>score</th></tr>";
  for (const Standing &S : Of) {
    double Judged = std::max(1u, S.Candidates - S.Waiting);
    OS << "<tr><td>" << shownName(S.Name) << "</td><td>" << S.Candidates
       << "</td><td>" << percent(S.Compiled / Judged) << "</td><td>"
       << percent(S.Correct / Judged) << "</td><td>" << percent(S.Safe / Judged)
       << "</td><td>" << formatv("{0:f3}", S.Score.Value) << "</td></tr>";
  }
  OS << "</table></div>";
}

void Page::bars(StringRef Title,
                ArrayRef<std::pair<std::string, unsigned>> Counts) {
  constexpr int Width = 500, Label = 150, Step = 24;
  unsigned Most = 1;
  for (const auto &[_, Count] : Counts)
    Most = std::max(Most, Count);
  OS << "<div><h2>" << Title << "</h2>"
     << formatv("<svg viewBox='0 0 {0} {1}' role='img'>", Width,
                std::max<size_t>(1, Counts.size()) * Step + 4);
  for (const auto &[Index, Entry] : enumerate(Counts)) {
    int Y = static_cast<int>(Index) * Step + 2;
    double Length = (Width - Label - 60.0) * Entry.second / Most;
    OS << formatv("<text x='{0}' y='{1}' text-anchor='end'>{2}</text>"
                  "<rect x='{3}' y='{4}' width='{5:f1}' height='16' "
                  "fill='{6}'/><text x='{7:f1}' y='{1}'>{8}</text>",
                  Label - 8, Y + 13, escaped(Entry.first), Label, Y, Length,
                  Colors[0], Label + Length + 6, Entry.second);
  }
  OS << "</svg></div>";
}

void Page::funnel() {
  unsigned Judged = 0, Compiled = 0, Clean = 0, Safe = 0, Fast = 0;
  for (const Standing &S : Models) {
    Judged += S.Candidates - S.Waiting - S.Unjudged;
    Compiled += S.Compiled;
    Clean += S.Clean;
    Safe += S.Safe;
    Fast += S.Fast;
  }
  std::pair<std::string, unsigned> Steps[] = {{"judged", Judged},
                                              {"compile", Compiled},
                                              {"no finding", Clean},
                                              {"and right", Safe},
                                              {"and fast", Fast}};
  bars("From judged to fast", Steps);
}

void Page::problems() {
  std::map<std::string, unsigned> Counts;
  for (const Judged &Each : All)
    if (!Each.FirstProblem.empty())
      ++Counts[Each.FirstProblem];
  std::vector<std::pair<std::string, unsigned>> Sorted(Counts.begin(),
                                                       Counts.end());
  llvm::sort(Sorted, [](const auto &A, const auto &B) {
    return std::tie(B.second, A.first) < std::tie(A.second, B.first);
  });
  constexpr size_t Most = 12;
  Sorted.resize(std::min(Sorted.size(), Most));
  bars("First problem of candidates", Sorted);
}

void Page::speeds() {
  // Halves and doubles of the answer's time.
  constexpr int First = -4, Last = 4;
  std::vector<std::pair<std::string, unsigned>> Bins;
  for (int I = First; I <= Last; ++I)
    Bins.push_back(
        {I == First  ? "below 1/8"
         : I == Last ? "8 and more"
         : I < 0     ? formatv("1/{0} to 1/{1}", 1 << -I, 1 << (-I - 1)).str()
                     : formatv("{0} to {1}", 1 << I, 2 << I).str(),
         0});
  Bins.pop_back();
  Bins.back().first = "8 and more";
  for (const Judged &Each : All)
    if (Each.Score > 0) {
      int Bin = static_cast<int>(std::floor(std::log2(Each.Speedup)));
      ++Bins[std::clamp(Bin, First, Last - 1) - First].second;
    }
  bars("Speed of what passes, the answer's is 1", Bins);
}

void Page::curves() {
  constexpr int Width = 500, Height = 220, Left = 40, Bottom = 190, Top = 12;
  OS << "<div><h2>pass@k (line) and safe@k (dashes)</h2>"
     << formatv("<svg viewBox='0 0 {0} {1}' role='img'>", Width, Height);
  unsigned Most = 1;
  for (const Standing &S : Models)
    for (const Standing::AtK &Each : S.At)
      Most = std::max(Most, Each.K);
  auto X = [&](unsigned K) {
    double Share = Most > 1 ? std::log2(K) / std::log2(Most) : 0.5;
    return Left + 10 + Share * (Width - Left - 110);
  };
  auto Y = [&](double Share) { return Bottom - Share * (Bottom - Top); };
  for (int Tick = 0; Tick <= 4; ++Tick)
    OS << formatv("<line x1='{0}' x2='{1}' y1='{2}' y2='{2}' "
                  "stroke='#dde3ea'/><text x='{3}' y='{4}' "
                  "text-anchor='end'>{5}</text>",
                  Left, Width - 90, Y(Tick / 4.0), Left - 6, Y(Tick / 4.0) + 4,
                  Tick * 25);
  for (const auto &[Index, S] : enumerate(Models)) {
    StringRef Color = Colors[Index % std::size(Colors)];
    for (bool Safe : {false, true}) {
      std::string Points;
      for (const Standing::AtK &Each : S.At) {
        const Estimate &E = Safe ? Each.Safe : Each.Pass;
        Points += formatv("{0:f1},{1:f1} ", X(Each.K), Y(E.Value)).str();
        OS << formatv("<circle cx='{0:f1}' cy='{1:f1}' r='3' fill='{2}'/>",
                      X(Each.K), Y(E.Value), Color);
        if (!Safe && Index == 0)
          OS << formatv("<text x='{0:f1}' y='{1}' "
                        "text-anchor='middle'>k={2}</text>",
                        X(Each.K), Bottom + 18, Each.K);
      }
      OS << formatv("<polyline points='{0}' fill='none' stroke='{1}' "
                    "stroke-width='2'{2}/>",
                    Points, Color, Safe ? " stroke-dasharray='5 4'" : "");
    }
    OS << formatv("<text x='{0}' y='{1}' style='fill:{2}'>{3}</text>",
                  Width - 84, Top + 14 * (Index + 1), Color,
                  shownName(StringRef(S.Name).take_front(14)));
  }
  OS << "</svg></div>";
}

static void writeProblem(raw_ostream &OS, const json::Object &Problem) {
  auto Member = [&](StringRef Key) {
    return Problem.getString(Key).value_or("");
  };
  OS << Member("stage");
  if (!Member("case").empty())
    OS << " (" << Member("case") << ")";
  OS << ": ";
  if (auto Line = Problem.getInteger("line"))
    OS << "line " << *Line << ": ";
  OS << Member("message") << " [" << Member("id") << "]\n";
  if (const json::Array *Notes = Problem.getArray("notes"))
    for (const json::Value &Note : *Notes)
      if (const json::Object *Object = Note.getAsObject()) {
        OS << "    ";
        if (auto Line = Object->getInteger("line"))
          OS << "line " << *Line << ": ";
        OS << Object->getString("message").value_or("") << "\n";
      }
  if (!Member("help").empty())
    OS << "    help: " << Member("help") << "\n";
}

void Page::candidate(const Judged &Each) {
  const Row &R = *Each.From;
  StringRef Verdict = R.Verdict.empty() ? "waiting" : StringRef(R.Verdict);
  std::string Name =
      escaped((R.Model.empty() ? "" : R.Model + " ") + R.Task + " " + R.Sample);
  OS << formatv("<details class='c' data-t=\"{0} {1} {2}\"><summary><span "
                "class='v {1}'>{1}</span> {3}",
                StringRef(Name).lower(), Verdict, escaped(Each.FirstProblem),
                Name);
  if (Each.Score > 0)
    OS << formatv(" <small>score {0:f3}, {1:f2} of the answer's speed</small>",
                  Each.Score, Each.Speedup);
  else if (!Each.FirstProblem.empty())
    OS << " <small>" << escaped(Each.FirstProblem) << "</small>";
  OS << "</summary><p>belay bench replay " << R.Key.substr(0, 12) << "</p>";
  std::string Said;
  raw_string_ostream To(Said);
  if (const json::Object *Record = Each.Record.getAsObject()) {
    if (const json::Array *Problems = Record->getArray("problems"))
      for (const json::Value &Problem : *Problems)
        if (Problem.getAsObject())
          writeProblem(To, *Problem.getAsObject());
    To << Record->getString("messages").value_or("");
  }
  if (!Said.empty())
    OS << "<pre>" << escaped(Said) << "</pre>";
  constexpr size_t MostSource = 64 << 10;
  OS << "<pre>" << escaped(StringRef(R.Source).take_front(MostSource))
     << "</pre></details>\n";
}

void Page::candidates() {
  OS << "<h2>Candidates</h2><input id='filter' placeholder='words of model, "
        "task, verdict or problem'>\n";
  // What failed is what people look for.
  size_t Shown = 0;
  for (bool Passed : {false, true})
    for (const Judged &Each : All)
      if ((Each.From->Verdict == nameOf(Verdict::Passed)) == Passed &&
          Shown++ < MostShown)
        candidate(Each);
  if (Shown > MostShown)
    OS << "<p>" << Shown - MostShown
       << " more are in results.json and results.csv.</p>";
}

std::string Page::write() {
  Models = standingsBy(All, [](const Row &R) { return R.Model; });
  sortByScore(Models);
  OS << "<!doctype html><html lang='en'><meta charset='utf-8'><meta "
        "name='viewport' content='width=device-width'><title>"
     << escaped(Experiment) << "</title><style>" << Style
     << "</style><h1>belay bench: " << escaped(Experiment) << "</h1><p>"
     << Rows.size() << " candidates. Times are simulated.</p>";
  leaderboard();
  OS << "<div class='row'>";
  funnel();
  curves();
  speeds();
  problems();
  table("By level", standingsBy(All, [](const Row &R) {
          return StringRef(R.Task).split('/').first.str();
        }));
  table("By category", standingsBy(All, [](const Row &R) {
          return StringRef(R.Task).split('/').second.split('/').first.str();
        }));
  OS << "</div>";
  candidates();
  OS << "<script>" << Script << "</script></html>\n";
  return Text;
}

std::string belay::bench::formatHtml(StringRef Experiment, ArrayRef<Row> Rows) {
  return Page(Experiment, Rows).write();
}
