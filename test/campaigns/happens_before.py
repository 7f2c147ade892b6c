"""Which instructions of a traced launch are ordered, by plain search in a graph.

An answer that is independent of the sanitizer's: no clocks, but one node for each
start and end of an instruction, one edge for each rule of docs/sanitizer.md, and for
every node the set of all nodes before it. Slow, and simple enough to be believed.
test/campaigns/mutate compares the two.

    cores = read_trace("/tmp/t")         # of belay run --trace /tmp/t
    find_disorder(cores) -> None, or why the launch is not in order
"""
import collections
import glob
import json
import re

PIPES = ["PIPE_S", "PIPE_V", "PIPE_M", "PIPE_MTE1", "PIPE_MTE2", "PIPE_MTE3", "PIPE_FIX"]
MEMORY = {"compute", "copy", "scalar"}
POINTER = "a pointer"  # what loads and stores without a tensor are called
FLAGS = {"set-flag", "wait-flag"}
QUEUES = {"alloc", "enque", "deque", "free"}


class CoreTrace:
    """The instructions of one core, in the order of the program."""

    def __init__(self, kind, group, sub, stream):
        self.kind, self.group, self.sub, self.stream = kind, group, sub, stream


def read_trace(prefix):
    cores = []
    for path in sorted(glob.glob(glob.escape(str(prefix)) + ".*")):
        kind, group, sub = re.search(r"\.(aic|aiv|core)(\d+)\.(\d+)$", path).groups()
        with open(path, encoding="utf-8") as lines:
            stream = [json.loads(line) for line in lines]
        cores.append(CoreTrace(kind, int(group), int(sub), stream))
    return cores


def pieces(operand):
    """The (begin, end) of every block that an operand touches, merged."""
    size, result = operand["blockBytes"], []
    for repeat in range(operand["repeats"]):
        for block in range(operand["blocks"]):
            begin = operand["address"] + repeat * operand["repeatStride"]
            begin += block * operand["blockStride"]
            if result and result[-1][1] == begin:
                result[-1] = (result[-1][0], begin + size)
            else:
                result.append((begin, begin + size))
    return result


def stores_locally(i):
    return any(o["access"] == "write" and o["space"] != "GM" for o in i["operands"])


class Graph:
    """Nodes are numbers; `before[n]` lists what comes right before n."""

    def __init__(self):
        self.before = []

    def node(self, *before):
        self.before.append([b for b in before if b is not None])
        return len(self.before) - 1

    def edge(self, first, second):
        self.before[second].append(first)

    def close(self):
        """For each node the set of all nodes before it, as the bits of a number;
        None if there is a circle."""
        after = collections.defaultdict(list)
        missing = [len(b) for b in self.before]
        for node, befores in enumerate(self.before):
            for b in befores:
                after[b].append(node)
        ready = [n for n, count in enumerate(missing) if not count]
        past = [0] * len(self.before)
        done = 0
        while ready:
            node = ready.pop()
            done += 1
            bits = 0
            for b in self.before[node]:
                bits |= past[b] | (1 << b)
            past[node] = bits
            for n in after[node]:
                missing[n] -= 1
                if not missing[n]:
                    ready.append(n)
        return past if done == len(self.before) else None


