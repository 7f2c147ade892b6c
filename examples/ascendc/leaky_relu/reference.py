import torch


def reference(x, tiling, **_):
    y = torch.nn.functional.leaky_relu(x.float(), tiling["slope"])
    return {"y": y.to(x.dtype)}
