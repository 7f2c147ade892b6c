"""What tests of kernels need: comparisons in units of the last place, shapes at the edges.

    @belay.testing.parametrize_shapes("shape", rank=2, last=1024)
    def test_softmax(shape):
        x = numpy.random.randn(*shape).astype("f")
        belay.testing.assert_close(softmax(x), reference(x), ulp=4)

Needs NumPy; ``parametrize_shapes`` needs pytest.
"""
from __future__ import annotations

from typing import Any, Iterable, List, Optional, Sequence, Tuple

from belay_npu._elements import BY_CODE, Element

#: No element and one, less than a block, a block and its neighbours, several tiles.
SIZES = (0, 1, 7, 32, 33, 1000, 8193)
_SHOWN = 5
# Expected values may be doubles, which kernels do not have.
_DOUBLE = Element("f64", "double", "float64", "float64", 8, "<d", 11, 52, 1e-7)
_FLOATS = {each.torch: each for each in (*BY_CODE.values(), _DOUBLE) if each.mantissa}
_ATOL = 1e-5  # torch.testing's, but for doubles


def _numbers(value: Any, bfloat16: bool) -> Tuple[Any, str]:
    """As an array that holds every value exactly, and the name of its type."""
    import numpy

    name = str(getattr(value, "dtype", "")).rpartition(".")[2]
    if hasattr(value, "detach"):  # a tensor
        value = value.detach().cpu()
        value = (value.double() if value.is_floating_point() else value).numpy()
    array = numpy.asarray(value)
    if bfloat16 and array.dtype == numpy.uint16:
        name, array = "bfloat16", (array.astype(numpy.uint32) << 16).view(numpy.float32)
    name = name or str(array.dtype)
    if array.dtype.kind not in "biuf" and name != "bfloat16":
        raise TypeError(f"arrays of {array.dtype} cannot be compared")
    return (array.astype(numpy.float64) if name in _FLOATS else array), name


def ulp_of(values: Any, dtype: str) -> Any:
    """The distance of neighbours in a type of floats, at these values."""
    import numpy

    kind = _FLOATS[dtype]
    least = 3 - (1 << kind.exponent - 1)  # of normal numbers, as frexp counts
    exponents = numpy.where(values == 0, least, numpy.frexp(numpy.abs(values))[1])
    return numpy.ldexp(1.0, numpy.maximum(exponents, least) - kind.mantissa - 1)


def assert_close(
    actual: Any,
    expected: Any,
    *,
    ulp: Optional[float] = None,
    rtol: Optional[float] = None,
    atol: Optional[float] = None,
    bfloat16: bool = False,
) -> None:
    """Compares what a kernel computed with what it should have.

    Args:
      actual: An array or tensor; its type says what a unit in the last place is.
      expected: Of the same shape, best in float64.
      ulp: The distance that is allowed, in units in the last place of ``actual``'s type.
      rtol, atol: The error that is allowed instead, |e| <= atol + rtol * |expected|; as in
        torch.testing if neither these nor ``ulp`` are given. ``atol`` beside ``ulp`` is
        allowed, too, for results near 0.
      bfloat16: uint16 are the bits of bfloat16.

    NaN is equal to NaN, infinities to themselves, integers have to be equal.

    Raises:
      AssertionError: With how many elements are off, the worst of them and their distances.
    """
    import numpy

    got, name = _numbers(actual, bfloat16)
    want, _ = _numbers(expected, bfloat16)
    if got.shape != want.shape:
        raise AssertionError(f"shapes differ: {got.shape}, expected {want.shape}")
    if name not in _FLOATS:
        wrong = got != want
        if wrong.any():
            raise AssertionError(_report(name, got, want, wrong, None))
        return
    want = want.astype(numpy.float64)
    same = (got == want) | (numpy.isnan(got) & numpy.isnan(want))
    with numpy.errstate(invalid="ignore", over="ignore"):
        error = numpy.abs(got - want)
        units = error / ulp_of(numpy.where(numpy.isfinite(want), want, 1.0), name)
        if ulp is not None:
            near = units <= ulp
            if atol is not None:
                near |= error <= atol
        else:
            relative = _FLOATS[name].rtol
            absolute = relative if _FLOATS[name] == _DOUBLE else _ATOL
            if rtol is not None or atol is not None:
                relative, absolute = rtol or 0.0, atol or 0.0
            near = error <= absolute + relative * numpy.abs(want)
    finite = numpy.isfinite(got) & numpy.isfinite(want)
    wrong = ~(same | (finite & near))
    if wrong.any():
        units = numpy.where(finite, units, numpy.inf)
        raise AssertionError(_report(name, got, want, wrong, units))


def _report(name: str, got: Any, want: Any, wrong: Any, units: Any) -> str:
    import numpy

    places = numpy.argwhere(wrong)
    order: Any = range(len(places))
    if units is not None:
        order = numpy.argsort(-units[wrong], kind="stable")
    lines = [f"{len(places)} of {wrong.size} elements of {name} are off"]
    if units is not None:
        close = units[numpy.isfinite(units) & ~(got == want)]
        if close.size:
            lines[0] += (f"; among finite ones the largest distance is {close.max():.6g} ulp, "
                         f"the median of those that differ {numpy.median(close):.6g} ulp")
    for index in list(order)[:_SHOWN]:
        at = tuple(int(each) for each in places[index])
        line = f"  at {list(at)}: {got[at]!r}, expected {want[at]!r}"
        if units is not None and numpy.isfinite(units[at]):
            line += f", {units[at]:.6g} ulp"
        lines.append(line)
    if len(places) > _SHOWN:
        lines.append(f"  and {len(places) - _SHOWN} more")
    return "\n".join(lines)


def edge_shapes(rank: int = 1, *, last: Optional[int] = None,
                sizes: Sequence[int] = SIZES) -> List[Tuple[int, ...]]:
    """Shapes in which each dimension takes each size once, and the others are small.

    ``last`` fixes the last extent, for kernels whose rows have a length.
    """
    if rank < 1 or (last is not None and rank < 2):
        raise ValueError("a shape has at least one dimension that is not fixed")
    free = rank if last is None else rank - 1
    tail = () if last is None else (last,)
    shapes: List[Tuple[int, ...]] = []
    for dimension in range(free):
        for size in sizes:
            shape = tuple(size if each == dimension else 3 for each in range(free)) + tail
            if shape not in shapes:
                shapes.append(shape)
    return shapes


def parametrize_shapes(name: str = "shape", rank: int = 1, *, last: Optional[int] = None,
                       sizes: Iterable[int] = SIZES) -> Any:
    """A decorator of pytest: the test runs once for each of :func:`edge_shapes`."""
    import pytest

    shapes = edge_shapes(rank, last=last, sizes=tuple(sizes))
    return pytest.mark.parametrize(
        name, shapes, ids=["x".join(str(each) for each in shape) for shape in shapes])
