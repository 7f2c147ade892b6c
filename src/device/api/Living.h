//===- Living.h - Structures that programs own ------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Descriptions of data are pointers to structures, not handles of the runtime.
// Those that were created and not destroyed are known, so that one that is
// destroyed twice, or never was, is a mistake that is reported and no crash.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_API_LIVING_H
#define BELAY_DEVICE_API_LIVING_H

#include "device/core/Runtime.h"

#include <mutex>
#include <unordered_set>

namespace belay::device {

template <typename T> class Living {
public:
  static T *add(T *Created) {
    std::lock_guard<std::mutex> Lock(all().Mutex);
    all().Pointers.insert(Created);
    return Created;
  }

  /// The structure; null if it is none.
  template <typename U> static U *get(U *Object) {
    std::lock_guard<std::mutex> Lock(all().Mutex);
    return all().Pointers.count(Object) ? Object : nullptr;
  }

  static int destroy(Call &This, const T *Object, const char *What) {
    {
      std::lock_guard<std::mutex> Lock(all().Mutex);
      if (!all().Pointers.erase(Object))
        return This.mistake(InvalidParam, DiagId::DeviceBadHandle,
                            std::string("this is no ") + What +
                                ", or it was destroyed before");
    }
    delete Object;
    return Success;
  }

private:
  struct All {
    std::mutex Mutex;
    std::unordered_set<const T *> Pointers;
  };
  static All &all() {
    static auto &Only = *new All; // outlives static destructors
    return Only;
  }
};

} // namespace belay::device

#endif // BELAY_DEVICE_API_LIVING_H
