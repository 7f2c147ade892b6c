import torch


def reference(x, width, **_):
    y = x.clone()
    y[:, :width] = torch.relu(x[:, :width].float()).to(x.dtype)
    return {"y": y}
