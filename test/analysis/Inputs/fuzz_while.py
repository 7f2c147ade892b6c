"""Compares the prover with brute force, for loops whose number of iterations is not told.

    fuzz_while.py COUNT SEED

The kernels of fuzz.py, with `scf.while` in place of most loops: what they carry changes in
ways that may bring them to their end or not, and is used in the body and after the loop. An
accepted kernel whose loop does not end is an error of the prover, too.
"""
from fuzz import TESTS, Kernel, Wrong, main, run_all

MOST_ITERATIONS = 3000
# Numbers that have left 64 bits have gone wrong before.
MOST = 2**62


class WhileKernel(Kernel):
    def loop(self, body, names, depth):
        if self.rng.random() < 0.2:
            return super().loop(body, names, depth)
        rng, count = self.rng, rng_count(self.rng)
        self.count += 1
        mark = self.count
        inits = [self.start(names) for _ in range(count)]
        keys = [f"i{mark}_{k}" for k in range(count)]
        flag = rng.random() < 0.3
        heads = [f"%h{mark}_{k}" for k in range(count)] + [f"%f{mark}"] * flag
        types = ", ".join(["index"] * count + ["i1"] * flag)
        false = self.value("arith.constant false")
        given = [text for text, _ in inits] + [false] * flag
        pairs = ", ".join(f"{h} = {g}" for h, g in zip(heads, given))
        self.lines.append(f"%r{mark}:{len(heads)} = scf.while ({pairs}) : ({types}) -> ({types}) {{")
        at_head = dict(names, **dict(zip(keys, heads)))
        condition, goes_on = self.condition(at_head, keys, heads[-1] if flag else None)
        self.lines.append(f"scf.condition({condition}) {', '.join(heads)} : {types}")
        self.lines.append("} do {")
        inside = [f"%b{mark}_{k}" for k in range(len(heads))]
        self.lines.append("^bb0(" + ", ".join(
            f"{b}: {t}" for b, t in zip(inside, types.split(", "))) + "):")
        in_body = dict(names, **dict(zip(keys, inside)))
        inner = []
        self.statements(inner, dict(in_body), depth + 1)
        nexts = [self.change(in_body, key, keys) for key in keys]
        stop, stops = self.compare(in_body, 1) if flag else (None, lambda e: False)
        if flag and rng.random() < 0.5:  # it moves on unless it stops
            nexts = [(self.value(f"arith.select {stop}, {in_body[k]}, {text} : index"),
                      lambda e, k=k, f=f: e[k] if stops(e) else f(e))
                     for k, (text, f) in zip(keys, nexts)]
        yields = ", ".join([text for text, _ in nexts] + [stop] * flag)
        self.lines.append(f"scf.yield {yields} : {types}")
        self.lines.append("}")

        def run(env):
            now = {k: f(env) for k, (_, f) in zip(keys, inits)}
            found = False
            for _ in range(MOST_ITERATIONS):
                here = dict(env, **now, found=found)
                if not goes_on(here):
                    env.update(now)
                    return
                run_all(inner, here)
                here.update(now)
                now, found = {k: f(here) for k, (_, f) in zip(keys, nexts)}, stops(here)
                if any(abs(v) > MOST for v in now.values()):
                    raise Wrong("a number that leaves 64 bits")
            raise Wrong("a loop that does not end")

        body.append(run)
        for k, key in enumerate(keys):
            names[key] = f"%r{mark}#{k}"

    def branch(self, body, names, depth):
        super().branch(body, dict(names), depth)

    def start(self, names):
        if self.rng.random() < 0.5:
            return self.constant(self.rng.choice((0, 0, 1, 2)))
        name = self.rng.choice(list(names))
        return names[name], lambda e: e[name]

    def condition(self, names, keys, flag):
        """One comparison or two, and perhaps that nothing has been found."""
        rng = self.rng
        text, test = self.ends(names, keys)
        if rng.random() < 0.3:
            other, second = self.ends(names, keys)
            op = rng.choice(("andi", "andi", "ori"))
            text, first = self.value(f"arith.{op} {text}, {other} : i1"), test
            test = (lambda e: first(e) and second(e)) if op == "andi" else (
                lambda e: first(e) or second(e))
        if flag:
            true = self.value("arith.constant true")
            unset = self.value(f"arith.xori {flag}, {true} : i1")
            text, both = self.value(f"arith.andi {text}, {unset} : i1"), test
            test = lambda e: both(e) and not e["found"]
        return text, test

    def ends(self, names, keys):
        rng = self.rng
        key = rng.choice(keys)
        others = [k for k in (*keys, "n", "m", "a") if k != key and k in names]
        predicate = rng.choice(["slt", "slt", "sle", "sgt", "sgt", "sge", "ne"])
        if rng.random() < 0.3:
            right, g = self.constant(rng.choice((0, 0, 1, 5)))
        else:
            name = rng.choice(others)
            right, g = names[name], lambda e: e[name]
        text = self.value(f"arith.cmpi {predicate}, {names[key]}, {right} : index")
        return text, lambda e: TESTS[predicate](e[key], g(e))

    def change(self, names, key, keys):
        rng = self.rng
        kind = rng.random()
        old = names[key]
        if kind < 0.5:
            by = rng.choice((1, 1, 2))
            number, _ = self.constant(by)
            op, sign = rng.choice((("addi", 1), ("addi", 1), ("subi", -1)))
            return self.value(f"arith.{op} {old}, {number} : index"), lambda e: e[key] + sign * by
        if kind < 0.6:
            return self.value(f"arith.addi {old}, %cores : index"), lambda e: e[key] + e["cores"]
        if kind < 0.7:
            return old, lambda e: e[key]
        if kind < 0.8:
            other = rng.choice(keys)
            total = self.value(f"arith.addi {old}, {names[other]} : index")
            if rng.random() < 0.5:
                return total, lambda e: e[key] + e[other]
            two, _ = self.constant(2)
            return (self.value(f"arith.floordivsi {total}, {two} : index"),
                    lambda e: (e[key] + e[other]) // 2)
        return self.expression(names, 1)


def rng_count(rng):
    return rng.choice((1, 1, 2))


if __name__ == "__main__":
    main(WhileKernel)
