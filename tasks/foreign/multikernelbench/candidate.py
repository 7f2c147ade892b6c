"""Candidates in MultiKernelBench's formats as operator projects, which belay bench can judge.

Nothing of a candidate is executed here: its texts are read, and taken apart.
"""
import ast
import re

from .direct import read_direct
from .model import Argument, Refused, given, read_call

PARTS = ("host_tiling_src", "host_operator_src", "kernel_src", "python_bind_src", "model_src")


def read_candidate(task, text, facts):
    """{"files", "kernel", "op", "attrs", "inputs", "includes"}, or {"refused": why}."""
    try:
        text = without_fence(text)
        if text.lstrip().startswith("{"):
            return read_direct(text, facts)
        return read_project(task, text, facts)
    except (Refused, KeyError, TypeError, ValueError, RecursionError, MemoryError) as failure:
        return {"refused": f"{type(failure).__name__}: {failure}" if not isinstance(failure, Refused) else str(failure)}


def without_fence(text):
    """Models put their answers into ```python ... ```."""
    start = text.find("```")
    if start < 0 or text.lstrip().startswith("{"):
        return text
    body = text[text.find("\n", start) + 1:]
    end = body.rfind("```")
    return body[:end] if end >= 0 else body


def read_project(task, text, facts):
    """The backend ascendc: assignments of strings, which its compiler writes to files."""
    try:
        tree = ast.parse(text)
    except SyntaxError as failure:
        raise Refused(f"neither JSON nor Python: {failure}") from None
    parts = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name) \
                and isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, str):
            parts[statement.targets[0].id] = statement.value.value
    missing = [part for part in PARTS if part not in parts]
    if missing:
        raise Refused(f"{', '.join(missing)} is missing")
    name = f"{task}_custom"
    operator = "".join(word.capitalize() for word in name.split("_"))
    function, values = read_call(parts["model_src"], facts["init"])
    values = [given(value, facts) for value in values]
    inputs, attributes = read_binding(parts["python_bind_src"], function, operator, values)
    names = re.findall(r"\bAttr\s*\(\s*\"(\w+)\"", parts["host_operator_src"])
    if len(names) != len(attributes):
        raise Refused(f"the binding passes {len(attributes)} numbers, and the operator has {len(names)} attributes")
    return {"files": {f"op_host/{name}_tiling.h": parts["host_tiling_src"],
                      f"op_host/{name}.cpp": parts["host_operator_src"],
                      f"op_kernel/{name}.cpp": parts["kernel_src"]},
            "kernel": name, "op": operator, "attrs": dict(zip(names, attributes)),
            "inputs": inputs, "includes": []}


def read_binding(text, function, operator, values):
    """Which tensors the operator gets, and the numbers besides: the binding has to
    be a function that allocates the result and hands everything to EXEC_NPU_CMD."""
    bound = re.search(rf"\bm\s*\.\s*def\s*\(\s*\"{re.escape(function)}\"\s*,\s*&?\s*([\w:]+)", text)
    if not bound:
        raise Refused(f"the binding does not define '{function}'")
    code = re.search(rf"\b{re.escape(bound[1].split('::')[-1])}\s*\(([^)]*)\)\s*\{{", text)
    if not code:
        raise Refused(f"the binding has no function '{bound[1]}'")
    names = [parameter.split("=")[0].split()[-1].lstrip("&*") for parameter in code[1].split(",") if parameter.strip()]
    body = text[code.end():]
    command = re.search(r"\bEXEC_NPU_CMD\s*\(\s*(\w+)\s*,([^;]*)\)\s*;", body)
    if not command or command[1] != f"aclnn{operator}":
        raise Refused(f"the binding does not call aclnn{operator}")
    passed = [word.strip() for word in command[2].split(",")]
    result = passed.pop()
    if not re.search(rf"\breturn\s+{re.escape(result)}\s*;", body):
        raise Refused("the binding returns something else than the operator's last argument")
    if len(names) != len(values):
        raise Refused(f"'{function}' takes {len(names)} arguments, and the model passes {len(values)}")
    known, inputs, attributes = dict(zip(names, values)), [], []
    for word in passed:
        value = known[word] if word in known else number(word)
        if isinstance(value, Argument):
            inputs.append(value.number)
        else:
            attributes.append(value)
    return inputs, attributes


def number(word):
    try:
        return ast.literal_eval(word.rstrip("fF"))
    except (ValueError, SyntaxError):
        raise Refused(f"the binding passes '{word[:40]}', which is none of its arguments") from None
