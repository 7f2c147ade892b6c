//===- Values.h - Arguments and expected values of tasks --------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_VALUES_H
#define BELAY_BENCH_VALUES_H

#include "bench/Task.h"
#include "cases/Case.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <memory>
#include <mutex>

namespace belay::bench {

/// An argument of a launch, and what it has to be afterwards.
struct Argument {
  cases::ArgSpec::Role What = cases::ArgSpec::Role::In;
  cases::TensorType Tensor;
  /// Of what the kernel reads, and a file of it.
  llvm::ArrayRef<uint8_t> Data;
  std::string DataPath;
  /// Of what it writes: float64, or int64 for integers.
  llvm::ArrayRef<double> Want;
  llvm::ArrayRef<int64_t> WantInteger;
  /// How large intermediate values are whose rounding stays in the result, in
  /// all, or for each element.
  double Near = 0;
  llvm::ArrayRef<double> NearEach;
  /// Of a scalar, as it is written.
  std::string Scalar;

  bool writes() const {
    return What == cases::ArgSpec::Role::Out ||
           What == cases::ArgSpec::Role::InOut;
  }
  double nearAt(size_t Index) const {
    return NearEach.empty() ? Near : NearEach[Index];
  }
};

struct TaskCase {
  uint32_t Blocks = 1;
  /// Sums whose order is open.
  bool Unordered = false;
  std::vector<Argument> Arguments;

  uint64_t elements() const;
  uint64_t outputBytes() const;
};

/// All cases of a task for one salt, as tasks/reference.py has written them.
class TaskValues {
public:
  static llvm::Expected<std::shared_ptr<const TaskValues>>
  open(llvm::StringRef Path);

  llvm::ArrayRef<TaskCase> cases() const { return Cases; }
  /// Of all bytes.
  llvm::StringRef digest() const { return Content; }

private:
  llvm::Error writeInputs(llvm::StringRef Folder);

  std::unique_ptr<llvm::MemoryBuffer> File;
  std::vector<TaskCase> Cases;
  std::string Content;
};

/// Which of a task's two sets of cases.
enum class Audience : uint8_t { Public, Hidden };

/// Finds values in a folder that only its owner can read, and has the missing
/// ones computed by the reference process, all at once.
class ValueCache {
public:
  /// \p Secret decides what hidden cases are.
  static llvm::Expected<ValueCache> create(llvm::StringRef Secret);
  /// Where they are; only its owner can read it.
  static llvm::Expected<std::string> folder();
  ValueCache(ValueCache &&Other)
      : Folder(std::move(Other.Folder)), Secret(std::move(Other.Secret)) {}

  llvm::Error prepare(llvm::ArrayRef<Task> Tasks,
                      llvm::ArrayRef<Audience> For) const;
  /// Of a task that was prepared; the last ones are kept.
  llvm::Expected<std::shared_ptr<const TaskValues>> get(const Task &T,
                                                        Audience For);

private:
  ValueCache(std::string Folder, std::string Secret)
      : Folder(std::move(Folder)), Secret(std::move(Secret)) {}
  std::string saltOf(const Task &T, Audience For) const;
  llvm::Expected<std::string> pathOf(const Task &T, Audience For) const;
  llvm::Expected<std::string> referenceDigest(llvm::StringRef Root) const;

  std::string Folder, Secret;
  mutable std::map<std::string, std::string> References; // digests by root
  mutable std::mutex Guard;
  std::map<std::string, std::shared_ptr<const TaskValues>> Known;
};

} // namespace belay::bench

#endif // BELAY_BENCH_VALUES_H
