import torch


def reference(x, **_):
    return {"y": torch.nn.functional.silu(x.float()).bfloat16()}
