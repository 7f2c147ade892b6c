TOLERANCE = (1e-5, 1e-5)  # the kernel sums in float


def reference(x, **_):
    return {"y": x.double().cumsum(dim=0).float()}
