"""Makes a failing kernel small: takes statements away as long as it fails the same
way."""
from .oracle import Verdict
from .program import For, If, Inadmissible, Let, Scalar, Store, Var, walk

# Kernels that are tried; each takes a second or so.
TRIALS = 150


def replace(kernel, old, new):
    for _, _, statement in walk(kernel.body):
        for field in ("args", "exact"):
            if hasattr(statement, field):
                setattr(statement, field, [new if v == old else v for v in getattr(statement, field)])


def is_complete(kernel):
    """Whether everything that is used is defined before, and something is stored."""
    stores = []

    def visit(statements, defined):
        for statement in statements:
            for name in ("args", "exact"):
                if any(v not in defined for v in getattr(statement, name, [])):
                    return False
            if isinstance(statement, Let):
                if statement.assigns and statement.var not in defined:
                    return False
                defined.add(statement.var)
            if isinstance(statement, Store):
                stores.append(statement)
            for inner in ("body", "then", "otherwise"):
                if not visit(getattr(statement, inner, []), set(defined)):
                    return False
        return True

    numbers = {Var(n.name, Scalar(n.dtype)) for n in kernel.numbers()}
    return visit(kernel.body, numbers) and bool(stores)


def tidy(kernel):
    """Drops what nobody uses."""
    while True:
        used = {v for _, _, s in walk(kernel.body)
                for field in ("args", "exact") for v in getattr(s, field, [])}
        dead = [(block, place) for block, place, s in walk(kernel.body)
                if isinstance(s, Let) and s.var not in used
                or isinstance(s, (For, If)) and not any(
                    getattr(s, inner, []) for inner in ("body", "then", "otherwise"))]
        if not dead:
            return
        block, place = dead[-1]
        del block[place]


def edits(kernel):
    """Kernels that are one step smaller."""
    for number in reversed(range(kernel.size())):
        def at(copy, number=number):
            return next(x for n, x in enumerate(walk(copy.body)) if n == number)

        statement = at(kernel)[2]
        copy = kernel.clone()
        block, place, _ = at(copy)
        del block[place]
        yield copy
        if isinstance(statement, Let):
            for arg in statement.args:
                if arg.type == statement.var.type and not statement.assigns:
                    copy = kernel.clone()
                    block, place, _ = at(copy)
                    del block[place]
                    replace(copy, statement.var, arg)
                    yield copy
        for inner in ("then", "otherwise", "body"):
            if getattr(statement, inner, []) and (inner != "body" or statement.plain):
                copy = kernel.clone()
                block, place, found = at(copy)
                block[place:place + 1] = getattr(found, inner)
                yield copy
    if len(kernel.cases) > 1:
        for case in kernel.cases:
            copy = kernel.clone()
            copy.cases = [case]
            yield copy


def without_outputs(kernel):
    """Outputs that nobody stores to keep what they held."""
    stored = {s.view for _, _, s in walk(kernel.body) if isinstance(s, Store)}
    for view in kernel.views():
        if view.role == "Out" and view.name not in stored:
            view.partly = True


def shrink(kernel, verdict, oracle):
    """(smallest kernel, its verdict)"""
    small, trials, progress = kernel, 0, True
    while progress and trials < TRIALS:
        progress = False
        for copy in edits(small):
            tidy(copy)
            without_outputs(copy)
            if not is_complete(copy):
                continue
            try:
                copy.tolerances()
            except (Inadmissible, KeyError):
                continue
            trials += 1
            found = oracle.judge([copy]).get(copy.index, Verdict("ok"))
            if found.kind == verdict.kind:
                small, verdict, progress = copy, found, True
                break
            if trials >= TRIALS:
                break
    return small, verdict
