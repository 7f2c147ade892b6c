"""AscendC kernels as functions; their arguments are given one by one."""
from __future__ import annotations

import os
import pathlib
import struct
import tempfile
import threading
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from belay_npu import _arrays, _defaults, _device, _signature
from belay_npu._arrays import HostArray
from belay_npu._device import Device, Function, Transfer
from belay_npu._errors import BelayFailed, ContractError
from belay_npu._kernel import DEFAULT_SOC, Timing, _read_timing, _write
from belay_npu._source import Built, Source, SourceLike

_MOST_BLOCKS = 65535


@dataclass(frozen=True)
class Out:
    """Marks an array that an AscendC kernel writes: ``add(x, y, belay.Out(z), 1024)``."""

    array: Any


@dataclass(frozen=True)
class InOut:
    """Marks an array that an AscendC kernel reads and writes."""

    array: Any


@dataclass(frozen=True)
class _Parameter:
    kind: str
    bytes: int
    offset: int


@dataclass(frozen=True)
class _Instance:
    parameters: Tuple[_Parameter, ...]
    bytes: int
    function: Function
    device: Device


def _lay_out(built: Built) -> Tuple[Tuple[_Parameter, ...], int]:
    """Where the entry point finds its arguments; each takes at least four bytes."""
    at, result = 0, []
    for each in built.parameters:
        kind, size, alignment = (each.get(key) for key in ("kind", "bytes", "alignment"))
        if (kind not in ("pointer", "integer", "float", "aggregate")
                or type(size) is not int or type(alignment) is not int
                or not 0 < size <= 1 << 16 or alignment not in (1, 2, 4, 8, 16, 32, 64)):
            raise BelayFailed(f"belay object has described no parameter: {each!r:.100}")
        unit = max(alignment, 4)
        at = (at + unit - 1) // unit * unit
        result.append(_Parameter(kind, size, at))
        at += max(size, 4)
    return tuple(result), (at + 7) // 8 * 8


def _number(parameter: _Parameter, value: Any, name: str) -> bytes:
    """The bytes of an argument that is no address."""
    if isinstance(value, (bytes, bytearray)):
        if len(value) == parameter.bytes:
            return bytes(value)
    elif parameter.kind == "integer" and isinstance(value, int):
        bits = parameter.bytes * 8
        if -(1 << bits - 1) <= value < 1 << bits:
            return (value % (1 << bits)).to_bytes(parameter.bytes, "little")
    elif parameter.kind == "float" and isinstance(value, (int, float)):
        # Two bytes are half or bfloat16, which the object does not say.
        form = {4: "<f", 8: "<d"}.get(parameter.bytes)
        if form:
            try:
                return struct.pack(form, value)
            except (OverflowError, struct.error):
                pass
    raise ContractError("argument-mismatch", f"{name} is {parameter.kind} of "
                        f"{parameter.bytes} bytes, not {value!r:.100}")


class AscendCKernel:
    """An AscendC kernel; made by :func:`ascendc`. Thread-safe."""

    def __init__(self, source: Source, name: str, soc: str, check: bool,
                 conditions: bool) -> None:
        self._source = source
        self.name = name
        self._soc, self._check, self._conditions = soc, check, conditions
        self._instances: Dict[Tuple[str, bool, bool], _Instance] = {}
        self._building = threading.Lock()

    def __repr__(self) -> str:
        return f"<belay AscendC kernel {self.name} of {self._source.shown}>"

    def _instance(self, soc: str, check: bool, conditions: bool) -> _Instance:
        key = (soc, check, conditions)
        found = self._instances.get(key)
        if found is None:
            with self._building:
                found = self._instances.get(key)
                if found is None:
                    built = self._source.build(self.name, soc, check=check, deny=False,
                                               conditions=conditions)
                    if built.contract is not None:
                        raise ContractError("argument-mismatch", f"{self._source.shown} is of "
                                            "the kernel language; use belay.kernel")
                    parameters, size = _lay_out(built)
                    device = _device.device(soc, check)
                    found = _Instance(parameters, size,
                                      device.load(built.object, built.name), device)
                    self._instances[key] = found
        return found

    def __call__(self, *arguments: Any, blocks: int = 1, soc: Optional[str] = None,
                 check: Optional[bool] = None,
                 conditions: Optional[bool] = None) -> Any:
        """Runs the kernel on the simulated device.

        Args:
          arguments: All parameters of the kernel in order. Arrays and ``bytes`` go as
            addresses of copies on the device; :class:`Out` and :class:`InOut` mark those
            that are copied back. Structures by value are ``bytes``.
          blocks: Of the launch.
          soc: The part, if it is another than that of :func:`ascendc`.
          check: Run under the sanitizer.
          conditions: Hold the launch against what ``belay check`` asks of it.

        Returns:
          What was marked, or a tuple of it.

        Raises:
          ContractError: Arguments that the kernel does not take, or a launch that does
            not meet a condition under which the kernel is clean. Nothing was started.
          Violation: The kernel failed, or the sanitizer found something.
        """
        check = _defaults.check(self._check if check is None else bool(check))
        instance = self._instance(self._soc if soc is None else soc, check,
                                  self._conditions if conditions is None else bool(conditions))
        if isinstance(blocks, bool) or not isinstance(blocks, int):
            raise TypeError("blocks is a whole number")
        if not 1 <= blocks <= _MOST_BLOCKS:
            raise ContractError("bad-block-count",
                                f"a launch has 1 to {_MOST_BLOCKS} blocks, not {blocks}")
        bound = _Arguments(self.name, instance, arguments)
        instance.device.launch(instance.function, blocks, bound.transfers, bound.pack)
        results = tuple(bound.results)
        return None if not results else results[0] if len(results) == 1 else results

    def time(self, *arguments: Any, blocks: int = 1, soc: Optional[str] = None) -> Timing:
        """What the timing model says of this launch; takes the arguments of a call."""
        soc = self._soc if soc is None else soc
        bound = _Arguments(self.name, self._instance(soc, False, False), arguments)
        words = [f"--soc={soc}", f"--blocks={int(blocks)}", "--time", "--format=json"]
        words += [f"--kernel={self.name}"] if self.name else []
        with tempfile.TemporaryDirectory(prefix="belay-") as folder:
            words += bound.words(pathlib.Path(folder))
            return _read_timing(self._source.run("run", words, most_out=64 << 20))


