//===- Postgres.cpp - A connection to PostgreSQL --------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Postgres.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <chrono>
#include <dlfcn.h>
#include <poll.h>

#ifdef BELAY_HAVE_LIBPQ
#include <libpq-fe.h>
#endif

using namespace llvm;
using namespace belay::bench;

char Unreachable::ID = 0;

/// A server that does not answer for this long is taken for lost: a statement
/// of a queue takes milliseconds, one of a large report seconds.
static constexpr double ConnectSeconds = 10, AnswerSeconds = 60;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

namespace {
/// Numbers of types in PostgreSQL's catalogue.
enum : unsigned { Bytea = 17, Text = 25, Float8 = 701 };
enum : unsigned { ByteaArray = 1001, TextArray = 1009, Float8Array = 1022 };
} // namespace

static void append32(std::string &To, uint32_t Value) {
  char Bytes[4];
  support::endian::write32be(Bytes, Value);
  To.append(Bytes, sizeof Bytes);
}

/// The binary form of an array of one dimension.
static std::string arrayOf(unsigned Element, size_t Count,
                           function_ref<std::string(size_t)> Get) {
  std::string Data;
  append32(Data, Count ? 1 : 0); // dimensions
  append32(Data, 0);             // no element is NULL
  append32(Data, Element);
  if (!Count)
    return Data;
  append32(Data, static_cast<uint32_t>(Count));
  append32(Data, 1); // the first index
  for (size_t I = 0; I < Count; ++I) {
    std::string Each = Get(I);
    append32(Data, static_cast<uint32_t>(Each.size()));
    Data += Each;
  }
  return Data;
}

SqlValue::SqlValue(StringRef Text) : Type(::Text), IsBinary(true) {
  Data = Text.str();
}

SqlValue::SqlValue(double Number) : Type(Float8), IsBinary(true) {
  char Bytes[8];
  support::endian::write64be(Bytes, bit_cast<uint64_t>(Number));
  Data.assign(Bytes, sizeof Bytes);
}

SqlValue::SqlValue(int64_t Number) : Type(20), IsBinary(true) {
  char Bytes[8];
  support::endian::write64be(Bytes, static_cast<uint64_t>(Number));
  Data.assign(Bytes, sizeof Bytes);
}

SqlValue SqlValue::texts(ArrayRef<std::string> Values) {
  SqlValue Result(TextArray, /*IsBinary=*/true);
  Result.Data =
      arrayOf(Text, Values.size(), [&](size_t I) { return Values[I]; });
  return Result;
}

SqlValue SqlValue::bytes(ArrayRef<std::string> Values) {
  SqlValue Result(ByteaArray, /*IsBinary=*/true);
  Result.Data =
      arrayOf(Bytea, Values.size(), [&](size_t I) { return Values[I]; });
  return Result;
}

SqlValue SqlValue::numbers(ArrayRef<double> Values) {
  SqlValue Result(Float8Array, /*IsBinary=*/true);
  Result.Data = arrayOf(Float8, Values.size(),
                        [&](size_t I) { return SqlValue(Values[I]).Data; });
  return Result;
}

std::string belay::bench::bytesOfHex(StringRef Text) {
  std::string Bytes;
  if (!Text.consume_front("\\x") || !tryGetFromHex(Text, Bytes))
    return "";
  return Bytes;
}

//===----------------------------------------------------------------------===//
// libpq
//===----------------------------------------------------------------------===//

#ifdef BELAY_HAVE_LIBPQ

namespace {

#define BELAY_LIBPQ(F)                                                         \
  F(PQclear)                                                                   \
  F(PQconninfoFree)                                                            \
  F(PQconninfoParse)                                                           \
  F(PQconnectPoll)                                                             \
  F(PQconnectStartParams)                                                      \
  F(PQconsumeInput)                                                            \
  F(PQerrorMessage)                                                            \
  F(PQfinish)                                                                  \
  F(PQflush)                                                                   \
  F(PQfreemem)                                                                 \
  F(PQgetResult)                                                               \
  F(PQgetlength)                                                               \
  F(PQgetvalue)                                                                \
  F(PQisBusy)                                                                  \
  F(PQnfields)                                                                 \
  F(PQntuples)                                                                 \
  F(PQresultErrorField)                                                        \
  F(PQresultErrorMessage)                                                      \
  F(PQresultStatus)                                                            \
  F(PQsendQuery)                                                               \
  F(PQsendQueryParams)                                                         \
  F(PQsetnonblocking)                                                          \
  F(PQsocket)                                                                  \
  F(PQstatus)

struct Library {
#define BELAY_MEMBER(Name) decltype(&::Name) Name = nullptr;
  BELAY_LIBPQ(BELAY_MEMBER)
#undef BELAY_MEMBER
  std::string WhyNot;

