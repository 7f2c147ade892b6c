#!/usr/bin/env python3
"""Every collective, type and reduction of the simulated libhccl beside NumPy:
1 to 8 ranks, as threads, as processes, in one thread, and as parts.

  collectives.py PROGRAM
"""
import os
import subprocess
import sys
import tempfile

import numpy as np

PROGRAM = sys.argv[1]
TYPES = {  # HCCL's number, NumPy's type; bfloat16 travels as its bits
    "int8": (0, np.int8),
    "int16": (1, np.int16),
    "int32": (2, np.int32),
    "fp16": (3, np.float16),
    "fp32": (4, np.float32),
    "int64": (5, np.int64),
    "uint64": (6, np.uint64),
    "uint8": (7, np.uint8),
    "uint16": (8, np.uint16),
    "uint32": (9, np.uint32),
    "fp64": (10, np.float64),
    "bf16": (11, np.uint16),
    "hif8": (14, np.uint8),
    "fp8e4m3": (15, np.uint8),
    "fp8e5m2": (16, np.uint8),
    "fp8e8m0": (17, np.uint8),
}
WIDE_MOVES = [n for n in TYPES if "f8" not in n and "fp8" not in n]
OPS = ["sum", "prod", "max", "min"]
# As the vendor documents them for each part.
PARTS = {
    "Ascend910B3": {
        "moves": WIDE_MOVES,
        "reduces": {
            "int8": OPS,
            "int16": ["sum", "max", "min"],
            "int32": OPS,
            "int64": OPS,
            "fp16": OPS,
            "fp32": OPS,
            "bf16": ["sum", "max", "min"],
        },
    },
    "Ascend950PR_9599": {
        "moves": list(TYPES),
        "reduces": {
            "int8": OPS,
            "int16": ["sum", "max", "min"],
            "int32": OPS,
            "int64": OPS,
            "uint64": OPS,
            "fp16": OPS,
            "fp32": OPS,
            "fp64": OPS,
            "bf16": ["sum", "max", "min"],
        },
    },
    "Ascend310P3": {
        "moves": [n for n in WIDE_MOVES if n != "bf16"],
        "reduces": {
            "int8": OPS,
            "int16": ["sum"],
            "int32": OPS,
            "fp16": OPS,
            "fp32": OPS,
        },
    },
}
NOT_SUPPORTED = 5

random = np.random.default_rng(0)
failures = []


def from_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def to_bf16(values):
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def draw(name, count):
    dtype = TYPES[name][1]
    if name == "bf16":
        return to_bf16(random.standard_normal(count))
    if np.issubdtype(dtype, np.floating):
        return random.standard_normal(count).astype(dtype)
    info = np.iinfo(dtype)
    return random.integers(info.min, info.max, count, dtype, endpoint=True)


def reduce(name, op, parts):
    """In the order of ranks, each step in the type."""
    function = {
        "sum": np.add,
        "prod": np.multiply,
        "max": np.maximum,
        "min": np.minimum,
    }[op]
    result = parts[0]
    with np.errstate(all="ignore"):
        for part in parts[1:]:
            if name == "bf16":
                result = to_bf16(function(from_bf16(result), from_bf16(part)))
            else:
                result = function(result, part)
    return result


class Case:
    """What each rank passes, and what it has to receive."""

    def __init__(self, name, type_name, op, root, count, ranks):
        self.name, self.type, self.op = name, type_name, op
        self.root, self.ranks = root, ranks
        self.counts = [count] * ranks
        self.numbers = [[] for _ in range(ranks)]
        self.in_place = 0
        self.inputs = self.outputs = None

    def line(self, rank):
        words = [
            self.name,
            TYPES[self.type][0],
            OPS.index(self.op),
            self.root,
            self.counts[rank],
            self.inputs[rank].nbytes,
            self.outputs[rank].nbytes,
            self.in_place,
            *self.numbers[rank],
        ]
        return " ".join(map(str, words)) + "\n"


def nothing(type_name):
    return np.zeros(0, TYPES[type_name][1])


def blank(type_name, count):
    return np.full(count * TYPES[type_name][1]().nbytes, 0xFF, np.uint8).view(
        TYPES[type_name][1]
    )


