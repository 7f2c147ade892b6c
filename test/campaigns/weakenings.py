"""Ways to weaken the order of a kernel, on its instructions as text (`belay build --emit core-ir`).

    weakenings(lines) -> [(kind, what was changed, the changed lines)]

  other id         a flag is set, or awaited, with another number
  other pipe       a flag is raised by another pipe, with all its sets and waits; a barrier is of another pipe
  set too early    before the instruction that it tells of, instead of after it
  wait too late    after the instruction that it holds back, instead of before it
"""
import re

# A core with both units is a vector core that multiplies.
CUBE, FUSED = ("AIC_MTE2", "MTE1", "M", "FIX"), ("AI_MTE1", "AI_M")
VECTOR = ("MTE2", "V", "MTE3", *FUSED)
SCALAR = {"AIC_S": CUBE, "S": VECTOR}
# Pairs of pipes of one core that have flags.
PAIRS = {("AIC_MTE2", "MTE1"), ("MTE1", "AIC_MTE2"), ("MTE1", "M"), ("M", "MTE1"), ("AIC_MTE2", "M"),
         ("M", "AIC_MTE2"), ("M", "FIX"), ("FIX", "M"), ("FIX", "AIC_MTE2"), ("FIX", "MTE1"),
         ("MTE2", "V"), ("V", "MTE2"), ("V", "MTE3"), ("MTE3", "V"), ("MTE3", "MTE2"), ("MTE2", "MTE3"),
         ("MTE3", "AI_MTE1"), ("AI_MTE1", "MTE3"), ("AI_MTE1", "AI_M"), ("AI_M", "AI_MTE1"), ("AI_M", "V"),
         ("V", "AI_M"), ("MTE2", "AI_MTE1")}
IDS, CROSS_IDS = 6, 11
PIPE_OF = {"cube.nd2nz": "AIC_MTE2", "cube.load": "MTE1", "cube.load_fractals": "MTE1", "cube.mmad": "M",
           "cube.fixpipe": "FIX", "copy_pad.in": "MTE2", "copy_pad.out": "MTE3", "copy.in": "MTE2",
           "copy.out": "MTE3", "gm.read": "S", "gm.write": "S", "scalar.read": "S", "scalar.write": "S",
           "copy_blocks.in": "MTE2", "copy_blocks.out": "MTE3", "copy_rows.in": "MTE2", "copy_rows.out": "MTE3", "cache.clean": "S", "cube.put_blocks": "MTE3",
           "cube.fractals": "V", "cube.rows": "V"}
NO_INSTRUCTION = {"buffer", "slice", "expects", "core_count", "core_index", "flag.set", "flag.wait", "barrier"}
FLAG = re.compile(r"^\s*ascend\.flag\.(set|wait) <(\w+)> to <(\w+)> event (\d+)(.*)$")
BARRIER = re.compile(r"^\s*ascend\.barrier( on <(\w+)>)?\s*$")
OPERATION = re.compile(r"^\s*(?:%\S+ = )?ascend\.([a-z_0-9.]+)")


def core_of(pipe):
    return CUBE if pipe in CUBE or pipe == "AIC_S" else VECTOR


def is_cross(raising, waiting):
    return core_of(raising) != core_of(waiting)


def pipe_of(line):
    """The pipe that executes an operation; None if it is none of a pipe."""
    found = OPERATION.match(line)
    if not found or found[1] in NO_INSTRUCTION:
        return None
    name = found[1]
    of_one_core = " one_core " in line
    if name == "cube.fill" and "space<l1>" in line:
        return "MTE2" if of_one_core else "AIC_MTE2"
    if name == "cube.fill":
        name = "cube.load"
    if of_one_core:
        return f"AI_{PIPE_OF[name]}"
    if name.startswith(("vec.", "rep.")):
        return "V"
    if name not in PIPE_OF:
        raise SystemExit(f"no pipe is known of ascend.{name}")
    return PIPE_OF[name]


def indent_of(line):
    return len(line) - len(line.lstrip())


