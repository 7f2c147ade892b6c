TOLERANCE = (1e-5, 1e-4)  # sums of floats in another order


def reference(x, **_):
    return {"y": x.double().sum(dim=1).float()}