class CoreOrder:
    """The graph of one core; flags and core barriers are tied up afterwards."""

    def __init__(self, graph, core, arch):
        self.graph, self.core, self.arch = graph, core, arch
        self.issue = None  # the newest node of the scalar unit
        self.start = dict.fromkeys(PIPES)  # the newest start in each pipe
        self.ended = dict.fromkeys(PIPES)  # all so far in each pipe have ended
        self.sets = collections.defaultdict(list)
        self.waits = collections.defaultdict(list)
        self.cross = []  # (instruction, node)
        self.accesses = []  # (instruction, start, end, pipe)
        self.block = None
        for instruction in core.stream:
            if instruction["block"] != self.block:
                self.next_block(instruction["block"])
            self.add(instruction)

    def next_block(self, block):
        """The next block starts when this one has drained."""
        self.drain()
        self.block = block

    def drain(self):
        self.issue = self.graph.node(
            self.issue, *self.start.values(), *self.ended.values())
        return self.issue

    def enter(self, pipe):
        """A node that starts in a pipe, after whatever started there before."""
        node = self.graph.node(self.issue, self.start[pipe])
        if pipe == "PIPE_S":
            self.issue = node
        self.start[pipe] = node
        return node

    def signal(self, pipe):
        """All of a pipe so far has ended. The pipe itself does not wait for it."""
        return self.graph.node(self.issue, self.start[pipe], self.ended[pipe])

    def add(self, i):
        kind, on, to = i["kind"], i["pipe"], i.get("to")
        if kind in MEMORY:
            start = self.enter(on)
            end = self.graph.node(start)
            self.ended[on] = self.graph.node(self.ended[on], end)
            # What the scalar unit stores to local memory arrives later.
            if on == "PIPE_S" and not (kind == "scalar" and stores_locally(i)):
                self.issue = end
            self.accesses.append((i, start, end, on))
        elif kind == "set-flag":
            self.sets[on, to, i["id"]].append(self.signal(on))
        elif kind == "wait-flag":
            self.waits[on, to, i["id"]].append(self.enter(to))
        elif kind == "barrier" and on == "PIPE_ALL":
            self.drain()
        elif kind == "barrier":
            ended = self.ended[on]
            node = self.enter(on)
            if ended is not None:
                self.graph.edge(ended, node)
        elif kind == "enque":
            self.sets["full", self.block, i["buffer"]].append(self.signal(on))
        elif kind == "deque":
            self.waits["full", self.block, i["buffer"]].append(self.enter(to))
        elif kind == "free":
            self.sets["empty", self.block, i["buffer"]].append(self.signal(to))
        elif kind == "alloc":
            self.waits["empty", self.block, i["buffer"]].append(self.enter(on))
        elif kind == "sync-all":
            self.cross.append((i, self.drain()))
            self.issue = self.graph.node(self.issue)  # when all have arrived
        elif kind == "cross-set":
            self.cross.append((i, self.signal(on)))
        elif kind == "cross-wait":
            # Only 3510 lets the other pipes go on.
            self.cross.append((i, self.enter(on if self.arch == 3510 else "PIPE_S")))
        elif kind == "cache-clean":
            pass  # of the scalar unit, which is in order
        else:
            raise NotImplementedError(f"{kind} is not modelled")

    def tie_flags(self):
        """Each wait after its set; returns what does not add up."""
        for key in {*self.sets, *self.waits}:
            sets, waits = self.sets[key], self.waits[key]
            if key[0] == "empty":
                # The first AllocTensor of each buffer waits for nothing, and the
                # last FreeTensor is waited for by nobody.
                waits = waits[1:]
            elif len(sets) != len(waits):
                return f"{key}: {len(sets)} sets, {len(waits)} waits"
            for first, second in zip(sets, waits):
                self.graph.edge(first, second)
        return None

    def reused_flags(self, past):
        """A flag is one bit: each set comes after the wait for the last one."""
        for key in self.sets:
            if key[0] in ("full", "empty"):
                continue
            for wait, again in zip(self.waits[key], self.sets[key][1:]):
                if not past[again] >> wait & 1:
                    return f"{key} may be set twice"
        return None


def feeds(setter, waiter, mode):
    """Whether a cross-core flag of one core is for another."""
    same = setter.kind == waiter.kind
    if mode == 0:
        return same
    if setter.group != waiter.group or setter is waiter:
        return False
    return same and waiter.kind == "aiv" if mode == 1 else not same


def tie_cores(graph, orders):
    """SyncAll and cross-core flags; returns what does not add up."""
    barriers = collections.defaultdict(list)
    for order in orders:
        count = collections.Counter()
        for i, node in order.cross:
            if i["kind"] == "sync-all":
                count[i["vectorOnly"]] += 1
                barriers[i["vectorOnly"], count[i["vectorOnly"]]].append(node)
    for nodes in barriers.values():
        everyone = graph.node(*nodes)
        for node in nodes:
            graph.edge(everyone, node + 1)  # the node that add() made for this
    for order in orders:
        waits = collections.Counter()
        for i, node in order.cross:
            if i["kind"] != "cross-wait":
                continue
            flag, mode = i["id"], i["mode"]
            waits[flag] += 1
            for other in orders:
                if not feeds(other.core, order.core, mode):
                    continue
                sets = [n for s, n in other.cross
                        if s["kind"] == "cross-set" and s["id"] == flag]
                if len(sets) < waits[flag]:
                    return f"flag {flag} is waited for more often than set"
                graph.edge(sets[waits[flag] - 1], node)
    return None


# Architectures whose vector unit orders its own instructions.
VECTOR_INTERLOCK = (3510,)


def automatic(first, second, auto_sync, arch):
    """Ordered without a flag: see docs/sanitizer.md."""
    if first == second == "PIPE_S":
        return True
    if first == second == "PIPE_V" and arch in VECTOR_INTERLOCK:
        return True
    if not auto_sync:
        return False
    pair = {first, second}
    return pair == {"PIPE_V"} or (
        "PIPE_S" in pair and pair & {"PIPE_V", "PIPE_MTE2", "PIPE_MTE3"} != set())


