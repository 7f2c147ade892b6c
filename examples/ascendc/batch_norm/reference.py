import torch

# x * scale + shift is rounded where (x - mean) * scale + beta would not be.
TOLERANCE = (1e-5, 1e-5)


def reference(x, gamma, beta, mean, var, tiling, **_):
    x, gamma, beta, mean, var = (t.double() for t in (x, gamma, beta, mean, var))
    y = torch.nn.functional.batch_norm(
        x, mean, var, gamma, beta, training=False, eps=tiling["eps"]
    )
    return {"y": y.float()}
