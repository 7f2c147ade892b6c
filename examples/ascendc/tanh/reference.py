import torch


def reference(x, **_):
    return {"y": torch.tanh(x.float()).to(x.dtype)}
