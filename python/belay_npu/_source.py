"""Sources of kernels, and what ``belay`` makes of them."""
from __future__ import annotations

import hashlib
import json
import os
import pathlib
import tempfile
from dataclasses import dataclass
from typing import Any, List, Optional, Sequence, Tuple, Union

from belay_npu import _tool
from belay_npu._errors import BelayFailed, CompileError
from belay_npu._signature import MOST_BYTES

SourceLike = Union[str, "os.PathLike[str]"]

_MOST_OBJECT = 1 << 30
_MOST_JSON = 64 << 20


@dataclass(frozen=True)
class Built:
    """A compiled kernel: the object, and what ``--describe`` says of it."""

    object: bytes
    name: str
    parameters: Tuple[Any, ...]
    contract: Any


class Source:
    """A file, or a text."""

    def __init__(self, source: SourceLike, defines: Sequence[str],
                 include_dirs: Sequence["Union[str, os.PathLike[str]]"]) -> None:
        """A ``str`` with a line break is a text, everything else the name of a file.

        Raises:
          FileNotFoundError: There is no such file.
        """
        self.path: Optional[pathlib.Path] = None
        self._text: Optional[bytes] = None
        if isinstance(source, str) and "\n" in source:
            self._text = source.encode()
            content = self._text
        else:
            self.path = pathlib.Path(source).resolve(strict=True)
            content = _tool.read_bounded(self.path, MOST_BYTES)
        self.text = content.decode("utf-8", "replace")
        self.sha256 = hashlib.sha256(content).hexdigest()
        self._words = [f"-D{each}" for each in defines]
        self._words += [f"-I{pathlib.Path(each).resolve()}" for each in include_dirs]

    @property
    def shown(self) -> str:
        return str(self.path) if self.path else "<text>"

    def run(self, command: str, words: Sequence[str], most_out: int = 1 << 20) -> _tool.Said:
        """Runs a command of ``belay`` on it."""
        # A text must not find headers in whatever folder this process is in.
        with tempfile.TemporaryDirectory(prefix="belay-") as folder:
            return _tool.run([command, str(self.path) if self.path else "-", *words,
                              *self._words], text=self._text, most_out=most_out,
                             folder=None if self.path else folder)

    def build(self, kernel: str, soc: str, *, check: bool, deny: bool,
              conditions: bool = False) -> Built:
        """Compiles a kernel for the simulated device, or finds it in Belay's cache.

        Raises:
          ProofError, CompileError, BelayFailed: It was not compiled.
        """
        with tempfile.TemporaryDirectory(prefix="belay-") as folder:
            made, described = (pathlib.Path(folder) / name for name in ("k.o", "k.json"))
            words: List[str] = [f"--soc={soc}", f"--describe={described}", "-o", str(made)]
            words += [f"--kernel={kernel}"] if kernel else []
            words += ["--check"] if check else []
            words += ["--deny"] if deny else []
            words += ["--conditions"] if conditions else []
            said = self.run("object", words)
            if said.status:
                raise _tool.error_of(said)
            code = _tool.read_bounded(made, _MOST_OBJECT)
            text = _tool.read_bounded(described, _MOST_JSON)
        built = _read_description(code, text)
        return self._same_source(built)

    def _same_source(self, built: Built) -> Built:
        """Template arguments were deduced from the text that this object has read."""
        source = built.contract.get("source") if isinstance(built.contract, dict) else None
        if self.path and isinstance(source, dict) and source.get("sha256") != self.sha256:
            raise CompileError(f"{self.shown} has changed since belay.kernel() has read it; "
                               "call belay.kernel() again")
        return built


def _read_description(code: bytes, text: bytes) -> Built:
    try:
        description = json.loads(text)
        kernels = description["kernels"]
        if description["schema"] != 1 or not isinstance(kernels, list):
            raise ValueError("schema")
        if len(kernels) != 1:
            names = ", ".join(str(each["name"]) for each in kernels)
            raise CompileError(f"the file has several kernels, name one of them: {names}")
        kernel = kernels[0]
        if not isinstance(kernel["name"], str) or not isinstance(kernel["parameters"], list):
            raise ValueError("parameters")
        return Built(code, kernel["name"], tuple(kernel["parameters"]),
                     kernel.get("contract"))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise BelayFailed(f"belay object has described no kernel: {error}") from error
