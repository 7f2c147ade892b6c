import torch


def reference(x, k, **_):
    return {"y": torch.triu(x.float(), k).half()}
