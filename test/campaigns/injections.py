"""The six classes of vulnerabilities as changes of the AscendC that Belay emits.

Each function takes a kernel's text and returns the changed text with the lines of which
one has to be named by whoever reports it; None if the class does not apply. What is
changed is always the kernel's own: a load that it executes, the tile that it loads, the
flags that order it.
"""
import dataclasses
import re

# What floating-point values are mistaken for; bits as integers are no mistake.
OTHER = {"float": "half", "half": "bfloat16_t", "bfloat16_t": "half"}
SIZES = {"float": 4, "half": 2, "bfloat16_t": 2, "int32_t": 4, "int16_t": 2, "int8_t": 1, "uint8_t": 1, "int64_t": 8}
CALL = re.compile(r"^(\s*)(DataCopyPad|DataCopy)\((.*)\);$")
TILE = re.compile(r"^(\s*)LocalTensor<(\w+)> (\w+) = (ub|l1)\.GetWithOffset<\w+>\((\d+), .*\);$")
POSITIONS = {"ub": "VECIN", "l1": "A1"}
CAPACITY = {"ub": 192 * 1024, "l1": 512 * 1024}  # of 2201


def split(text):
    """The arguments of a call."""
    parts, depth, start = [], 0, 0
    for at, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


@dataclasses.dataclass
class Load:
    line: int
    tile: str
    view: str
    offset: str
    words: list
    indent: str
    name: str

    def with_source(self, source, target=None, rest=None):
        words = [target or self.words[0], source, *(rest or self.words[2:])]
        return f"{self.indent}{self.name}({', '.join(words)});"


class Text:
    """A kernel's lines, without #line; `executed` are those of which an instruction ran, and
    `needed(lines)` says whether what they order would be in disorder without them."""

    def __init__(self, lines, executed, arguments, needed=None):
        self.needed = needed
        self.lines, self.executed = lines, executed
        self.views = {}
        for line in lines:
            if found := re.match(r"\s*GlobalTensor<(\w+)> (\w+);", line):
                self.views[found[2]] = [found[1], None]
            if found := re.match(r"\s*(\w+)\.SetGlobalBuffer\(.*?\w+Address\), (.*)\);", line):
                self.views[found[1]][1] = found[2]
        self.arguments = arguments

    def loads(self):
        for n, line in enumerate(self.lines):
            found = CALL.match(line)
            if not found or n not in self.executed:
                continue
            words = split(found[3])
            source = re.fullmatch(r"(\w+)\[(.*)\]", words[1]) if len(words) > 2 else None
            if source and source[1] in self.arguments and self.views.get(source[1], [0, None])[1]:
                tile = re.match(r"\w+", words[0])[0]
                yield Load(n, tile, source[1], source[2], words, found[1], found[2])

    def changed(self, changes, sites):
        """`changes`: line -> lines in its place; `sites`: (line, index in its place)."""
        text, where = [], []
        for n, line in enumerate(self.lines):
            where += [len(text) + i + 1 for at, i in sites if at == n]
            text += changes.get(n, [line])
        return "\n".join(text) + "\n", set(where)

    def declaration(self, tile):
        return next((n for n, line in enumerate(self.lines)
                     if (found := TILE.match(line)) and found[3] == tile), None)

    def end_of_block(self, line):
        """The first line after it that is further left than what declares its tile."""
        indent = len(re.match(r" *", self.lines[line])[0])
        return next((n for n in range(line + 1, len(self.lines))
                     if self.lines[n].strip() and len(re.match(r" *", self.lines[n])[0]) < indent), len(self.lines))


def type_confusion(text):
    """What the host allocated as one type is read as another."""
    for load in text.loads():
        kind = text.views[load.view][0]
        if kind not in OTHER:
            continue
        other = OTHER[kind]
        target = re.sub(r"^\w+", lambda m: f"{m[0]}.ReinterpretCast<{other}>()", load.words[0])
        rest = [re.sub(rf"(\w+Params)<{kind}>", rf"\1<{other}>", w) for w in load.words[2:]]
        return text.changed({load.line: [
            f"{load.indent}GlobalTensor<{other}> confused;",
            f"{load.indent}confused.SetGlobalBuffer(reinterpret_cast<__gm__ {other} *>({load.view}Address), "
            f"{text.views[load.view][1]});",
            load.with_source(f"confused[{load.offset}]", target, rest)]}, [(load.line, 2)])
    return None


def unchecked_index(text):
    """An index that is as large as the tensor."""
    for load in text.loads():
        return text.changed({load.line: [load.with_source(
            f"{load.view}[({load.offset}) + ({text.views[load.view][1]})]")]}, [(load.line, 0)])
    return None


def wrapping_offset(text):
    """An offset whose product leaves 32 bits."""
    for load in text.loads():
        narrow = f"(static_cast<int32_t>({load.offset}) + 65536) * 65536"
        return text.changed({load.line: [load.with_source(f"{load.view}[{narrow}]")]}, [(load.line, 0)])
    return None


