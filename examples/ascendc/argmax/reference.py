import numpy as np
import torch


def reference(x, **_):
    wide = x.float()
    # torch promises no particular one of several maxima; NumPy the first.
    index = torch.from_numpy(np.argmax(wide.numpy(), axis=1))
    return {"value": wide.amax(dim=1).half(), "index": index.int()}
