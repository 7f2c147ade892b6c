import torch

COMPILER_SYNC = True  # leaves the order of vector instructions to the compiler


def reference(x, **_):
    gate, value = x.float().chunk(2, dim=1)
    return {"y": (torch.nn.functional.silu(gate) * value).half()}
