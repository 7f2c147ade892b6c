// Who has waited for the last event of a stream finds it complete.
#include "acl/acl.h"
#include <cstdio>

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream;
  aclrtEvent event;
  aclrtCreateStream(&stream);
  aclrtCreateEvent(&event);
  int late = 0;
  for (int i = 0; i < 5000; ++i) {
    aclrtRecordEvent(event, stream);
    aclrtSynchronizeEvent(event);
    aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
    aclrtStreamQuery(stream, &status);
    late += status != ACL_STREAM_STATUS_COMPLETE;
  }
  std::printf("%d late\n", late);
  aclrtDestroyEvent(event);
  aclrtDestroyStreamForce(stream);
  aclrtResetDevice(0);
  aclFinalize();
}
