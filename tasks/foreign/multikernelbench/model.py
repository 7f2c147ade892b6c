"""What a candidate's ModelNew passes to its operator.

The class is read, not run: forward() has to be one call of a function of the compiled module,
with its own arguments, numbers, and what __init__ keeps of its arguments. Anything else is
refused with the reason, since nobody would know what it computes besides the kernel.
"""
import ast


class Refused(Exception):
    """Why a candidate is not understood."""


class Argument:
    """An argument of forward(), by its number."""

    def __init__(self, number):
        self.number = number


class Unknown:
    """A value that is refused where it is used."""

    def __init__(self, node):
        self.node = node


def read_call(text, init_inputs):
    """The name of the called function, and its arguments: Argument or a number."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as failure:
        raise Refused(f"the model is not Python: {failure}") from None
    model = find(tree, ast.ClassDef, "ModelNew")
    if model is None:
        raise Refused("there is no class ModelNew")
    kept = read_init(find(model, ast.FunctionDef, "__init__"), init_inputs)
    forward = find(model, ast.FunctionDef, "forward")
    if forward is None:
        raise Refused("ModelNew has no forward()")
    names = parameters(forward)
    known = {name: Argument(number) for number, name in enumerate(names)}
    for statement in forward.body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue  # a comment
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1 \
                and isinstance(statement.targets[0], ast.Name):
            known[statement.targets[0].id] = statement.value if is_call(statement.value) \
                else evaluate(statement.value, known, kept)
        elif isinstance(statement, ast.Return):
            return called(statement.value, known, kept)
        else:
            raise Refused(f"line {statement.lineno} of the model is more than a call of its operator")
    raise Refused("forward() returns nothing")


def given(value, facts):
    """A number, or which of the tensors an argument of forward() is."""
    if not isinstance(value, Argument):
        return value
    kinds = facts["inputs"]
    if value.number >= len(kinds):
        raise Refused("forward() has more arguments than the task")
    if kinds[value.number] is not None:
        return kinds[value.number]
    return Argument(sum(kind is None for kind in kinds[:value.number]))


def find(node, kind, name):
    return next((n for n in node.body if isinstance(n, kind) and n.name == name), None)


def parameters(function):
    wanted = function.args
    if wanted.vararg or wanted.kwarg or wanted.kwonlyargs:
        raise Refused(f"{function.name}() takes more than plain arguments")
    return [argument.arg for argument in wanted.posonlyargs + wanted.args][1:]


def read_init(function, init_inputs):
    """What self has: numbers of __init__'s arguments, or Unknown."""
    kept = {}
    if function is None:
        return kept
    names, known = parameters(function), {}
    defaults = function.args.defaults
    for name, default in zip(names[len(names) - len(defaults):], defaults):
        known[name] = evaluate(default, {}, {}, lenient=True)
    known.update(zip(names, init_inputs))
    for statement in function.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) \
                    and target.value.id == "self":
                kept[target.attr] = evaluate(statement.value, known, kept, lenient=True)
    return kept


def is_call(node):
    """A call of a function of a module: ops.relu(x)."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) \
        and isinstance(node.func.value, ast.Name) and node.func.attr not in ("contiguous",)


def called(node, known, kept):
    if isinstance(node, ast.Name) and isinstance(known.get(node.id), ast.Call):
        node = known[node.id]
    if node is None or not is_call(node):
        raise Refused("forward() does not return what its operator returns")
    if node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
        raise Refused("the operator is called with more than plain arguments")
    return node.func.attr, [evaluate(argument, known, kept) for argument in node.args]


def evaluate(node, known, kept, lenient=False):
    value = evaluated(node, known, kept)
    if isinstance(value, Unknown) and not lenient:
        raise Refused(f"line {node.lineno} of the model is not understood: {ast.unparse(node)[:80]}")
    return value


def evaluated(node, known, kept):
    if isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float)):
        return node.value
    if isinstance(node, ast.Name) and isinstance(known.get(node.id), (bool, int, float, Argument)):
        return known[node.id]
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
        return kept.get(node.attr, Unknown(node))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = evaluated(node.operand, known, kept)
        return -value if isinstance(value, (bool, int, float)) else Unknown(node)
    if isinstance(node, ast.Call) and not node.keywords:
        function = node.func
        # A tensor that is dense already, which all of them are.
        if isinstance(function, ast.Attribute) and function.attr == "contiguous" and not node.args:
            return evaluated(function.value, known, kept)
        if isinstance(function, ast.Name) and function.id in ("int", "float", "bool") and len(node.args) == 1:
            value = evaluated(node.args[0], known, kept)
            if isinstance(value, (bool, int, float)):
                return {"int": int, "float": float, "bool": bool}[function.id](value)
    return Unknown(node)