def make(name, type_name, op, count, ranks):
    root = random.integers(ranks)
    case = Case(name, type_name, op, root, count, ranks)
    everyone = range(ranks)
    if name in ("allgather", "allreduce", "reduce", "batch", "group"):
        case.inputs = [draw(type_name, count) for _ in everyone]
    if name in ("reducescatter", "alltoall"):
        case.inputs = [draw(type_name, count * ranks) for _ in everyone]
    if name == "allreduce":
        case.outputs = [reduce(type_name, op, case.inputs)] * ranks
    elif name == "broadcast":
        case.inputs = [draw(type_name, count) for _ in everyone]
        case.outputs = [case.inputs[root]] * ranks
    elif name == "allgather":
        case.outputs = [np.concatenate(case.inputs)] * ranks
    elif name == "reducescatter":
        whole = reduce(type_name, op, case.inputs)
        case.outputs = np.split(whole, ranks)
    elif name == "reduce":
        case.outputs = [nothing(type_name)] * ranks
        case.outputs[root] = reduce(type_name, op, case.inputs)
    elif name == "scatter":
        case.inputs = [nothing(type_name)] * ranks
        case.inputs[root] = draw(type_name, count * ranks)
        case.outputs = np.split(case.inputs[root], ranks)
    elif name == "alltoall":
        parts = [np.split(each, ranks) for each in case.inputs]
        case.outputs = [
            np.concatenate([parts[q][r] for q in everyone]) for r in everyone
        ]
    elif name in ("batch", "group"):
        case.outputs = [case.inputs[r - 1] for r in everyone]
    elif name == "sendrecv":
        case.inputs = [
            nothing(type_name) if r % 2 else draw(type_name, count) for r in everyone
        ]
        case.outputs = [
            case.inputs[r - 1] if r % 2 else nothing(type_name) for r in everyone
        ]
    elif name == "barrier":
        case.inputs = case.outputs = [nothing(type_name)] * ranks
    else:
        make_uneven(case)
    return case


def make_uneven(case):
    """Counts that differ from rank to rank, some 0, with gaps between parts."""
    ranks, everyone = case.ranks, range(case.ranks)
    largest = case.counts[0]
    matrix = random.integers(0, largest, (ranks, ranks), endpoint=True)
    gap = 0 if case.name == "alltoallvc" else 2

    def places(counts):
        return np.concatenate([[0], np.cumsum(np.asarray(counts) + gap)[:-1]])

    def room(counts):
        return int(np.sum(counts)) + gap * (ranks - 1)

    if case.name in ("alltoallv", "alltoallvc"):
        gives, takes = matrix, matrix.T
        case.inputs = [draw(case.type, room(gives[r])) for r in everyone]
        case.outputs = [blank(case.type, room(takes[r])) for r in everyone]
        for r in everyone:
            for q in everyone:
                start, to = places(gives[q])[r], places(takes[r])[q]
                n = matrix[q][r]
                case.outputs[r][to : to + n] = case.inputs[q][start : start + n]
            case.numbers[r] = [
                *gives[r],
                *places(gives[r]),
                *takes[r],
                *places(takes[r]),
            ]
            if case.name == "alltoallvc":
                case.numbers[r] = list(matrix.flatten())
    elif case.name == "allgatherv":
        counts = matrix[0]
        case.counts = list(counts)
        case.inputs = [draw(case.type, counts[r]) for r in everyone]
        whole = blank(case.type, room(counts))
        for r in everyone:
            start = places(counts)[r]
            whole[start : start + counts[r]] = case.inputs[r]
            case.numbers[r] = [*counts, *places(counts)]
        case.outputs = [whole] * ranks
    else:  # reducescatterv
        counts = matrix[0]
        case.counts = list(counts)
        case.inputs = [draw(case.type, room(counts)) for _ in everyone]
        case.outputs = []
        for r in everyone:
            start = places(counts)[r]
            case.outputs.append(
                reduce(
                    case.type,
                    case.op,
                    [each[start : start + counts[r]] for each in case.inputs],
                )
            )
            case.numbers[r] = [*counts, *places(counts)]


REDUCING = ["allreduce", "reducescatter", "reduce", "reducescatterv"]
MOVING = [
    "broadcast",
    "allgather",
    "scatter",
    "alltoall",
    "alltoallv",
    "alltoallvc",
    "allgatherv",
    "batch",
]


