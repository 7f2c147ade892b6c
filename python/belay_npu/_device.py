"""The simulated device in this process: lib/belay/device/libascendcl.so.

One device for each part and for each kind of run: with the sanitizer and without.
"""
from __future__ import annotations

import ctypes
import threading
import weakref
from ctypes import c_char_p, c_int, c_int32, c_int64, c_size_t, c_uint32, c_void_p
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from belay_npu import _home
from belay_npu._errors import BelayError, BelayFailed, ContractError, Violation, parse_messages

_FUNCTIONS = {
    "aclInit": [c_char_p],
    "aclrtSetDevice": [c_int32],
    "aclrtCreateContext": [ctypes.POINTER(c_void_p), c_int32],
    "aclrtSetCurrentContext": [c_void_p],
    "aclrtMalloc": [ctypes.POINTER(c_void_p), c_size_t, c_int],
    "aclrtFree": [c_void_p],
    "aclrtMemcpy": [c_void_p, c_size_t, c_void_p, c_size_t, c_int],
    "aclrtBinaryLoadFromData": [c_char_p, c_size_t, c_void_p, ctypes.POINTER(c_void_p)],
    "aclrtBinaryUnLoad": [c_void_p],
    "aclrtBinaryGetFunction": [c_void_p, c_char_p, ctypes.POINTER(c_void_p)],
    "aclrtLaunchKernelWithHostArgs": [
        c_void_p, c_uint32, c_void_p, c_void_p, c_char_p, c_size_t, c_void_p, c_size_t],
    "aclrtSynchronizeStream": [c_void_p],
    "aclrtGetDeviceInfo": [c_uint32, c_int, ctypes.POINTER(c_int64)],
    "belayAddDevice": [c_char_p, c_int32, ctypes.POINTER(c_int32)],
}
_REPEATED_INIT = 100002
_KERNEL_FAILURES = (507014, 507015)  # a timeout, an exception of a core
_REFUSED = 107000  # an invalid parameter
_AI_CORES, _VECTOR_CORES = 1, 101
_TO_DEVICE, _TO_HOST = 1, 2


@dataclass(frozen=True)
class Transfer:
    """Device memory of one argument: what is copied there before, and back after."""

    name: str
    bytes: int
    source: int = 0
    destination: int = 0


@dataclass(frozen=True)
class Function:
    """A kernel that a device has loaded."""

    handle: int
    name: str


class Device:
    """One part, with or without the sanitizer. All methods may be called from any thread."""

    def __init__(self, library: ctypes.CDLL, soc: str, check: bool) -> None:
        self._library = library
        self._lock = threading.Lock()
        self._dead: List[c_void_p] = []
        number = c_int32()
        self._call("belayAddDevice", soc.encode(), int(check), ctypes.byref(number))
        self._context = c_void_p()
        self._call("aclrtCreateContext", ctypes.byref(self._context), number)
        self.cores = {"vector": self._cores(number.value, _VECTOR_CORES)}
        for kind in ("cube", "mix", "ai"):
            self.cores[kind] = self._cores(number.value, _AI_CORES)

    def _cores(self, number: int, kind: int) -> int:
        value = c_int64()
        self._call("aclrtGetDeviceInfo", number, kind, ctypes.byref(value))
        return int(value.value)

    def _call(self, name: str, *arguments: object) -> None:
        code = getattr(self._library, name)(*arguments)
        if code:
            raise self._error(name, code)

    def _error(self, name: str, code: int) -> BelayError:
        text = (self._library.belayTakeMessage() or b"").decode("utf-8", "replace")
        problems = parse_messages(text)
        if code == _REFUSED and problems and problems[0].id == "expects-not-met":
            first, *others = problems
            return ContractError(first.id, f"{first.file}:{first.line}: {first.message}",
                                 first.file, first.line, others)
        if code in _KERNEL_FAILURES and problems:
            return Violation(text, problems)
        return BelayFailed(f"{name} failed with {code}: {text}", problems, text)

    def load(self, code: bytes, entry: str) -> Function:
        """Loads an object of ``belay object``; it goes with the function that is returned."""
        binary, function = c_void_p(), c_void_p()
        with self._lock:
            self._call("aclrtSetCurrentContext", self._context)
            # Not where the function ended, which may be anywhere, with the lock held.
            while self._dead:
                self._call("aclrtBinaryUnLoad", self._dead.pop())
            self._call("aclrtBinaryLoadFromData", code, len(code), None,
                       ctypes.byref(binary))
            self._call("aclrtBinaryGetFunction", binary, entry.encode(),
                       ctypes.byref(function))
        loaded = Function(function.value or 0, entry)
        weakref.finalize(loaded, self._dead.append, binary)
        return loaded

    def launch(self, function: Function, blocks: int, transfers: Sequence[Transfer],
               pack: Callable[[Dict[str, int]], bytes]) -> None:
        """Copies, launches, waits and copies back. ``pack`` makes the arguments of the
        addresses on the device, by name.

        Raises:
          ContractError: The launch does not meet a condition, and was not started.
          Violation: The kernel did something wrong.
          BelayFailed: The device failed.
        """
        taken: List[int] = []
        with self._lock:
            self._call("aclrtSetCurrentContext", self._context)
            try:
                addresses: Dict[str, int] = {}
                for each in transfers:
                    addresses[each.name] = self._upload(each, taken)
                arguments = pack(addresses)
                self._call("aclrtLaunchKernelWithHostArgs", function.handle, blocks, None,
                           None, arguments, len(arguments), None, 0)
                self._call("aclrtSynchronizeStream", None)
                for each in transfers:
                    if each.destination and each.bytes:
                        self._call("aclrtMemcpy", each.destination, each.bytes,
                                   addresses[each.name], each.bytes, _TO_HOST)
            finally:
                for address in taken:
                    self._call("aclrtFree", address)

    def _upload(self, each: Transfer, taken: List[int]) -> int:
        if each.bytes == 0:
            return 0
        place = c_void_p()
        code = self._library.aclrtMalloc(ctypes.byref(place), each.bytes, 0)
        if code or not place.value:
            raise MemoryError(f"the simulated device has no {each.bytes} bytes for "
                              f"'{each.name}'")
        taken.append(place.value)
        if each.source:
            self._call("aclrtMemcpy", place, each.bytes, each.source, each.bytes,
                       _TO_DEVICE)
        return place.value


_lock = threading.Lock()
_library: Optional[ctypes.CDLL] = None
_devices: Dict[Tuple[str, bool], Device] = {}


def _load() -> ctypes.CDLL:
    library = ctypes.CDLL(str(_home.find("lib/belay/device/libascendcl.so")))
    for name, arguments in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = c_int
        function.argtypes = arguments
    library.belayTakeMessage.restype = c_char_p
    library.belayTakeMessage.argtypes = []
    code = library.aclInit(None)
    if code not in (0, _REPEATED_INIT):
        raise BelayFailed(f"aclInit failed with {code}")
    return library


def device(soc: str, check: bool) -> Device:
    """The device of this process for a part; made when it is first needed."""
    global _library
    key = (soc, bool(check))
    found = _devices.get(key)
    if found is None:
        with _lock:
            if _library is None:
                _library = _load()
            found = _devices.get(key)
            if found is None:
                found = _devices[key] = Device(_library, soc, bool(check))
    return found