  Library() {
    void *Opened = ::dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!Opened) {
      WhyNot = "libpq.so.5 is missing, which a queue in PostgreSQL needs "
               "(Debian: libpq5)";
      return;
    }
#define BELAY_FIND(Name)                                                       \
  Name = reinterpret_cast<decltype(&::Name)>(::dlsym(Opened, #Name));          \
  if (!Name)                                                                   \
    WhyNot = "libpq.so.5 has no function " #Name;
    BELAY_LIBPQ(BELAY_FIND)
#undef BELAY_FIND
  }
};

} // namespace

static const Library &pq() {
  static const Library Loaded;
  return Loaded;
}

static PGconn *handle(void *Of) { return static_cast<PGconn *>(Of); }

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Expected<std::unique_ptr<PostgresConnection>>
PostgresConnection::create(StringRef Url) {
  if (!pq().WhyNot.empty())
    return createStringError(pq().WhyNot);
  std::unique_ptr<PostgresConnection> Result(new PostgresConnection(Url));
  char *Why = nullptr;
  PQconninfoOption *Parts = pq().PQconninfoParse(Result->Url.c_str(), &Why);
  // Its own message repeats the whole address, and with it a password.
  if (Why)
    pq().PQfreemem(Why);
  if (!Parts)
    return createStringError("the address of the queue is not of the form "
                             "postgres://USER@HOST:PORT/DATABASE");
  scope_exit Free([&] { pq().PQconninfoFree(Parts); });
  for (PQconninfoOption *Each = Parts; Each->keyword; ++Each)
    if (StringRef(Each->keyword) == "password" && Each->val)
      return createStringError(
          "a password in the address of the queue can be read by every user of "
          "this machine: put it into PGPASSWORD or into ~/.pgpass");
  return Result;
}

PostgresConnection::~PostgresConnection() { close(); }

void PostgresConnection::close() {
  if (Handle)
    pq().PQfinish(handle(Handle));
  Handle = nullptr;
}

Error PostgresConnection::lost(StringRef What) {
  std::string Why = Handle ? pq().PQerrorMessage(handle(Handle)) : "";
  close();
  StringRef Said = StringRef(Why).trim();
  return make_error<Unreachable>(
      ("the queue: " + (Said.empty() ? What : Said)).str());
}

Error PostgresConnection::wait(bool ForWriting, double Until) {
  pollfd Socket = {pq().PQsocket(handle(Handle)),
                   static_cast<short>(POLLIN | (ForWriting ? POLLOUT : 0)), 0};
  while (true) {
    double Left = Until - now();
    if (Socket.fd < 0 || Left <= 0)
      return lost("it does not answer");
    int Ready = ::poll(&Socket, 1, static_cast<int>(Left * 1000) + 1);
    if (Ready > 0)
      return Error::success();
    if (Ready < 0 && errno != EINTR)
      return lost("it cannot be waited for");
  }
}

Error PostgresConnection::connect() {
  close();
  // What the address does not say itself: cut connections are noticed.
  const char *Names[] = {"keepalives_idle",  "keepalives_interval",
                         "keepalives_count", "tcp_user_timeout",
                         "application_name", "client_encoding",
                         "dbname",           nullptr};
  const char *Values[] = {"10",          "5",    "3",         "20000",
                          "belay bench", "UTF8", Url.c_str(), nullptr};
  Handle = pq().PQconnectStartParams(Names, Values, /*expand_dbname=*/1);
  if (!Handle || pq().PQstatus(handle(Handle)) == CONNECTION_BAD)
    return lost("no connection");
  double Until = now() + ConnectSeconds;
  PostgresPollingStatusType State = PGRES_POLLING_WRITING;
  while (State != PGRES_POLLING_OK) {
    if (State == PGRES_POLLING_FAILED)
      return lost("no connection");
    pollfd Socket = {
        pq().PQsocket(handle(Handle)),
        static_cast<short>(State == PGRES_POLLING_READING ? POLLIN : POLLOUT),
        0};
    int Left = static_cast<int>((Until - now()) * 1000);
    if (Left <= 0 || ::poll(&Socket, 1, Left) == 0)
      return lost("it does not answer");
    State = pq().PQconnectPoll(handle(Handle));
  }
  pq().PQsetnonblocking(handle(Handle), 1);
  return Error::success();
}

/// Faults after which the same may succeed: connections, resources, two
/// transactions that wait for each other, a server that stops or starts.
static bool isPassing(StringRef State) {
  return State.empty() || State.starts_with("08") || State.starts_with("53") ||
         State.starts_with("57P") || State == "40001" || State == "40P01";
}

Error PostgresConnection::exchange(std::vector<SqlRow> &Rows) {
  double Until = now() + AnswerSeconds;
  while (int Left = pq().PQflush(handle(Handle))) {
    if (Left < 0)
      return lost("the connection was cut");
    if (Error E = wait(/*ForWriting=*/true, Until))
      return E;
    if (!pq().PQconsumeInput(handle(Handle)))
      return lost("the connection was cut");
  }
  Error Failed = Error::success();
  while (true) {
    while (pq().PQisBusy(handle(Handle))) {
      Error Waited = wait(/*ForWriting=*/false, Until);
      if (!Waited && !pq().PQconsumeInput(handle(Handle)))
        Waited = lost("the connection was cut");
      if (Waited) {
        consumeError(std::move(Failed));
        return Waited;
      }
    }
    PGresult *Got = pq().PQgetResult(handle(Handle));
    if (!Got)
      break;
    scope_exit Clear([&] { pq().PQclear(Got); });
    ExecStatusType Status = pq().PQresultStatus(Got);
    if (Status == PGRES_TUPLES_OK) {
      int Width = pq().PQnfields(Got);
      for (int R = 0, Count = pq().PQntuples(Got); R < Count; ++R) {
        SqlRow &Row = Rows.emplace_back();
        for (int C = 0; C < Width; ++C)
          Row.emplace_back(pq().PQgetvalue(Got, R, C),
                           pq().PQgetlength(Got, R, C));
      }
    } else if (Status != PGRES_COMMAND_OK) {
      const char *State = pq().PQresultErrorField(Got, PG_DIAG_SQLSTATE);
      std::string Why =
          ("the queue: " + StringRef(pq().PQresultErrorMessage(Got)).trim())
              .str();
      consumeError(std::move(Failed));
      Failed = isPassing(State ? State : "")
                   ? make_error<Unreachable>(std::move(Why))
                   : createStringError(std::move(Why));
    }
  }
  if (pq().PQstatus(handle(Handle)) == CONNECTION_BAD) {
    consumeError(std::move(Failed));
    return lost("the connection was cut");
  }
  return Failed;
}

Error PostgresConnection::run(const char *Sql) {
  if (!Handle || !pq().PQsendQuery(handle(Handle), Sql))
    return lost("there is no connection");
  std::vector<SqlRow> Rows;
  return exchange(Rows);
}

Expected<std::vector<SqlRow>>
PostgresConnection::ask(const char *Sql, ArrayRef<SqlValue> Values) {
  std::vector<Oid> Types;
  std::vector<const char *> Data;
  std::vector<int> Sizes, Formats;
  for (const SqlValue &Each : Values) {
    Types.push_back(Each.Type);
    Data.push_back(Each.Data.data());
    Sizes.push_back(static_cast<int>(Each.Data.size()));
    Formats.push_back(Each.IsBinary);
  }
  if (!Handle || !pq().PQsendQueryParams(
                     handle(Handle), Sql, static_cast<int>(Values.size()),
                     Types.data(), Data.data(), Sizes.data(), Formats.data(),
                     /*resultFormat=*/0))
    return lost("there is no connection");
  std::vector<SqlRow> Rows;
  if (Error E = exchange(Rows))
    return E;
  return Rows;
}

#else // !BELAY_HAVE_LIBPQ

Expected<std::unique_ptr<PostgresConnection>>
PostgresConnection::create(StringRef) {
  return createStringError(
      "this build of Belay has no PostgreSQL: libpq-fe.h was missing when it "
      "was built (Debian: libpq-dev)");
}
PostgresConnection::~PostgresConnection() = default;
Error PostgresConnection::connect() { return Error::success(); }
Error PostgresConnection::run(const char *) { return Error::success(); }
Expected<std::vector<SqlRow>> PostgresConnection::ask(const char *,
                                                      ArrayRef<SqlValue>) {
  return std::vector<SqlRow>();
}

#endif
