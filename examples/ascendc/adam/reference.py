def reference(w, g, m, v, tiling, **_):
    w, g, m, v = (t.double() for t in (w, g, m, v))
    m = tiling["beta1"] * m + (1 - tiling["beta1"]) * g
    v = tiling["beta2"] * v + (1 - tiling["beta2"]) * g * g
    step = (m / tiling["correction1"]) / (
        (v / tiling["correction2"]).sqrt() + tiling["eps"]
    )
    w = w * (1 - tiling["lr"] * tiling["decay"]) - tiling["lr"] * step
    return {"w": w.float(), "m": m.float(), "v": v.float()}
