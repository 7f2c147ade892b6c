import torch

TOLERANCE = (1e-5, 1e-6)  # sums of floats in another order


def reference(x, y, **_):
    loss = torch.nn.functional.mse_loss(x.double(), y.double())
    return {"loss": loss.float().reshape(1)}
