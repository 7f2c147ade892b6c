"""libbelay.so: where it is, and its functions as ctypes sees them.

The structures repeat include/belay/c.h; a test compares their sizes.
"""
from __future__ import annotations

import ctypes
import os
import pathlib
import platform
import threading
from ctypes import c_char_p, c_int, c_int32, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Iterator, Optional

from belay_npu import _home

MAJOR_VERSION = 1


class LibraryNotFound(ImportError):
    """libbelay.so was not found, or belongs to another version."""


class CompilerOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("cann", c_char_p),
        ("cache_dir", c_char_p),
        ("cache_bytes", c_uint64),
    ]


class Request(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("path", c_char_p),
        ("source", c_char_p),
        ("source_size", c_size_t),
        ("soc", c_char_p),
        ("core", c_char_p),
        ("output", c_int32),
        ("check", c_int32),
        ("backend", c_int32),
        ("plan_only", c_int32),
        ("options", ctypes.POINTER(c_char_p)),
        ("num_options", c_size_t),
        ("output_path", c_char_p),
        ("timeout_ms", c_uint32),
        ("reserved", c_uint32),
    ]


class Problem(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("id", c_char_p),
        ("message", c_char_p),
        ("file", c_char_p),
        ("line", c_uint32),
        ("column", c_uint32),
        ("severity", c_int32),
        ("num_notes", c_uint32),
    ]


class Note(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("message", c_char_p),
        ("file", c_char_p),
        ("line", c_uint32),
        ("column", c_uint32),
    ]


_FUNCTIONS = {
    "belay_c_version": (c_uint32, []),
    "belay_version": (c_char_p, []),
    "belay_compiler_create": (
        c_int, [ctypes.POINTER(CompilerOptions), ctypes.POINTER(c_void_p)]),
    "belay_compiler_destroy": (None, [c_void_p]),
    "belay_compile": (
        c_int, [c_void_p, ctypes.POINTER(Request), ctypes.POINTER(c_void_p)]),
    "belay_check": (
        c_int, [c_void_p, ctypes.POINTER(Request), ctypes.POINTER(c_void_p)]),
    "belay_result_destroy": (None, [c_void_p]),
    "belay_result_data": (c_void_p, [c_void_p, ctypes.POINTER(c_size_t)]),
    "belay_result_path": (c_char_p, [c_void_p]),
    "belay_result_from_cache": (c_int, [c_void_p]),
    "belay_result_check": (c_char_p, [c_void_p]),
    "belay_result_target": (c_char_p, [c_void_p]),
    "belay_result_log": (c_char_p, [c_void_p]),
    "belay_result_report": (c_char_p, [c_void_p]),
    "belay_result_num_problems": (c_size_t, [c_void_p]),
    "belay_result_problem": (c_int, [c_void_p, c_size_t, ctypes.POINTER(Problem)]),
    "belay_result_note": (
        c_int, [c_void_p, c_size_t, c_size_t, ctypes.POINTER(Note)]),
    "belay_result_num_commands": (c_size_t, [c_void_p]),
    "belay_result_num_words": (c_size_t, [c_void_p, c_size_t]),
    "belay_result_word": (c_char_p, [c_void_p, c_size_t, c_size_t]),
    "belay_result_num_inputs": (c_size_t, [c_void_p]),
    "belay_result_input": (c_char_p, [c_void_p, c_size_t]),
    "belay_explain": (c_char_p, [c_char_p]),
}


def _places() -> Iterator[pathlib.Path]:
    """Where the library may be, in the order of trust."""
    named = os.environ.get("BELAY_LIBRARY")
    if named:
        yield pathlib.Path(named)
        return
    for prefix in _home.prefixes():
        # Packages of distributions have a folder for each architecture, and the name
        # without a version only where programs are built.
        for folder in ("lib", f"lib/{platform.machine()}-linux-gnu", "lib64"):
            yield prefix / folder / "libbelay.so.1"


def _load() -> ctypes.CDLL:
    tried = []
    for place in _places():
        tried.append(str(place))
        if place.exists():
            library = ctypes.CDLL(str(place))
            break
    else:
        raise LibraryNotFound(
            "libbelay.so was not found; set BELAY_LIBRARY to it or BELAY_HOME to "
            "the folder that has bin/belay. Tried: " + ", ".join(tried))
    library.belay_c_version.restype = c_uint32
    if library.belay_c_version() >> 16 != MAJOR_VERSION:
        raise LibraryNotFound(
            f"{tried[-1]} has another version of the interface than this package")
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


_lock = threading.Lock()
_loaded: Optional[ctypes.CDLL] = None


def library() -> ctypes.CDLL:
    """The library, loaded when it is first needed."""
    global _loaded
    with _lock:
        if _loaded is None:
            _loaded = _load()
        return _loaded
