import torch


def reference(x, **_):
    return {"y": torch.softmax(x.double(), dim=1).float()}
