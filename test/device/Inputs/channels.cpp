// Channels and queues carry bytes in order, up to their limits.
#include "acl/acl.h"
#include "acl/acl_tdt.h"
#include "acl/acl_tdt_queue.h"

#include <cstdio>
#include <cstring>
#include <thread>

static int Result;
#define SHOW(Call)                                                             \
  if ((Result = (Call)))                                                       \
  std::printf("%s: %d\n", #Call, Result)

static acltdtDataset *listOf(float *Values, int64_t Count,
                             acltdtDataItem *&Item) {
  int64_t Dims[] = {1, Count};
  Item = acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, Dims, 2, ACL_FLOAT,
                              Values, Count * sizeof(float));
  acltdtDataset *List = acltdtCreateDataset();
  SHOW(acltdtAddDataItem(List, Item));
  return List;
}

static void channels() {
  std::printf("%d\n", acltdtCreateChannelWithCapacity(0, "c", 1) != nullptr);
  acltdtChannelHandle *In = acltdtCreateChannelWithCapacity(0, "c", 2);
  acltdtChannelHandle *Out = acltdtCreateChannelWithCapacity(0, "c", 2);
  float Values[] = {1, 2, 3};
  acltdtDataItem *Item;
  acltdtDataset *Sent = listOf(Values, 3, Item);
  SHOW(acltdtSendTensor(In, Sent, -1));
  Values[0] = 5; // what was sent stays
  SHOW(acltdtSendTensor(In, Sent, 0));
  SHOW(acltdtSendTensor(In, Sent, 0));
  SHOW(acltdtSendTensor(In, Sent, 20));
  size_t Size = 0;
  SHOW(acltdtQueryChannelSize(Out, &Size));
  std::printf("%zu held\n", Size);
  acltdtDataset *Got = acltdtCreateDataset();
  for (int I = 0; I < 2; ++I) {
    SHOW(acltdtReceiveTensor(Out, Got, 0));
    acltdtDataItem *First = acltdtGetDataItem(Got, 0);
    int64_t Dims[2];
    SHOW(acltdtGetDimsFromItem(First, Dims, 2));
    std::printf("%zu of %s: %ldx%ld, %zu bytes, type %d, first %g\n",
                acltdtGetDatasetSize(Got), acltdtGetDatasetName(Got), Dims[0],
                Dims[1], acltdtGetDataSizeFromItem(First),
                acltdtGetDataTypeFromItem(First),
                *static_cast<float *>(acltdtGetDataAddrFromItem(First)));
  }
  SHOW(acltdtReceiveTensor(Out, Got, 0));
  // One who waits is told to stop.
  std::thread Waiting([&] { SHOW(acltdtReceiveTensor(Out, Got, -1)); });
  SHOW(acltdtStopChannel(In));
  Waiting.join();
  SHOW(acltdtDestroyChannel(In));
  SHOW(acltdtDestroyChannel(Out));
  SHOW(acltdtDestroyDataset(Got));
  SHOW(acltdtDestroyDataItem(Item));
  SHOW(acltdtDestroyDataset(Sent));
}

static uint32_t queueOf(const char *Name, uint32_t Depth) {
  acltdtQueueAttr *Attr = acltdtCreateQueueAttr();
  SHOW(acltdtSetQueueAttr(Attr, ACL_TDT_QUEUE_NAME_PTR, sizeof(Name), &Name));
  SHOW(acltdtSetQueueAttr(Attr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, &Depth));
  uint32_t Id = 99;
  SHOW(acltdtCreateQueue(Attr, &Id));
  SHOW(acltdtDestroyQueueAttr(Attr));
  return Id;
}

static void take(uint32_t Queue) {
  char Text[8] = {}, Own[4] = {};
  size_t Bytes = 0;
  SHOW(acltdtDequeueData(Queue, Text, sizeof(Text), &Bytes, Own, sizeof(Own),
                         0));
  if (!Result)
    std::printf("%zu bytes: %s %s\n", Bytes, Text, Own);
}

static void queues() {
  uint32_t A = queueOf("a", 1), B = queueOf("b", 1), C = queueOf("c", 2);
  queueOf("a", 2);
  acltdtQueueRouteList *Routes = acltdtCreateQueueRouteList();
  acltdtQueueRoute *AtoB = acltdtCreateQueueRoute(A, B);
  acltdtQueueRoute *AtoC = acltdtCreateQueueRoute(A, C);
  acltdtQueueRoute *CtoA = acltdtCreateQueueRoute(C, A);
  SHOW(acltdtAddQueueRoute(Routes, AtoB));
  SHOW(acltdtAddQueueRoute(Routes, AtoC));
  SHOW(acltdtBindQueueRoutes(Routes));
  acltdtQueueRouteList *Circle = acltdtCreateQueueRouteList();
  SHOW(acltdtAddQueueRoute(Circle, CtoA));
  SHOW(acltdtBindQueueRoutes(Circle));
  SHOW(acltdtGetQueueRoute(Circle, 0, CtoA));
  size_t Bytes;
  int32_t Status;
  SHOW(acltdtGetQueueRouteParam(CtoA, ACL_TDT_QUEUE_ROUTE_STATUS_INT32, 4,
                                &Bytes, &Status));
  std::printf("circle: status %d\n", Status);
  // Both ends get the first; the second waits in the source for room in B.
  SHOW(acltdtEnqueueData(A, "one", 4, "u1", 3, 0, 0));
  SHOW(acltdtEnqueueData(A, "two", 4, "u2", 3, 0, 0));
  SHOW(acltdtEnqueueData(A, "three", 6, nullptr, 0, 10, 0));
  take(C);
  take(C);
  take(B);
  take(B);
  take(C);
  acltdtQueueRouteQueryInfo *Query = acltdtCreateQueueRouteQueryInfo();
  acltdtQueueRouteQueryMode Mode = ACL_TDT_QUEUE_ROUTE_QUERY_SRC;
  acltdtQueueRouteList *Found = acltdtCreateQueueRouteList();
  SHOW(acltdtSetQueueRouteQueryInfo(Query, ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM,
                                    sizeof(Mode), &Mode));
  SHOW(acltdtQueryQueueRoutes(Query, Found));
  SHOW(acltdtSetQueueRouteQueryInfo(
      Query, ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32, 4, &A));
  SHOW(acltdtQueryQueueRoutes(Query, Found));
  std::printf("%zu routes\n", acltdtGetQueueRouteNum(Found));
  SHOW(acltdtUnbindQueueRoutes(Routes));
  SHOW(acltdtUnbindQueueRoutes(Routes));
  SHOW(acltdtEnqueueData(A, "four", 5, nullptr, 0, 0, 0));
  take(B);
  take(A);
  for (uint32_t Each : {A, B, C})
    SHOW(acltdtDestroyQueue(Each));
  take(A);
  SHOW(acltdtDestroyQueueRoute(AtoB));
  SHOW(acltdtDestroyQueueRoute(AtoC));
  SHOW(acltdtDestroyQueueRoute(CtoA));
  SHOW(acltdtDestroyQueueRouteList(Routes));
  SHOW(acltdtDestroyQueueRouteList(Circle));
  SHOW(acltdtDestroyQueueRouteList(Found));
  SHOW(acltdtDestroyQueueRouteQueryInfo(Query));
}

int main(int Argc, char **) {
  aclInit(nullptr);
  aclrtSetDevice(0);
  channels();
  queues();
  if (Argc > 1) {
    acltdtDataset *List = acltdtCreateDataset();
    acltdtDestroyDataset(List);
    acltdtDestroyDataset(List);
  }
  aclrtResetDevice(0);
  aclFinalize();
}
