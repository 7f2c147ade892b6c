/*===- StandIn.c - Takes the place of the device's compiler -----------------===
 *
 * Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Compiles nothing. It writes down how it was called, reads the source and the
 * headers that it includes, and writes a file with an ELF's first bytes and all
 * of that after them: what it makes differs whenever its input does. It serves
 * as bisheng and as ld.lld of an installation ROOT, told by ROOT/standin/mode
 * to fail in one of the ways in which compilers fail.
 *
 * It also looks for what must never reach a compiler, and leaves ROOT/standin/
 * escape after if it sees it. That list is its own, not Belay's.
 *
 *===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char Root[4096];
static char Buffer[1 << 22];
static size_t Used;
static char Deps[1 << 16];
static const char *Dirs[256];
static int NumDirs;

static void add(const char *Text, size_t Size) {
  if (Used + Size > sizeof Buffer)
    Size = sizeof Buffer - Used;
  memcpy(Buffer + Used, Text, Size);
  Used += Size;
}

static char *readWhole(const char *Path, size_t *Size) {
  FILE *File = fopen(Path, "rb");
  if (!File)
    return NULL;
  char *Text = malloc((1 << 20) + 1);
  *Size = fread(Text, 1, 1 << 20, File);
  Text[*Size] = 0;
  fclose(File);
  return Text;
}

static char *setting(const char *Name) {
  char Path[5000];
  size_t Size;
  snprintf(Path, sizeof Path, "%s/standin/%s", Root, Name);
  return readWhole(Path, &Size);
}

static void note(const char *Name, const char *Text, size_t Size) {
  char Path[5000];
  snprintf(Path, sizeof Path, "%s/standin/%s", Root, Name);
  int File = open(Path, O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (File < 0 || write(File, Text, Size) != (ssize_t)Size)
    abort();
  close(File);
}

/* One line per call: the words, parted by tabs. */
static void record(int Argc, char **Argv) {
  static char Line[1 << 18];
  size_t Length = 0;
  for (int I = 0; I < Argc; ++I)
    Length += (size_t)snprintf(Line + Length, sizeof Line - Length, "%s%s",
                               I ? "\t" : "", Argv[I]);
  for (size_t I = 0; I < Length; ++I)
    if (Line[I] == '\n')
      Line[I] = ' ';
  Line[Length++] = '\n';
  note("log", Line, Length);
}

static int startsWith(const char *Text, const char *Prefix) {
  return strncmp(Text, Prefix, strlen(Prefix)) == 0;
}

/* Words that load code, start programs or write elsewhere. */
static void lookForEscapes(int Argc, char **Argv, const char *Output) {
  static const char *const Never[] = {
      "@",           "-fplugin",  "-fpass-plugin", "-load",       "-Xclang",
      "-cc1",        "-Xlinker",  "-Xassembler",   "-Wl,",        "-Wa,",
      "-Wp,",        "-B",        "-wrapper",      "-specs",      "--config",
      "-save-temps", "-fuse-ld",  "--ld-path",     "--sysroot",   "-dumpdir",
      "-imacros",    "-fprofile", "-ftime-trace",  "-include-pch"};
  int Outputs = 0, Depfiles = 0, Bad = 0;
  for (int I = 1; I < Argc; ++I) {
    for (size_t K = 0; K < sizeof Never / sizeof *Never; ++K)
      Bad |= startsWith(Argv[I], Never[K]);
    Outputs += startsWith(Argv[I], "-o");
    Depfiles += startsWith(Argv[I], "-MF");
    Bad |= strchr(Argv[I], '\n') != NULL;
  }
  char Here[4096];
  if (getcwd(Here, sizeof Here) && Output)
    Bad |= !startsWith(Output, Here) || strstr(Output, "..") != NULL;
  if (Bad || Outputs > 1 || Depfiles > 1)
    note("escape", "x", 1);
}

