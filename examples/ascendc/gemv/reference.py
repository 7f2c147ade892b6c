TOLERANCE = (1e-5, 1e-4)  # sums of floats in another order


def reference(a, x, **_):
    return {"y": (a.double() @ x.double()).float()}