def items_of(lines, inside):
    """The operations of the block that a line is in, as (first, one past the last) lines."""
    depth, first = indent_of(lines[inside]), inside
    while indent_of(lines[first - 1]) > depth or \
            indent_of(lines[first - 1]) == depth and not lines[first - 1].lstrip().startswith("} else"):
        first -= 1
    items = []
    while indent_of(lines[first]) >= depth:
        last = first + 1
        while indent_of(lines[last]) > depth or \
                indent_of(lines[last]) == depth and lines[last].lstrip().startswith("}"):
            last += 1
        items.append((first, last))
        first = last
    return items


def has_pipe(lines, item, pipes):
    return any(pipe_of(line) in pipes for line in lines[slice(*item)])


def moved(lines, line, to):
    """With a line before the one that is at `to` now."""
    rest = lines[:line] + lines[line + 1:]
    at = to if to < line else to - 1
    return rest[:at] + [lines[line]] + rest[at:]


def earlier(lines, number, pipe):
    """A set before the last instruction that it tells of, if this block has one."""
    for first, last in reversed([i for i in items_of(lines, number) if i[0] < number]):
        if has_pipe(lines, (first, last), {pipe}):
            return moved(lines, number, first)
    return None


def later(lines, number, pipe):
    pipes = SCALAR.get(pipe, (pipe,))
    for first, last in [i for i in items_of(lines, number) if i[0] > number]:
        if has_pipe(lines, (first, last), {*pipes, pipe}):
            return moved(lines, number, last)
    return None


def with_flag(line, raising, waiting, event):
    return re.sub(r"<\w+> to <\w+> event \d+", f"<{raising}> to <{waiting}> event {event}", line)


def raised_by_others(lines, flags):
    """All sets and waits of a pair of pipes, as if another pipe raised the flags."""
    of_one_core = any(pipe in FUSED for f in flags.values() for pipe in f.group(2, 3))
    for raising, waiting in sorted({(f[2], f[3]) for f in flags.values()}):
        for other in core_of(raising):
            if other in FUSED and not of_one_core:
                continue
            crosses = is_cross(raising, waiting)
            if other in (raising, waiting) or raising in SCALAR or not crosses and (other, waiting) not in PAIRS:
                continue
            taken = [int(f[4]) for f in flags.values() if (f[2], f[3]) == (other, waiting)]
            first = 0 if crosses or not taken else max(taken) + 2
            own = {n: f for n, f in flags.items() if (f[2], f[3]) == (raising, waiting)}
            if first + max(int(f[4]) for f in own.values()) >= (CROSS_IDS if crosses else IDS) - 1 and first:
                continue
            changed = list(lines)
            for n, f in own.items():
                changed[n] = with_flag(lines[n], other, waiting, int(f[4]) + first)
            yield "other pipe", f"flags of {raising} to {waiting} are raised by {other}", changed


def weakenings(lines):
    flags = {n: f for n, line in enumerate(lines) if (f := FLAG.match(line))}
    found = list(raised_by_others(lines, flags))
    for n, (_, act, raising, waiting, event) in ((n, (f[0], *f.group(1, 2, 3, 4))) for n, f in flags.items()):
        text = lines[n].strip()
        ids = CROSS_IDS if is_cross(raising, waiting) else IDS
        other = (int(event) + 1) % (ids - ("+" in text))
        found.append(("other id", text, [*lines[:n], with_flag(lines[n], raising, waiting, other), *lines[n + 1:]]))
        if act == "set" and (changed := earlier(lines, n, raising)):
            found.append(("set too early", text, changed))
        if act == "wait" and (changed := later(lines, n, waiting)):
            found.append(("wait too late", text, changed))
    for n, line in enumerate(lines):
        if barrier := BARRIER.match(line):
            own = barrier[2] or "V"
            other = next(p for p in core_of(own) if p != own) if barrier[2] else own
            found.append(("other pipe", line.strip(),
                          [*lines[:n], f"{line[:indent_of(line)]}ascend.barrier on <{other}>", *lines[n + 1:]]))
    return found
