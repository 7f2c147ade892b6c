"""Test cases whose shapes are too large to be simulated in a moment."""
import ast
import math


def is_shape(value):
    return isinstance(value, list) and bool(value) and all(isinstance(extent, int) for extent in value)


def shapes_in(value):
    if is_shape(value):
        return [value]
    return [shape for v in value for shape in shapes_in(v)] if isinstance(value, list) else []


def halved(value, at, extent):
    """The same lists; in shapes that have the extent there it is half as large."""
    if is_shape(value):
        fits = len(value) > at and value[at] == extent
        return [*value[:at], extent // 2, *value[at + 1 :]] if fits else value
    return [halved(v, at, extent) for v in value] if isinstance(value, list) else value


def shrunk_row(row, largest):
    """The row of a test case, and whether shapes in it were made smaller: the first extent above
    1 of the largest shape is halved until it fits, in all shapes that have the same there."""
    lists = {}
    for name, text in row.items():
        if isinstance(text, str) and text.startswith("["):
            try:
                lists[name] = ast.literal_eval(text)
            except (ValueError, SyntaxError):
                pass
    smaller = False
    while largest:
        shapes = [shape for value in lists.values() for shape in shapes_in(value)]
        big = max(shapes, key=math.prod, default=[])
        at = next((at for at, extent in enumerate(big[:-1]) if extent > 1), None)
        if math.prod(big) <= largest or at is None:
            break
        lists = {name: halved(value, at, big[at]) for name, value in lists.items()}
        smaller = True
    return ({**row, **{name: str(value) for name, value in lists.items()}} if smaller else row), smaller
