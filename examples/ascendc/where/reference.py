import torch


def reference(x, a, b, threshold, **_):
    return {"y": torch.where(x > threshold, a, b)}
