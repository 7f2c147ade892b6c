//===- Testing.h - What unit tests share ------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TEST_TESTING_H
#define BELAY_TEST_TESTING_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>
#include <string>

namespace belay::testing {

/// The message of an error, "" for success.
inline std::string messageOf(llvm::Error E) {
  return E ? llvm::toString(std::move(E)) : "";
}
template <class T> std::string messageOf(llvm::Expected<T> Value) {
  return Value ? "" : llvm::toString(Value.takeError());
}

/// The value, which has to be there.
template <class T> T valueOf(llvm::Expected<T> Value) {
  if (!Value) {
    ADD_FAILURE() << llvm::toString(Value.takeError());
    std::abort();
  }
  return std::move(*Value);
}

/// A folder that goes with the test.
class TemporaryFolder {
public:
  TemporaryFolder() {
    llvm::SmallString<128> Name;
    if (llvm::sys::fs::createUniqueDirectory("belay-test", Name))
      std::abort();
    Path = Name.str().str();
  }
  ~TemporaryFolder() { llvm::sys::fs::remove_directories(Path); }
  std::string operator/(const std::string &Name) const {
    return Path + "/" + Name;
  }
  const std::string &path() const { return Path; }

private:
  std::string Path;
};

/// Whether Text has Part; prints both if not.
inline ::testing::AssertionResult contains(const std::string &Text,
                                           const std::string &Part) {
  if (Text.find(Part) != std::string::npos)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "no '" << Part << "' in '" << Text << "'";
}

} // namespace belay::testing

#endif // BELAY_TEST_TESTING_H
