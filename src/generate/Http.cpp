//===- Http.cpp - Requests to a server that is not trusted ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "generate/Http.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringRef.h"
#include <dlfcn.h>

#ifdef BELAY_HAVE_LIBCURL
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#endif

using namespace llvm;
using namespace belay::generate;

#ifdef BELAY_HAVE_LIBCURL

namespace {

#define BELAY_LIBCURL(F)                                                       \
  F(curl_easy_cleanup)                                                         \
  F(curl_easy_getinfo)                                                         \
  F(curl_easy_init)                                                            \
  F(curl_easy_perform)                                                         \
  F(curl_easy_setopt)                                                          \
  F(curl_easy_strerror)                                                        \
  F(curl_global_init)                                                          \
  F(curl_slist_append)                                                         \
  F(curl_slist_free_all)

struct Library {
#define BELAY_MEMBER(Name) decltype(&::Name) Name = nullptr;
  BELAY_LIBCURL(BELAY_MEMBER)
#undef BELAY_MEMBER
  std::string WhyNot;

  Library() {
    void *Opened = ::dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!Opened) {
      WhyNot = "libcurl.so.4 is missing, which asking a model needs (Debian: "
               "libcurl4)";
      return;
    }
#define BELAY_FIND(Name)                                                       \
  Name = reinterpret_cast<decltype(&::Name)>(::dlsym(Opened, #Name));          \
  if (!Name)                                                                   \
    WhyNot = "libcurl.so.4 has no function " #Name;
    BELAY_LIBCURL(BELAY_FIND)
#undef BELAY_FIND
    if (WhyNot.empty() && curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
      WhyNot = "libcurl does not start";
  }
};

/// What the callbacks of a transfer share.
struct Transfer {
  const HttpRequest &What;
  HttpAnswer &To;
};

} // namespace

static const Library &curl() {
  static const Library Loaded;
  return Loaded;
}

static size_t keep(char *Data, size_t Size, size_t Count, void *Context) {
  auto &At = *static_cast<Transfer *>(Context);
  if (Size * Count > At.What.MaxBytes - At.To.Body.size()) {
    At.To.TooLarge = true;
    return 0; // ends the transfer
  }
  At.To.Body.append(Data, Size * Count);
  return Size * Count;
}

static int goOn(void *Context, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  auto &At = *static_cast<Transfer *>(Context);
  return At.What.Stop && *At.What.Stop;
}

std::string belay::generate::whyNoHttp() { return curl().WhyNot; }

HttpAnswer belay::generate::post(const HttpRequest &What) {
  HttpAnswer To;
  CURL *Handle = curl().curl_easy_init();
  if (!Handle) {
    To.Failure = "libcurl has no memory";
    return To;
  }
  curl_slist *Headers = nullptr;
  scope_exit Free([&] {
    curl().curl_easy_cleanup(Handle);
    curl().curl_slist_free_all(Headers);
  });
  for (const std::string &Each : What.Headers)
    Headers = curl().curl_slist_append(Headers, Each.c_str());
  Transfer At = {What, To};
  auto Set = [&](CURLoption Option, auto Value) {
    curl().curl_easy_setopt(Handle, Option, Value);
  };
  Set(CURLOPT_URL, What.Url.c_str());
  Set(CURLOPT_PROTOCOLS_STR, "http,https");
  Set(CURLOPT_FOLLOWLOCATION, 0L);
  Set(CURLOPT_POST, 1L);
  Set(CURLOPT_POSTFIELDS, What.Body.c_str());
  Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(What.Body.size()));
  Set(CURLOPT_HTTPHEADER, Headers);
  Set(CURLOPT_WRITEFUNCTION, &keep);
  Set(CURLOPT_WRITEDATA, static_cast<void *>(&At));
  Set(CURLOPT_NOPROGRESS, 0L);
  Set(CURLOPT_XFERINFOFUNCTION, &goOn);
  Set(CURLOPT_XFERINFODATA, static_cast<void *>(&At));
  Set(CURLOPT_NOSIGNAL, 1L);
  Set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(What.ConnectSeconds * 1000));
  Set(CURLOPT_TIMEOUT_MS, static_cast<long>(What.TotalSeconds * 1000));
  Set(CURLOPT_LOW_SPEED_LIMIT, 1L);
  Set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(What.SilentSeconds + 0.5));
  CURLcode Code = curl().curl_easy_perform(Handle);
  curl().curl_easy_getinfo(Handle, CURLINFO_RESPONSE_CODE, &To.Status);
  curl_off_t Wait = 0;
  if (curl().curl_easy_getinfo(Handle, CURLINFO_RETRY_AFTER, &Wait) ==
          CURLE_OK &&
      Wait > 0)
    To.RetryAfter = static_cast<double>(Wait);
  if (To.TooLarge)
    To.Failure = "the answer is larger than " +
                 std::to_string(What.MaxBytes >> 20) + " MiB";
  else if (Code != CURLE_OK)
    To.Failure = curl().curl_easy_strerror(Code);
  return To;
}

#else // !BELAY_HAVE_LIBCURL

std::string belay::generate::whyNoHttp() {
  return "this build of Belay cannot ask models: curl/curl.h was missing when "
         "it was built (Debian: libcurl4-openssl-dev)";
}
HttpAnswer belay::generate::post(const HttpRequest &) {
  HttpAnswer To;
  To.Failure = whyNoHttp();
  return To;
}

#endif