class _Arguments:
    """The arguments of one launch, each checked before any address is passed on."""

    def __init__(self, kernel: str, instance: _Instance, arguments: Sequence[Any]) -> None:
        parameters = instance.parameters
        if len(arguments) != len(parameters):
            raise TypeError(f"{kernel or 'the kernel'} takes {len(parameters)} arguments; "
                            f"{len(arguments)} are given")
        self._size = instance.bytes
        self._numbers: List[Tuple[int, bytes]] = []
        self._offsets: Dict[str, int] = {}
        self._arrays: Dict[str, Tuple[str, HostArray]] = {}
        self._order: List[Tuple[str, _Parameter, Any]] = []
        self.transfers: List[Transfer] = []
        self.results: List[Any] = []
        for index, (parameter, value) in enumerate(zip(parameters, arguments)):
            name = f"argument {index}"
            self._order.append((name, parameter, value))
            if parameter.kind == "pointer":
                self._add_array(name, parameter, value)
            else:
                self._numbers.append((parameter.offset, _number(parameter, value, name)))
        self._check_overlap()

    def _add_array(self, name: str, parameter: _Parameter, value: Any) -> None:
        marked = isinstance(value, (Out, InOut))
        array = _arrays.adopt_bytes(value.array if marked else value, name, written=marked)
        self._arrays[name] = ("out" if isinstance(value, Out) else
                              "inout" if marked else "in"), array
        self._offsets[name] = parameter.offset
        self.transfers.append(Transfer(
            name, array.bytes, 0 if isinstance(value, Out) else array.address,
            array.address if marked else 0))
        if marked:
            self.results.append(value.array)

    def _check_overlap(self) -> None:
        names = list(self._arrays)
        for index, one in enumerate(names):
            for other in names[index + 1:]:
                (how, a), (how_other, b) = self._arrays[one], self._arrays[other]
                shared = min(a.bounds.high, b.bounds.high) - max(a.bounds.low, b.bounds.low)
                if shared > 0 and (how, how_other) != ("in", "in"):
                    raise ContractError("argument-overlap", f"{one} and {other} share "
                                        f"{shared} bytes, and one of them is written")

    def pack(self, addresses: Dict[str, int]) -> bytes:
        block = bytearray(self._size)
        for name, offset in self._offsets.items():
            struct.pack_into("<Q", block, offset, addresses[name])
        for offset, value in self._numbers:
            block[offset:offset + len(value)] = value
        return bytes(block)

    def words(self, folder: pathlib.Path) -> List[str]:
        """As options of ``belay run``."""
        result: List[str] = []
        for name, parameter, value in self._order:
            if parameter.kind != "pointer":
                letter = "f" if parameter.kind == "float" else "i"
                if not isinstance(value, (int, float)):
                    raise ContractError("argument-mismatch", f"{name}: structures by value "
                                        "cannot be timed")
                result.append(f"--scalar={letter}{parameter.bytes * 8}={value}")
                continue
            how, array = self._arrays[name]
            shape = "x".join(str(extent) for extent in array.shape)
            word = f"--{how}={array.element.code}:{shape}"
            if how != "out":
                file = folder / f"{len(result)}.bin"
                _write(file, array)
                word += f"={file}"
            result.append(word)
        return result


def ascendc(
    source: SourceLike,
    name: Optional[str] = None,
    *,
    soc: str = DEFAULT_SOC,
    check: bool = False,
    conditions: bool = False,
    defines: Sequence[str] = (),
    include_dirs: Sequence[Union[str, "os.PathLike[str]"]] = (),
) -> AscendCKernel:
    """An AscendC kernel as a function.

        add = belay.ascendc("add.cpp")
        z = add(x, y, belay.Out(numpy.empty_like(x)), 1024, blocks=8, check=True)

    AscendC is native code: it runs in a process of its own, with the rights of this one.
    What nobody has read belongs into ``belay run --sealed`` (docs/security.md).

    Args:
      source: The file, or its text: a ``str`` with a line break is a text.
      name: The kernel, as ``add`` or ``add<half>``; may be left out if the file has one
        that is no template.
      soc: The part that is simulated.
      check: Run under the sanitizer.
      conditions: Check the source as well (``belay check``), and refuse launches that do
        not meet the conditions under which a topic is clean, with the line of each.
      defines: Macros, as ``"N=8"``.
      include_dirs: Folders of headers.

    Raises:
      FileNotFoundError: There is no such file.
    """
    if name is not None:
        _signature.split_name(name)
    return AscendCKernel(Source(source, defines, include_dirs), name or "", soc, check,
                         conditions)
