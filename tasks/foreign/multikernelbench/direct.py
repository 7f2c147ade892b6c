"""Candidates of the backend ascendc_direct_launch: sources whose host code launches the kernel.

They become an operator project. Its host side is the candidate's own, compiled against
include/multikernelbench instead of PyTorch, with launches that are written down; its kernel calls
the kernel that was launched with the arguments that it was launched with.
"""
import json
import pathlib
import re

from .model import Argument, Refused, given, read_call

TYPES = {"f16": "FLOAT16", "bf16": "BF16", "f32": "FLOAT", "f64": "DOUBLE", "i8": "INT8", "u8": "UINT8",
         "i16": "INT16", "i32": "INT32", "i64": "INT64", "bool": "BOOL"}
SOURCES = (".cpp", ".cc", ".cxx")
ARCHITECTURE = 2201  # the benchmark compiles for this one only
COPY = "direct"  # where the sources are in op_host and op_kernel

HOST = """// Made by Belay: the candidate's binding as a tiling function.
#include "multikernelbench/host.h"

static at::Tensor belayForward(const std::vector<at::Tensor> &Inputs) {{
  auto &All = belay::record::functions();
  auto At = All.find("{function}");
  if (At == All.end())
    belay::record::refuse("the module has no function '{function}'");
  return At->second({{{values}}});
}}

namespace ops {{
class DirectLaunch : public OpDef {{
public:
  explicit DirectLaunch(const char *Name) : OpDef(Name) {{
{parameters}
    this->AICore().SetTiling(optiling::tileDirectLaunch);
    this->AICore().AddConfig("ascend910b").AddConfig("ascend910_93");
  }}
}};
OP_ADD(DirectLaunch);
}} // namespace ops
"""

KERNEL = """// Made by Belay: calls the kernel that the candidate's host code launched.
#include "multikernelbench/replay.h"
{includes}

extern "C" __global__ __aicore__ void direct_launch({parameters}GM_ADDR result, GM_ADDR workspace, GM_ADDR tiling) {{
  GET_TILING_DATA(launch, tiling);
  const belay::record::Memory::Address tensors[] = {{{names}result}};
  const belay::record::Memory memory{{tensors, {count}, launch.result, launch.places, workspace}};
{calls}
}}
"""


def read_direct(text, facts):
    spec = json.loads(text)
    sources = {}
    for source in spec["sources"]:
        path = pathlib.PurePosixPath(source["path"])
        if path.is_absolute() or any(part in ("..", "") for part in path.parts) or not path.parts:
            raise Refused(f"'{path}' is outside of the candidate")
        if str(path) in sources:
            raise Refused(f"there are two sources '{path}'")
        sources[str(path)] = source.get("content", "")
    bindings, kernels = sides_of(spec.get("build", {}), sources)
    function, values = read_call(model_of(spec, sources), facts["init"])
    files, calls = {}, []
    for path, content in sources.items():
        if path.endswith(".py"):
            continue
        found = launches_in(content)
        files[f"op_host/{COPY}/{path}"] = with_launches(content, found, len(calls), True)
        files[f"op_kernel/{COPY}/{path}"] = with_launches(content, found, len(calls), False)
        if found and path in bindings:
            raise Refused("the binding launches a kernel itself; launches belong to the kernels' sources")
        calls += [kernel for kernel, _, _ in found]
    if not calls:
        raise Refused("no kernel source launches a kernel (kernel<<<blocks, l2, stream>>>(...))")
    for number, path in enumerate([*bindings, *kernels]):
        files[f"op_host/{number}.cpp"] = f'#define __NPU_ARCH__ {ARCHITECTURE}\n#include "{COPY}/{path}"\n'
    files["op_host/direct_launch.cpp"] = host_side(function, values, facts)
    files["op_kernel/direct_launch.cpp"] = kernel_side(kernels, calls, len(facts["types"]))
    folders = sorted({str(pathlib.PurePosixPath(path).parent) for path in sources} | {"."})
    return {"files": files, "kernel": "direct_launch", "op": "DirectLaunch", "attrs": {},
            "inputs": list(range(len(facts["types"]))),
            "includes": [f"op_host/{COPY}/{folder}" for folder in folders]}


