//===- ContentCacheTest.cpp - Files by content ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cache/ContentCache.h"
#include "../Testing.h"
#include "cache/Fingerprint.h"
#include "support/Files.h"

#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace belay::cache;
using namespace belay::support;
using namespace belay::testing;

static std::string key(llvm::StringRef Text) {
  return Fingerprint().add(Text).str();
}

TEST(Fingerprint, TellsListsApart) {
  EXPECT_NE(Fingerprint().add("ab").add("c").str(),
            Fingerprint().add("a").add("bc").str());
  EXPECT_EQ(key("x"), key("x"));
  EXPECT_EQ(key("x").size(), 64u);
}

TEST(ContentCache, FindsWhatWasStored) {
  TemporaryFolder Folder;
  ContentCache Cache = valueOf(ContentCache::open(Folder / "cache"));
  EXPECT_FALSE(Cache.find(key("a"), "so"));
  std::string Path = valueOf(Cache.store(key("a"), "so", "content"));
  EXPECT_EQ(Cache.find(key("a"), "so"), Path);
  EXPECT_EQ(Cache.read(key("a"), "so"), "content");
  EXPECT_FALSE(Cache.find(key("a"), "json"));
  valueOf(Cache.store(key("a"), "so", "newer"));
  EXPECT_EQ(Cache.read(key("a"), "so"), "newer");
  valueOf(Cache.store(key("e"), "so", ""));
  EXPECT_EQ(Cache.read(key("e"), "so"), "");
}

TEST(ContentCache, DamagedFilesAreNotFound) {
  TemporaryFolder Folder;
  ContentCache Cache = valueOf(ContentCache::open(Folder / "cache"));
  std::string Path = valueOf(Cache.store(key("a"), "so", "some content"));
  for (off_t Size : {20, 3, 0}) {
    ASSERT_EQ(::truncate(Path.c_str(), Size), 0);
    EXPECT_FALSE(Cache.find(key("a"), "so")) << Size;
  }
  std::string Other = valueOf(Cache.store(key("b"), "so", "some content"));
  std::string Bytes = valueOf(readFile(Other, 1000));
  Bytes[2] ^= 1;
  ASSERT_EQ(messageOf(writeFile(Other, toBytes(Bytes))), "");
  EXPECT_FALSE(Cache.read(key("b"), "so"));
  // And are replaced.
  valueOf(Cache.store(key("a"), "so", "again"));
  EXPECT_EQ(Cache.read(key("a"), "so"), "again");
}

TEST(ContentCache, NoFileStandsInThePlaceOfAnother) {
  TemporaryFolder Folder;
  ContentCache Cache = valueOf(ContentCache::open(Folder / "cache"));
  std::string Good = valueOf(Cache.store(key("a"), "so", "good"));
  std::string Json = valueOf(Cache.store(key("a"), "json", "good"));
  std::string Bad = valueOf(Cache.store(key("b"), "so", "bad!"));
  std::string Bytes = valueOf(readFile(Bad, 1000));
  ASSERT_EQ(messageOf(writeFile(Good, toBytes(Bytes))), "");
  EXPECT_FALSE(Cache.read(key("a"), "so"));
  std::string OfOtherKind = valueOf(readFile(Json, 1000));
  ASSERT_EQ(messageOf(writeFile(Good, toBytes(OfOtherKind))), "");
  EXPECT_FALSE(Cache.read(key("a"), "so"));
}

TEST(ContentCache, TheOldestGoesFirst) {
  TemporaryFolder Folder;
  ContentCache Cache =
      valueOf(ContentCache::open(Folder / "cache", 16 * 10000));
  // All in one shard.
  auto Key = [](unsigned I) { return "0" + key(std::to_string(I)); };
  std::string Content(3000, 'x');
  for (unsigned I = 0; I < 3; ++I) {
    std::string Path = valueOf(Cache.store(Key(I), "so", Content));
    timespec Times[2] = {{1000 + I, 0}, {1000 + I, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, Path.c_str(), Times, 0), 0);
  }
  EXPECT_TRUE(Cache.find(Key(0), "so")); // now the newest
  valueOf(Cache.store(Key(3), "so", Content));
  EXPECT_TRUE(Cache.find(Key(0), "so"));
  EXPECT_FALSE(Cache.find(Key(1), "so"));
  EXPECT_TRUE(Cache.find(Key(3), "so"));
}