def cube_orders(first, second, space):
    """What the cube orders by itself in L0C: see docs/sanitizer.md."""
    if space != "L0C":
        return False
    if first["pipe"] == second["pipe"] == "PIPE_M":
        return first.get("interlocked", False)
    return first.get("unitFlag", False) and second.get("unitFlag", False)


class Segments:
    """Bytes that no access tells apart."""

    def __init__(self, operands):
        edges = {e for o in operands for piece in pieces(o) for e in piece}
        self.edges = sorted(edges)
        self.index = {e: n for n, e in enumerate(self.edges)}

    def of(self, operand):
        for begin, end in pieces(operand):
            yield from range(self.index[begin], self.index[end])


def local_disorder(order, past, auto_sync):
    """Two accesses of one core to the same bytes of a local memory, or of global
    memory, that conflict and are not ordered. In each segment it is enough to look
    at the last write and the reads since: what is ordered with them is ordered with
    all before."""
    by_space = collections.defaultdict(list)
    for access in order.accesses:
        for operand in access[0]["operands"]:
            by_space[operand["space"]].append(operand)
    segments = {space: Segments(ops) for space, ops in by_space.items()}
    writes, reads = {}, collections.defaultdict(dict)
    extra = {}  # ends that the compiler's or the scalar unit's order adds
    for i, start, end, pipe in order.accesses:
        known = past[start] | extra.get(pipe, 0)
        for write in (False, True):  # sources first
            for operand in i["operands"]:
                if (operand["access"] == "write") != write:
                    continue
                for segment in segments[operand["space"]].of(operand):
                    key = operand["space"], segment
                    others = [writes[key]] if key in writes else []
                    if write:
                        since = reads[key].values()
                        # Whoever comes after a read comes after what it read.
                        if any(cube_orders(r[0], i, key[0]) for r in since):
                            others = []
                        others += since
                    for other, other_end, other_pipe, atomic in others:
                        if other is i or known >> other_end & 1:
                            continue
                        if atomic and i.get("atomic") and write:
                            continue
                        if cube_orders(other, i, operand["space"]):
                            continue
                        # For a plain pointer the compiler inserts nothing.
                        inserts = auto_sync and POINTER not in (other["name"], i["name"])
                        if automatic(other_pipe, pipe, inserts, order.arch):
                            known |= past[other_end] | 1 << other_end
                            extra[pipe] = extra.get(pipe, 0) | known
                            continue
                        return (f"{other['name']} at {other['pc']} and {i['name']} "
                                f"at {i['pc']} in {operand['space']}")
                    mine = (i, end, pipe, bool(i.get("atomic")) and write)
                    if write:
                        writes[key] = mine
                        reads.pop(key, None)
                    else:
                        reads[key][pipe] = mine
    return None


def cores_disorder(orders, past):
    """Two accesses of different cores to the same global memory."""
    touched = [(order, a, o) for order in orders for a in order.accesses
               for o in a[0]["operands"] if o["space"] == "GM"]
    segments = Segments([o for _, _, o in touched])
    users = collections.defaultdict(list)
    written = set()
    for order, access, operand in touched:
        write = operand["access"] == "write"
        for segment in segments.of(operand):
            users[segment].append((order, access, write))
            if write:
                written.add(segment)
    for segment in written:
        for n, (order, a, write) in enumerate(users[segment]):
            for other, b, other_write in users[segment][:n]:
                if other is order or not (write or other_write):
                    continue
                if write and other_write and a[0].get("atomic") and b[0].get("atomic"):
                    continue
                if not (past[a[1]] >> b[2] & 1 or past[b[1]] >> a[2] & 1):
                    return (f"{b[0]['name']} at {b[0]['pc']} and {a[0]['name']} "
                            f"at {a[0]['pc']} of two cores")
    return None


def find_disorder(cores, auto_sync=False, arch=2201):
    """None if every two conflicting accesses are ordered and every flag is paired;
    else the first reason why not."""
    graph = Graph()
    orders = [CoreOrder(graph, core, arch) for core in cores]
    for order in orders:
        if wrong := order.tie_flags():
            return wrong
    if wrong := tie_cores(graph, orders):
        return wrong
    past = graph.close()
    if past is None:
        return "a circle of waits"
    for order in orders:
        wrong = order.reused_flags(past)
        wrong = wrong or local_disorder(order, past, auto_sync)
        if wrong:
            return wrong
    return cores_disorder(orders, past)
