import torch


def reference(logits, labels, **_):
    loss = torch.nn.functional.cross_entropy(
        logits.double(), labels.long(), reduction="none"
    )
    return {"loss": loss.float()}
