import torch

TOLERANCE = (2e-3, 2e-3)


def reference(q, k, v, tiling, **_):
    scores = torch.einsum("hd,htd->ht", q.double(), k.double()) * tiling["scale"]
    return {"o": torch.einsum("ht,htd->hd", scores.softmax(1), v.double()).half()}
