"""Changes fields of instructions and counts who notices.

  mutate.py SOC KERNEL.mlir...

Every mask, repeat, count, stride, pitch, index and offset of a kernel's instructions is
changed by one, up and down. What the proof still accepts is executed here, for several
sizes of the arguments, byte by byte and without the prover: it has to touch only bytes
of its buffers, at aligned addresses, with fields that fit.
"""
import itertools
import re
import subprocess
import sys

BITS = {"i1": 1, "i8": 8, "i16": 16, "f16": 16, "bf16": 16, "i32": 32, "f32": 32, "i64": 64}
# Operands of each instruction: r is read, w written, s a scalar, f a field.
SHAPES = {
    "vec.unary": "rwfW", "vec.binary": "rrwfW", "vec.scalar": "rswf", "vec.fill": "swf",
    "vec.copy": "rwf", "vec.cast": "rwf", "vec.compare": "rrwf", "vec.select": "rrrwf",
    "vec.iota": "swf", "rep.binary": "rrwff", "rep.scalar": "rswff", "rep.copy": "rwff",
    "rep.reduce": "rwff", "rep.block_reduce": "rwf", "rep.brcb": "rwf", "rep.every_other": "rwf",
    "rep.transpose": "rwfff", "lib.reduce": "rwfW", "scalar.read": "rf",
    "scalar.write": "swf", "slice": "bff", "copy_pad.in": "", "copy_pad.out": "",
}
DYNAMIC = -(2**63)
LINE = re.compile(r'^\s*(?:(%[\w#:]+(?:, *%[\w#:]+)*) = )?"([\w.]+)"\(([^)]*)\)(.*)$')
NUMBERS = re.compile(r"(\w+) = (?:array<i64: ([-\d, ]+)>|(-?\d+) : i64)")


def optimise(text, *passes):
    return subprocess.run(
        ["belay-opt", "-", *passes], input=text, capture_output=True, text=True
    )


class Op:
    """A line of the generic form, with the blocks of its regions."""

    def __init__(self, line):
        results, self.name, operands, self.rest = LINE.match(line).groups()
        self.results = [r.split(":")[0] for r in results.split(", ")] if results else []
        self.operands = [o for o in operands.split(", ") if o]
        self.numbers = {
            m[1]: [int(n) for n in (m[2] or m[3]).split(",")]
            for m in NUMBERS.finditer(self.rest)
        }
        self.blocks = []


def parse(lines):
    """Blocks of the only function: (names of arguments, operations)."""
    root = ([], [])
    stack = []
    current = root
    for line in lines:
        text = line.strip()
        if text.startswith("^bb"):
            current[0].extend(re.findall(r"(%\w+):", text))
        elif text.startswith('"') or text.startswith("%"):
            op = Op(line)
            current[1].append(op)
            if text.endswith("({"):
                stack.append((op, current))
                current = ([], [])
                op.blocks.append(current)
        elif text.startswith("}, {"):
            current = ([], [])
            stack[-1][0].blocks.append(current)
        elif text.startswith("})"):
            op, current = stack.pop()
            op.rest += text
    return root


class Wrong(Exception):
    pass


class NotLaunched(Exception):
    pass


