"""The kernel library as functions: ``belay.ops.softmax(x)``.

Made from kernels/catalogue.json of the installation. ``dir(belay.ops)`` lists those whose
template arguments follow from their arguments; others take them in brackets, as
``belay.ops.argmax_middle[numpy.float32, numpy.int32](x)``. The documentation of each says
what it computes.

A view of rank 1 takes an array of any shape, a view of rank 2 one with more leading
dimensions; they are merged, and results get them back.
"""
from __future__ import annotations

import copy
import json
import keyword
import pathlib
import threading
from typing import Any, Dict, List, Mapping, Optional, Tuple

from belay_npu import _arrays, _home, _signature, _tool
from belay_npu._conditions import Key, same_extents
from belay_npu._contract import Contract
from belay_npu._errors import BelayFailed, ContractError
from belay_npu._kernel import Kernel, kernel
from belay_npu._signature import Signature

_MOST_JSON = 64 << 20


class Operator:
    """A kernel of the library; called like :class:`belay_npu.Kernel`."""

    def __init__(self, name: str, path: pathlib.Path, entry: Mapping[str, Any]) -> None:
        self.__name__ = name
        self.__doc__ = f"{entry['summary']}\n\n    {entry['signature']}\n"
        self.dtypes: Tuple[str, ...] = tuple(entry["dtypes"])
        self.socs: Tuple[str, ...] = tuple(entry["socs"])
        self._path, self._kernel_name = path, str(entry["kernel"])
        self._kernel: Optional[Kernel] = None

    def __getitem__(self, arguments: Any) -> "Operator":
        """The operator with its first template arguments given."""
        chosen = copy.copy(self)
        chosen._kernel = self.kernel[arguments]
        return chosen

    def __repr__(self) -> str:
        return f"<belay operator {self.__name__} of {self._path}>"

    @property
    def kernel(self) -> Kernel:
        """The kernel itself, which takes arrays of its own rank only."""
        if self._kernel is None:
            self._kernel = kernel(self._path, self._kernel_name)
        return self._kernel

    def __call__(self, *arguments: Any, out: Any = None, **options: Any) -> Any:
        """Runs it on the simulated device; options are those of a kernel's call."""
        signature = self.kernel.signature
        assert signature is not None
        merged: Dict[str, Tuple[int, ...]] = {}
        values = [_merge(parameter, value, merged)
                  for parameter, value in zip(signature.inputs, arguments)]
        values += arguments[len(values):]  # too many: the kernel says so
        results = self.kernel(*values, out=out, **options)
        if not merged or out is not None or results is None:
            return results
        contract = self.kernel.contract(*values, soc=options.get("soc"))
        return _restore(contract, merged, results)


def _merge(parameter: _signature.Parameter, value: Any,
           merged: Dict[str, Tuple[int, ...]]) -> Any:
    """The array with the rank of its view; remembers the dimensions that became one."""
    rank = len(parameter.extents)
    if parameter.access == "scalar" or not _arrays.is_array(value):
        return value
    extra = len(value.shape) - rank
    if rank > 2 or extra < 0 and rank > 1 or extra == 0:
        return value
    if parameter.access == "inout" and not _arrays.adopt(value, parameter.name).dense:
        raise ContractError("argument-mismatch", f"'{parameter.name}' is written; its "
                            "elements have to lie row by row")
    lead = tuple(int(extent) for extent in value.shape[:extra + 1])
    merged[parameter.name] = lead
    count = 1
    for extent in lead:
        count *= extent
    return value.reshape((count, *value.shape[extra + 1:]))


def _restore(contract: Contract, merged: Mapping[str, Tuple[int, ...]], results: Any) -> Any:
    """Results with the dimensions that ``expects`` says are those of the arguments."""
    classes = same_extents(contract.conditions)
    leads: Dict[Key, Tuple[str, Tuple[int, ...]]] = {}
    for name, lead in merged.items():
        key = classes.get((name, 0), (name, 0))
        other, known = leads.setdefault(key, (name, lead))
        if known != lead:
            raise ContractError("argument-mismatch", f"{contract.kernel}: '{other}' has the "
                                f"dimensions {known}, '{name}' {lead}")
    restored: List[Any] = []
    for name, result in zip(contract.outputs,
                            results if isinstance(results, tuple) else (results,)):
        shape: List[int] = []
        for index, extent in enumerate(result.shape):
            key = classes.get((name, index), (name, index))
            shape += leads[key][1] if key in leads else (int(extent),)
        restored.append(result.reshape(tuple(shape)))
    return tuple(restored) if isinstance(results, tuple) else restored[0]


def _follows(signature: Signature) -> bool:
    """Whether all template arguments follow from inputs, or have defaults."""
    known = {"".join(tokens) for each in signature.inputs
             for tokens in (each.element, *each.extents) if each.access != "scalar"}
    return all(each.default or each.name in known for each in signature.templates)


def _read() -> Dict[str, Operator]:
    path = _home.find("share/belay/kernels/catalogue.json")
    try:
        entries = json.loads(_tool.read_bounded(path, _MOST_JSON))["kernels"]
        by_source: Dict[str, int] = {}
        for entry in entries:
            by_source[entry["source"]] = by_source.get(entry["source"], 0) + 1
        found: Dict[str, Operator] = {}
        for entry in entries:
            source = pathlib.PurePosixPath(entry["source"])
            file = path.parent.joinpath(*source.parts[1:])
            own = entry["kernel"] in (source.stem, f"{source.stem}_of")
            name = source.stem if own or by_source[entry["source"]] == 1 else entry["kernel"]
            # The first of a name keeps it; the others are named with their category.
            if name in found:
                name = f"{source.parent.name}_{name}"
            if ".." in source.parts or not name.isidentifier() or keyword.iskeyword(name):
                continue
            found[name] = Operator(name, file, entry)
        return found
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BelayFailed(f"{path} is no catalogue of kernels: {error}") from error


_lock = threading.Lock()
_operators: Dict[str, Operator] = {}


def _all() -> Dict[str, Operator]:
    with _lock:
        if not _operators:
            _operators.update(_read())
        return _operators


def _offered(operator: Operator) -> bool:
    signature = operator.kernel.signature
    return signature is not None and _follows(signature)


def __getattr__(name: str) -> Operator:
    if name.startswith("_"):
        raise AttributeError(name)
    found = _all().get(name)
    if found is None:
        raise AttributeError(f"the kernel library has no '{name}'; dir(belay.ops) lists all")
    return found


def __dir__() -> List[str]:
    return sorted(name for name, each in _all().items() if _offered(each))
