//===- SqliteStore.cpp - Jobs and results, in a file ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Digest.h"
#include "bench/Store.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>
#include <csignal>
#include <mutex>
#include <sqlite3.h>
#include <sys/stat.h>

using namespace llvm;
using namespace belay;
using namespace belay::bench;

static constexpr const char *Schema = R"(
CREATE TABLE IF NOT EXISTS job(
  key TEXT PRIMARY KEY, task TEXT NOT NULL, source BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spec(harness TEXT PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS queue(
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE REFERENCES job,
  harness TEXT NOT NULL, lease_until REAL NOT NULL DEFAULT 0, worker TEXT, attempts INTEGER NOT NULL DEFAULT 0);
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
static constexpr StringLiteral SchemaVersion = "2";

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

/// One file, no server.
class SqliteStore final : public Store {
public:
  explicit SqliteStore(sqlite3 *Db) : Db(Db) {}
  ~SqliteStore() override { sqlite3_close(Db); }
  Error prepare(StringRef Path);

  bool isShared() const override { return false; }
  Error enqueue(StringRef Experiment, StringRef Harness,
                ArrayRef<Candidate> Candidates,
                ArrayRef<std::string> Keys) override;
  Error keepSpec(StringRef Harness, StringRef Spec) override;
  Expected<std::map<std::string, std::string>> waitingSpecs() override;
  Error begin(ArrayRef<std::string> Keys) override;
  Error renew(ArrayRef<std::string> Keys, StringRef Worker,
              double LeaseSeconds) override;
  Error release(ArrayRef<std::string> Keys, StringRef Worker,
                bool Begun) override;
  Expected<std::vector<std::string>> finish(ArrayRef<Finished> Results,
                                            StringRef Worker) override;
  Error releaseDead() override;
  Expected<uint64_t> waiting(const Choice &Which) override;
  Expected<Counts> counts(StringRef Experiment) override;
  Expected<std::string> record(StringRef Key) override;
  Expected<std::vector<Row>> rows(StringRef Experiment) override;
  Expected<std::optional<Baseline>> baseline(StringRef Key) override;
  Error keepBaseline(StringRef Key, const Baseline &B) override;

protected:
  Expected<std::vector<Job>> lease(const Choice &Which, StringRef Worker,
                                   unsigned Most, double LeaseSeconds) override;
  Expected<std::string> keepMeta(StringRef Name, StringRef Fresh) override;
  Expected<std::vector<Row>> rowsByPrefix(StringRef KeyPrefix) override;

private:
  sqlite3 *Db;
  std::mutex Guard;
};

} // namespace

static double now() {
  return std::chrono::duration<double>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Expected<std::unique_ptr<Store>> belay::bench::openSqlite(StringRef Path) {
  // It holds the secret, and the answers of all candidates.
  mode_t Before = ::umask(0077);
  sqlite3 *Db = nullptr;
  int Code = sqlite3_open(Path.str().c_str(), &Db);
  ::umask(Before);
  auto Result = std::make_unique<SqliteStore>(Db);
  if (Code != SQLITE_OK)
    return createStringError(Path + ": " + (Db ? sqlite3_errmsg(Db) : "?"));
  if (Error E = Result->prepare(Path))
    return E;
  return Result;
}

Error SqliteStore::prepare(StringRef Path) {
  sqlite3_busy_timeout(Db, 60'000);
  for (const char *Sql : {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL",
                          "PRAGMA foreign_keys=ON",
                          "CREATE TABLE IF NOT EXISTS meta(name TEXT PRIMARY "
                          "KEY, value TEXT NOT NULL)"})
    if (sqlite3_exec(Db, Sql, nullptr, nullptr, nullptr) != SQLITE_OK)
      return createStringError(Path + ": " + sqlite3_errmsg(Db));
  // Before anything is added to the tables of another version.
  Expected<std::string> Version = keepMeta("schema", SchemaVersion);
  if (!Version)
    return Version.takeError();
  if (*Version != SchemaVersion)
    return createStringError(Path + " was written by another version of Belay");
  if (sqlite3_exec(Db, Schema, nullptr, nullptr, nullptr) != SQLITE_OK)
    return createStringError(Path + ": " + sqlite3_errmsg(Db));
  return Error::success();
}

Expected<std::string> SqliteStore::keepMeta(StringRef Name, StringRef Fresh) {
  std::lock_guard<std::mutex> Lock(Guard);
  Statement Keep(Db, "INSERT OR IGNORE INTO meta VALUES(?, ?)");
  Keep << Name << Fresh;
  if (Error E = Keep.run())
    return E;
  Statement Ask(Db, "SELECT value FROM meta WHERE name = ?");
  Ask << Name;
  if (!Ask.step())
    return createStringError("the store has lost its " + Name);
  return Ask.text(0);
}

Error SqliteStore::keepSpec(StringRef Harness, StringRef Spec) {
  std::lock_guard<std::mutex> Lock(Guard);
  Statement Keep(Db, "INSERT OR IGNORE INTO spec VALUES(?, ?)");
  Keep << Harness << Spec;
  return Keep.run();
}

Expected<std::map<std::string, std::string>> SqliteStore::waitingSpecs() {
  std::lock_guard<std::mutex> Lock(Guard);
  std::map<std::string, std::string> Specs;
  Statement Ask(Db, "SELECT s.harness, s.body FROM spec s WHERE EXISTS (SELECT "
                    "1 FROM queue q WHERE q.harness = s.harness)");
  while (Ask.step())
    Specs[Ask.text(0)] = Ask.text(1);
  if (Error E = Ask.error())
    return E;
  return Specs;
}

Error SqliteStore::enqueue(StringRef Experiment, StringRef Harness,
                           ArrayRef<Candidate> Candidates,
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
  Statement AddQueue(Db,
                     "INSERT OR IGNORE INTO queue(key, harness) SELECT ?1, "
                     "?2 WHERE NOT EXISTS (SELECT 1 FROM result WHERE key = "
                     "?1)");
  Statement AddCandidate(Db,
                         "INSERT INTO candidate VALUES(?, ?, ?, ?, ?, ?, ?)");
  int64_t Ordinal = 0;
  for (const auto &[C, Key] : zip_equal(Candidates, Keys)) {
    Forget << Key;
    AddJob << Key << C.Task << C.Source;
    AddQueue << Key << Harness;
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

/// Of jobs that a choice admits: ?1 is the harness, ?2 the experiment.
static std::string conditionOf(const Choice &Which) {
  std::string Sql = " q.harness = ?1 AND (?2 = '' OR EXISTS (SELECT 1 FROM "
                    "candidate c WHERE c.experiment = ?2 AND c.key = q.key))";
  for (size_t I = 0; I < Which.Except.size(); ++I)
    Sql += " AND j.task <> ?" + std::to_string(3 + I);
  return Sql;
}

static void bindTo(Statement &Ask, const Choice &Which) {
  Ask << Which.Harness << Which.Experiment;
  for (const std::string &Task : Which.Except)
    Ask << Task;
}

Expected<std::vector<Job>> SqliteStore::lease(const Choice &Which,
                                              StringRef Worker, unsigned Most,
                                              double LeaseSeconds) {
  std::lock_guard<std::mutex> Lock(Guard);
  std::vector<Job> Jobs;
  Transaction Changes(Db);
  std::string Sql = "SELECT q.key, j.task, j.source, q.attempts FROM queue q "
                    "JOIN job j ON j.key = q.key WHERE" +
                    conditionOf(Which) +
                    " AND q.lease_until < ? ORDER BY q.id LIMIT ?";
  Statement Ask(Db, Sql.c_str());
  bindTo(Ask, Which);
  Ask << now() << static_cast<int64_t>(Most);
  while (Ask.step())
    Jobs.push_back({Ask.text(0), Ask.text(1), Ask.text(2),
                    static_cast<unsigned>(Ask.integer(3))});
  if (Error E = Ask.error())
    return E;
  Statement Take(Db,
                 "UPDATE queue SET lease_until = ?, worker = ? WHERE key = ?");
  for (const Job &Each : Jobs) {
    Take << now() + LeaseSeconds << Worker << Each.Key;
    if (Error E = Take.run())
      return E;
    Take.again();
  }
  if (Error E = Changes.commit())
    return E;
  return Jobs;
}

Error SqliteStore::begin(ArrayRef<std::string> Keys) {
  std::lock_guard<std::mutex> Lock(Guard);
  Transaction Changes(Db);
  Statement Count(Db, "UPDATE queue SET attempts = attempts + 1 WHERE key = ?");
  for (const std::string &Key : Keys) {
    Count << Key;
    if (Error E = Count.run())
      return E;
    Count.again();
  }
  return Changes.commit();
}

Error SqliteStore::renew(ArrayRef<std::string> Keys, StringRef Worker,
                         double LeaseSeconds) {
  std::lock_guard<std::mutex> Lock(Guard);
  Transaction Changes(Db);
  Statement Keep(
      Db, "UPDATE queue SET lease_until = ? WHERE key = ? AND worker = ?");
  for (const std::string &Key : Keys) {
    Keep << now() + LeaseSeconds << Key << Worker;
    if (Error E = Keep.run())
      return E;
    Keep.again();
  }
  return Changes.commit();
}

Error SqliteStore::release(ArrayRef<std::string> Keys, StringRef Worker,
                           bool Begun) {
  std::lock_guard<std::mutex> Lock(Guard);
  Transaction Changes(Db);
  Statement Give(Db, "UPDATE queue SET lease_until = 0, attempts = attempts - "
                     "? WHERE key = ? AND worker = ?");
  for (const std::string &Key : Keys) {
    Give << static_cast<int64_t>(Begun) << Key << Worker;
    if (Error E = Give.run())
      return E;
    Give.again();
  }
  return Changes.commit();
}

Expected<std::vector<std::string>>
SqliteStore::finish(ArrayRef<Finished> Results, StringRef Worker) {
  std::lock_guard<std::mutex> Lock(Guard);
  std::vector<std::string> Differ;
  Transaction Changes(Db);
  Statement Known(Db, "SELECT digest FROM result WHERE key = ?");
  Statement Keep(Db,
                 "INSERT OR IGNORE INTO result VALUES(?, ?, ?, ?, ?, ?, ?)");
  Statement Remove(Db, "DELETE FROM queue WHERE key = ?");
  for (const auto &[Key, R] : Results) {
    std::string Body = recordOf(R), Sum = Digest().add(Body).str();
    Known << Key;
    if (Known.step() && Known.text(0) != Sum)
      Differ.push_back(Key);
    Keep << Key << nameOf(R.verdict()) << R.score() << Body << Sum << costsOf(R)
         << Worker;
    Remove << Key;
    for (Statement *Each : {&Known, &Keep, &Remove}) {
      if (Error E = Each->run())
        return E;
      Each->again();
    }
  }
  if (Error E = Changes.commit())
    return E;
  return Differ;
}

Error SqliteStore::releaseDead() {
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

Expected<uint64_t> SqliteStore::waiting(const Choice &Which) {
  std::lock_guard<std::mutex> Lock(Guard);
  std::string Sql = "SELECT count(*) FROM queue q JOIN job j ON j.key = q.key "
                    "WHERE" +
                    conditionOf(Which);
  Statement Ask(Db, Sql.c_str());
  bindTo(Ask, Which);
  uint64_t Count = Ask.step() ? Ask.integer(0) : 0;
  if (Error E = Ask.error())
    return E;
  return Count;
}

Expected<Store::Counts> SqliteStore::counts(StringRef Experiment) {
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

Expected<std::string> SqliteStore::record(StringRef Key) {
  std::lock_guard<std::mutex> Lock(Guard);
  Statement Ask(
      Db, "SELECT body FROM result WHERE key = ? AND verdict <> 'unjudged'");
  Ask << Key;
  std::string Body = Ask.step() ? Ask.text(0) : "";
  if (Error E = Ask.error())
    return E;
  return Body;
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

Expected<std::vector<Row>> SqliteStore::rows(StringRef Experiment) {
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

Expected<std::vector<Row>> SqliteStore::rowsByPrefix(StringRef KeyPrefix) {
  std::lock_guard<std::mutex> Lock(Guard);
  std::string Sql = std::string(RowColumns) + "WHERE substr(c.key, 1, ?) = ? "
                                              "GROUP BY c.key LIMIT 2";
  Statement Ask(Db, Sql.c_str());
  Ask << static_cast<int64_t>(KeyPrefix.size()) << KeyPrefix;
  std::vector<Row> Rows;
  while (Ask.step())
    Rows.push_back(rowOf(Ask));
  if (Error E = Ask.error())
    return E;
  return Rows;
}

Expected<std::optional<Baseline>> SqliteStore::baseline(StringRef Key) {
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

Error SqliteStore::keepBaseline(StringRef Key, const Baseline &B) {
  std::lock_guard<std::mutex> Lock(Guard);
  Statement Keep(Db, "INSERT OR IGNORE INTO baseline VALUES(?, ?, ?)");
  Keep << Key << B.AnswerCycles << B.FloorCycles;
  return Keep.run();
}