def missing_sync(text):
    """The pair of flags between a load and who reads it, one that this launch needs: an oracle that
    shares nothing with the sanitizer (happens_before.py) says so."""
    for load in text.loads():
        end = text.end_of_block(load.line)
        for at in range(load.line + 1, len(text.lines)):
            flag = re.match(r"\s*SetFlag<HardEvent::(MTE2_\w+)>\((.*)\);", text.lines[at])
            if not flag or at not in text.executed:
                continue
            wait = f"WaitFlag<HardEvent::{flag[1]}>({flag[2]});"
            waits = [n for n in range(at + 1, len(text.lines)) if text.lines[n].strip() == wait
                     and n in text.executed]
            sets = [n for n in range(end, at) if "SetFlag<HardEvent::MTE2" in text.lines[n]]
            if waits and not sets and text.needed((at, waits[0])):
                # The flag is for all copies since the one before it. Where there is nothing to
                # read, flags of the next iteration are what runs ahead.
                covered = [n for n in range(load.line, at) if CALL.match(text.lines[n])]
                flags = [n for n in range(load.line - 3, waits[0] + 4) if n not in (at, waits[0])
                         and re.match(r"\s*(Set|Wait)Flag<", text.lines[n])]
                return text.changed({at: [], waits[0]: []}, [(n, 0) for n in covered + flags])
            break
    return None


def of_queue(text, change):
    """A tile that is loaded in the same block as it is declared and used, taken from a queue. Where
    the memory has no room for it beside all that the kernel has, a tensor of 32 bytes."""
    for load in text.loads():
        at = text.declaration(load.tile)
        if at is None or at > load.line:
            continue
        found = TILE.match(text.lines[at])
        pool = next(n for n, line in enumerate(text.lines) if f"pipe.InitBuffer({found[4]}, " in line and n < at)
        bytes_of = (int(found[5]) * SIZES[found[2]] + 31) // 32 * 32
        uses = [n for n in range(load.line + 1, text.end_of_block(at)) if n in text.executed
                and re.search(rf"\b{load.tile}\b", text.lines[n])]
        if not uses:
            continue
        indent = re.match(r"\s*", text.lines[pool])[0]
        left = CAPACITY[found[4]] - int(re.search(r", (\d+)\)", text.lines[pool])[1])
        if left < bytes_of:
            return small_queue(text, pool, uses[0], change) if found[4] == "ub" and left >= 32 else None
        changes, sites = change(load.tile, uses, text)
        changes[pool] = [text.lines[pool], f"{indent}TQue<TPosition::{POSITIONS[found[4]]}, 1> injected;",
                         f"{indent}pipe.InitBuffer(injected, 1, {bytes_of});"]
        changes[at] = [f"{found[1]}LocalTensor<{found[2]}> {load.tile} = injected.AllocTensor<{found[2]}>();"]
        return text.changed(changes, sites)
    return None


def small_queue(text, pool, use, change):
    """A tensor of 32 bytes, filled beside an instruction of the kernel; `change` is asked of the last."""
    indent, inner = (re.match(r"\s*", text.lines[n])[0] for n in (pool, use))
    own = ["LocalTensor<float> small = injected.AllocTensor<float>();", "Duplicate(small, 0.0f, 8);",
           "PipeBarrier<PIPE_V>();", "Adds(small, small, 1.0f, 8);"]
    shorter = Text([*text.lines[:use], *(inner + line for line in own), *text.lines[use:]], text.executed,
                   text.arguments)
    changes, sites = change("small", [use + 3], shorter)
    changes[pool] = [text.lines[pool], f"{indent}TQue<TPosition::VECIN, 1> injected;",
                     f"{indent}pipe.InitBuffer(injected, 1, 32);"]
    return shorter.changed(changes, sites)


def use_after_free(text):
    """The tile is freed before the instruction that reads it."""
    def change(tile, uses, text):
        line = text.lines[uses[0]]
        free = re.match(r"\s*", line)[0] + f"injected.FreeTensor({tile});"
        return {uses[0]: [free, line]}, [(uses[0], 1)]
    return of_queue(text, change)


def double_free(text):
    """The tile is freed twice after what reads it last."""
    def change(tile, uses, text):
        line = text.lines[uses[-1]]
        free = re.match(r"\s*", line)[0] + f"injected.FreeTensor({tile});"
        return {uses[-1]: [line, free, free]}, [(uses[-1], 2)]
    return of_queue(text, change)


# Class: (how it is injected, ids that report it).
CLASSES = {
    "type confusion": (type_confusion, {"type-confusion"}),
    "unchecked index": (unchecked_index, {"gm-out-of-bounds", "tensor-out-of-bounds"}),
    "use after free": (use_after_free, {"use-after-free"}),
    "missing sync": (missing_sync, {"missing-sync", "missing-barrier", "flag-run-ahead"}),
    "double free": (double_free, {"double-free"}),
    "wrapping offset": (wrapping_offset, {"offset-overflow", "index-overflow"}),
}
