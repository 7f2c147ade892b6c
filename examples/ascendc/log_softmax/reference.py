import torch


def reference(x, **_):
    return {"y": torch.log_softmax(x.double(), dim=1).half()}
