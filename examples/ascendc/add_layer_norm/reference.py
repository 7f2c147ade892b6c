import torch

TOLERANCE = (2e-3, 2e-3)


def reference(x, r, gamma, beta, tiling, **_):
    z = (x.float() + r.float()).half()
    wide = z.double()
    mean = wide.mean(1)
    rstd = 1 / torch.sqrt(wide.var(1, unbiased=False) + tiling["eps"])
    y = (wide - mean[:, None]) * rstd[:, None] * gamma.double() + beta.double()
    return {"y": y.half(), "z": z, "mean": mean.float(), "rstd": rstd.float()}
