//===- CacheCommand.cpp - belay cache -------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#define BELAY_OPTIONS "options/Cache.inc"
#include "OptionTable.h"

#include "cache/ContentCache.h"
#include "cases/Case.h"
#include "support/Json.h"
#include "support/Styling.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>
#include <map>
#include <time.h>

using namespace belay;
using namespace belay::tool;
using namespace belay::support;
using namespace llvm;
using belay::cache::ContentCache;

static std::string formatBytes(uint64_t Bytes) {
  if (Bytes < 10000)
    return formatv("{0} B", Bytes);
  for (auto [Unit, Name] : {std::pair(30, "GB"), {20, "MB"}})
    if (Bytes >> Unit)
      return formatv("{0:F1} {1}", double(Bytes) / double(uint64_t(1) << Unit),
                     Name);
  return formatv("{0:F1} KB", double(Bytes) / 1024);
}

static std::string formatAge(int64_t Seconds) {
  for (auto [Unit, Name] :
       {std::pair(86400, "days"), {3600, "hours"}, {60, "minutes"}})
    if (Seconds >= 2 * Unit)
      return formatv("{0} {1}", Seconds / Unit, Name);
  return formatv("{0} s", std::max<int64_t>(0, Seconds));
}

/// 30s, 10m, 12h, 7d.
static std::optional<int64_t> parseAge(StringRef Text) {
  int64_t Number;
  if (Text.consumeInteger(10, Number) || Number < 0 || Number > (1 << 30))
    return std::nullopt;
  for (auto [Name, Unit] :
       {std::pair("s", 1), {"m", 60}, {"h", 3600}, {"d", 86400}})
    if (Text == Name)
      return Number * Unit;
  return std::nullopt;
}

/// What kinds of files are for.
static StringRef describeKind(StringRef Kind) {
  static const std::map<StringRef, StringRef> Names = {
      {"bin", "device binaries"},        {"so", "kernels for the simulator"},
      {"json", "what is known of each"}, {"headers", "lists of headers"},
      {"pch", "precompiled headers"},    {"version", "versions of tools"}};
  auto Found = Names.find(Kind);
  return Found == Names.end() ? Kind : Found->second;
}

/// "add.cpp for dav-2201 (shared, CANN 8.5.0)", if it is known.
static std::string describe(const ContentCache &Cache,
                            const ContentCache::Entry &Entry) {
  if (Entry.Kind != "bin")
    return describeKind(Entry.Kind).str();
  std::optional<std::string> Text = Cache.read(Entry.Key, "json");
  Expected<json::Value> Facts = parseJson(Text.value_or("{}"));
  if (!Facts) {
    consumeError(Facts.takeError());
    return "";
  }
  const json::Object *Object = Facts->getAsObject();
  if (!Object || !Object->getString("source"))
    return "";
  StringRef Version = Object->getString("cann").value_or("");
  return formatv("{0} for {1} ({2}, CANN {3})", *Object->getString("source"),
                 Object->getString("target").value_or("?"),
                 Object->getString("output").value_or("?"),
                 Version.empty() ? "unknown" : Version);
}

static void list(const ContentCache &Cache, bool All) {
  Styling Style(outs());
  int64_t Now = ::time(nullptr);
  for (const ContentCache::Entry &Each : Cache.entries()) {
    bool Wanted = Each.Kind == "bin" || Each.Kind == "so";
    if (!All && (!Wanted || Each.Unfinished))
      continue;
    outs() << Style.paint(Tone::Name, Each.Key.substr(0, 12))
           << formatv("  {0,10}  {1,10}  ", formatBytes(Each.Bytes),
                      formatAge(Now - Each.Used))
           << describe(Cache, Each) << (Each.Unfinished ? ", unfinished" : "")
           << '\n';
  }
}

static void stats(const ContentCache &Cache) {
  struct Sum {
    uint64_t Files = 0, Bytes = 0;
  };
  std::map<std::string, Sum> Kinds;
  Sum All;
  for (const ContentCache::Entry &Each : Cache.entries()) {
    Sum &Kind =
        Kinds[Each.Unfinished ? "unfinished" : describeKind(Each.Kind).str()];
    ++Kind.Files, ++All.Files;
    Kind.Bytes += Each.Bytes, All.Bytes += Each.Bytes;
  }
  outs() << formatv("{0}\n", Cache.root());
  for (const auto &[Name, Kind] : Kinds)
    outs() << formatv("  {0,-26}{1,8} {2,12}\n", Name, Kind.Files,
                      formatBytes(Kind.Bytes));
  outs() << formatv("  {0,-26}{1,8} {2,12} of {3}\n", "in all", All.Files,
                    formatBytes(All.Bytes), formatBytes(Cache.maxBytes()));
}

static int runCache(const Command &Self, const Arguments &Args) {
  if (Args.Positional.size() > 1)
    return usageError(Self, "one action at a time");
  StringRef Action =
      Args.Positional.empty() ? StringRef("stats") : Args.Positional[0];
  uint64_t Keep = std::numeric_limits<uint64_t>::max();
  int64_t MaxAge = std::numeric_limits<int64_t>::max();
  bool All = false;
  for (const Arguments::OptionValue &Each : Args.Options)
    switch (static_cast<Opt>(Each.Id)) {
    case Opt::all:
      All = true;
      break;
    case Opt::max_size: {
      std::optional<uint64_t> Bytes = parseBytes(Each.Value);
      if (!Bytes)
        return usageError(Self,
                          "'" + Each.Value + "' is no size; 500M and 2G are");
      Keep = *Bytes;
      break;
    }
    case Opt::older_than: {
      std::optional<int64_t> Seconds = parseAge(Each.Value);
      if (!Seconds)
        return usageError(Self, "'" + Each.Value +
                                    "' is no age; 90s, 12h and 7d are");
      MaxAge = *Seconds;
      break;
    }
    }
  Expected<ContentCache> Cache =
      ContentCache::open(ContentCache::defaultRoot());
  if (!Cache)
    return reportError(Cache.takeError());
  if (Action == "list") {
    list(*Cache, All);
  } else if (Action == "stats") {
    stats(*Cache);
  } else if (Action == "prune" || Action == "clear") {
    // Without a bound of its own, the one that the cache keeps anyway.
    if (Keep == std::numeric_limits<uint64_t>::max() &&
        MaxAge == std::numeric_limits<int64_t>::max())
      Keep = Cache->maxBytes();
    ContentCache::Removed Gone =
        Action == "clear" ? Cache->clear() : Cache->prune(Keep, MaxAge);
    outs() << formatv("removed {0} files, {1}\n", Gone.Files,
                      formatBytes(Gone.Bytes));
  } else {
    return usageError(Self, "there is no action '" + Action +
                                "'; list, prune, clear and stats are");
  }
  return ExitSuccess;
}

namespace belay::tool {
extern const Command CacheCommand;
const Command CacheCommand = {
    "cache",
    "what is kept of earlier compilations",
    "[list|prune|clear|stats] [OPTIONS]",
    R"(
What 'belay run' and 'belay compile' have made is kept in one folder, by content:
$BELAY_CACHE_DIR, else $XDG_CACHE_HOME/belay, else ~/.cache/belay. It stays below
$BELAY_CACHE_SIZE (2G) by itself; what was not used for longest goes first. All of
these are safe while others compile.
)",
    optionTable,
    R"(
belay cache                          # how much there is
belay cache list                     # binaries, the last used first
belay cache prune --older-than 7d
)",
    runCache,
};
} // namespace belay::tool
