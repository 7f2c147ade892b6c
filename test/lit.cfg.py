"""How lit runs Belay's command-line tests: RUN lines, FileCheck, no shell."""
import os
import shutil

import lit.formats

config.name = "belay"
config.suffixes = [".test", ".mlir"]
config.excludes = ["Inputs"]
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = os.path.join(config.belay_source, "test")
config.test_exec_root = os.path.join(config.belay_build, "test")

# belay and its friends first, so that a test cannot pass with another build's.
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.belay_build, "bin"), config.llvm_tools, "/usr/bin", "/bin"]
)
# Messages are compared as text, and kernels that tests compile stay apart from
# the user's.
config.environment["NO_COLOR"] = "1"
config.environment["BELAY_CACHE_DIR"] = os.path.join(config.test_exec_root, "cache")

if shutil.which("gdb", path="/usr/bin:/bin"):
    config.available_features.add("gdb")

config.substitutions += [
    ("%root", config.belay_source),
    ("%python", config.python),
    ("%test_bin", os.path.join(config.belay_build, "test", "bin")),
    ("%llvm_include", config.llvm_include),
    ("%belay", os.path.join(config.belay_build, "bin", "belay")),
]
