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