def sides_of(build, sources):
    """The files with the binding and those with kernels, as the benchmark tells them apart."""
    code = sorted(path for path in sources if path.endswith(SOURCES))
    bindings = list(build.get("binding_sources") or
                    [p for p in code if p.endswith("pybind11.cpp") or "PYBIND11_MODULE" in sources[p]])
    kernels = list(build.get("kernel_sources") or [p for p in code if p not in bindings])
    if not bindings or not kernels:
        raise Refused("there is no binding (PYBIND11_MODULE), or no kernel beside it")
    for path in [*bindings, *kernels]:
        if path not in sources:
            raise Refused(f"there is no source '{path}'")
    return bindings, kernels


def model_of(spec, sources):
    path = str(spec.get("entry", {}).get("model", "ModelNew.py::ModelNew")).split("::")[0]
    if path not in sources:
        raise Refused(f"there is no '{path}'")
    return sources[path]


def host_side(function, values, facts):
    words = []
    for value in (given(value, facts) for value in values):
        words.append(f"{{&Inputs[{value.number}], 0}}" if isinstance(value, Argument)
                     else f"{{nullptr, {float(value)!r}}}")
    if not re.fullmatch(r"\w+", function):
        raise Refused("the function has no plain name")
    parameters = [parameter("Input", f"x{number}", kind) for number, kind in enumerate(facts["types"])]
    parameters.append(parameter("Output", "result", facts["result"]))
    return HOST.format(function=function, values=", ".join(words), parameters="\n".join(parameters))


def parameter(kind, name, element):
    return f'    this->{kind}("{name}").ParamType(REQUIRED).DataType({{ge::DT_{TYPES[element]}}})' \
           ".Format({ge::FORMAT_ND}).UnknownShapeFormat({ge::FORMAT_ND});"


def kernel_side(kernels, calls, inputs):
    names = [f"x{number}" for number in range(inputs)]
    lines = []
    for number, kernel in enumerate(calls):
        lines.append(f"  {'else ' if number else ''}if (TILING_KEY_IS({number + 1}))\n"
                     f"    belay::record::call(&{kernel}, launch.words, memory);")
    return KERNEL.format(includes="\n".join(f'#include "{COPY}/{path}"' for path in kernels),
                         parameters="".join(f"GM_ADDR {name}, " for name in names),
                         names="".join(f"{name}, " for name in names), count=inputs, calls="\n".join(lines))


def masked(text):
    """The same text with blanks for comments and literals."""
    blank = lambda found: re.sub(r"[^\n]", " ", found[0])
    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", blank, text, flags=re.S)


def launches_in(text):
    """[(kernel, start, end of '>>>')] of all launches."""
    plain, found, at = masked(text), [], 0
    while (at := plain.find("<<<", at)) >= 0:
        end = plain.find(">>>", at)
        start = start_of_name(plain, at)
        if end < 0 or start is None:
            raise Refused("a launch is not understood")
        found.append((" ".join(text[start:at].split()), start, end + 3))
        at = end + 3
    return found


def start_of_name(plain, end):
    """Where `ns::kernel<float, 8>` begins that ends there."""
    at = len(plain[:end].rstrip())
    if at and plain[at - 1] == ">":
        depth = 0
        while at:
            at -= 1
            depth += (plain[at] == ">") - (plain[at] == "<")
            if not depth:
                break
        else:
            return None
        at = len(plain[:at].rstrip())
    name = re.search(r"[\w:]+$", plain[:at])
    return name.start() if name else None


def with_launches(text, found, before, host):
    """Launches that are recorded, or none for the device; line by line the same."""
    result, at = "", 0
    for number, (kernel, start, end) in enumerate(found):
        arguments = text[text.index("<<<", start) + 3:end - 3]
        result += text[at:start]
        if host:
            result += f"::belay::record::configure<{before + number + 1}>(static_cast<decltype(&{kernel})>(nullptr))({arguments})"
        else:
            result += "\n" * text.count("\n", start, end) + "::belay::record::nothing"
        at = end
    result += text[at:]
    return '#include "multikernelbench/record.h"\n#line 1\n' + result if found else result
