// subscriptions MODEL: the times of a model, through a pipe.
#include "acl/acl.h"
#include "profiling/aprof_pub.h"

#include <cstdio>
#include <cstring>
#include <unistd.h>
#include <vector>

#define CHECK(Call)                                                            \
  if (int Code = (Call))                                                       \
  std::printf("%s: %d\n", #Call, Code)

static aclmdlDataset *setOf(const std::vector<void *> &Memory) {
  aclmdlDataset *Set = aclmdlCreateDataset();
  for (void *Each : Memory)
    CHECK(aclmdlAddDatasetBuffer(Set, aclCreateDataBuffer(Each, 4096)));
  return Set;
}

int main(int argc, char **argv) {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  uint32_t Model = 0;
  CHECK(aclmdlLoadFromFile(argv[1], &Model));
  void *X = nullptr, *Z = nullptr;
  CHECK(aclrtMalloc(&X, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMalloc(&Z, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemset(X, 4096, 0, 4096));
  aclmdlDataset *In = setOf({X, X}), *Out = setOf({Z});

  int Pipe[2], Quiet[2];
  if (pipe(Pipe) || pipe(Quiet))
    return 2;
  aclprofSubscribeConfig *Config =
      aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &Pipe[1]);
  aclprofSubscribeConfig *Silent =
      aclprofCreateSubscribeConfig(0, ACL_AICORE_NONE, &Quiet[1]);
  CHECK(aclmdlExecute(Model, In, Out)); // nobody hears of it
  CHECK(aclprofModelSubscribe(77, Config));
  CHECK(aclprofModelSubscribe(Model, Config));
  if (argc > 2 && !std::strcmp(argv[2], "twice"))
    CHECK(aclprofModelSubscribe(Model, Config));
  if (argc > 2 && !std::strcmp(argv[2], "session"))
    CHECK(aclprofInit("/tmp", 4));
  CHECK(aclmdlExecute(Model, In, Out));
  CHECK(aclmdlExecute(Model, In, Out));
  CHECK(aclprofModelUnSubscribe(Model));
  if (argc > 2 && !std::strcmp(argv[2], "again"))
    CHECK(aclprofModelUnSubscribe(Model));
  CHECK(aclmdlExecute(Model, In, Out)); // nor of this

  size_t Size = 0;
  CHECK(aclprofGetOpDescSize(&Size));
  std::vector<char> Data(10 * Size);
  size_t Read = 0;
  ssize_t Now;
  while ((Now = read(Pipe[0], Data.data() + Read, Data.size() - Read)) > 0)
    Read += Now; // until the other end is closed
  uint32_t Count = 0;
  CHECK(aclprofGetOpNum(Data.data(), Read, &Count));
  CHECK(aclprofGetOpNum(Data.data(), Read - 1, &Count));
  std::printf("%u operators\n", Count);
  uint64_t Before = 0;
  for (uint32_t N = 0; N < Count; ++N) {
    char Type[64], Name[2];
    size_t TypeLength = 0, NameLength = 0;
    CHECK(aclprofGetOpTypeLen(Data.data(), Read, N, &TypeLength));
    CHECK(aclprofGetOpNameLen(Data.data(), Read, N, &NameLength));
    CHECK(aclprofGetOpType(Data.data(), Read, N, Type, sizeof(Type)));
    CHECK(aclprofGetOpName(Data.data(), Read, N, Name, sizeof(Name)));
    uint64_t Start = aclprofGetOpStart(Data.data(), Read, N);
    uint64_t End = aclprofGetOpEnd(Data.data(), Read, N);
    std::printf(
        "type %s (%zu), name %s... (%zu), %s, %s, model %s, flag %d\n", Type,
        TypeLength, Name, NameLength,
        Start >= Before && End > Start ? "in order" : "out of order",
        aclprofGetOpDuration(Data.data(), Read, N) == End - Start ? "long"
                                                                  : "too short",
        aclprofGetModelId(Data.data(), Read, N) == Model ? "this" : "another",
        aclprofGetOpFlag(Data.data(), Read, N));
    Before = End;
  }
  char Type[8];
  CHECK(aclprofGetOpType(Data.data(), Read, 2, Type, sizeof(Type)));

  // A model that somebody else has loaded; its times are not asked for.
  std::printf("announced %d, %d\n", MsprofSetDeviceIdByGeModelIdx(78, 0),
              MsprofSetDeviceIdByGeModelIdx(78, 9));
  CHECK(aclprofModelSubscribe(78, Silent));
  CHECK(aclprofModelUnSubscribe(78));
  char Byte;
  std::printf("read %d\n", (int)read(Quiet[0], &Byte, 1));

  CHECK(aclprofDestroySubscribeConfig(Config));
  CHECK(aclprofDestroySubscribeConfig(Silent));
  CHECK(aclmdlUnload(Model));
  CHECK(aclrtFree(X));
  CHECK(aclrtFree(Z));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
}
