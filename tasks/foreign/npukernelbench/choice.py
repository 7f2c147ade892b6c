"""Which operators of an NPUKernelBench checkout are tried."""
import pathlib
import re

LEVELS = ("level1", "level2")  # of those that are chosen by a rule
ALL_LEVELS = (*LEVELS, "level3")

# Chosen by the rule, but not C++: the alphabetically next operator of the category
# that the rule left out takes the place.
BROKEN = {
    "DequantSwigluQuant": "op_host/dequant_swiglu_quant.cpp:237: the start of a block"
    " comment was replaced, its text and end were not; no compiler accepts the file",
}


def snake(name):
    """ForeachAbs -> foreach_abs, as the benchmark names kernels."""
    name = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub("([a-z0-9])([A-Z])", r"\1_\2", name).lower()


class Task:
    """An operator that comes with an answer: a kernel and its host code."""

    def __init__(self, answer):
        self.answer = answer
        self.folder = answer.parent.parent
        self.name = self.folder.name
        self.category = "/".join(self.folder.parts[-3:-1])
        self.validation = self.folder / "validation"

    @property
    def kernel(self):
        return snake(self.name)

    @property
    def source(self):
        return self.answer / "op_kernel" / f"{self.kernel}.cpp"

    def host_sources(self):
        """The definition and the tiling, without what calls the operator through
        the framework that is around them on a device."""
        folder = self.answer / "op_host"
        files = sorted([*folder.glob("*.cpp"), *folder.glob("*.cc")])
        return [f for f in files if not calls_framework(f.read_text(errors="replace"))]

    def include_dirs(self):
        checkout = self.folder.parents[3]
        common = checkout / "libs/common_include/cann-ops/src/common/inc"
        return [common, common / "kernel", self.answer / "op_host"]


def calls_framework(source):
    return re.search(r'#include\s*["<](opdev|aclnn_kernels)/', source) is not None


def find_tasks(checkout, levels=LEVELS):
    """All tasks of the levels that have an answer, by category, in alphabetical
    order."""
    found = {}
    for level in levels:
        for kernels in sorted((checkout / "tasks" / level).glob("*/*/answer/*/op_kernel")):
            task = Task(kernels.parent)
            found.setdefault(task.category, []).append(task)
    for tasks in found.values():
        tasks.sort(key=lambda task: task.name)
    return dict(sorted(found.items()))


def choose(checkout):
    """Every third operator of each category, every eighth of Foreach, which has as
    many as all the others of its level together."""
    chosen = []
    for category, tasks in find_tasks(checkout).items():
        step = 8 if category.endswith("/Foreach") else 3
        picked = tasks[::step]
        for task in picked:
            if task.name in BROKEN:
                later = tasks[tasks.index(task) + 1 :]
                task = next(other for other in later if other not in picked)
            chosen.append(task)
    return chosen


def find(checkout, names):
    """The tasks of these names, chosen or not."""
    tasks = [t for group in find_tasks(checkout, ALL_LEVELS).values() for t in group]
    missing = set(names) - {t.name for t in tasks}
    if missing:
        raise SystemExit(f"no task with an answer: {', '.join(sorted(missing))}")
    return [t for t in tasks if t.name in names]


def checkout_at(path):
    checkout = pathlib.Path(path).resolve()
    if not (checkout / "tasks" / LEVELS[0]).is_dir():
        raise SystemExit(f"{path} is no checkout of NPUKernelBench: no tasks/{LEVELS[0]}")
    return checkout
