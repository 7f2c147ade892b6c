import torch


def reference(x, counts, **_):
    return {"counts": counts + torch.bincount(x.long(), minlength=256).int()}
