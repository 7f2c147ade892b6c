"""Runs what a page of the documents tells its readers to do.

Each page gets a folder of its own. There its blocks are followed from top to bottom:

    ```sh        all lines, as one script that stops at the first failure
    ```console   each `$ command`, and what it prints (a line `...` stands for any lines)

What readers cannot see tells the rest, as a comment before a block:

    <!-- file: NAME -->        the block is the file NAME
    <!-- not run: REASON -->   the block is not run
    <!-- status: N -->         the commands of the block end with this status
    <!-- setup: COMMAND -->    what a reader has and the page's folder does not, before the block
    <!-- packages: NAMES -->   what the block needs and Belay's packages do not bring
    <!-- folder: NAME -->      the block is followed in this folder
    <!-- from: NAME -->        the block is part of this file of the repository (structure.site)

Paths of the repository (examples/, kernels/, corpus/) are those of the installed Belay.
"""
import dataclasses
import pathlib
import re

# In the order of a reader. README.md has a walk of its own, which knows its clone.
PAGES = ["start", "tutorials/01-vector-add", "tutorials/02-elementwise", "tutorials/03-softmax",
         "tutorials/04-layer-norm", "tutorials/05-matmul", "tutorials/06-attention", "coming-from/cuda",
         "coming-from/triton", "coming-from/ascendc", "coming-from/tilelang", "guide", "walkthrough", "language", "host",
         "device", "check", "compile"]
# What of the repository is installed, and pages name by its path.
PARTS = ("examples", "corpus", "kernels")
# Numbers that depend on the machine.
TIMES = re.compile(r"(simulated in|took) [\d.]+ [mu]?s")


@dataclasses.dataclass
class Block:
    kind: str
    text: str
    line: int
    says: dict

    def commands(self):
        """(command, what it prints) of a console block."""
        for part in re.split(r"^\$ ", self.text, flags=re.M)[1:]:
            command, _, rest = part.partition("\n")
            while command.endswith("\\"):
                more, _, rest = rest.partition("\n")
                command = command[:-1] + more.removeprefix("> ")
            yield command, rest


def blocks(text):
    """The blocks of code of a page, each with what the comment before it says."""
    lines, says, index = text.splitlines(), {}, 0
    while index < len(lines):
        start = re.match(r"^( *)```(\w*)\s*$", lines[index])
        said = re.match(r"^<!-- (file|from|not run|setup|status|packages|folder): (.*?) -->$", lines[index])
        if said:
            says[said[1]] = said[2]
        elif start:
            end = next(i for i in range(index + 1, len(lines)) if lines[i] == start[1] + "```")
            yield Block(start[2], "\n".join(lines[index + 1:end]) + "\n", index + 1, says)
            says, index = {}, end
        elif lines[index].strip():
            says = {}
        index += 1


def agrees(printed, expected):
    """Whether a command prints what the page says."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n"
                      for line in TIMES.sub("a while", expected).splitlines())
    return re.fullmatch(pattern, TIMES.sub("a while", printed)) is not None


class Walk:
    """Follows a page. `run(script, folder)` gives an object with returncode, stdout and stderr."""

    def __init__(self, run, need, fail):
        self.run, self.need, self.fail = run, need, fail

    def page(self, path, folder, name):
        """Returns how many blocks were run; `folder` is where files go, `name` what `run` calls it."""
        done = 0
        for block in blocks(pathlib.Path(path).read_text()):
            where = f"{path}:{block.line}"
            inside = block.says.get("folder", ".")
            if "file" in block.says:
                target = folder / inside / block.says["file"]
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(block.text)
            if "not run" in block.says or block.kind not in ("sh", "console"):
                continue
            self.need(block.says.get("packages", "").split())
            (folder / inside).mkdir(exist_ok=True)
            if "setup" in block.says:
                got = self.run(f"set -e\n{block.says['setup']}", f"{name}/{inside}")
                if got.returncode:
                    self.fail(f"{where}: {block.says['setup']}\n{got.stdout}{got.stderr}")
            self.follow(block, where, f"{name}/{inside}")
            done += 1
        return done

    def follow(self, block, where, folder):
        if block.kind == "sh":
            status = int(block.says.get("status", 0))
            got = self.run(f"set -e\n{block.text}", folder)
            if got.returncode != status:
                self.fail(f"{where}: status {got.returncode}, not {status}\n{block.text}{got.stdout}{got.stderr}")
            return
        for command, expected in block.commands():
            got = self.run(command, folder)
            # A terminal shows both, a page what matters: messages, or also results.
            if not any(agrees(text, expected) for text in (got.stderr, got.stderr + got.stdout, got.stdout)):
                self.fail(f"{where}: {command}\nprints\n{got.stderr}{got.stdout}\nnot\n{expected}")
            if "status" in block.says and got.returncode != int(block.says["status"]):
                self.fail(f"{where}: {command}\nends with {got.returncode}, not {block.says['status']}")
