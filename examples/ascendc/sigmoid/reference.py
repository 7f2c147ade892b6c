import torch


def reference(x, **_):
    return {"y": torch.sigmoid(x.float()).half()}
