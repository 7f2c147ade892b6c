"""Requests and results in Python's own types."""
from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass, field
from typing import Callable, List, Optional, Sequence, Tuple, Union

from belay_npu import _library
from belay_npu._errors import BelayFailed, CompileError, Note, Problem

Source = Union[str, bytes, "os.PathLike[str]"]

_CHECKS = {True: 0, "on": 0, "required": 1, False: 2, "off": 2, "quick": 3}
_BACKENDS = {"auto": 0, "bisheng": 1, "aclrtc": 2}
_SEVERITIES = ("note", "warning", "error")


@dataclass(frozen=True)
class Check:
    """What is known of a source.

    ``verdict`` is "passed" (every question was answered), "findings" or
    "unknown": nothing was found, and not everything could be told. If the source
    could not be read at all, a problem says why.
    """

    verdict: str
    problems: Tuple[Problem, ...] = ()

    def __bool__(self) -> bool:
        return self.verdict == "passed"


@dataclass(frozen=True)
class CompiledKernel:
    """A binary, and where it is."""

    data: bytes = field(repr=False)
    path: str
    target: str
    from_cache: bool
    check: str
    problems: Tuple[Problem, ...] = ()
    log: str = field(default="", repr=False)
    commands: Tuple[Tuple[str, ...], ...] = field(default=(), repr=False)
    inputs: Tuple[str, ...] = field(default=(), repr=False)

    def load(self) -> ctypes.CDLL:
        """Loads a shared library. Needs the libraries that it is linked to."""
        if not self.path:
            raise ValueError("the binary is in no file; compile with output=...")
        return ctypes.CDLL(self.path)


def _text(value: Optional[bytes]) -> str:
    return (value or b"").decode("utf-8", "replace")


def _bytes(value: Optional[Union[str, "os.PathLike[str]"]]) -> Optional[bytes]:
    if value is None:
        return None
    encoded = os.fsencode(value)
    if b"\0" in encoded:
        raise ValueError("a path or name holds a NUL byte")
    return encoded


_FAILED = 5  # BELAY_FAILED


class _Answer:
    """A result of the library, copied before its handle goes."""

    def __init__(self, status: int, handle: ctypes.c_void_p) -> None:
        library = _library.library()
        try:
            self.status = status
            self.report = _text(library.belay_result_report(handle))
            self.log = _text(library.belay_result_log(handle))
            self.verdict = _text(library.belay_result_check(handle))
            self.target = _text(library.belay_result_target(handle))
            self.path = os.fsdecode(library.belay_result_path(handle))
            self.from_cache = bool(library.belay_result_from_cache(handle))
            size = ctypes.c_size_t()
            data = library.belay_result_data(handle, ctypes.byref(size))
            self.data = ctypes.string_at(data, size.value) if data else b""
            self.problems = tuple(
                self._problem(handle, index)
                for index in range(library.belay_result_num_problems(handle)))
            self.commands = tuple(
                tuple(
                    _text(library.belay_result_word(handle, command, word))
                    for word in range(
                        library.belay_result_num_words(handle, command)))
                for command in range(library.belay_result_num_commands(handle)))
            self.inputs = tuple(
                os.fsdecode(library.belay_result_input(handle, index))
                for index in range(library.belay_result_num_inputs(handle)))
        finally:
            library.belay_result_destroy(handle)

    def error(self) -> CompileError:
        kind = BelayFailed if self.status == _FAILED else CompileError
        return kind(self.report, self.problems, self.log)

    @staticmethod
    def _problem(handle: ctypes.c_void_p, index: int) -> Problem:
        library = _library.library()
        problem = _library.Problem(struct_size=ctypes.sizeof(_library.Problem))
        library.belay_result_problem(handle, index, ctypes.byref(problem))
        notes = []
        for number in range(problem.num_notes):
            note = _library.Note(struct_size=ctypes.sizeof(_library.Note))
            library.belay_result_note(handle, index, number, ctypes.byref(note))
            notes.append(
                Note(_text(note.message), _text(note.file), note.line, note.column))
        return Problem(
            _text(problem.id), _text(problem.message), _text(problem.file),
            problem.line, problem.column, _SEVERITIES[problem.severity],
            tuple(notes))


def _request(
    source: Source, name: Optional[str], soc: str, core: Optional[str],
    validate: Union[bool, str], options: Sequence[str],
) -> _library.Request:
    request = _library.Request(struct_size=ctypes.sizeof(_library.Request))
    if isinstance(source, (str, bytes)):
        text = source.encode() if isinstance(source, str) else source
        if b"\n" not in text and text.endswith((b".cpp", b".asc", b".cce", b".cc")):
            raise ValueError(
                f"{source!r} is a name, not a source; pass pathlib.Path({source!r})")
        request.source = text
        request.source_size = len(text)
        request.path = _bytes(name)
    else:
        os.stat(source)  # FileNotFoundError, before anything is asked
        request.path = _bytes(source)
    if validate not in _CHECKS:
        raise ValueError("validate is True, False, 'quick' or 'required'")
    words = [_bytes(option) for option in options]
    request.soc = _bytes(soc)
    request.core = _bytes(core)
    request.check = _CHECKS[validate]
    request.options = (ctypes.c_char_p * len(words))(*words)
    request.num_options = len(words)
    return request


