import torch


def reference(x, **_):
    value, index = torch.sort(x, dim=1, descending=True, stable=True)
    return {"value": value, "index": index}
