"""Steps of recurrent layers after their products, as PyTorch's cells have them."""
from library import In, Out, kernel, normal
import torch

# States and sums of gates are up to 6 in size; two of them are rounded, and a sigmoid, which is off
# by a few roundings, is multiplied by one.
NEAR = 12
SHAPES = ((1, 0, 5), (8, 1, 1), (2, 3, 37), (3, 9, 1030))


@kernel("recurrent/gru_gates", "gru_gates<{T}>", near=NEAR)
def gru_gates(T):
    for blocks, n, units in SHAPES:
        x, hidden = (normal(seed, n, 3, units, T=T) for seed in (1, 2))
        h = normal(3, n, units, T=T)
        a, b = x.double(), hidden.double()
        reset, update = (torch.sigmoid(a[:, i] + b[:, i]) for i in (0, 1))
        fresh = torch.tanh(a[:, 2] + reset * b[:, 2])
        yield blocks, [In(x), In(hidden), In(h), Out((1 - update) * fresh + update * h.double(), T)]


@kernel("recurrent/lstm_gates", "lstm_gates<{T}>", near=NEAR)
def lstm_gates(T):
    for blocks, n, units in SHAPES:
        x, hidden = (normal(seed, n, 4, units, T=T) for seed in (1, 2))
        cell = normal(3, n, units, T=T)
        gates = x.double() + hidden.double()
        enter, forget, leave = (torch.sigmoid(gates[:, i]) for i in (0, 1, 3))
        after = forget * cell.double() + enter * torch.tanh(gates[:, 2])
        yield blocks, [In(x), In(hidden), In(cell), Out(after, T), Out(leave * torch.tanh(after), T)]


# Planes, steps, columns: none, one, tails, more than a tile.
CHUNKS = ((1, 0, 5, 3), (8, 1, 1, 1), (2, 3, 37, 21), (3, 2, 64, 200))


def decays(planes, steps):
    """Sums of logarithms of decays, in float; how far exp of a difference of them is off, relative to it."""
    s = torch.cumsum(normal(2, planes, steps).double(), 1).float()
    return s, s.double(), 4 + s.abs().max().item() if s.numel() else 4


@kernel("recurrent/chunk_decay:chunk_scores", "chunk_scores<{T}>", rel=40)
def chunk_scores(T):
    for blocks, planes, steps, _ in CHUNKS:
        x = normal(1, planes, steps, steps, T=T)
        s, exact, off = decays(planes, steps)
        assert off <= 40
        want = x.double() * torch.tril(torch.exp(exact[:, :, None] - exact[:, None]))
        yield blocks, [In(x), In(s), Out(want, T)]


@kernel("recurrent/chunk_decay:chunk_outputs", "chunk_outputs<{T}>", rel=40)
def chunk_outputs(T):
    for blocks, planes, steps, cols in CHUNKS:
        x = normal(1, planes, steps, cols, T=T)
        s, exact, _ = decays(planes, steps)
        yield blocks, [In(x), In(s), Out(x.double() * torch.exp(exact)[:, :, None], T)]


@kernel("recurrent/chunk_decay:chunk_inputs", "chunk_inputs<{T}>", rel=40)
def chunk_inputs(T):
    for blocks, planes, steps, cols in CHUNKS:
        x = normal(1, planes, steps, cols, T=T)
        s, exact, _ = decays(planes, steps)
        yield blocks, [In(x), In(s), Out(x.double() * torch.exp(exact[:, -1:] - exact)[:, :, None], T)]