def _ask(
    function: str, request: _library.Request,
    cann: Optional[Union[str, "os.PathLike[str]"]] = None,
    cache_dir: Optional[Union[str, "os.PathLike[str]"]] = None,
) -> _Answer:
    library = _library.library()
    options = _library.CompilerOptions(
        struct_size=ctypes.sizeof(_library.CompilerOptions),
        cann=_bytes(cann), cache_dir=_bytes(cache_dir))
    compiler = ctypes.c_void_p()
    library.belay_compiler_create(ctypes.byref(options), ctypes.byref(compiler))
    try:
        handle = ctypes.c_void_p()
        work: Callable[..., int] = getattr(library, function)
        # ctypes gives the interpreter's lock away: threads compile side by side.
        status = work(compiler, ctypes.byref(request), ctypes.byref(handle))
        return _Answer(status, handle)
    finally:
        library.belay_compiler_destroy(compiler)


def compile_kernel(
    source: Source,
    *,
    soc: str = "Ascend910B3",
    shared: bool = True,
    validate: Union[bool, str] = True,
    static: bool = False,
    core: Optional[str] = None,
    options: Sequence[str] = (),
    output: Optional[Union[str, "os.PathLike[str]"]] = None,
    backend: str = "auto",
    name: Optional[str] = None,
    cann: Optional[Union[str, "os.PathLike[str]"]] = None,
    cache_dir: Optional[Union[str, "os.PathLike[str]"]] = None,
    timeout: Optional[float] = None,
) -> CompiledKernel:
    """Compiles AscendC C++ for a device, or finds what was compiled before.

    Args:
      source: The source itself as text, or its file as a ``pathlib.Path``.
      soc: The target, as ``belay targets`` lists them.
      shared: A library for ``dlopen``; else an object.
      validate: True stops on findings that no launch can make right; others
        are in ``problems`` as warnings. "quick" does so with one path of each
        kernel, for generators that compile thousands. "required" stops on every
        finding and on what cannot be read. False only compiles.
      static: An archive instead.
      core: "vec", "cube" or "mix" for an object of one kind of core.
      options: Further options of the compiler; harmless ones are accepted.
      output: Where to write the binary. Without it, it stays in the cache.
      backend: "bisheng", "aclrtc", or "auto" for whichever is there.
      name: What messages call a source that is a text.
      cann: The folder of CANN; looked for if None.
      cache_dir: The folder of the cache; "" for none.
      timeout: Seconds for each command; ten minutes if None.

    Raises:
      CompileError: The kernel was not compiled.
      BelayFailed: A CompileError that says nothing about the kernel.
      LibraryNotFound: There is no libbelay.so.
    """
    request = _request(source, name, soc, core, validate, options)
    request.output = 2 if static else 1 if shared else 0
    if backend not in _BACKENDS:
        raise ValueError("backend is 'auto', 'bisheng' or 'aclrtc'")
    request.backend = _BACKENDS[backend]
    request.output_path = _bytes(output)
    if timeout is not None:
        request.timeout_ms = max(1, min(int(timeout * 1000), 2**32 - 1))
    answer = _ask("belay_compile", request, cann, cache_dir)
    if answer.status != 0:
        raise answer.error()
    return CompiledKernel(
        answer.data, answer.path, answer.target, answer.from_cache, answer.verdict,
        answer.problems, answer.log, answer.commands, answer.inputs)


def plan(
    source: Source,
    *,
    soc: str = "Ascend910B3",
    shared: bool = True,
    core: Optional[str] = None,
    options: Sequence[str] = (),
    cann: Optional[Union[str, "os.PathLike[str]"]] = None,
) -> List[List[str]]:
    """The commands that ``compile_kernel`` would run; nothing is run.

    Raises:
      CompileError: Nothing would be run, because the request is refused.
    """
    request = _request(source, None, soc, core, False, options)
    request.output = 1 if shared else 0
    request.plan_only = 1
    answer = _ask("belay_compile", request, cann, "")
    if answer.status != 0:
        raise answer.error()
    return [list(command) for command in answer.commands]


def check(
    source: Source,
    *,
    soc: str = "Ascend910B3",
    core: Optional[str] = None,
    options: Sequence[str] = (),
    name: Optional[str] = None,
    quick: bool = False,
) -> Check:
    """Looks at AscendC C++ without compiling it; needs no CANN.

    Every finding is an error here, as with ``belay check``. ``quick`` follows one
    path of each kernel.

    Raises:
      CompileError: The request itself is refused: an unknown SoC or option.
      FileNotFoundError: There is no such file.
      LibraryNotFound: There is no libbelay.so.
    """
    request = _request(source, name, soc, core, "quick" if quick else True, options)
    answer = _ask("belay_check", request)
    if answer.verdict == "not-run":
        raise answer.error()
    return Check(answer.verdict, answer.problems)


def explain(id: str) -> str:
    """The page of a problem's id, Markdown; "" if there is none."""
    return _text(_library.library().belay_explain(_bytes(id)))


def version() -> str:
    """The version of Belay that was loaded."""
    return _text(_library.library().belay_version())
