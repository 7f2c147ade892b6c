"""Kernels of the kernel language as functions on arrays."""
from __future__ import annotations

import ctypes
import json
import os
import pathlib
import tempfile
import threading
from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from belay_npu import _arrays, _defaults, _device, _signature, _tool
from belay_npu._arrays import HostArray
from belay_npu._conditions import BadContract, Launch, Number
from belay_npu._contract import Contract, scalar_bytes
from belay_npu._device import Device, Function, Transfer
from belay_npu._errors import BelayError, BelayFailed, ContractError, Problem, Violation
from belay_npu._source import Source, SourceLike

DEFAULT_SOC = "Ascend910B3"
_FORMS = ("ascendc", "launcher", "description", "plan-json", "ascend-ir", "core-ir")
_MOST_SOURCE = 64 << 20


@dataclass(frozen=True)
class Timing:
    """What the timing model says of a launch; docs/timing.md.

    Cycles of the simulated part, no measurement of a device: between ``low`` and
    ``high`` under other assumptions on costs. ``details`` is all of ``belay run --time``.
    """

    cycles: int
    low: int
    high: int
    bound_by: str
    details: Mapping[str, Any]


@dataclass(frozen=True)
class _Instance:
    """A compiled kernel on a device."""

    contract: Contract
    function: Function
    device: Device


@dataclass(frozen=True)
class _Bound:
    """One launch, admitted by its contract."""

    launch: Launch
    arrays: Dict[str, HostArray]
    scalars: Dict[str, bytes]
    numbers: Dict[str, Number]
    outputs: Tuple[str, ...]


