TOLERANCE = (1e-4, 1e-3)  # long sums of floats with cancellation


def reference(x, y, **_):
    return {"z": (x.double() @ y.double()).float().reshape(1)}
