import torch


def reference(x, k, **_):
    value, index = torch.topk(x, k, dim=1)
    return {"value": value, "index": index}