TEST(ContentCache, FoldersOfOthersAreNotUsed) {
  TemporaryFolder Folder;
  std::string Root = Folder / "cache";
  valueOf(ContentCache::open(Root));
  ASSERT_EQ(::chmod((Root + "/v2").c_str(), 0777), 0);
  EXPECT_TRUE(contains(messageOf(ContentCache::open(Root)), "other users"));
}

TEST(ContentCache, ManyWritersAtOnce) {
  TemporaryFolder Folder;
  std::string Root = Folder / "cache";
  std::vector<std::thread> Threads;
  for (unsigned T = 0; T < 4; ++T)
    Threads.emplace_back([&] {
      ContentCache Cache = valueOf(ContentCache::open(Root));
      for (unsigned I = 0; I < 50; ++I) {
        std::string Name = std::to_string(I % 7);
        valueOf(Cache.store(key(Name), "so", Name + " content"));
        EXPECT_EQ(Cache.read(key(Name), "so"), Name + " content");
      }
    });
  for (std::thread &Each : Threads)
    Each.join();
}

TEST(ContentCache, OneAtATimeHoldsALock) {
  TemporaryFolder Folder;
  ContentCache Cache = valueOf(ContentCache::open(Folder / "cache"));
  // Threads that add one to a number without care, but under the lock.
  int Number = 0;
  std::vector<std::thread> Threads;
  for (int I = 0; I < 8; ++I)
    Threads.emplace_back([&] {
      for (int K = 0; K < 200; ++K) {
        ContentCache::Lock Alone = Cache.lock(key("a"));
        EXPECT_TRUE(static_cast<bool>(Alone));
        int volatile Before = Number;
        Number = Before + 1;
      }
    });
  for (std::thread &Each : Threads)
    Each.join();
  EXPECT_EQ(Number, 1600);
}

TEST(ContentCache, TheLockOfTheDeadIsFree) {
  TemporaryFolder Folder;
  ContentCache Cache = valueOf(ContentCache::open(Folder / "cache"));
  pid_t Child = ::fork();
  if (Child == 0) {
    ContentCache::Lock Alone = Cache.lock(key("a"));
    ::kill(::getpid(), SIGKILL);
  }
  int Status;
  ASSERT_EQ(::waitpid(Child, &Status, 0), Child);
  EXPECT_TRUE(WIFSIGNALED(Status));
  EXPECT_TRUE(static_cast<bool>(Cache.lock(key("a"))));
}

TEST(ContentCache, PrunesByAgeAndSize) {
  TemporaryFolder Folder;
  ContentCache Cache = valueOf(ContentCache::open(Folder / "cache"));
  std::string Content(1000, 'x');
  int64_t Now = ::time(nullptr);
  for (int I = 0; I < 5; ++I) {
    std::string Path = valueOf(
        Cache.store(key(std::to_string(I)), "bin", Content, /*Durable=*/true));
    timespec Times[2] = {{Now - 100 * I, 0}, {Now - 100 * I, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, Path.c_str(), Times, 0), 0);
  }
  std::vector<ContentCache::Entry> Entries = Cache.entries();
  ASSERT_EQ(Entries.size(), 5u);
  EXPECT_EQ(Entries[0].Key, key("0"));
  EXPECT_EQ(Entries[4].Key, key("4"));
  EXPECT_EQ(Entries[0].Kind, "bin");
  EXPECT_EQ(Cache.prune(UINT64_MAX, 350).Files, 1u);
  EXPECT_EQ(Cache.prune(2500, INT64_MAX).Files, 2u);
  EXPECT_TRUE(Cache.read(key("0"), "bin"));
  EXPECT_TRUE(Cache.read(key("1"), "bin"));
  EXPECT_EQ(Cache.clear().Files, 2u);
  EXPECT_TRUE(Cache.entries().empty());
}
