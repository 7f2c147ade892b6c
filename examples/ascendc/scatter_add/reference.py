TOLERANCE = (1e-5, 1e-5)  # additions in another order


def reference(x, index, y, **_):
    return {"y": y.double().index_add(0, index.long(), x.double()).float()}
