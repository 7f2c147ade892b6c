//===- Store.cpp - Jobs and results, in a file ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Store.h"
#include "bench/Digest.h"
#include "support/DiagnosticError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <csignal>
#include <sqlite3.h>
#include <sys/random.h>
#include <sys/stat.h>

using namespace llvm;
using namespace belay;
using namespace belay::bench;
using namespace belay::support;

static constexpr const char *Schema = R"(
CREATE TABLE IF NOT EXISTS meta(name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS job(
  key TEXT PRIMARY KEY, task TEXT NOT NULL, source BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS queue(
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE REFERENCES job,
  lease_until REAL NOT NULL DEFAULT 0, worker TEXT, attempts INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS result(
  key TEXT PRIMARY KEY, verdict TEXT NOT NULL, score REAL NOT NULL, body TEXT NOT NULL,
  digest TEXT NOT NULL, costs TEXT NOT NULL, worker TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS candidate(
  experiment TEXT NOT NULL, ordinal INTEGER NOT NULL, model TEXT NOT NULL,
  task TEXT NOT NULL, sample TEXT NOT NULL, path TEXT NOT NULL, key TEXT NOT NULL,
  PRIMARY KEY(experiment, ordinal)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS candidate_key ON candidate(experiment, key);
CREATE TABLE IF NOT EXISTS baseline(
  key TEXT PRIMARY KEY, answer REAL NOT NULL, floor REAL NOT NULL) WITHOUT ROWID;
)";
static constexpr StringLiteral SchemaVersion = "1";

namespace {

/// A statement that is bound, stepped through and finished.
class Statement {
public:
  Statement(sqlite3 *Db, const char *Sql) : Db(Db) {
    Code = sqlite3_prepare_v2(Db, Sql, -1, &Handle, nullptr);
  }
  ~Statement() { sqlite3_finalize(Handle); }
  Statement(const Statement &) = delete;
  Statement &operator=(const Statement &) = delete;

  Statement &operator<<(StringRef Text) {
    return bound(sqlite3_bind_text(Handle, ++At, Text.data(),
                                   static_cast<int>(Text.size()),
                                   SQLITE_TRANSIENT));
  }
  Statement &operator<<(int64_t Number) {
    return bound(sqlite3_bind_int64(Handle, ++At, Number));
  }
  Statement &operator<<(double Number) {
    return bound(sqlite3_bind_double(Handle, ++At, Number));
  }
  /// True while there is a row.
  bool step() {
    if (Code != SQLITE_OK && Code != SQLITE_ROW)
      return false;
    Code = sqlite3_step(Handle);
    return Code == SQLITE_ROW;
  }
  /// For the next values.
  void again() {
    sqlite3_reset(Handle);
    Code = Code == SQLITE_DONE || Code == SQLITE_ROW ? SQLITE_OK : Code;
    At = 0;
  }
  Error run() {
    while (step())
      ;
    return error();
  }
  Error error() const {
    if (Code == SQLITE_OK || Code == SQLITE_DONE || Code == SQLITE_ROW)
      return Error::success();
    return createStringError(Twine("the store: ") + sqlite3_errmsg(Db));
  }
  std::string text(int Column) {
    const auto *Bytes =
        static_cast<const char *>(sqlite3_column_blob(Handle, Column));
    return Bytes ? std::string(Bytes, sqlite3_column_bytes(Handle, Column))
                 : "";
  }
  int64_t integer(int Column) { return sqlite3_column_int64(Handle, Column); }
  double number(int Column) { return sqlite3_column_double(Handle, Column); }

private:
  Statement &bound(int How) {
    Code = Code == SQLITE_OK ? How : Code;
    return *this;
  }
  sqlite3 *Db;
  sqlite3_stmt *Handle = nullptr;
  int Code = SQLITE_OK, At = 0;
};

/// Undone unless it is committed.
class Transaction {
public:
  explicit Transaction(sqlite3 *Db) : Db(Db) {
    Begun = sqlite3_exec(Db, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) ==
            SQLITE_OK;
  }
  ~Transaction() {
    if (Begun)
      sqlite3_exec(Db, "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Transaction(const Transaction &) = delete;
  Transaction &operator=(const Transaction &) = delete;
  Error commit() {
    if (!Begun ||
        sqlite3_exec(Db, "COMMIT", nullptr, nullptr, nullptr) != SQLITE_OK)
      return createStringError(Twine("the store: ") + sqlite3_errmsg(Db));
    Begun = false;
    return Error::success();
  }

private:
  sqlite3 *Db;
  bool Begun;
};

} // namespace

static double now() {
  return std::chrono::duration<double>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Expected<std::unique_ptr<Store>> Store::open(StringRef Path) {
  // It holds the secret, and the answers of all candidates.
  mode_t Before = ::umask(0077);
  sqlite3 *Db = nullptr;
  int Code = sqlite3_open(Path.str().c_str(), &Db);
  ::umask(Before);
  std::unique_ptr<Store> Result(new Store(Db));
  auto Failed = [&] {
    return createStringError(Path + ": " + (Db ? sqlite3_errmsg(Db) : "?"));
  };
  if (Code != SQLITE_OK)
    return Failed();
  sqlite3_busy_timeout(Db, 60'000);
  for (const char *Sql : {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL",
                          "PRAGMA foreign_keys=ON", Schema})
    if (sqlite3_exec(Db, Sql, nullptr, nullptr, nullptr) != SQLITE_OK)
      return Failed();
  Statement Keep(Db, "INSERT OR IGNORE INTO meta VALUES('schema', ?)");
  Keep << SchemaVersion;
  if (Error E = Keep.run())
    return E;
  Statement Ask(Db, "SELECT value FROM meta WHERE name = 'schema'");
  if (!Ask.step() || Ask.text(0) != SchemaVersion)
    return createStringError(Path + " was written by another version of Belay");
  return Result;
}

Store::~Store() { sqlite3_close(Db); }

Expected<std::string> Store::secret(StringRef Wanted) {
  std::lock_guard<std::mutex> Lock(Guard);
  std::string Fresh = Wanted.str();
  if (Fresh.empty()) {
    uint8_t Bytes[32];
    if (::getrandom(Bytes, sizeof Bytes, 0) != sizeof Bytes)
      return createStringError("there are no random numbers");
    Fresh = toHex(ArrayRef<uint8_t>(Bytes), /*LowerCase=*/true);
  }
  Statement Keep(Db, "INSERT OR IGNORE INTO meta VALUES('secret', ?)");
  Keep << Fresh;
  if (Error E = Keep.run())
    return E;
  Statement Ask(Db, "SELECT value FROM meta WHERE name = 'secret'");
  if (!Ask.step())
    return createStringError("the store has lost its secret");
  std::string Kept = Ask.text(0);
  if (!Wanted.empty() && Kept != Wanted)
    return createStringError("the store has another secret: results of one "
                             "store are for the same hidden cases");
  return Kept;
}

Error Store::enqueue(StringRef Experiment, ArrayRef<Candidate> Candidates,
                     ArrayRef<std::string> Keys) {
  std::lock_guard<std::mutex> Lock(Guard);
  Transaction Changes(Db);
  Statement Clear(Db, "DELETE FROM candidate WHERE experiment = ?");
  Clear << Experiment;
  if (Error E = Clear.run())
    return E;
  // What Belay or the machine failed on is tried again.
  Statement Forget(Db,
                   "DELETE FROM result WHERE key = ? AND verdict = 'unjudged'");
  Statement AddJob(Db, "INSERT OR IGNORE INTO job VALUES(?, ?, ?)");
  Statement AddQueue(Db, "INSERT OR IGNORE INTO queue(key) SELECT ?1 WHERE NOT "
                         "EXISTS (SELECT 1 FROM result WHERE key = ?1)");
  Statement AddCandidate(Db,
                         "INSERT INTO candidate VALUES(?, ?, ?, ?, ?, ?, ?)");
  int64_t Ordinal = 0;
  for (const auto &[C, Key] : zip_equal(Candidates, Keys)) {
    Forget << Key;
    AddJob << Key << C.Task << C.Source;
    AddQueue << Key;
    AddCandidate << Experiment << Ordinal++ << C.Model << C.Task << C.Sample
                 << C.Path << Key;
    for (Statement *Each : {&Forget, &AddJob, &AddQueue, &AddCandidate}) {
      if (Error E = Each->run())
        return E;
      Each->again();
    }
  }
  return Changes.commit();
}

Expected<std::vector<Job>> Store::claim(StringRef Experiment, StringRef Worker,
                                        unsigned Most, double LeaseSeconds) {
  std::vector<Job> Jobs;
  std::vector<Job> Poison;
  {
    std::lock_guard<std::mutex> Lock(Guard);
    Transaction Changes(Db);
    Statement Ask(
        Db, "SELECT q.key, j.task, j.source, q.attempts FROM queue q JOIN job "
            "j ON j.key = q.key WHERE q.lease_until < ? AND EXISTS (SELECT 1 "
            "FROM candidate c WHERE c.experiment = ? AND c.key = q.key) ORDER "
            "BY q.id LIMIT ?");
    Ask << now() << Experiment << static_cast<int64_t>(Most);
    while (Ask.step()) {
      Job Each{Ask.text(0), Ask.text(1), Ask.text(2),
               static_cast<unsigned>(Ask.integer(3))};
      (Each.Attempts >= MaxAttempts ? Poison : Jobs).push_back(Each);
    }
    if (Error E = Ask.error())
      return E;
    Statement Take(Db, "UPDATE queue SET lease_until = ?, worker = ?, attempts "
                       "= attempts + 1 WHERE key = ?");
    for (const Job &Each : Jobs) {
      Take << now() + LeaseSeconds << Worker << Each.Key;
      if (Error E = Take.run())
        return E;
      Take.again();
    }
    if (Error E = Changes.commit())
      return E;
  }
  for (const Job &Each : Poison) {
    Result R;
    R.Task = Each.Task;
    R.Judged = false;
    R.Problems.push_back(
        {Stage::Run, "",
         toDiagnostic(makeError(
             DiagId::BelayFailed,
             formatv("{0} evaluations of it did not end", MaxAttempts)))});
    if (Error E = finish(Each.Key, R, Worker))
      return E;
  }
  if (Jobs.empty() && !Poison.empty())
    return claim(Experiment, Worker, Most, LeaseSeconds);
  return Jobs;
}

static std::string costsOf(const Result &R) {
  json::Object Costs;
  for (const auto &[Stage, Seconds] : R.Costs)
    Costs[Stage] = Seconds;
  return formatv("{0}", json::Value(std::move(Costs))).str();
}

Error Store::finish(StringRef Key, const Result &R, StringRef Worker) {
  std::string Body = recordOf(R), Sum = Digest().add(Body).str();
  std::lock_guard<std::mutex> Lock(Guard);
  Transaction Changes(Db);
  Statement Known(Db, "SELECT digest FROM result WHERE key = ?");
  Known << Key;
  std::string Before = Known.step() ? Known.text(0) : "";
  Statement Keep(Db,
                 "INSERT OR IGNORE INTO result VALUES(?, ?, ?, ?, ?, ?, ?)");
  Keep << Key << nameOf(R.verdict()) << R.score() << Body << Sum << costsOf(R)
       << Worker;
  if (Error E = Keep.run())
    return E;
  Statement Remove(Db, "DELETE FROM queue WHERE key = ?");
  Remove << Key;
  if (Error E = Remove.run())
    return E;
  if (Error E = Changes.commit())
    return E;
  if (!Before.empty() && Before != Sum)
    return createStringError("result " + Key.take_front(12) +
                             " was another one before: the evaluation is not "
                             "deterministic");
  return Error::success();
}

Error Store::release(ArrayRef<Job> Jobs) {
  std::lock_guard<std::mutex> Lock(Guard);
  Transaction Changes(Db);
  Statement Give(Db,
                 "UPDATE queue SET lease_until = 0, attempts = attempts - 1 "
                 "WHERE key = ?");
  for (const Job &Each : Jobs) {
    Give << Each.Key;
    if (Error E = Give.run())
      return E;
    Give.again();
  }
  return Changes.commit();
}

Error Store::releaseDead() {
  std::lock_guard<std::mutex> Lock(Guard);
  Transaction Changes(Db);
  std::vector<std::string> Dead;
  Statement Ask(Db, "SELECT DISTINCT worker FROM queue WHERE lease_until > ?");
  Ask << now();
  while (Ask.step()) {
    std::string Worker = Ask.text(0);
    pid_t Process = 0;
    if (!StringRef(Worker).split('.').first.getAsInteger(10, Process) &&
        ::kill(Process, 0) != 0 && errno == ESRCH)
      Dead.push_back(Worker);
  }
  if (Error E = Ask.error())
    return E;
  Statement End(Db, "UPDATE queue SET lease_until = 0 WHERE worker = ?");
  for (const std::string &Worker : Dead) {
    End << Worker;
    if (Error E = End.run())
      return E;
    End.again();
  }
  return Changes.commit();
}

Expected<Store::Counts> Store::counts(StringRef Experiment) {
  std::lock_guard<std::mutex> Lock(Guard);
  Counts Result;
  Statement Ask(Db, "SELECT count(*), count(DISTINCT key) FROM candidate WHERE "
                    "experiment = ?");
  Ask << Experiment;
  if (Ask.step()) {
    Result.Candidates = Ask.integer(0);
    Result.Jobs = Ask.integer(1);
  }
  if (Error E = Ask.error())
    return E;
  Statement Done(Db,
                 "SELECT verdict, count(*) FROM result WHERE key IN (SELECT "
                 "key FROM candidate WHERE experiment = ?) GROUP BY 1");
  Done << Experiment;
  uint64_t Sum = 0;
  while (Done.step())
    Sum += Result.ByVerdict[Done.text(0)] = Done.integer(1);
  Result.Waiting = Result.Jobs - Sum;
  if (Error E = Done.error())
    return E;
  return Result;
}

static constexpr const char *RowColumns =
    "SELECT c.model, c.task, c.sample, c.path, c.key, j.source, "
    "coalesce(r.verdict, ''), coalesce(r.score, 0), coalesce(r.body, ''), "
    "coalesce(r.digest, ''), coalesce(r.costs, '') FROM candidate c JOIN job j "
    "ON j.key = c.key LEFT JOIN result r ON r.key = c.key ";

static Row rowOf(Statement &From) {
  Row R;
  std::string *Texts[] = {&R.Model, &R.Task,   &R.Sample, &R.Path,
                          &R.Key,   &R.Source, &R.Verdict};
  for (const auto &[Index, To] : enumerate(Texts))
    *To = From.text(static_cast<int>(Index));
  R.Score = From.number(7);
  R.Body = From.text(8);
  R.Digest = From.text(9);
  R.Costs = From.text(10);
  return R;
}

Expected<std::vector<Row>> Store::rows(StringRef Experiment) {
  std::lock_guard<std::mutex> Lock(Guard);
  std::string Sql =
      std::string(RowColumns) + "WHERE c.experiment = ? ORDER BY c.ordinal";
  Statement Ask(Db, Sql.c_str());
  Ask << Experiment;
  std::vector<Row> Rows;
  while (Ask.step())
    Rows.push_back(rowOf(Ask));
  if (Error E = Ask.error())
    return E;
  return Rows;
}

Expected<Row> Store::find(StringRef KeyPrefix) {
  std::lock_guard<std::mutex> Lock(Guard);
  std::string Sql = std::string(RowColumns) +
                    "WHERE substr(c.key, 1, ?) = ? ORDER BY c.key LIMIT 2";
  Statement Ask(Db, Sql.c_str());
  Ask << static_cast<int64_t>(KeyPrefix.size()) << KeyPrefix;
  if (!Ask.step()) {
    if (Error E = Ask.error())
      return E;
    return createStringError("the store has no result " + KeyPrefix);
  }
  Row First = rowOf(Ask);
  if (Ask.step() && rowOf(Ask).Key != First.Key)
    return createStringError("several results begin with " + KeyPrefix);
  return First;
}

Expected<std::optional<Baseline>> Store::baseline(StringRef Key) {
  std::lock_guard<std::mutex> Lock(Guard);
  Statement Ask(Db, "SELECT answer, floor FROM baseline WHERE key = ?");
  Ask << Key;
  std::optional<Baseline> Result;
  if (Ask.step())
    Result = Baseline{Ask.number(0), Ask.number(1)};
  if (Error E = Ask.error())
    return E;
  return Result;
}

Error Store::keepBaseline(StringRef Key, const Baseline &B) {
  std::lock_guard<std::mutex> Lock(Guard);
  Statement Keep(Db, "INSERT OR IGNORE INTO baseline VALUES(?, ?, ?)");
  Keep << Key << B.AnswerCycles << B.FloorCycles;
  return Keep.run();
}
