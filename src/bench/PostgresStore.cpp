//===- PostgresStore.cpp - Jobs and results, in a database ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Digest.h"
#include "bench/Postgres.h"
#include "bench/Store.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>
#include <thread>

using namespace llvm;
using namespace belay;
using namespace belay::bench;

/// Keys are compared byte by byte. The queue is narrow and hot: its rows change
/// often, and dead ones have to go soon.
static constexpr const char *Schema = R"(
CREATE SCHEMA IF NOT EXISTS belay_bench;
SET search_path TO belay_bench;
CREATE TABLE IF NOT EXISTS meta(name text PRIMARY KEY, value text NOT NULL);
CREATE TABLE IF NOT EXISTS spec(harness text PRIMARY KEY, body text NOT NULL);
CREATE TABLE IF NOT EXISTS job(
  key text COLLATE "C" PRIMARY KEY, task text NOT NULL, source bytea NOT NULL,
  created timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS queue(
  key text COLLATE "C" PRIMARY KEY REFERENCES job,
  id bigint GENERATED ALWAYS AS IDENTITY, harness text NOT NULL,
  lease_until timestamptz NOT NULL DEFAULT '-infinity', worker text,
  attempts int NOT NULL DEFAULT 0)
  WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
CREATE INDEX IF NOT EXISTS queue_next ON queue(harness, lease_until, id);
CREATE TABLE IF NOT EXISTS result(
  key text COLLATE "C" PRIMARY KEY, verdict text NOT NULL, score float8 NOT NULL,
  body text NOT NULL, digest text NOT NULL, costs text NOT NULL, worker text NOT NULL,
  made timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS candidate(
  experiment text NOT NULL, ordinal bigint NOT NULL, model text NOT NULL,
  task text NOT NULL, sample text NOT NULL, path text NOT NULL,
  key text COLLATE "C" NOT NULL, PRIMARY KEY(experiment, ordinal));
CREATE INDEX IF NOT EXISTS candidate_key ON candidate(key, experiment);
CREATE TABLE IF NOT EXISTS baseline(
  key text PRIMARY KEY, answer float8 NOT NULL, floor float8 NOT NULL);
INSERT INTO meta VALUES('schema', '1') ON CONFLICT DO NOTHING;
)";
static constexpr StringLiteral SchemaVersion = "1";

/// Every query has an index to go by; without statistics of a new table the
/// planner would read all of it.
static constexpr const char *Session =
    "SET search_path TO belay_bench; SET client_min_messages TO warning; "
    "SET enable_hashjoin TO off; SET enable_mergejoin TO off; "
    "SET enable_seqscan TO off";

/// A claim that a crash of the server forgets costs another run, not a result:
/// only results and new jobs are waited for until they are on a disk.
#define BELAY_UNSYNCED                                                         \
  "hurry AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', "     \
  "true) AS is)"

namespace {

class PostgresStore final : public Store {
public:
  explicit PostgresStore(std::unique_ptr<PostgresConnection> Link)
      : Link(std::move(Link)) {}
  Error prepare();

  bool isShared() const override { return true; }
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
  /// Workers may be on other machines: their leases end by themselves.
  Error releaseDead() override { return Error::success(); }
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
  /// Does something until it succeeds, with new connections as often as that
  /// takes: all that is asked of the queue may be done twice.
  Error persist(function_ref<Error()> Do);
  Expected<std::vector<SqlRow>> ask(const char *Sql, ArrayRef<SqlValue> Values);
  Error tell(const char *Sql, ArrayRef<SqlValue> Values) {
    return ask(Sql, Values).takeError();
  }
  /// A part of enqueue, inside of a transaction.
  Error addPart(StringRef Experiment, StringRef Harness, size_t First,
                ArrayRef<Candidate> Candidates, ArrayRef<std::string> Keys);

  std::unique_ptr<PostgresConnection> Link;
  bool WasConnected = false;
  std::mutex Guard;
};

} // namespace

//===----------------------------------------------------------------------===//
// Connections
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<Store>> belay::bench::openPostgres(StringRef Url) {
  Expected<std::unique_ptr<PostgresConnection>> Link =
      PostgresConnection::create(Url);
  if (!Link)
    return Link.takeError();
  auto Result = std::make_unique<PostgresStore>(std::move(*Link));
  if (Error E = Result->prepare())
    return E;
  return Result;
}

Error PostgresStore::persist(function_ref<Error()> Do) {
  // A first connection that fails is a wrong address more often than not.
  constexpr double Longest = 10, Patience = 900, FirstPatience = 5;
  double Waited = 0, Pause = 0.1;
  while (true) {
    Error Failed = Error::success();
    if (!Link->isConnected()) {
      Failed = Link->connect();
      if (!Failed)
        Failed = Link->run(Session);
      WasConnected |= !Failed;
    }
    if (!Failed)
      Failed = Do();
    if (!Failed || !Failed.isA<Unreachable>())
      return Failed;
    if (Waited >= (WasConnected ? Patience : FirstPatience))
      return Failed;
    if (Waited == 0 && WasConnected)
      errs() << "belay: warning: " << toString(std::move(Failed))
             << "; trying again\n";
    else
      consumeError(std::move(Failed));
    std::this_thread::sleep_for(std::chrono::duration<double>(Pause));
    Waited += Pause;
    Pause = std::min(Longest, Pause * 2);
  }
}

Expected<std::vector<SqlRow>> PostgresStore::ask(const char *Sql,
                                                 ArrayRef<SqlValue> Values) {
  std::lock_guard<std::mutex> Lock(Guard);
  std::vector<SqlRow> Rows;
  Error Failed = persist([&]() -> Error {
    Expected<std::vector<SqlRow>> Got = Link->ask(Sql, Values);
    if (!Got)
      return Got.takeError();
    Rows = std::move(*Got);
    return Error::success();
  });
  if (Failed)
    return Failed;
  return Rows;
}

Error PostgresStore::prepare() {
  // An agent's role may use the tables without the right to make them.
  auto Made = ask("SELECT 1 WHERE to_regclass('belay_bench.baseline') IS NOT "
                  "NULL",
                  {});
  if (!Made)
    return Made.takeError();
  if (Made->empty()) {
    std::lock_guard<std::mutex> Lock(Guard);
    // Two that come at the same time make them one after the other.
    std::string All = std::string("BEGIN; SELECT pg_advisory_xact_lock("
                                  "hashtext('belay_bench'));") +
                      Schema + "COMMIT";
    if (Error E = persist([&]() -> Error {
          Error Failed = Link->run(All.c_str());
          if (Failed && Link->isConnected())
            consumeError(Link->run("ROLLBACK"));
          return Failed;
        }))
      return E;
  }
  auto Version = ask("SELECT value FROM meta WHERE name = 'schema'", {});
  if (!Version)
    return Version.takeError();
  if (Version->empty() || Version->front()[0] != SchemaVersion)
    return createStringError("the queue was made by another version of Belay: "
                             "take another database");
  return Error::success();
}

Expected<std::string> PostgresStore::keepMeta(StringRef Name, StringRef Fresh) {
  // First without a change, which a role that only reads may not make.
  for (unsigned Tries = 0; Tries < 2; ++Tries) {
    auto Kept = ask("SELECT value FROM meta WHERE name = $1", {Name});
    if (!Kept)
      return Kept.takeError();
    if (!Kept->empty())
      return Kept->front()[0];
    if (Error E = tell("INSERT INTO meta VALUES($1, $2) ON CONFLICT DO NOTHING",
                       {Name, Fresh}))
      return E;
  }
  return createStringError("the store has lost its " + Name);
}

//===----------------------------------------------------------------------===//
// New jobs
//===----------------------------------------------------------------------===//

Error PostgresStore::addPart(StringRef Experiment, StringRef Harness,
                             size_t First, ArrayRef<Candidate> Candidates,
                             ArrayRef<std::string> Keys) {
  std::vector<std::string> Models, Tasks, Samples, Paths, Sources;
  for (const Candidate &C : Candidates) {
    // Names of files are any bytes, texts of the database are UTF-8.
    Models.push_back(json::fixUTF8(C.Model));
    Tasks.push_back(C.Task);
    Samples.push_back(json::fixUTF8(C.Sample));
    Paths.push_back(json::fixUTF8(C.Path));
    Sources.push_back(C.Source);
  }
  SqlValue AllKeys = SqlValue::texts(Keys), AllTasks = SqlValue::texts(Tasks);
  // What Belay or the machine failed on is tried again.
  if (auto Done = Link->ask("DELETE FROM result WHERE key = ANY($1) AND "
                            "verdict = 'unjudged'",
                            {AllKeys});
      !Done)
    return Done.takeError();
  if (auto Done = Link->ask(
          "INSERT INTO job(key, task, source) SELECT DISTINCT ON (k) k, t, s "
          "FROM unnest($1, $2, $3) AS u(k, t, s) ORDER BY k ON CONFLICT DO "
          "NOTHING",
          {AllKeys, AllTasks, SqlValue::bytes(Sources)});
      !Done)
    return Done.takeError();
  if (auto Done = Link->ask(
          "INSERT INTO queue(key, harness) SELECT k, $2 FROM (SELECT k, min(o) "
          "AS first FROM unnest($1) WITH ORDINALITY AS u(k, o) WHERE NOT "
          "EXISTS (SELECT 1 FROM result r WHERE r.key = k) GROUP BY k) AS w "
          "ORDER BY first ON CONFLICT DO NOTHING",
          {AllKeys, Harness});
      !Done)
    return Done.takeError();
  return Link
      ->ask("INSERT INTO candidate SELECT $1, $2 + o - 1, m, t, s, p, k FROM "
            "unnest($3, $4, $5, $6, $7) WITH ORDINALITY AS u(m, t, s, p, k, o)",
            {Experiment, static_cast<int64_t>(First), SqlValue::texts(Models),
             AllTasks, SqlValue::texts(Samples), SqlValue::texts(Paths),
             AllKeys})
      .takeError();
}

Error PostgresStore::enqueue(StringRef Experiment, StringRef Harness,
                             ArrayRef<Candidate> Candidates,
                             ArrayRef<std::string> Keys) {
  std::lock_guard<std::mutex> Lock(Guard);
  constexpr size_t Part = 256; // up to 1 MiB each
  auto AddAll = [&]() -> Error {
    if (Error E = Link->run("BEGIN"))
      return E;
    if (auto Done = Link->ask("DELETE FROM candidate WHERE experiment = $1",
                              {Experiment});
        !Done)
      return Done.takeError();
    for (size_t At = 0; At < Candidates.size(); At += Part) {
      size_t Count = std::min(Part, Candidates.size() - At);
      if (Error E = addPart(Experiment, Harness, At,
                            Candidates.slice(At, Count), Keys.slice(At, Count)))
        return E;
    }
    return Link->run("COMMIT");
  };
  return persist([&]() -> Error {
    Error Failed = AddAll();
    if (Failed && Link->isConnected())
      consumeError(Link->run("ROLLBACK"));
    return Failed;
  });
}

Error PostgresStore::keepSpec(StringRef Harness, StringRef Spec) {
  return tell("INSERT INTO spec VALUES($1, $2) ON CONFLICT DO NOTHING",
              {Harness, Spec});
}

Expected<std::map<std::string, std::string>> PostgresStore::waitingSpecs() {
  auto Rows = ask("SELECT s.harness, s.body FROM spec s WHERE EXISTS (SELECT 1 "
                  "FROM queue q WHERE q.harness = s.harness)",
                  {});
  if (!Rows)
    return Rows.takeError();
  std::map<std::string, std::string> Specs;
  for (SqlRow &Each : *Rows)
    Specs[Each[0]] = std::move(Each[1]);
  return Specs;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// What a choice admits: $1 is the harness, $2 the experiment, $3 the tasks.
static std::string conditionOf(const Choice &Which) {
  std::string Sql = " q.harness = $1";
  // Each is left out where it is not needed: it would be looked up for each
  // row.
  Sql += Which.Experiment.empty()
             ? " AND $2 = ''"
             : " AND EXISTS (SELECT 1 FROM candidate c WHERE c.experiment = $2 "
               "AND c.key = q.key)";
  Sql += Which.Except.empty()
             ? " AND cardinality($3) = 0"
             : " AND NOT EXISTS (SELECT 1 FROM job e WHERE e.key = q.key AND "
               "e.task = ANY($3))";
  return Sql;
}

Expected<std::vector<Job>> PostgresStore::lease(const Choice &Which,
                                                StringRef Worker, unsigned Most,
                                                double LeaseSeconds) {
  // The limit is a literal, for the planner; it is a number of ours.
  std::string Sql =
      "WITH " BELAY_UNSYNCED ", next AS MATERIALIZED (SELECT q.key FROM queue "
      "q WHERE" +
      conditionOf(Which) +
      " AND q.lease_until < now() ORDER BY q.lease_until, q.id LIMIT " +
      std::to_string(Most) +
      " FOR UPDATE SKIP LOCKED), taken AS (UPDATE queue q SET lease_until = "
      "now() + $5 * interval '1 second', worker = $4 FROM next, hurry WHERE "
      "q.key = next.key AND hurry.is = 'off' RETURNING q.key, q.id, "
      "q.attempts) SELECT t.key, j.task, j.source, t.attempts FROM taken t "
      "JOIN job j ON j.key = t.key ORDER BY t.id";
  auto Rows =
      ask(Sql.c_str(), {Which.Harness, Which.Experiment,
                        SqlValue::texts(Which.Except), Worker, LeaseSeconds});
  if (!Rows)
    return Rows.takeError();
  std::vector<Job> Jobs;
  for (SqlRow &Each : *Rows) {
    Job &J = Jobs.emplace_back();
    J.Key = std::move(Each[0]);
    J.Task = std::move(Each[1]);
    J.Source = bytesOfHex(Each[2]);
    (void)StringRef(Each[3]).getAsInteger(10, J.Attempts);
  }
  return Jobs;
}

Error PostgresStore::begin(ArrayRef<std::string> Keys) {
  return tell("WITH " BELAY_UNSYNCED " UPDATE queue SET attempts = attempts + "
              "1 FROM hurry WHERE key = ANY($1) AND hurry.is = 'off'",
              {SqlValue::texts(Keys)});
}

Error PostgresStore::renew(ArrayRef<std::string> Keys, StringRef Worker,
                           double LeaseSeconds) {
  return tell("WITH " BELAY_UNSYNCED " UPDATE queue SET lease_until = now() + "
              "$3 * interval '1 second' FROM hurry WHERE key = ANY($1) AND "
              "worker = $2 AND hurry.is = 'off'",
              {SqlValue::texts(Keys), Worker, LeaseSeconds});
}

Error PostgresStore::release(ArrayRef<std::string> Keys, StringRef Worker,
                             bool Begun) {
  return tell("UPDATE queue SET lease_until = '-infinity', attempts = "
              "greatest(0, attempts - $2) WHERE key = ANY($1) AND worker = $3",
              {SqlValue::texts(Keys), static_cast<int64_t>(Begun), Worker});
}

Expected<std::vector<std::string>>
PostgresStore::finish(ArrayRef<Finished> Results, StringRef Worker) {
  std::vector<std::string> Keys, Verdicts, Bodies, Sums, Costs;
  std::vector<double> Scores;
  for (const auto &[Key, R] : Results) {
    Keys.push_back(Key);
    Verdicts.push_back(nameOf(R.verdict()).str());
    Scores.push_back(R.score());
    Bodies.push_back(recordOf(R));
    Sums.push_back(Digest().add(Bodies.back()).str());
    Costs.push_back(costsOf(R));
  }
  SqlValue AllKeys = SqlValue::texts(Keys), AllSums = SqlValue::texts(Sums);
  // One statement is one transaction.
  if (Error E = tell("WITH done AS MATERIALIZED (SELECT * FROM unnest($1, $2, "
                     "$3, $4, $5, $6) AS u(k, verdict, score, body, sum, "
                     "costs) ORDER BY k), kept AS (INSERT INTO result SELECT "
                     "k, verdict, score, body, sum, costs, $7 FROM done ON "
                     "CONFLICT DO NOTHING) DELETE FROM queue WHERE key = "
                     "ANY($1)",
                     {AllKeys, SqlValue::texts(Verdicts),
                      SqlValue::numbers(Scores), SqlValue::texts(Bodies),
                      AllSums, SqlValue::texts(Costs), Worker}))
    return E;
  auto Rows = ask("SELECT r.key FROM unnest($1, $2) AS u(k, sum) JOIN result r "
                  "ON r.key = u.k WHERE r.digest <> u.sum",
                  {AllKeys, AllSums});
  if (!Rows)
    return Rows.takeError();
  std::vector<std::string> Differ;
  for (const SqlRow &Each : *Rows)
    Differ.push_back(Each[0]);
  return Differ;
}

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

static uint64_t numberIn(StringRef Text) {
  uint64_t Number = 0;
  (void)Text.getAsInteger(10, Number);
  return Number;
}

Expected<uint64_t> PostgresStore::waiting(const Choice &Which) {
  std::string Sql = "SELECT count(*) FROM queue q WHERE" + conditionOf(Which);
  auto Rows = ask(Sql.c_str(), {Which.Harness, Which.Experiment,
                                SqlValue::texts(Which.Except)});
  if (!Rows)
    return Rows.takeError();
  return numberIn(Rows->front()[0]);
}

Expected<Store::Counts> PostgresStore::counts(StringRef Experiment) {
  Counts Result;
  auto All = ask("SELECT count(*), count(DISTINCT key) FROM candidate WHERE "
                 "experiment = $1",
                 {Experiment});
  if (!All)
    return All.takeError();
  Result.Candidates = numberIn(All->front()[0]);
  Result.Jobs = numberIn(All->front()[1]);
  auto Done = ask("SELECT r.verdict, count(*) FROM (SELECT DISTINCT key FROM "
                  "candidate WHERE experiment = $1) c JOIN result r ON r.key = "
                  "c.key GROUP BY 1",
                  {Experiment});
  if (!Done)
    return Done.takeError();
  uint64_t Sum = 0;
  for (const SqlRow &Each : *Done)
    Sum += Result.ByVerdict[Each[0]] = numberIn(Each[1]);
  Result.Waiting = Result.Jobs - Sum;
  return Result;
}

Expected<std::string> PostgresStore::record(StringRef Key) {
  auto Got = ask("SELECT body FROM result WHERE key = $1 AND verdict <> "
                 "'unjudged'",
                 {Key});
  if (!Got)
    return Got.takeError();
  return Got->empty() ? "" : std::move(Got->front()[0]);
}

#define BELAY_ROW                                                              \
  "c.model, c.task, c.sample, c.path, c.key, j.source, "                       \
  "coalesce(r.verdict, ''), coalesce(r.score, 0), coalesce(r.body, ''), "      \
  "coalesce(r.digest, ''), coalesce(r.costs, '') FROM candidate c JOIN job j " \
  "ON j.key = c.key LEFT JOIN result r ON r.key = c.key "

static std::vector<Row> rowsOf(std::vector<SqlRow> Got) {
  std::vector<Row> Rows;
  for (SqlRow &Each : Got) {
    Row &R = Rows.emplace_back();
    std::string *Texts[] = {&R.Model, &R.Task,   &R.Sample, &R.Path,
                            &R.Key,   &R.Source, &R.Verdict};
    for (const auto &[Index, To] : enumerate(Texts))
      *To = std::move(Each[Index]);
    R.Source = bytesOfHex(R.Source);
    (void)StringRef(Each[7]).getAsDouble(R.Score);
    R.Body = std::move(Each[8]);
    R.Digest = std::move(Each[9]);
    R.Costs = std::move(Each[10]);
  }
  return Rows;
}

Expected<std::vector<Row>> PostgresStore::rows(StringRef Experiment) {
  auto Got =
      ask("SELECT " BELAY_ROW "WHERE c.experiment = $1 ORDER BY c.ordinal",
          {Experiment});
  if (!Got)
    return Got.takeError();
  return rowsOf(std::move(*Got));
}

Expected<std::vector<Row>> PostgresStore::rowsByPrefix(StringRef KeyPrefix) {
  auto Got = ask("SELECT DISTINCT ON (c.key) " BELAY_ROW
                 "WHERE starts_with(c.key, $1) ORDER BY c.key LIMIT 2",
                 {KeyPrefix});
  if (!Got)
    return Got.takeError();
  return rowsOf(std::move(*Got));
}

Expected<std::optional<Baseline>> PostgresStore::baseline(StringRef Key) {
  auto Got = ask("SELECT answer, floor FROM baseline WHERE key = $1", {Key});
  if (!Got)
    return Got.takeError();
  std::optional<Baseline> Result;
  if (!Got->empty()) {
    Result.emplace();
    if (StringRef(Got->front()[0]).getAsDouble(Result->AnswerCycles) ||
        StringRef(Got->front()[1]).getAsDouble(Result->FloorCycles))
      return createStringError("the queue has a baseline that is no number");
  }
  return Result;
}

Error PostgresStore::keepBaseline(StringRef Key, const Baseline &B) {
  return tell("INSERT INTO baseline VALUES($1, $2, $3) ON CONFLICT DO NOTHING",
              {Key, B.AnswerCycles, B.FloorCycles});
}
