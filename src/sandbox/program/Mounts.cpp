//===- Mounts.cpp - A root folder with only what is needed ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sandbox/program/Program.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <linux/mount.h>
#include <map>
#include <sched.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <tuple>
#include <unistd.h>

using namespace belay::sandbox;

//===----------------------------------------------------------------------===//
// System calls that libraries do not all have yet
//===----------------------------------------------------------------------===//

static int openTree(const char *Path) {
  return static_cast<int>(
      ::syscall(SYS_open_tree, AT_FDCWD, Path,
                OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE));
}

static int setAttributes(int Fd, uint64_t Set, int UserNamespace, bool All) {
  mount_attr Attributes = {};
  Attributes.attr_set = Set;
  Attributes.userns_fd = static_cast<uint64_t>(UserNamespace);
  return static_cast<int>(
      ::syscall(SYS_mount_setattr, Fd, "",
                AT_EMPTY_PATH | (All ? unsigned(AT_RECURSIVE) : 0u),
                &Attributes, sizeof(Attributes)));
}

static int moveMount(int Fd, const char *To) {
  return static_cast<int>(
      ::syscall(SYS_move_mount, Fd, "", AT_FDCWD, To, MOVE_MOUNT_F_EMPTY_PATH));
}

static bool writeText(const std::string &Path, const std::string &Text) {
  int Fd = ::open(Path.c_str(), O_WRONLY | O_CLOEXEC);
  bool Done = Fd >= 0 && ::write(Fd, Text.data(), Text.size()) ==
                             static_cast<ssize_t>(Text.size());
  if (Fd >= 0)
    ::close(Fd);
  return Done;
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// A user namespace in which Owner's files belong to SeenAs, for one mount.
static int mappingOf(uid_t Owner, gid_t Group, unsigned SeenAs) {
  static std::map<std::pair<uid_t, gid_t>, int> Known;
  auto [Entry, New] = Known.try_emplace({Owner, Group}, -1);
  if (!New)
    return Entry->second;
  auto Holder = static_cast<pid_t>(::syscall(
      SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
  if (Holder == 0) {
    ::pause();
    ::_exit(0);
  }
  if (Holder < 0)
    return -1;
  std::string Proc = "/proc/" + std::to_string(Holder);
  auto Line = [&](unsigned Id) {
    return std::to_string(Id) + " " + std::to_string(SeenAs) + " 1";
  };
  if (writeText(Proc + "/uid_map", Line(Owner)) &&
      writeText(Proc + "/gid_map", Line(Group)))
    Entry->second = ::open((Proc + "/ns/user").c_str(), O_RDONLY | O_CLOEXEC);
  ::kill(Holder, SIGKILL);
  ::waitpid(Holder, nullptr, 0);
  return Entry->second;
}

/// Whether anybody may read it, as what belongs to the system.
static bool isForAll(const std::string &Path) {
  for (const char *Folder :
       {"/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/etc"}) {
    std::string Prefix = Folder;
    if (Path == Prefix || Path.compare(0, Prefix.size() + 1, Prefix + "/") == 0)
      return true;
  }
  return false;
}

static void addTree(std::vector<Tree> &To, const std::string &Path,
                    Tree::Kind What, bool AsRoot, unsigned SeenAs) {
  struct stat Info;
  if (Path.empty() || Path[0] != '/' || ::stat(Path.c_str(), &Info) != 0)
    return;
  bool IsFolder = S_ISDIR(Info.st_mode);
  if (!IsFolder && !S_ISREG(Info.st_mode))
    return; // pipes, sockets, devices
  Tree New{Path, What, -1, IsFolder};
  if (What != Tree::Kind::Hide) {
    New.Fd = openTree(Path.c_str());
    if (New.Fd < 0)
      return fail("open_tree", Path);
    uint64_t Set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
    if (What == Tree::Kind::Read)
      Set |= MOUNT_ATTR_RDONLY;
    if (setAttributes(New.Fd, Set, 0, /*All=*/true) != 0)
      return fail("mount_setattr", Path);
    // Not all file systems can; what the child cannot read then is found below.
    bool Readable = isForAll(Path) || (!IsFolder && Info.st_mode & S_IROTH);
    if (AsRoot && !Readable)
      if (int Mapping = mappingOf(Info.st_uid, Info.st_gid, SeenAs);
          Mapping >= 0)
        setAttributes(New.Fd, MOUNT_ATTR_IDMAP, Mapping, /*All=*/true);
  }
  To.push_back(std::move(New));
}

std::vector<Tree> belay::sandbox::openTrees(const Policy &P, bool AsRoot,
                                            unsigned SeenAs) {
  std::vector<Tree> Trees;
  for (const std::string &Path : P.Read)
    addTree(Trees, Path, Tree::Kind::Read, AsRoot, SeenAs);
  for (const std::string &Path : P.Write)
    addTree(Trees, Path, Tree::Kind::Write, AsRoot, SeenAs);
  for (const std::string &Path : P.Hide)
    addTree(Trees, Path, Tree::Kind::Hide, AsRoot, SeenAs);
  // What lies inside of another comes after it. Hidden folders hide what was
  // there, not what is named itself.
  std::sort(Trees.begin(), Trees.end(), [](const Tree &A, const Tree &B) {
    return std::tuple(A.Path.size(), A.Path, A.What) <
           std::tuple(B.Path.size(), B.Path, B.What);
  });
  return Trees;
}

//===----------------------------------------------------------------------===//
// Attaching
//===----------------------------------------------------------------------===//

/// Makes the folder or file that a tree is attached to, below the working
/// directory. What is there already, in another tree, serves.
static void makePlace(const std::string &Path, bool IsFolder) {
  for (size_t At = Path.find('/', 1); At != std::string::npos;
       At = Path.find('/', At + 1))
    ::mkdir(("." + Path.substr(0, At)).c_str(), 0755);
  if (IsFolder) {
    ::mkdir(("." + Path).c_str(), 0755);
    return;
  }
  int Fd = ::open(("." + Path).c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC,
                  0644);
  if (Fd >= 0)
    ::close(Fd);
}

static void hide(const Tree &T) {
  std::string Place = "." + T.Path;
  struct stat Info;
  if (::lstat(Place.c_str(), &Info) != 0)
    return; // not shown anyway
  if (T.IsFolder) {
    if (::mount("tmpfs", Place.c_str(), "tmpfs", MS_NOSUID | MS_NODEV,
                "size=64k,nr_inodes=256,mode=755") != 0)
      fail("hiding", T.Path);
    return;
  }
  int Empty = openTree("./.empty");
  if (Empty < 0 || moveMount(Empty, Place.c_str()) != 0)
    fail("hiding", T.Path);
  ::close(Empty);
}

/// The links of the system's root, as /lib to usr/lib.
static void copyLinks() {
  for (const char *Name : {"lib", "lib32", "lib64", "bin", "sbin"}) {
    char Target[256];
    ssize_t Length = ::readlink((std::string("/") + Name).c_str(), Target,
                                sizeof(Target) - 1);
    if (Length <= 0)
      continue;
    Target[Length] = '\0';
    if (::symlink(Target, Name) != 0)
      fail("symlink", Name);
  }
}

void belay::sandbox::replaceRoot(std::vector<Tree> &Trees, const Policy &P) {
  std::string WorkingDir(4096, '\0');
  if (!::getcwd(WorkingDir.data(), WorkingDir.size()))
    WorkingDir = "/";
  WorkingDir.resize(WorkingDir.find('\0'));
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    fail("private mounts");
  // Any folder that exists; all trees are open.
  const char *Base = "/usr";
  if (::mount("tmpfs", Base, "tmpfs", MS_NOSUID | MS_NODEV,
              P.Late ? "size=512m,nr_inodes=8192,mode=755"
                     : "size=1m,nr_inodes=8192,mode=755") != 0 ||
      ::chdir(Base) != 0)
    fail("tmpfs");
  copyLinks();
  makePlace("/.empty", /*IsFolder=*/false);
  makePlace(WorkingDir, /*IsFolder=*/true);
  if (P.Proc) {
    ::mkdir("./proc", 0755);
    if (::mount("proc", "./proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC,
                nullptr) != 0)
      fail("/proc");
  }
  if (P.TemporaryBytes) {
    ::mkdir("./tmp", 0700);
    std::string Options =
        "mode=700,nr_inodes=4096,size=" + std::to_string(P.TemporaryBytes);
    if (::mount("tmpfs", "./tmp", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC,
                Options.c_str()) != 0)
      fail("tmpfs", "/tmp");
  }
  for (Tree &T : Trees) {
    if (T.What == Tree::Kind::Hide) {
      hide(T);
      continue;
    }
    makePlace(T.Path, T.IsFolder);
    if (moveMount(T.Fd, ("." + T.Path).c_str()) != 0)
      fail("move_mount", T.Path);
    ::close(T.Fd);
  }
  if (::syscall(SYS_pivot_root, ".", ".") != 0 ||
      ::umount2(".", MNT_DETACH) != 0)
    fail("pivot_root");
  if (::chdir(WorkingDir.c_str()) != 0 && ::chdir("/") != 0)
    fail("chdir");
}

void belay::sandbox::closeRoot() {
  int Root = ::open("/", O_PATH | O_CLOEXEC);
  if (setAttributes(Root, MOUNT_ATTR_RDONLY, 0, /*All=*/false) != 0)
    fail("read-only root");
  ::close(Root);
}

void belay::sandbox::addFile(int From, const char *Path) {
  int To = ::open(Path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0555);
  struct stat Info;
  if (To < 0 || ::fstat(From, &Info) != 0 || !S_ISREG(Info.st_mode))
    fail("copying", Path);
  for (off_t At = 0; At < Info.st_size;)
    if (::sendfile(To, From, &At, static_cast<size_t>(Info.st_size - At)) <= 0)
      fail("copying", Path);
  ::close(To);
}