def refused(type_name, op, ranks):
    case = Case("refused", type_name, op, NOT_SUPPORTED, 4, ranks)
    case.inputs = [draw(type_name, 4) for _ in range(ranks)]
    case.outputs = [blank(type_name, 4) for _ in range(ranks)]
    return case


def all_cases(part, ranks):
    for name in REDUCING:
        for type_name, ops in PARTS[part]["reduces"].items():
            for op in ops:
                yield make(name, type_name, op, 37, ranks)
    for name in MOVING:
        for type_name in PARTS[part]["moves"]:
            yield make(name, type_name, "sum", 21, ranks)
    yield make("barrier", "int8", "sum", 0, ranks)
    if ranks > 1:
        yield make("group", "fp32", "sum", 21, ranks)
    if ranks % 2 == 0:
        yield make("sendrecv", "fp16", "sum", 100000, ranks)
    for name in REDUCING + MOVING:  # longer than a window, and than a channel
        yield make(name, "fp32", "sum", 300007 if ranks < 8 else 100003, ranks)
        yield make(name, "int8", "max", 0, ranks)
    for name in ("allreduce", "allgather", "reducescatter"):
        case = make(name, "fp32", "sum", 1000, ranks)
        case.in_place = 1
        yield case
    for type_name in TYPES:
        for op in OPS:
            if op not in PARTS[part]["reduces"].get(type_name, []):
                yield refused(type_name, op, ranks)


def prepare(folder, cases, ranks):
    for rank in range(ranks):
        with open(f"{folder}/cases.{rank}", "w") as file:
            file.writelines(case.line(rank) for case in cases)
        with open(f"{folder}/in.{rank}", "wb") as file:
            for case in cases:
                file.write(np.ascontiguousarray(case.inputs[rank]).tobytes())
    with open(f"{folder}/table.json", "w") as file:
        devices = ",".join(
            f'{{"device_id": "{r}", "rank_id": "{r}"}}' for r in range(ranks)
        )
        file.write(f'{{"server_list": [{{"device": [{devices}], "x": "{folder}"}}]}}')


def compare(what, folder, cases, rank, suffix=""):
    data = open(f"{folder}/out.{rank}{suffix}", "rb").read()
    at = 0
    for case in cases:
        expected = case.outputs[rank]
        got = data[at : at + expected.nbytes]
        at += expected.nbytes
        if got != np.ascontiguousarray(expected).tobytes() and case.name != "refused":
            failures.append(
                f"{what}: rank {rank}: {case.name} of {case.type}, {case.op}, "
                f"count {case.counts[rank]} differs"
            )
    if at != len(data):
        failures.append(f"{what}: rank {rank}: {len(data)} bytes instead of {at}")


def run(part, how, ranks):
    what = f"{part}, {how}, {ranks} ranks"
    cases = list(all_cases(part, ranks))
    if how in ("process", "table"):  # what differs is how bytes travel
        cases = cases[::3]
    env = {
        **os.environ,
        "BELAY_SOC": part,
        "BELAY_DEVICES": "16",
        "BELAY_DEVICE_MEMORY": "256M",
        "HCCL_EXEC_TIMEOUT": "200",
    }
    with tempfile.TemporaryDirectory(prefix="belay-hccl-") as folder:
        prepare(folder, cases, ranks)
        command = [PROGRAM, how, str(ranks), folder]
        commands = [command]
        if how in ("process", "table"):
            commands = [[*command, str(rank)] for rank in range(ranks)]
        started = [
            subprocess.Popen(each, env=env, stderr=subprocess.PIPE, text=True)
            for each in commands
        ]
        for each in started:
            _, errors = each.communicate(timeout=300)
            if each.returncode or errors:
                failures.append(f"{what}: status {each.returncode}\n{errors}")
        if failures:
            return 0
        for rank in range(ranks):
            compare(what, folder, cases, rank)
            if how == "parts":
                compare(what, folder, cases, rank, ".odd")
    return len(cases)


total = 0
for ranks in 1, 2, 4, 8:
    total += run("Ascend910B3", "threads", ranks)
    total += run("Ascend910B3", "process", ranks)
for how in "single", "parts", "table":
    total += run("Ascend910B3", how, 4)
for part in "Ascend950PR_9599", "Ascend310P3":
    total += run(part, "threads", 3)
print(f"{total} cases, {len(failures)} failures")
for failure in failures[:20]:
    print(failure)
sys.exit(bool(failures))
