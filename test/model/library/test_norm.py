"""Normalisations and their gradients against NumPy in double precision."""
import numpy as np
import torch
from harness import Batch, In, InOut, Out, Scalar, covers, expect_failure, main, run

ROWS, COLUMNS, VALID = 8, 48, 43
EPS, ALPHA, KEPT = 0.01, 1.5, 77.0
TYPES = {"half": np.float16, "float": np.float32}
TAGS = {"half": "f16", "float": "f32", "bfloat16_t": "bf16"}


def close(got, want, kind, what=""):
    tolerance = {"half": 3e-3, "float": 1e-5}[kind]
    np.testing.assert_allclose(np.asarray(got, np.float64), want, rtol=tolerance,
                               atol=tolerance, err_msg=str(what))


def layer_norm(x, gamma, beta):
    mean = x.mean(axis=1, keepdims=True)
    variance = x.var(axis=1, keepdims=True)
    return (x - mean) / np.sqrt(variance + EPS) * gamma + beta, mean, variance


def expected(op, x, residual, gamma, beta):
    """y, mean, variance or 1 / deviation, for the valid columns."""
    columns = gamma[:x.shape[1]], beta[:x.shape[1]]
    if op in (0, 1):
        return layer_norm(x, *columns)
    if op in (2, 3):
        square = (x * x).mean(axis=1, keepdims=True)
        return x / np.sqrt(square + EPS) * columns[0], None, None
    if op in (4, 5):
        # The variance, though the API calls it rstdLocal.
        return layer_norm(ALPHA * x + residual, *columns)
    if op in (6, 7):
        y, mean, variance = layer_norm(x.T, gamma[:ROWS], beta[:ROWS])
        return y.T, mean, variance
    groups = x.reshape(ROWS // 2, -1)
    mean, variance = groups.mean(axis=1), groups.var(axis=1)
    y = torch.nn.functional.group_norm(
        torch.from_numpy(x.reshape(2, ROWS // 2, -1)), ROWS // 4,
        torch.from_numpy(gamma[:ROWS // 2]), torch.from_numpy(beta[:ROWS // 2]), EPS)
    return y.numpy().reshape(x.shape), mean, variance


@covers("LayerNorm", "RmsNorm", "DeepNorm", "BatchNorm", "GroupNorm",
        forms=("tmp", "no tmp"), dtypes=("half", "float"),
        archs=(2201, 2002, 3510), tail=True)
def test_norm():
    rng = np.random.default_rng(1)
    batch, cases = Batch(), []
    for op in range(10):
        valid = COLUMNS if op in (6, 7) else VALID
        for kind, dtype in TYPES.items():
            x, residual = rng.normal(1, 2, (2, ROWS, COLUMNS)).astype(dtype)
            x[:, valid:] = residual[:, valid:] = 5
            gamma, beta = rng.uniform(0.5, 2, (2, 64)).astype(dtype)
            kept = np.full(64, KEPT, dtype)
            launch = batch.add(
                "norm.cpp", kernel=f"norm<{kind}>",
                soc=2201 if op >= 8 else (2201, 2002, 3510)[op % 3],
                args=[In(x), In(residual), In(gamma), In(beta),
                      Out(TAGS[kind], x.shape), InOut(kept), InOut(kept)]
                + [Scalar("u32", v) for v in (ROWS, COLUMNS, valid, op)])
            wide = [v.astype(np.float64)
                    for v in (x[:, :valid], residual[:, :valid], gamma, beta)]
            cases.append((launch, op, kind, valid, expected(op, *wide)))
    batch.run()
    for launch, op, kind, valid, (y, mean, spread) in cases:
        got, got_mean, got_spread = launch.results()
        close(got[:, :valid], y, kind, op)
        for value, want in ((got_mean, mean), (got_spread, spread)):
            count = 0 if want is None else want.size
            close(value[:count], np.ravel(want) if count else [], kind, op)
            assert np.all(value[count:] == KEPT), f"op {op} writes too much"


@covers("LayerNorm", "Normalize", forms=("tmp", "no tmp", "no gamma", "no beta"),
        dtypes=("half", "float", "half+float"), archs=(2201, 3510), tail=True)
def test_separate():
    rng = np.random.default_rng(2)
    for kind, other in (("half", "half"), ("float", "float"), ("half", "float")):
        x = rng.normal(1, 2, (ROWS, COLUMNS)).astype(TYPES[kind])
        gamma, beta = rng.uniform(0.5, 2, (2, COLUMNS)).astype(TYPES[other])
        known = rng.uniform(0.5, 2, (2, ROWS)).astype(np.float32)
        wide = x[:, :VALID].astype(np.float64)
        wide_gamma, wide_beta = (v[:VALID].astype(np.float64) for v in (gamma, beta))
        for op in range(6):
            bare = op in (2, 5)
            scale, shift = (1, 0) if bare else (wide_gamma, wide_beta)
            if op < 3:
                mean = wide.mean(axis=1, keepdims=True)
                variance = wide.var(axis=1, keepdims=True)
            else:
                mean, variance = (v.astype(np.float64).reshape(-1, 1) for v in known)
            rstd = 1 / np.sqrt(variance + EPS)
            spread = {2: variance, 5: np.full((ROWS, 1), KEPT)}.get(op, rstd)
            y, got_mean, got_spread = run(
                "norm.cpp", kernel=f"separate<{kind}, {other}>",
                soc=2201 if op % 2 else 3510,
                args=[In(x), In(gamma), In(beta), Out(TAGS[kind], x.shape),
                      InOut(known[0]), InOut(known[1])]
                + [Scalar("u32", v) for v in (ROWS, COLUMNS, VALID, op)])
            close(y[:, :VALID], (wide - mean) * rstd * scale + shift, kind, op)
            close(got_mean, mean[:, 0], "float", op)
            close(got_spread, spread[:, 0], "float", op)


@covers("LayerNormGrad", "LayerNormGradBeta", forms=("tmp", "no tmp"),
        dtypes=("half", "float"), tail=True)
def test_gradient():
    rng = np.random.default_rng(3)
    for kind, dtype in TYPES.items():
        dy, x = rng.normal(0, 1, (2, ROWS, COLUMNS)).astype(dtype)
        dy[:, VALID:] = x[:, VALID:] = 0
        gamma = rng.uniform(0.5, 1.5, COLUMNS).astype(dtype)
        wide = torch.tensor(x[:, :VALID].astype(np.float64), requires_grad=True)
        weight = torch.tensor(gamma[:VALID].astype(np.float64), requires_grad=True)
        bias = torch.zeros(VALID, dtype=torch.float64, requires_grad=True)
        y = torch.nn.functional.layer_norm(wide, (VALID,), weight, bias, EPS)
        y.backward(torch.from_numpy(dy[:, :VALID].astype(np.float64)))
        plain = x[:, :VALID].astype(np.float64)
        mean, variance = plain.mean(axis=1), plain.var(axis=1)
        for form in (0, 1):
            dx, res, d_gamma, d_beta = run(
                "norm.cpp", kernel=f"gradient<{kind}>",
                ins=[dy, x, variance.astype(dtype), mean.astype(dtype), gamma],
                outs=[(TAGS[kind], x.shape)] * 2 + [(TAGS[kind], COLUMNS)] * 2,
                scalars=[("u32", v) for v in (ROWS, COLUMNS, VALID, form)])
            close(dx[:, :VALID], wide.grad.numpy(), kind)
            close(d_gamma[:VALID], weight.grad.numpy(), kind)
            close(d_beta[:VALID], bias.grad.numpy(), kind)
            centred = plain - mean.reshape(-1, 1)
            close(res[:, :VALID], centred / np.sqrt(variance + EPS)[:, None], kind)


@covers("WelfordUpdate", "WelfordFinalize",
        forms=("tmp", "no tmp", "counts", "correction", "in place"),
        dtypes=("half", "float"), archs=(2201, 3510), tail=True)
def test_welford():
    rng = np.random.default_rng(4)
    parts, length = 5, 32
    for kind, dtype in TYPES.items():
        x = rng.normal(3, 2, (parts, length)).astype(dtype)
        for last in (length, 19):
            used = x.astype(np.float64).reshape(-1)[:(parts - 1) * length + last]
            for form in range(4):
                got, = run("norm.cpp", kernel=f"welford<{kind}>", ins=[x],
                           outs=[("f32", 2)], soc=3510 if form == 3 else 2201,
                           scalars=[("u32", v) for v in (parts, length, last, form)])
                variance = used.var(ddof=1 if form == 3 else 0)
                np.testing.assert_allclose(got, [used.mean(), variance], rtol=3e-5)


@covers("RmsNorm", forms=("refused shape",))
def test_refused():
    x, vector = np.zeros((2, 40), np.float16), np.zeros(64, np.float16)
    expect_failure(
        "bad-repeat", "norm.cpp", kernel="norm<half>", line="RmsNorm<T>(y, x, gamma, eps",
        contains="multiple of 16",
        args=[In(x), In(x), In(vector), In(vector), Out("f16", x.shape),
              InOut(vector), InOut(vector)]
        + [Scalar("u32", v) for v in (2, 40, 40, 2)])


if __name__ == "__main__":
    main()
