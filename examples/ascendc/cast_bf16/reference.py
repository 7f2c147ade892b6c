TOLERANCE = (0, 0)  # each value has one right answer


def reference(x, **_):
    return {"y": x.float().bfloat16()}
