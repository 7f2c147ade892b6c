import torch


def reference(a, b, tiling, **_):
    product = a.double() @ b.double()
    return {"y": torch.nn.functional.leaky_relu(product, tiling["slope"]).half()}
