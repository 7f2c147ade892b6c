import torch


def reference(a, b, **_):
    return {"y": torch.cat([a, b], dim=1)}
