import torch


def reference(x, **_):
    scale = x.abs().amax(dim=1) / 127
    scale = torch.where(scale > 0, scale, torch.ones_like(scale))
    # As the kernel does: multiply by the reciprocal, in float.
    q = torch.round(x * (1 / scale)[:, None])
    return {"q": q.to(torch.int8), "scale": scale}
