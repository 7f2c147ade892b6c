"""Runs random kernels with the guards that the prover gave them.

    fuzz_guards.py COUNT SEED

The kernels of fuzz.py, after `belay-opt --ascend-prove`. For every small launch, the
guarded kernel either does nothing wrong or stops at a guard before it would, wherever
the guard has been moved to.
"""
import itertools
import random
import re
import subprocess
import sys

from fuzz import CORES, SCALARS, SIMPLE, SIZES, TESTS, Kernel, Wrong, quotient


class Stopped(Exception):
    """A guard does not hold."""


def parse(lines):
    """Nested lists of (operation, names); consumes up to the closing bracket."""
    body = []
    for line in lines:
        words = re.findall(r"%[\w.-]+|\b(?:arith|scf|memref|ascend)\.\w+|-?\b\d+\b|\"[^\"]*\"|\b\w+\b", line)
        if line in ("}", "return"):
            return body
        if "scf.for" in line or "scf.if" in line:
            body.append((words, parse(lines)))
        elif words:
            body.append((words, None))
    return body


def run(body, env):
    for words, inner in body:
        step(words, inner, env)


def step(words, inner, env):
    get = lambda word: env[word] if word.startswith("%") else int(word)
    if words[0] == "scf.for":
        variable, low, high, by = words[1], get(words[2]), get(words[4]), get(words[6])
        if by < 1:
            raise Wrong("step")
        for i in range(low, high, by):
            env[variable] = i
            run(inner, env)
    elif words[0] == "scf.if":
        if get(words[1]):
            run(inner, env)
    elif words[0] == "ascend.guard":
        if not get(words[1]):
            raise Stopped(words[2])
    elif words[0] == "ascend.store":
        touch(env, words[2], get(words[3]), get(words[4]))
    elif words[0].startswith("%"):
        env[words[0]] = compute(words[1], words[2:], get, env)


def compute(op, words, get, env):
    name = op.split(".")[1]
    if name == "constant":
        return {"true": 1, "false": 0}.get(words[0]) if words[0] in ("true", "false") else int(words[0])
    if name == "cmpi":
        return TESTS[words[0]](get(words[1]), get(words[2]))
    if name == "select":
        return get(words[1]) if get(words[0]) else get(words[2])
    if name == "andi":
        return get(words[0]) and get(words[1])
    if name in SIMPLE:
        return SIMPLE[name](get(words[0]), get(words[1]))
    if name in ("divsi", "remsi", "ceildivsi"):
        a, b = get(words[0]), get(words[1])
        if b == 0:
            raise Wrong("division by zero")
        if name == "ceildivsi":
            return -(-a // b)
        return quotient(a, b) if name == "divsi" else a - quotient(a, b) * b
    if name == "dim":
        return env[words[0] + " extent"]
    if name in ("core_index", "core_count"):
        return env[name]
    if name == "load":
        count = get(words[2])
        touch(env, words[0], get(words[1]), count)
        if count > int(re.search(r"1x(\d+)", " ".join(words))[1]):
            raise Wrong("capacity")
        return None
    raise NotImplementedError(op)


def touch(env, view, start, count):
    if start < 0 or count < 0 or start + count > env[view + " extent"]:
        raise Wrong(f"window [{start}, +{count}) of {view}")


def launches(kernel):
    for n, m, a in itertools.product(SIZES, SIZES, SCALARS if kernel.use_scalar else (0,)):
        env = {"n": n, "m": m, "a": a}
        if all(test(env) for test in kernel.conditions):
            for cores in CORES:
                for core in range(cores):
                    yield n, m, a, core, cores


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    kernels = [Kernel(rng) for _ in range(count)]
    text = "\n".join("\n".join(k.text(i)) + "\n// -----" for i, k in enumerate(kernels)) + "\n"
    result = subprocess.run(["belay-opt", "-", "--split-input-file", "--ascend-prove"],
                            input=text, capture_output=True, text=True)
    guarded = hoisted = stopped = 0
    for function in re.split(r"func\.func @", result.stdout)[1:]:
        lines = [line.strip() for line in function.splitlines()]
        number = int(re.match(r"k(\d+)", lines[0])[1])
        if not any("ascend.guard" in line for line in lines):
            continue
        guarded += 1
        hoisted += any("ascend.guard" in line for line in lines[: next(
            (i for i, line in enumerate(lines) if line.startswith("scf.for")), 0)])
        body = parse(iter(lines[1:]))
        for n, m, a, core, cores in launches(kernels[number]):
            env = {"%arg0 extent": n, "%arg1 extent": m, "%arg2": a,
                   "core_index": core, "core_count": cores}
            try:
                run(body, env)
            except Stopped:
                stopped += 1
            except Wrong as wrong:
                print("\n".join(lines))
                sys.exit(f"kernel {number} of seed {seed} passes its guards, but: {wrong} "
                         f"for n={n} m={m} a={a} core {core} of {cores}")
    print(f"{count} kernels: {guarded} guarded, {hoisted} of them before a loop, "
          f"{stopped} launches stopped")
    if guarded < count // 20 or not hoisted or not stopped:
        sys.exit("too one-sided to say anything")


if __name__ == "__main__":
    main()
