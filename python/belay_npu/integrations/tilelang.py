"""TileLang: every kernel goes through Belay before it reaches bisheng.

    import belay_npu.integrations.tilelang
    belay_npu.integrations.tilelang.install()

Replaces ``LibraryGenerator.compile_lib``, the one place where TileLang turns the
source that it generated into a library.
"""
from __future__ import annotations

import importlib
import os
import pathlib
import tempfile
from typing import Any, Callable, List, Optional, Union

import belay_npu as belay

_MODULE = "tilelang.jit.adapter.libgen"
_LIBRARIES = ("runtime", "ascendcl", "m", "tiling_api", "platform", "c_sec", "dl")
_SOCS = {"A2": "Ascend910B3", "A3": "Ascend910_9362", "A5": "Ascend950PR_950z"}


def _options() -> List[str]:
    """The folders, libraries and macros that TileLang's own call has."""
    home = os.environ.get("ASCEND_HOME_PATH") or os.environ.get("ASCEND_HOME", "")
    root = os.environ.get("TL_ROOT", "")
    folders = []
    if home:
        folders += [
            os.path.join(home, name)
            for name in ("include", "include/experiment/msprof",
                         "include/experiment/runtime", "pkg_inc",
                         "pkg_inc/runtime", "pkg_inc/profiling")]
    if root:
        folders += [
            os.path.join(root, "3rdparty", name)
            for name in ("catlass/include", "shmem/include", "shmem/src/device")]
    try:
        env = importlib.import_module("tilelang.env")
        folders.append(str(env.TILELANG_TEMPLATE_PATH))
    except (ImportError, AttributeError):
        pass
    options = ["-I" + folder for folder in folders]
    options += ["-DBACKEND_HYBM", "-Wno-macro-redefined", "-Wno-ignored-attributes",
                "-Wno-non-c-typedef-for-linkage"]
    if home:
        options.append(f"-L{home}/lib64")
    return options + ["-l" + name for name in _LIBRARIES]


def install(
    soc: Optional[str] = None, validate: Union[bool, str] = True,
) -> Callable[[], None]:
    """Replaces TileLang's compilation; returns a function that undoes it.

    Args:
      soc: The target; by default the one of the generator's platform, or
        Ascend910B3, which is what TileLang itself compiles for.
      validate: As in ``belay.compile_kernel``.
    """
    generator: Any = importlib.import_module(_MODULE).LibraryGenerator
    original = generator.compile_lib

    def compile_lib(self: Any, timeout: Optional[float] = None) -> None:
        if self.target not in ("ascendc", "auto"):
            # PTO's flags are TileLang's own; docs/integrations/shim.md.
            original(self, timeout)
            return
        platform = str(getattr(self, "platform", "A2"))
        chosen = _SOCS.get(platform, _SOCS["A2"]) if soc is None else soc
        with tempfile.NamedTemporaryFile(
                mode="w", suffix=".cpp", delete=False) as file:
            file.write(self.lib_code)
        libpath = file.name[: -len(".cpp")] + ".so"
        try:
            belay.compile_kernel(
                pathlib.Path(file.name), soc=chosen, shared=True, validate=validate,
                options=_options(), output=libpath, timeout=timeout)
        except belay.CompileError as error:
            raise RuntimeError(f"Compilation Failed! {error}") from error
        self.srcpath = file.name
        self.libpath = libpath

    generator.compile_lib = compile_lib

    def uninstall() -> None:
        generator.compile_lib = original

    return uninstall
