//===- operator_mistakes.cpp - Operators and models, in C -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// operator_mistakes MODEL CASE wrong|right: as mistakes.cpp, for operators in
// two phases and for models.
//
//===----------------------------------------------------------------------===//

#include "Mistakes.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_softmax.h"

#include <cstdio>
#include <vector>

namespace {

const char *ModelPath;
constexpr int64_t N = 1024;
constexpr size_t Bytes = N * sizeof(float);

struct Session {
  Session() {
    CHECK(aclInit(nullptr));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtCreateStream(&Stream));
    CHECK(aclrtCreateStream(&Other));
  }
  ~Session() {
    CHECK(aclrtDestroyStream(Stream));
    CHECK(aclrtDestroyStream(Other));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
  }
  aclrtStream Stream = nullptr, Other = nullptr;
};

void *allocate(size_t Count = Bytes) {
  void *P = nullptr;
  CHECK(aclrtMalloc(&P, Count, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemset(P, Count, 0, Count));
  return P;
}

aclTensor *tensor(void *Data, int64_t Count = N) {
  int64_t Stride = 1;
  return aclCreateTensor(&Count, 1, ACL_FLOAT, &Stride, 0, ACL_FORMAT_ND,
                         &Count, 1, Data);
}

/// Two tensors and an operator that is ready.
struct Softmax {
  explicit Softmax(int64_t Count = N)
      : X(allocate()), Y(allocate()), From(tensor(X, Count)),
        To(tensor(Y, Count)) {
    CHECK(aclnnSoftmaxGetWorkspaceSize(From, 0, To, &WorkspaceBytes, &Ready));
    Workspace = allocate(WorkspaceBytes);
  }
  void run(aclrtStream Stream) {
    CHECK(aclnnSoftmax(Workspace, WorkspaceBytes, Ready, Stream));
  }
  void end() {
    CHECK(aclDestroyTensor(From));
    CHECK(aclDestroyTensor(To));
    for (void *Each : {X, Y, Workspace})
      CHECK(aclrtFree(Each));
  }
  void *X, *Y, *Workspace = nullptr;
  aclTensor *From, *To;
  uint64_t WorkspaceBytes = 0;
  aclOpExecutor *Ready = nullptr;
};

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

void runTwice(bool Wrong) {
  Session All;
  Softmax S;
  if (!Wrong)
    CHECK(aclSetAclOpExecutorRepeatable(S.Ready));
  S.run(All.Stream);
  S.run(All.Stream);
  CHECK(aclrtSynchronizeStream(All.Stream));
  if (!Wrong)
    CHECK(aclDestroyAclOpExecutor(S.Ready));
  S.end();
}

void otherOperator(bool Wrong) {
  Session All;
  Softmax S;
  if (Wrong)
    CHECK(aclnnMul(S.Workspace, S.WorkspaceBytes, S.Ready, All.Stream));
  S.run(All.Stream);
  CHECK(aclrtSynchronizeStream(All.Stream));
  S.end();
}

void smallWorkspace(bool Wrong) {
  Session All;
  Softmax S;
  if (Wrong)
    CHECK(aclnnSoftmax(nullptr, 0, S.Ready, All.Stream));
  S.run(All.Stream);
  CHECK(aclrtSynchronizeStream(All.Stream));
  S.end();
}

void tensorGone(bool Wrong) {
  Session All;
  Softmax S;
  if (Wrong)
    CHECK(aclDestroyTensor(S.From));
  S.run(All.Stream);
  CHECK(aclrtSynchronizeStream(All.Stream));
  if (!Wrong)
    CHECK(aclDestroyTensor(S.From));
  CHECK(aclDestroyTensor(S.To));
  for (void *Each : {S.X, S.Y, S.Workspace})
    CHECK(aclrtFree(Each));
}

void memoryGone(bool Wrong) {
  Session All;
  Softmax S;
  S.run(All.Stream);
  if (!Wrong)
    CHECK(aclrtSynchronizeStream(All.Stream));
  S.end();
}

void tensorTooLarge(bool Wrong) {
  Session All;
  Softmax S(Wrong ? 2 * N : N);
  S.run(All.Stream);
  CHECK(aclrtSynchronizeStream(All.Stream));
  S.end();
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

struct Execution {
  Execution() : X(allocate()), Y(allocate()), Z(allocate()) {
    for (void *Each : {X, Y})
      CHECK(aclmdlAddDatasetBuffer(Inputs, aclCreateDataBuffer(Each, Bytes)));
    CHECK(aclmdlAddDatasetBuffer(Outputs, aclCreateDataBuffer(Z, Bytes)));
  }
  void end() {
    for (aclmdlDataset *Set : {Inputs, Outputs}) {
      for (size_t I = 0; I < aclmdlGetDatasetNumBuffers(Set); ++I)
        CHECK(aclDestroyDataBuffer(aclmdlGetDatasetBuffer(Set, I)));
      CHECK(aclmdlDestroyDataset(Set));
    }
    for (void *Each : {X, Y, Z})
      if (Each)
        CHECK(aclrtFree(Each));
  }
  void *X, *Y, *Z;
  aclmdlDataset *Inputs = aclmdlCreateDataset();
  aclmdlDataset *Outputs = aclmdlCreateDataset();
};

uint32_t loadModel() {
  uint32_t Model = 0;
  CHECK(aclmdlLoadFromFile(ModelPath, &Model));
  return Model;
}

void datasetBorrows(bool Wrong) {
  Session All;
  uint32_t Model = loadModel();
  Execution E;
  if (Wrong)
    CHECK(aclrtFree(E.X));
  CHECK(aclmdlExecute(Model, E.Inputs, E.Outputs));
  CHECK(aclmdlUnload(Model));
  if (Wrong)
    E.X = nullptr;
  E.end();
}

void twoStreams(bool Wrong) {
  Session All;
  uint32_t Model = loadModel();
  Execution E;
  CHECK(aclmdlExecuteAsync(Model, E.Inputs, E.Outputs, All.Stream));
  if (!Wrong)
    CHECK(aclrtSynchronizeStream(All.Stream));
  CHECK(aclmdlExecuteAsync(Model, E.Inputs, E.Outputs, All.Other));
  CHECK(aclrtSynchronizeDevice());
  CHECK(aclmdlUnload(Model));
  E.end();
}

void otherContext(bool Wrong) {
  Session All;
  uint32_t Model = loadModel();
  aclrtContext Mine = nullptr, Other = nullptr;
  CHECK(aclrtGetCurrentContext(&Mine));
  CHECK(aclrtCreateContext(&Other, 0));
  if (!Wrong)
    CHECK(aclrtSetCurrentContext(Mine));
  CHECK(aclmdlUnload(Model));
  CHECK(aclrtDestroyContext(Other));
  CHECK(aclrtSetCurrentContext(Mine));
}

void unloadInFlight(bool Wrong) {
  Session All;
  uint32_t Model = loadModel();
  Execution E;
  CHECK(aclmdlExecuteAsync(Model, E.Inputs, E.Outputs, All.Stream));
  if (!Wrong)
    CHECK(aclrtSynchronizeStream(All.Stream));
  CHECK(aclmdlUnload(Model));
  CHECK(aclrtSynchronizeStream(All.Stream));
  E.end();
}

void memoryOfModel(bool Wrong) {
  Session All;
  size_t WorkBytes = 0, WeightBytes = 0;
  CHECK(aclmdlQuerySize(ModelPath, &WorkBytes, &WeightBytes));
  void *Work = allocate(WorkBytes), *Weights = allocate(WeightBytes);
  uint32_t Model = 0;
  CHECK(aclmdlLoadFromFileWithMem(ModelPath, &Model, Work, WorkBytes, Weights,
                                  WeightBytes));
  if (Wrong)
    CHECK(aclrtFree(Work));
  CHECK(aclmdlUnload(Model));
  if (!Wrong)
    CHECK(aclrtFree(Work));
  CHECK(aclrtFree(Weights));
}

void outputOfRuntime(bool Wrong) {
  Session All;
  uint32_t Model = loadModel();
  Execution E;
  aclDataBuffer *Output = aclmdlGetDatasetBuffer(E.Outputs, 0);
  CHECK(aclrtFree(E.Z));
  CHECK(aclUpdateDataBuffer(Output, nullptr, 0));
  CHECK(aclmdlExecute(Model, E.Inputs, E.Outputs));
  E.Z = Wrong ? nullptr : aclGetDataBufferAddr(Output);
  CHECK(aclmdlUnload(Model));
  E.end();
}

/// What models are like, and a file that is none.
void describeModel(bool Wrong) {
  Session All;
  uint32_t Model = 0;
  if (Wrong) {
    CHECK(aclmdlLoadFromFile("/proc/self/exe", &Model));
    return;
  }
  Model = loadModel();
  aclmdlDesc *Desc = aclmdlCreateDesc();
  CHECK(aclmdlGetDesc(Desc, Model));
  aclmdlIODims Dims = {};
  size_t Index = 9;
  CHECK(aclmdlGetOutputDims(Desc, 0, &Dims));
  CHECK(aclmdlGetInputIndexByName(Desc, "y", &Index));
  std::printf("%zu inputs, %zu outputs, %zu bytes, '%s' %zu: %d x %d, y is "
              "input %zu\n",
              aclmdlGetNumInputs(Desc), aclmdlGetNumOutputs(Desc),
              aclmdlGetInputSizeByIndex(Desc, 0), Dims.name, Dims.dimCount,
              int(Dims.dims[0]), int(Dims.dims[1]), Index);
  CHECK(aclmdlDestroyDesc(Desc));
  CHECK(aclmdlUnload(Model));
}

const MistakeCases Cases = {
    {"H18", runTwice},
    {"H18-operator", otherOperator},
    {"H18-workspace", smallWorkspace},
    {"H19", tensorGone},
    {"H19-memory", memoryGone},
    {"H19-extents", tensorTooLarge},
    {"H19-dataset", datasetBorrows},
    {"H20", twoStreams},
    {"H20-context", otherContext},
    {"H20-unload", unloadInFlight},
    {"H21", memoryOfModel},
    {"H22", outputOfRuntime},
    {"model", describeModel},
};

} // namespace

int main(int Argc, char **Argv) {
  if (Argc != 4)
    return 2;
  ModelPath = Argv[1];
  return runMistake(Cases, Argv[2], Argv[3]);
}
