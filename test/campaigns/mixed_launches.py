"""Launches of test_mixed.py as emitted code takes them: addresses, open extents, scalars."""
import pathlib
import re
import sys

from example_launches import Example, sizes

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test/kernels"))

import test_mixed  # noqa: E402


def shape_of(array):
    return "x".join(map(str, array.shape))


def telling(launches):
    """The launch with the most data (more than one tile in every direction, the last short),
    and those that make something of nothing, which have code of their own."""
    launches = list(launches())
    yield max(launches, key=lambda launch: sum(array.size for array in launch[1]))
    for launch in launches:
        if not all(array.size for array in launch[1]) and all(w[0].numel() for w in launch[3]):
            yield launch


def parameters(contract, inputs, outputs, scalars):
    """For one block; `contract` is what `belay build` writes as ENTRY.json."""
    inputs, outputs, shapes, views = iter(inputs), iter(outputs), {}, []
    for view in (p for p in contract["parameters"] if p["kind"] == "view"):
        if view["access"] == "percore":
            shape = "x".join(str(e) if isinstance(e, int) else "1" for e in view["extents"])
            spec = {"inout": f"{view['dtype']}:{shape}=zeros"}
        elif view["access"] == "in":
            shape = next(inputs)
            value = "randint:1:-9:9" if view["dtype"].startswith("i") else f"normal:{len(views)}"
            spec = {"in": f"{view['dtype']}:{shape}={value}"}
        else:
            shape = next(outputs)
            spec = ({"out": f"{view['dtype']}:{shape}"} if view["access"] == "out"
                    else {"inout": f"{view['dtype']}:{shape}=zeros"})
        shapes[view["name"]] = shape.split("x")
        views.append(spec)
    extents = [int(shapes[p["of"]][p["dimension"]]) for p in contract["parameters"] if p["kind"] == "extent"]
    return [*views, *sizes(*extents), *({"scalar": s} for s in scalars)]


def of_contract(launches):
    def all_of(contract):
        return [(1, parameters(contract, map(shape_of, inputs), (shape_of(w[0]) for w in wanted), scalars))
                for _, inputs, scalars, wanted in telling(launches)]

    return all_of


def mixed_examples():
    """Those of examples/kernels that test_mixed.py launches, by the names it has for them."""
    return {name: Example(path.stem, instance, re.sub(r"\W+", "_", instance).strip("_"), None, archs,
                          of_contract(launches))
            for name, (path, instance, _, _, launches, archs) in test_mixed.KERNELS.items()
            if path.parent == test_mixed.EXAMPLES}
