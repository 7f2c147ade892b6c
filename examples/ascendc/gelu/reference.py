import torch


def reference(x, **_):
    wide = x.double()
    inner = (2 / torch.pi) ** 0.5 * (wide + 0.044715 * wide**3)
    return {"y": (0.5 * wide * (1 + torch.tanh(inner))).float()}
