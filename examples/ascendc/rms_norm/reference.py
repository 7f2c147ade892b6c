def reference(x, weight, tiling, **_):
    wide = x.double()
    scale = (wide.square().mean(dim=1, keepdim=True) + tiling["eps"]).rsqrt()
    return {"y": (wide * scale * weight.double()).to(x.dtype)}