class Run:
    """Executes the index arithmetic of a kernel and looks at its instructions."""

    def __init__(self, extent, cores):
        self.extent, self.cores = extent, cores
        self.values = {}
        self.steps = 0

    def block(self, block, arguments=()):
        self.values.update(zip(block[0], arguments))
        for op in block[1]:
            self.steps += 1
            if op.name in ("scf.yield", "func.return"):
                return [self.values.get(o) for o in op.operands]
            self.op(op)
        return []

    def op(self, op):
        get = [self.values.get(o) for o in op.operands]
        kind = op.name
        if kind in ("func.func", "builtin.module"):
            arguments = op.blocks[0][0]
            self.block(op.blocks[0], [self.extent] * len(arguments))
        elif kind == "scf.for":
            low, high, step, *carried = get
            for i in range(low, high, step):
                if self.steps > 20000:
                    break
                carried = self.block(op.blocks[0], [i, *carried])
            self.set(op, carried)
        elif kind == "scf.if":
            taken = op.blocks[0] if get[0] else op.blocks[1] if len(op.blocks) > 1 else ([], [])
            self.set(op, self.block(taken))
        elif kind in ("ascend.expects", "ascend.guard"):
            if not get[0]:
                raise NotLaunched
        elif kind == "ascend.buffer":
            self.set(op, [self.buffer(op, get)])
        elif kind == "ascend.slice":
            self.set(op, [self.slice(op, get)])
        elif kind.startswith("ascend.copy_pad."):
            self.copy(op, get)
        elif kind.startswith("ascend.") and kind[7:] in SHAPES:
            self.instruction(op, get)
            self.set(op, [0] * len(op.results))
        else:
            self.set(op, [self.scalar(op, get)] * len(op.results))

    def set(self, op, values):
        name = op.results[0] if op.results else None
        if name and len(values) > 1 and len(op.results) == 1:
            self.values.update({f"{name}#{i}": v for i, v in enumerate(values)})
        else:
            self.values.update(zip(op.results, values))

    def scalar(self, op, get):
        if op.name == "arith.constant":
            found = re.search(r"value = (-?\d+) :|value = (true|false)", op.rest)
            return (int(found[1]) if found[1] else found[2] == "true") if found else 0
        if op.name == "memref.dim":
            shape = re.search(r"memref<([\dx?]*)x\w+", op.rest)[1].split("x")
            size = shape[get[1]] if get[1] < len(shape) else "?"
            return self.extent if size == "?" else int(size)
        if op.name == "ascend.core_index":
            return self.cores - 1
        if op.name == "ascend.core_count":
            return self.cores
        if any(v is None or not isinstance(v, (int, bool)) for v in get):
            return 0
        if op.name == "arith.cmpi":
            a, b = get
            number = int(re.search(r"predicate = (\d+)", op.rest)[1])
            return [a == b, a != b, a < b, a <= b, a > b, a >= b][number % 6] if number < 6 else 0
        functions = {
            "arith.addi": lambda a, b: a + b, "arith.subi": lambda a, b: a - b,
            "arith.muli": lambda a, b: a * b, "arith.minsi": min, "arith.maxsi": max,
            "arith.divsi": lambda a, b: int(a / b) if b else 0,
            "arith.remsi": lambda a, b: a - b * int(a / b) if b else 0,
            "arith.ceildivsi": lambda a, b: -(-a // b) if b else 0,
            "arith.floordivsi": lambda a, b: a // b if b else 0,
            "arith.andi": lambda a, b: a & b, "arith.ori": lambda a, b: a | b,
            "arith.xori": lambda a, b: a ^ b, "arith.index_cast": lambda a: a,
            "arith.select": lambda c, a, b: a if c else b,
        }
        return functions[op.name](*get) if op.name in functions else 0

    def buffer(self, op, get):
        rows, cols, element = re.search(r"memref<(\d+)x(\d+)x(\w+)", op.rest).groups()
        pitch = re.search(r"strided<\[(\d+), 1\]", op.rest)
        rows, cols = int(rows), int(cols)
        pitch = int(pitch[1]) if pitch else cols
        size = -(-max(rows * pitch, cols) * BITS[element] // (8 * 256)) * 256
        at = op.numbers.get("offset", [0])[0] + (get[0] * size if get else 0)
        return {"at": at * 8, "size": size * 8, "start": 0, "pitch": pitch, "element": element}

    def slice(self, op, get):
        source, *dynamic = get
        offsets = [
            dynamic.pop(0) if n == DYNAMIC else n for n in op.numbers["static_offsets"]
        ]
        element = re.search(r"-> memref<\?x(\w+)", op.rest)[1]
        start = (offsets[0] * source["pitch"] + offsets[1]) * BITS[source["element"]]
        return {**source, "start": start, "element": element}

    def copy(self, op, get):
        """A window of a view, whose dynamic extents are all the same."""
        inward = op.name.endswith(".in")
        view, rest = (get[0], get[1:]) if inward else (get[1], get[2:])
        places = []
        for numbers in (op.numbers["static_offsets"], op.numbers["static_sizes"]):
            places.append([rest.pop(0) if n == DYNAMIC else n for n in numbers])
        buffer = rest.pop(0) if inward else get[0]
        blocks, length, gm_gap, ub_gap = rest[:4]
        if not (0 <= blocks <= 4095 and 0 <= length < 2**21 and 0 <= gm_gap < 2**32
                and 0 <= ub_gap < 2**16):
            raise Wrong("copy: fields")
        if buffer["start"] % 256:
            raise Wrong("copy: not aligned")
        if not blocks * length:
            return
        step = -(-length // 32) * 32 + ub_gap * 32
        if buffer["start"] < 0 or buffer["start"] // 8 + (blocks - 1) * step + length > buffer["size"] // 8:
            raise Wrong("copy: outside of the buffer")
        shape = re.search(r"memref<([\dx?]*)x\w+[^>]*<gm>", op.rest)[1].split("x")
        extents = [self.extent if n == "?" else int(n) for n in shape]
        for offset, size, extent in zip(*places, extents):
            if offset < 0 or offset + size > extent:
                raise Wrong("copy: outside of the view")
        if "strided" in op.rest.split("<gm>")[0]:
            return
        # Dense: where it begins and ends among all elements.
        size = BITS[buffer["element"]] // 8
        begin = 0
        for offset, extent in zip(places[0], extents):
            begin = begin * extent + offset
        total = size
        for extent in extents:
            total *= extent
        if begin * size + (blocks - 1) * (length + gm_gap) + length > total:
            raise Wrong("copy: outside of global memory")

    def instruction(self, op, get):
        name, shape = op.name[7:], SHAPES[op.name[7:]]
        fields = [v for v, s in zip(get, shape) if s == "f"]
        memory = [v for v, s in zip(get, shape) if s in "rwW"]
        writes = [s != "r" for s, v in zip(shape, get) if s in "rwW"]
        areas = self.areas(name, op.numbers, op.rest, fields, memory)
        for (where, align), operand in zip(areas, memory):
            if operand["start"] % (align * 8):
                raise Wrong(f"{name}: not aligned")
            if where and (min(a for a, _ in where) < 0
                          or max(b for _, b in where) > operand["size"]):
                raise Wrong(f"{name}: outside")
        library = shape.endswith("W") and len(memory) == shape.count("r") + 2
        for (i, a), (j, b) in itertools.combinations(enumerate(zip(areas, memory)), 2):
            if not (writes[i] or writes[j]):
                continue
            first = [(x + a[1]["at"], y + a[1]["at"]) for x, y in a[0][0]]
            second = [(x + b[1]["at"], y + b[1]["at"]) for x, y in b[0][0]]
            if first == second and not library:
                continue
            if any(x < v and u < y for x, y in first for u, v in second):
                raise Wrong(f"{name}: overlap")

    def areas(self, name, numbers, rest, fields, memory):
        """For each operand the ranges of bits in its buffer, and its alignment."""
        bits = [BITS[m["element"]] for m in memory]
        start = [m["start"] for m in memory]
        lines = lambda count: [([(s, s + count * b)] if count > 0 else [], 32)
                               for s, b in zip(start, bits)]
        if name.startswith("vec."):
            count = fields[0]
            if not 0 <= count < 2**31:
                raise Wrong("count")
            if name == "vec.copy" and count * bits[0] % 256:
                raise Wrong("multiple")
            if name == "vec.compare" and count * bits[0] % 2048:
                raise Wrong("multiple")
            return lines(count)
        if name.startswith("scalar."):
            at = start[0] + fields[0] * bits[0]
            return [([(at, at + bits[0])], bits[0] // 8)]
        if name == "lib.reduce":
            if not 1 <= fields[0] < 2**31:
                raise Wrong("count")
            pair = 2 if "place" in rest.split("}>")[0] else 1
            source, target, _ = lines(fields[0])
            target = [(start[1], start[1] + pair * bits[1])]
            return [source, (target, pair * bits[1] // 8)]
        if name == "rep.every_other":
            if not 1 <= fields[0] < 2**30:
                raise Wrong("count")
            return [lines(2 * fields[0])[0], lines(fields[0])[1]]
        if name == "rep.transpose":
            repeat, to, source = fields
            if not (0 <= repeat <= 255 and 0 <= to <= 65535 and 0 <= source <= 65535):
                raise Wrong("fields")
            each = lambda s, pitch, stride, rows, length: [
                (s + r * stride * 256 + k * pitch * bits[0],
                 s + r * stride * 256 + k * pitch * bits[0] + length)
                for r in range(repeat) for k in range(rows)]
            return [(each(start[0], numbers["src_pitch"][0], source, 16, 256), 32),
                    (each(start[1], numbers["dst_pitch"][0], to, 256 // bits[0], 16 * bits[1]), 32)]
        if name == "rep.block_reduce":
            repeat = fields[0]
            if not 0 <= repeat <= 255:
                raise Wrong("repeat")
            size = 8 * bits[1]
            return [([(start[0] + r * 2048, start[0] + (r + 1) * 2048)
                      for r in range(repeat)], 32),
                    ([(start[1] + r * size, start[1] + (r + 1) * size)
                      for r in range(repeat)], size // 8)]
        if name == "rep.brcb":
            repeat = fields[0]
            if not 0 <= repeat <= 255:
                raise Wrong("repeat")
            return [([(start[0] + r * 8 * bits[0], start[0] + (r + 1) * 8 * bits[0])
                      for r in range(repeat)], 32),
                    ([(start[1] + r * 2048, start[1] + (r + 1) * 2048)
                      for r in range(repeat)], 32)]
        mask, repeat = fields
        if not (1 <= mask <= 2048 // bits[0] and 0 <= repeat <= 255):
            raise Wrong("mask or repeat")

        def lanes(s, b, block, row):
            per = 256 // b
            return [(s + (r * row + k * block) * 256,
                     s + (r * row + k * block) * 256 + min(per, mask - k * per) * b)
                    for r in range(repeat) for k in range(-(-mask // per))]

        if name == "rep.reduce":
            size = bits[1] * (2 if "places" in rest.split("}>")[0] else 1)
            return [(lanes(start[0], bits[0], 1, numbers["row"][0]), 32),
                    ([(start[1] + r * size, start[1] + (r + 1) * size)
                      for r in range(repeat)], size // 8)]
        # Strides are of the destination first, operands have it last.
        order = [*range(1, len(memory)), 0]
        return [(lanes(s, b, numbers["blocks"][k], numbers["rows"][k]), 32)
                for s, b, k in zip(start, bits, order)]


def mutants(lines):
    """Lines with one number changed, and what was done."""
    for n, line in enumerate(lines):
        match = LINE.match(line)
        if not match or not match[2].startswith("ascend.") or match[2][7:] not in SHAPES:
            continue
        operands = match[3].split(", ")
        types = re.search(r" : \((.*)\) -> ", line)[1]
        types = re.findall(r"memref<.*?>>|[\w]+", types)
        for i, (operand, type_) in enumerate(zip(operands, types)):
            if type_ != "index":
                continue
            for change in (1, -1):
                new = [f'%mutant_by = "arith.constant"() <{{value = {change} : index}}> : () -> index',
                       f'%mutant = "arith.addi"({operand}, %mutant_by) <{{overflowFlags = '
                       "#arith.overflow<none>}> : (index, index) -> index"]
                others = operands[:i] + ["%mutant"] + operands[i + 1:]
                changed = line.replace(f"({match[3]})", f"({', '.join(others)})", 1)
                yield lines[:n] + new + [changed] + lines[n + 1:], f"{match[2]} operand {i} {change:+}"
        for field in NUMBERS.finditer(line):
            if field[1] == "operandSegmentSizes":
                continue
            for number in re.finditer(r"-?\d+", field[2] or field[3]):
                if number[0] == str(DYNAMIC):
                    continue
                for change in (1, -1):
                    at = field.start(2 if field[2] else 3) + number.start()
                    changed = line[:at] + str(int(number[0]) + change) + line[at + len(number[0]):]
                    yield lines[:n] + [changed] + lines[n + 1:], f"{match[2]} {field[1]} {change:+}"


def execute(lines):
    """What is wrong in one of several launches, or nothing."""
    root = parse(lines)
    for extent, cores in itertools.product((0, 1, 7, 8, 9, 16, 64, 300), (1, 2)):
        run = Run(extent, cores)
        try:
            run.block(root)
        except NotLaunched:
            continue
        except Wrong as wrong:
            return f"{wrong} for extents of {extent} on {cores} cores"
    return None


def main():
    soc, *kernels = sys.argv[1:]
    verify = f"--ascend-verify-instructions=soc={soc}"
    refused = harmless = 0
    for kernel in kernels:
        done = optimise(open(kernel).read(), f"--ascend-to-core=soc={soc}", "--mlir-print-op-generic")
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        assert execute(lines) is None, f"{kernel}: {execute(lines)}"
        made = list(mutants(lines))
        text, starts = [], []
        for changed, _ in made:
            starts.append(len(text) + 1)
            text += changed + ["// -----"]
        output = optimise("\n".join(text), "--split-input-file", verify).stderr
        wrong = {int(m[1]) for m in re.finditer(r"^<stdin>:(\d+):\d+: error:", output, re.M)}
        for (changed, what), start in zip(made, starts):
            if any(start <= line < start + len(changed) + 1 for line in wrong):
                refused += 1
                continue
            found = execute(changed)
            assert found is None, f"{kernel}: {what} is accepted: {found}"
            harmless += 1
    print(f"{refused + harmless} fields changed, {refused} refused, {harmless} harmless")
    assert refused > harmless / 2
    print("good")


if __name__ == "__main__":
    main()
