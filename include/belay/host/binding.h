//===- binding.h - CANN or the simulated device, at run time ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_HOST_BINDING_H
#define BELAY_HOST_BINDING_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

namespace belay::host {

namespace abi {

// Types of AscendCL that only their own functions look into.
struct aclDataBuffer;
struct aclTensorDesc;
struct aclmdlDataset;
struct aclmdlDesc;
struct aclmdlIODims;
struct acldumpChunk;
struct acldumpTensorInfo;
struct aclprofConfig;
struct aclprofEventAttributes;
struct aclprofStepInfo;
struct aclprofSubscribeConfig;
struct aclrtStreamConfigHandle;
struct aclrtIpcEventHandle {
  char reserved[64];
};
struct aclrtRandomNumTaskInfo;
struct aclmdlRICondTaskParams {
  void *handle;
  int type;
  uint32_t size;
  void **modelRIArray;
};

/// The functions of libascendcl.so; null where the library has not got one.
struct functions {
#define BELAY_ACL_RT(Result, Name, Params) Result(*Name) Params = nullptr;
#define BELAY_ACL_MDL(Result, Name, Params) Result(*Name) Params = nullptr;
#include "belay/host/acl.def"
  /// Of the simulated device alone: whether a function is a kernel of the
  /// language.
  int (*belayNeedsLauncher)(void *function) = nullptr;

  /// Where they were found.
  std::string path;
  bool simulated = false;
};

} // namespace abi

namespace detail {

inline const char *environment(const char *name) {
  const char *value = std::getenv(name);
  return value && *value ? value : nullptr;
}

/// Places where the simulated device may be, the likeliest first.
inline std::vector<std::string> simulated_places() {
  constexpr const char *below = "/lib/belay/device/libascendcl.so";
  std::vector<std::string> places;
  if (const char *home = environment("BELAY_HOME"))
    places.push_back(std::string(home) + below);
#ifdef BELAY_PREFIX
  places.push_back(std::string(BELAY_PREFIX) + below);
#endif
  if (const char *path = environment("PATH")) {
    std::string rest = path;
    while (!rest.empty()) {
      auto colon = rest.find(':');
      std::string folder = rest.substr(0, colon);
      rest = colon == rest.npos ? "" : rest.substr(colon + 1);
      if (access((folder + "/belay").c_str(), X_OK) == 0)
        places.push_back(folder + "/.." + below);
    }
  }
  return places;
}

/// Where CANN's installer and scripts put it.
inline std::vector<std::string> cann_places() {
  std::vector<std::string> places = {"libascendcl.so"};
  for (const char *name : {"ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"})
    if (const char *home = environment(name))
      places.push_back(std::string(home) + "/lib64/libascendcl.so");
  return places;
}

inline void *open_first(const std::vector<std::string> &places,
                        std::string &found) {
  for (const std::string &place : places)
    if (void *handle = dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
      found = place;
      return handle;
    }
  return nullptr;
}

inline abi::functions bind() {
  abi::functions f;
  const char *device = environment("BELAY_DEVICE");
  std::string wish = device ? device : "auto";
  if (wish != "auto" && wish != "npu" && wish != "simulated")
    throw std::runtime_error("BELAY_DEVICE=" + wish +
                             ": npu, simulated and auto are known");
  void *handle = nullptr;
  if (const char *path = environment("BELAY_ACL_LIBRARY"))
    handle = open_first({path}, f.path);
  // A machine that has CANN, but no NPU, is for building.
  bool has_npu = access("/dev/davinci_manager", F_OK) == 0;
  if (!handle && (wish == "npu" || (wish == "auto" && has_npu)))
    handle = open_first(cann_places(), f.path);
  if (!handle && wish != "npu")
    f.simulated = (handle = open_first(simulated_places(), f.path));
  if (!handle)
    throw std::runtime_error(
        wish == "npu"
            ? "CANN was not found: libascendcl.so cannot be loaded; source "
              "its set_env.sh"
            : "neither an NPU with CANN nor Belay's simulated device was "
              "found; set BELAY_HOME to where Belay is installed");
#define BELAY_ACL_RT(Result, Name, Params)                                     \
  f.Name = reinterpret_cast<decltype(f.Name)>(dlsym(handle, #Name));
#define BELAY_ACL_MDL(Result, Name, Params)                                    \
  f.Name = reinterpret_cast<decltype(f.Name)>(dlsym(handle, #Name));
#include "belay/host/acl.def"
  f.belayNeedsLauncher = reinterpret_cast<decltype(f.belayNeedsLauncher)>(
      dlsym(handle, "belayNeedsLauncher"));
  return f;
}

/// Bound at the first use, for good: objects with static storage may be the
/// last to need it.
inline const abi::functions &acl() {
  static const auto &only = *new abi::functions(bind());
  return only;
}

/// Another library of the same installation, which is loaded when it is first
/// needed; null if there is none.
inline void *open_beside(const char *name) {
  const std::string &path = acl().path;
  std::string folder = path.substr(0, path.find_last_of('/') + 1);
  std::string found;
  return open_first({folder + name, name}, found);
}

} // namespace detail

/// Which library is in use.
inline const std::string &library_path() { return detail::acl().path; }
/// Whether that is Belay's simulated device.
inline bool is_simulated() { return detail::acl().simulated; }

} // namespace belay::host

#endif // BELAY_HOST_BINDING_H
