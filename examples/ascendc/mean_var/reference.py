TOLERANCE = (1e-4, 1e-5)  # sums of floats in another order


def reference(x, **_):
    wide = x.double()
    return {
        "mean": wide.mean(dim=1).float(),
        "var": wide.var(dim=1, unbiased=False).float(),
    }
