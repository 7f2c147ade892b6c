/*===- RtcStandIn.c - Takes the place of the runtime compile library --------===
 *
 * Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Has the documented functions and compiles nothing: its "binary" is an ELF's
 * first bytes, the options and the source. A source that says "rtc: fail",
 * "rtc: crash" or "rtc: hang" gets that.
 *
 *===----------------------------------------------------------------------===*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Prog {
  char *Source, *Binary;
  char Log[1000];
  char Name[500];
};

int aclrtcCreateProg(void **Out, const char *Source, const char *Name,
                     int NumHeaders, const char **Headers, const char **Names) {
  (void)Headers, (void)Names;
  struct Prog *Prog = calloc(1, sizeof *Prog);
  if (NumHeaders != 0 || !Prog)
    return 176001;
  Prog->Source = strdup(Source);
  snprintf(Prog->Name, sizeof Prog->Name, "%s", Name);
  *Out = Prog;
  return 0;
}

int aclrtcCompileProg(void *Handle, int NumOptions, const char **Options) {
  struct Prog *Prog = Handle;
  if (strstr(Prog->Source, "rtc: crash"))
    abort();
  if (strstr(Prog->Source, "rtc: hang"))
    sleep(1000);
  if (strstr(Prog->Source, "rtc: fail")) {
    snprintf(Prog->Log, sizeof Prog->Log,
             "%s:3:7: error: the library does not like it", Prog->Name);
    return 176003;
  }
  Prog->Binary = calloc(1, strlen(Prog->Source) + 10000);
  strcpy(Prog->Binary, "\x7f"
                       "ELFrtc\n");
  for (int I = 0; I < NumOptions; ++I) {
    strcat(Prog->Binary, Options[I]);
    strcat(Prog->Binary, "\n");
  }
  strcat(Prog->Binary, Prog->Source);
  return 0;
}

int aclrtcGetBinDataSize(void *Handle, size_t *Size) {
  *Size = strlen(((struct Prog *)Handle)->Binary);
  return 0;
}

int aclrtcGetBinData(void *Handle, char *To) {
  struct Prog *Prog = Handle;
  memcpy(To, Prog->Binary, strlen(Prog->Binary));
  return 0;
}

int aclrtcGetCompileLogSize(void *Handle, size_t *Size) {
  *Size = strlen(((struct Prog *)Handle)->Log);
  return 0;
}

int aclrtcGetCompileLog(void *Handle, char *To) {
  struct Prog *Prog = Handle;
  memcpy(To, Prog->Log, strlen(Prog->Log));
  return 0;
}

int aclrtcDestroyProg(void **Handle) {
  struct Prog *Prog = *Handle;
  free(Prog->Source);
  free(Prog->Binary);
  free(Prog);
  *Handle = NULL;
  return 0;
}
