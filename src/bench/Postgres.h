//===- Postgres.h - A connection to PostgreSQL ------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_POSTGRES_H
#define BELAY_BENCH_POSTGRES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace belay::bench {

/// What was asked may succeed with another connection, or when it is repeated:
/// the server or the network failed, or two transactions waited for each other.
class Unreachable : public llvm::ErrorInfo<Unreachable> {
public:
  static char ID;
  explicit Unreachable(std::string Why) : Why(std::move(Why)) {}
  void log(llvm::raw_ostream &OS) const override { OS << Why; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string Why;
};

/// A value that is sent beside a statement, never as a part of it.
class SqlValue {
public:
  SqlValue(llvm::StringRef Text);
  SqlValue(const std::string &Text) : SqlValue(llvm::StringRef(Text)) {}
  SqlValue(const char *Text) : SqlValue(llvm::StringRef(Text)) {}
  SqlValue(double Number);
  SqlValue(int64_t Number);
  static SqlValue texts(llvm::ArrayRef<std::string> Values);
  static SqlValue bytes(llvm::ArrayRef<std::string> Values);
  static SqlValue numbers(llvm::ArrayRef<double> Values);

private:
  friend class PostgresConnection;
  SqlValue(unsigned Type, bool IsBinary) : Type(Type), IsBinary(IsBinary) {}
  unsigned Type; ///< 0: the server finds out.
  bool IsBinary;
  std::string Data;
};

using SqlRow = std::vector<std::string>;

/// One connection, for one thread at a time. libpq is loaded when the first one
/// is made, so that belay starts on machines that do not have it.
class PostgresConnection {
public:
  /// Only looks at the address; passwords in it are refused.
  static llvm::Expected<std::unique_ptr<PostgresConnection>>
  create(llvm::StringRef Url);
  ~PostgresConnection();
  PostgresConnection(const PostgresConnection &) = delete;
  PostgresConnection &operator=(const PostgresConnection &) = delete;

  /// A new connection in the place of the old one.
  llvm::Error connect();
  bool isConnected() const { return Handle; }

  /// Statements without values, separated by semicolons.
  llvm::Error run(const char *Sql);
  llvm::Expected<std::vector<SqlRow>> ask(const char *Sql,
                                          llvm::ArrayRef<SqlValue> Values);

private:
  explicit PostgresConnection(llvm::StringRef Url) : Url(Url.str()) {}
  llvm::Error exchange(std::vector<SqlRow> &Rows);
  llvm::Error wait(bool ForWriting, double Until);
  llvm::Error lost(llvm::StringRef What);
  void close();

  std::string Url;
  void *Handle = nullptr;
};

/// The bytes that PostgreSQL writes as \x6869.
std::string bytesOfHex(llvm::StringRef Text);

} // namespace belay::bench

#endif // BELAY_BENCH_POSTGRES_H