static void readSource(const char *Path, int Depth) {
  size_t Size;
  char *Text = readWhole(Path, &Size);
  if (!Text || Depth > 20)
    return;
  if (strlen(Deps) + strlen(Path) + 4 < sizeof Deps) {
    strcat(Deps, " ");
    strcat(Deps, Path);
  }
  add(Text, Size);
  char Dir[4096];
  snprintf(Dir, sizeof Dir, "%s", Path);
  char *Slash = strrchr(Dir, '/');
  if (Slash)
    *Slash = 0;
  for (char *At = Text; (At = strstr(At, "#include \"")) != NULL; ++At) {
    char Name[1000], Full[6000];
    if (sscanf(At, "#include \"%999[^\"\n]\"", Name) != 1)
      continue;
    snprintf(Full, sizeof Full, "%s/%s", Dir, Name);
    for (int I = 0; access(Full, R_OK) && I < NumDirs; ++I)
      snprintf(Full, sizeof Full, "%s/%s", Dirs[I], Name);
    readSource(Full, Depth + 1);
  }
  free(Text);
}

static void sleepMs(long Ms) {
  struct timespec Time = {Ms / 1000, Ms % 1000 * 1000000};
  nanosleep(&Time, NULL);
}

static int misbehave(const char *Mode, const char *Output) {
  if (startsWith(Mode, "crash"))
    raise(SIGSEGV);
  if (startsWith(Mode, "hang"))
    for (;;)
      sleepMs(1000);
  if (startsWith(Mode, "slow"))
    sleepMs(atol(Mode + 4));
  if (startsWith(Mode, "noise")) {
    for (int I = 0; I < 1 << 20; ++I)
      putc(I * 37 & 255, stderr);
    return 1;
  }
  if (startsWith(Mode, "fail")) {
    char *Said = setting("stderr");
    fputs(Said ? Said : "", stderr);
    return 1;
  }
  if (startsWith(Mode, "silent"))
    return 0;
  if (startsWith(Mode, "garbage") || startsWith(Mode, "empty") ||
      startsWith(Mode, "killed")) {
    FILE *File = fopen(Output, "wb");
    if (File && !startsWith(Mode, "empty"))
      fputs("this is no object file, however long it is", File);
    if (File)
      fclose(File);
    if (startsWith(Mode, "killed"))
      raise(SIGKILL);
    return 0;
  }
  return -1;
}

int main(int Argc, char **Argv) {
  char Self[4096];
  snprintf(Self, sizeof Self, "%s", Argv[0]);
  snprintf(Root, sizeof Root, "%s", dirname(dirname(Self)));
  if (Argc == 2 && strcmp(Argv[1], "--version") == 0) {
    char *Version = setting("version");
    puts(Version ? Version : "stand-in for bisheng 1");
    return 0;
  }
  record(Argc, Argv);
  const char *Output = NULL, *Depfile = NULL, *Source = NULL;
  add("\x7f"
      "ELFstand-in\n",
      13);
  for (int I = 1; I < Argc; ++I) {
    if (strcmp(Argv[I], "-o") == 0 && I + 1 < Argc) {
      Output = Argv[++I];
    } else if (strcmp(Argv[I], "-MF") == 0 && I + 1 < Argc) {
      Depfile = Argv[++I];
    } else {
      if (startsWith(Argv[I], "-I") && NumDirs < 256)
        Dirs[NumDirs++] = Argv[I] + 2;
      if (Argv[I][0] == '-') {
        add(Argv[I], strlen(Argv[I]));
        add("\n", 1);
      } else {
        Source = Argv[I];
      }
    }
  }
  lookForEscapes(Argc, Argv, Output);
  for (int I = 1; I < Argc; ++I)
    if (Argv[I][0] == '/' && strcmp(Argv[I - 1], "-o") != 0 &&
        strcmp(Argv[I - 1], "-MF") != 0 && strcmp(Argv[I - 1], "-include") != 0)
      readSource(Argv[I], 0);
  char *Mode = setting("mode");
  int Status = misbehave(Mode ? Mode : "", Output);
  if (Status >= 0)
    return Status;
  char *Said = setting("stderr");
  fputs(Said ? Said : "", stderr);
  if (Depfile && !(Mode && startsWith(Mode, "nodep"))) {
    FILE *File = fopen(Depfile, "w");
    fprintf(File, "out:%s\n", Deps);
    fclose(File);
  }
  if (!Output || !Source)
    return 1;
  FILE *File = fopen(Output, "wb");
  if (!File || fwrite(Buffer, 1, Used, File) != Used || fclose(File))
    return 1;
  return 0;
}
