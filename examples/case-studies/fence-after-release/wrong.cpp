// Waits for all fences of a list, and releases each as soon as it has passed;
// the answer then asks the last one, which is gone.
#include "acl/acl.h"

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream;
  aclrtCreateStream(&stream);
  aclrtEvent fences[2];
  aclrtEvent last = nullptr;
  for (aclrtEvent &fence : fences) {
    aclrtCreateEvent(&fence);
    aclrtRecordEvent(fence, stream);
  }
  for (aclrtEvent fence : fences) {
    aclrtSynchronizeEvent(fence);
    last = fence;
    aclrtDestroyEvent(fence);
  }
  aclrtEventRecordedStatus status;
  aclrtQueryEventStatus(last, &status);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
}