class Kernel:
    """A kernel, called with arrays; made by :func:`kernel`. Thread-safe."""

    def __init__(self, source: Source, name: str, explicit: Tuple[str, ...], soc: str,
                 check: bool, deny: bool,
                 instances: Optional[Dict[Tuple[str, str, bool], _Instance]] = None) -> None:
        self._source = source
        self.name = name
        self._explicit = explicit
        self._soc, self._check, self._deny = soc, check, deny
        self.signature = _signature.scan(source.text).get(name)
        self._instances = {} if instances is None else instances
        self._building = threading.Lock()

    def __repr__(self) -> str:
        arguments = f"<{', '.join(self._explicit)}>" if self._explicit else ""
        return f"<belay kernel {self.name}{arguments} of {self._source.shown}>"

    def __getitem__(self, arguments: Any) -> "Kernel":
        """The kernel with its first template arguments given: ``k[numpy.float16, 128]``."""
        words = arguments if isinstance(arguments, tuple) else (arguments,)
        explicit = tuple(_signature.template_argument(each) for each in words)
        return Kernel(self._source, self.name, explicit, self._soc, self._check, self._deny,
                      self._instances)

    def __call__(self, *arguments: Any, out: Any = None, blocks: Optional[int] = None,
                 soc: Optional[str] = None, check: Optional[bool] = None,
                 **named: Any) -> Any:
        """Runs the kernel on the simulated device.

        Args:
          arguments: Inputs and scalars, in the order of the source, without outputs;
            ``named`` takes them by name.
          out: The output, a tuple of them, or a dictionary by name. What is not given
            is allocated; its shape follows from ``expects``.
          blocks: Of the launch; default all cores of the part.
          soc: The part, if it is another than that of :func:`kernel`.
          check: Run under the sanitizer.

        Returns:
          The output, or a tuple of them; None if the kernel changes its arguments only.

        Raises:
          ContractError: The kernel does not admit this launch; it was not started.
          ProofError, CompileError: The kernel was not compiled.
          Violation: The kernel failed, or the sanitizer found something.
          BelayFailed: Belay failed.
        """
        soc = self._soc if soc is None else soc
        check = _defaults.check(self._check if check is None else bool(check))
        instance = self._instance(arguments, named, soc, check)
        bound = self._bind(instance, arguments, named, out, blocks)
        self._start(instance, bound)
        results = tuple(bound.arrays[name].like for name in bound.outputs)
        return None if not results else results[0] if len(results) == 1 else results

    def time(self, *arguments: Any, out: Any = None, blocks: Optional[int] = None,
             soc: Optional[str] = None, **named: Any) -> Timing:
        """What the timing model says of this launch; takes the arguments of a call.

        The arrays stay as they are.
        """
        soc = self._soc if soc is None else soc
        instance = self._instance(arguments, named, soc, False)
        bound = self._bind(instance, arguments, named, out, blocks)
        with tempfile.TemporaryDirectory(prefix="belay-") as folder:
            words = self._run_words(instance.contract, bound, soc, pathlib.Path(folder))
            said = self._source.run("run", words, most_out=_MOST_SOURCE)
        return _read_timing(said)

    def source(self, form: str = "ascendc", *example: Any, soc: Optional[str] = None) -> str:
        """One form of the kernel: "ascendc", "launcher", "description", "core-ir", ...

        ``example`` are arguments to deduce template arguments from, if there are some.
        """
        if form not in _FORMS:
            raise ValueError(f"form is one of {', '.join(_FORMS)}")
        return self._emit([f"--emit={form}"], example, soc)

    def explain(self, *example: Any, soc: Optional[str] = None) -> str:
        """What went where: buffers, pipes, flags, and what limits the tiles."""
        return self._emit(["--explain"], example, soc)

    def _emit(self, words: List[str], example: Sequence[Any], soc: Optional[str]) -> str:
        words = [*words, f"--soc={self._soc if soc is None else soc}",
                 f"--kernel={self._name_for(example, {})}"]
        words += ["--deny"] if self._deny else []
        said = self._source.run("build", words, most_out=_MOST_SOURCE)
        if said.status:
            raise _tool.error_of(said)
        return said.out

    def contract(self, *example: Any, soc: Optional[str] = None) -> Contract:
        """The launch contract of the instance for these arguments."""
        return self._instance(example, {}, self._soc if soc is None else soc,
                              _defaults.check(self._check)).contract

    # Which instance is meant.

    def _name_for(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> str:
        signature = self.signature
        if signature is None:
            return (f"{self.name}<{', '.join(self._explicit)}>" if self._explicit
                    else self.name)
        if not signature.templates and not self._explicit:
            return self.name
        arrays: Dict[str, HostArray] = {}
        for parameter, value in zip(signature.inputs, arguments):
            if parameter.access != "scalar":
                arrays[parameter.name] = _arrays.adopt(value, parameter.name)
        for parameter in signature.parameters:
            if parameter.name in named and _arrays.is_array(named[parameter.name]):
                arrays[parameter.name] = _arrays.adopt(named[parameter.name], parameter.name)
        return signature.deduce(self._explicit, arrays)

    def _instance(self, arguments: Sequence[Any], named: Mapping[str, Any], soc: str,
                  check: bool) -> _Instance:
        key = (self._name_for(arguments, named), soc, check)
        found = self._instances.get(key)
        if found is None:
            with self._building:
                found = self._instances.get(key)
                if found is None:
                    found = self._instances[key] = self._build(*key)
        return found

    def _build(self, name: str, soc: str, check: bool) -> _Instance:
        built = self._source.build(name, soc, check=check, deny=self._deny)
        if built.contract is None:
            raise ContractError("argument-mismatch", f"{self._source.shown} is AscendC; use "
                                "belay.ascendc")
        try:
            contract = Contract(built.contract)
        except BadContract as error:
            raise BelayFailed(str(error)) from error
        device = _device.device(soc, check)
        return _Instance(contract, device.load(built.object, contract.entry), device)

    # Arguments.

    def _bind(self, instance: _Instance, arguments: Sequence[Any],
              named: Mapping[str, Any], out: Any, blocks: Optional[int]) -> _Bound:
        try:
            return self._admit(instance, arguments, named, out, blocks)
        except BadContract as error:
            raise BelayFailed(str(error)) from error

    def _admit(self, instance: _Instance, arguments: Sequence[Any],
               named: Mapping[str, Any], out: Any, blocks: Optional[int]) -> _Bound:
        contract = instance.contract
        values = _by_name(contract, arguments, named, out)
        arrays: Dict[str, HostArray] = {}
        scalars: Dict[str, bytes] = {}
        numbers: Dict[str, Number] = {}
        for name, value in values.items():
            if name in contract.scalars:
                numbers[name], scalars[name] = scalar_bytes(
                    contract.scalars[name].code, value, name)
            else:
                arrays[name] = _take(contract, name, value)
        if blocks is None:
            blocks = contract.default_blocks(instance.device.cores.get(contract.core, 1))
        elif isinstance(blocks, bool) or not isinstance(blocks, int):
            raise TypeError("blocks is a whole number")
        launch = contract.shapes({name: array.shape for name, array in arrays.items()},
                                 numbers, blocks)
        contract.check(launch, {name: array.bounds for name, array in arrays.items()})
        like = _likeness(arrays.values())
        for name in contract.outputs:
            if name not in arrays:
                view = contract.views[name]
                shape = [launch.extents[name, index] for index in range(len(view.extents))]
                arrays[name] = _arrays.allocate(shape, view.element, name, like)
        return _Bound(launch, arrays, scalars, numbers, contract.outputs)

    def _start(self, instance: _Instance, bound: _Bound) -> None:
        contract = instance.contract
        transfers: List[Transfer] = []
        kept: List[HostArray] = []
        for view in contract.views.values():
            if view.access == "percore":
                size = view.element.bytes
                for index in range(len(view.extents)):
                    size *= bound.launch.extents[view.name, index]
                transfers.append(Transfer(view.name, size))
                continue
            array = _arrays.dense(bound.arrays[view.name], view.name)
            kept.append(array)  # copies live until the launch has ended
            transfers.append(Transfer(
                view.name, array.bytes, array.address if view.access != "out" else 0,
                array.address if view.written else 0))
        instance.device.launch(
            instance.function, bound.launch.blocks, transfers,
            lambda addresses: contract.pack(bound.launch, bound.scalars, addresses))

    def _run_words(self, contract: Contract, bound: _Bound, soc: str,
                   folder: pathlib.Path) -> List[str]:
        words = [f"--kernel={contract.kernel}", f"--soc={soc}",
                 f"--blocks={bound.launch.blocks}", "--time", "--format=json"]
        words += ["--deny"] if self._deny else []
        for name in contract.arguments:
            if name in contract.scalars:
                words.append(f"--scalar={contract.scalars[name].code}={bound.numbers[name]}")
                continue
            view = contract.views[name]
            if view.access == "percore":
                continue
            array = _arrays.dense(bound.arrays[name], name)
            shape = "x".join(str(extent) for extent in array.shape)
            word = f"--{view.access}={view.element.code}:{shape}"
            if view.access != "out":
                file = folder / f"{len(words)}.bin"
                _write(file, array)
                word += f"={file}"
            words.append(word)
        return words


def _write(file: pathlib.Path, array: HostArray) -> None:
    data = ctypes.string_at(array.address, array.bytes) if array.bytes else b""
    file.write_bytes(data)


def _likeness(arrays: Iterable[HostArray]) -> Optional[HostArray]:
    """What new arrays are like: tensors if there is one among the arguments."""
    given = list(arrays)
    tensors = [each for each in given if each.family == "torch"]
    return tensors[0] if tensors else given[0] if given else None


def _by_name(contract: Contract, arguments: Sequence[Any], named: Mapping[str, Any],
             out: Any) -> Dict[str, Any]:
    """The arguments of a call by the names of the kernel's parameters."""
    inputs, outputs = contract.inputs, contract.outputs
    wanted = ", ".join(f"{name} ({contract.wanted(name)})" for name in inputs)
    if len(arguments) > len(inputs):
        raise TypeError(f"{contract.kernel} takes {wanted}; {len(arguments)} arguments "
                        "are given")
    values: Dict[str, Any] = dict(zip(inputs, arguments))
    results = out if isinstance(out, dict) else dict(zip(
        outputs, out if isinstance(out, (tuple, list)) else () if out is None else (out,)))
    if isinstance(out, (tuple, list)) and len(out) != len(outputs):
        raise TypeError(f"{contract.kernel} has {len(outputs)} outputs; out has {len(out)}")
    for name, value in [*named.items(), *results.items()]:
        if name not in inputs and name not in outputs:
            raise TypeError(f"{contract.kernel} has no argument '{name}'; it takes {wanted}")
        if name in values:
            raise TypeError(f"{contract.kernel}: '{name}' is given twice")
        values[name] = value
    missing = [name for name in inputs if name not in values]
    if missing:
        raise TypeError(f"{contract.kernel} takes {wanted}; {', '.join(missing)} "
                        f"{'is' if len(missing) == 1 else 'are'} missing")
    return values


def _take(contract: Contract, name: str, value: Any) -> HostArray:
    """An array that may stand for a view.

    Raises:
      ContractError: Its elements or its number of dimensions are others.
    """
    view = contract.views[name]
    array = (_arrays.output if view.written else _arrays.adopt)(value, name)
    if array.element != view.element or len(array.shape) != len(view.extents):
        shape = "x".join(str(extent) for extent in array.shape) or "no dimension"
        raise ContractError(
            "argument-mismatch", f"{contract.kernel} takes '{name}' as "
            f"{contract.wanted(name)}, not {array.element.code} of {shape}")
    return array


def _read_timing(said: _tool.Said) -> Timing:
    try:
        case = json.loads(said.out)["cases"][0]
        problems = tuple(
            Problem(str(each["id"]), str(each["message"]), str(each.get("file", "")),
                    int(each.get("line", 0)), int(each.get("column", 0)),
                    str(each.get("severity", "error"))) for each in case["problems"])
        if not case["passed"]:
            raise Violation("\n".join(str(each) for each in problems), problems)
        time = case["time"]
        return Timing(int(time["cycles"]), int(time["low"]), int(time["high"]),
                      str(time["boundBy"]), time)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        if isinstance(error, BelayError):
            raise
        raise _tool.error_of(said) if said.status else BelayFailed(
            f"belay run has said no time: {error}") from error


def kernel(
    source: SourceLike,
    name: Optional[str] = None,
    *,
    soc: str = DEFAULT_SOC,
    check: bool = False,
    deny: bool = True,
    defines: Sequence[str] = (),
    include_dirs: Sequence[Union[str, "os.PathLike[str]"]] = (),
) -> Kernel:
    """A kernel of the kernel language as a function on arrays.

        softmax = belay.kernel("softmax.cpp", "softmax")
        y = softmax(x)

    Args:
      source: The file, or its text: a ``str`` with a line break is a text.
      name: The kernel, with template arguments or without: ``softmax``,
        ``matmul<half, 32, 48, 64>``. Those that are not given follow from the types and
        shapes of the arguments. May be left out if the file has one kernel.
      soc: The part that is simulated, as ``belay targets`` lists them.
      check: Run under the sanitizer.
      deny: Refuse kernels that are not proven. False: what is not proven is checked
        while the kernel runs.
      defines: Macros, as ``"N=8"``.
      include_dirs: Folders of headers.

    Raises:
      FileNotFoundError: There is no such file.
      ContractError: The file has no such kernel.
    """
    read = Source(source, defines, include_dirs)
    if name is None:
        kernels = sorted(_signature.scan(read.text))
        if len(kernels) != 1:
            raise ContractError("argument-mismatch", f"{read.shown} has "
                                f"{len(kernels)} kernels{': ' if kernels else ''}"
                                f"{', '.join(kernels)}; name one")
        name = kernels[0]
    base, explicit = _signature.split_name(name)
    return Kernel(read, base, explicit, soc, check, deny)
