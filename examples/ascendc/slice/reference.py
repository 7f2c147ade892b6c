def reference(x, tiling, **_):
    rows = x[tiling["rowBegin"] :: tiling["rowStep"]][: tiling["rows"]]
    return {"y": rows[:, tiling["colBegin"] :][:, : tiling["width"]].contiguous()}
