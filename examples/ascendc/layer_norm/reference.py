import torch

TOLERANCE = (1e-5, 1e-5)


def reference(x, gamma, beta, tiling, **_):
    y = torch.nn.functional.layer_norm(
        x.double(), x.shape[1:], gamma.double(), beta.double(), tiling["eps"]
    )
    return {"y": y.float()}
