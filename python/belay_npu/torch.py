"""Kernels as operators of PyTorch.

    softmax = belay.torch.operator("mine::softmax", belay.kernel("softmax.cpp", "softmax"),
                                   backward=softmax_gradient)
    y = softmax(x)                       # or torch.ops.mine.softmax(x)
    y.sum().backward()

Tensors of the CPU run on the simulated device.
"""
from __future__ import annotations

import contextlib
import importlib
import re
import threading
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from belay_npu._elements import BY_CODE
from belay_npu._errors import ContractError
from belay_npu._kernel import Kernel
from belay_npu._signature import Parameter

# By name: what its types say differs from version to version.
torch: Any = importlib.import_module("torch")

_NAME = re.compile(r"([A-Za-z_]\w*)::([A-Za-z_]\w*)\Z", re.ASCII)
_SCALARS = {each.kernel: "float" if each.mantissa else "int" for each in BY_CODE.values()}
_SCALARS["bool"] = "bool"

#: Takes the gradients of the outputs, the inputs and the outputs, and gives the gradients
#: of the inputs: None for those that have none.
Backward = Callable[[Sequence[Any], Sequence[Any], Sequence[Any]], Sequence[Any]]

_lock = threading.Lock()
_libraries: Dict[str, Any] = {}


def _library(namespace: str) -> Any:
    """PyTorch wants one definition of a namespace in a process, which has to stay alive."""
    found = _libraries.get(namespace)
    if found is None:
        try:
            found = torch.library.Library(namespace, "FRAGMENT")
        except ValueError:  # before PyTorch 2.0
            found = torch.library.Library(namespace, "DEF")
        _libraries[namespace] = found
    return found


def _argument(parameter: Parameter) -> str:
    if parameter.access == "in":
        return f"Tensor {parameter.name}"
    if parameter.access == "inout":
        return f"Tensor({parameter.name}!) {parameter.name}"
    kind = _SCALARS.get("".join(parameter.element))
    if kind is None:
        raise ContractError("argument-mismatch", f"'{parameter.name}' is of a type that "
                            "operators of PyTorch do not have; give schema=")
    return f"{kind} {parameter.name}"


def schema_of(kernel: Kernel, name: str) -> str:
    """What PyTorch is told of a kernel: "softmax(Tensor x, float scale) -> Tensor".

    Raises:
      ContractError: Its declaration is not understood; then ``schema`` has to be given.
    """
    signature = kernel.signature
    if signature is None:
        raise ContractError("argument-mismatch", f"the declaration of {kernel.name} is not "
                            "understood; give schema=")
    arguments = ", ".join(_argument(each) for each in signature.inputs)
    outputs = sum(each.access == "out" for each in signature.parameters)
    results = ", ".join(["Tensor"] * outputs)
    return f"{name}({arguments}) -> {results if outputs == 1 else f'({results})'}"


def _tuple(value: Any) -> Tuple[Any, ...]:
    return () if value is None else value if isinstance(value, tuple) else (value,)


def operator(
    name: str,
    kernel: Kernel,
    *,
    backward: Optional[Backward] = None,
    schema: Optional[str] = None,
    blocks: Optional[int] = None,
    check: Optional[bool] = None,
) -> Any:
    """Registers a kernel as an operator of PyTorch.

    Args:
      name: With its namespace, as ``mine::softmax``.
      kernel: Of ``belay.kernel``.
      backward: The formula of its gradient: ``backward(gradients, inputs, outputs)``.
        Without it, tensors that require gradients are refused.
      schema: What PyTorch is told, if the kernel's declaration is not understood.
      blocks, check: Of every launch.

    Returns:
      The operator, which is ``torch.ops.mine.softmax`` as well.

    Raises:
      ValueError: It is no such name, or a kernel that changes its arguments has a formula.
      ContractError: The kernel's declaration is not understood.
    """
    found = _NAME.match(name)
    if not found:
        raise ValueError(f"{name!r} is no name with a namespace, as mine::softmax")
    namespace, short = found[1], found[2]
    text = schema or schema_of(kernel, short)
    if backward is not None and "!)" in text:
        raise ValueError(f"{name} changes its arguments; it has no formula of a gradient")

    def run(*arguments: Any) -> Any:
        with torch.no_grad():
            return kernel(*arguments, blocks=blocks, check=check)

    with _lock:
        library = _library(namespace)
        library.define(text)
        library.impl(short, run, "CPU")
        registered = getattr(getattr(torch.ops, namespace), short)
        library.impl(short, _with_gradient(name, registered, backward), "AutogradCPU")
    return registered


@contextlib.contextmanager
def _below_autograd() -> Iterator[None]:
    """Calls in it do not come back to the formula."""
    guard = torch._C._AutoDispatchBelowAutograd()
    if hasattr(guard, "__enter__"):
        with guard:
            yield
    else:  # before PyTorch 2.0 it works as long as it lives
        try:
            yield
        finally:
            del guard


def _with_gradient(name: str, registered: Any, backward: Optional[Backward]) -> Any:
    """What runs where gradients may be wanted: the operator below, and its formula."""

    class Formula(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, *arguments: Any) -> Any:
            with _below_autograd():
                results = registered(*arguments)
            tensors = [each for each in arguments if isinstance(each, torch.Tensor)]
            ctx.places = [isinstance(each, torch.Tensor) for each in arguments]
            ctx.others = [each for each in arguments if not isinstance(each, torch.Tensor)]
            ctx.save_for_backward(*tensors, *_tuple(results))
            ctx.count = len(tensors)
            return results

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Any:
            assert backward is not None
            saved = ctx.saved_tensors
            tensors, others = iter(saved[:ctx.count]), iter(ctx.others)
            inputs = [next(tensors) if place else next(others) for place in ctx.places]
            result = _tuple(backward(gradients, inputs, saved[ctx.count:]))
            if len(result) != len(inputs):
                raise ValueError(f"the formula of {name} gives {len(result)} gradients for "
                                 f"{len(inputs)} arguments")
            return result

    def call(*arguments: Any) -> Any:
        wanted = torch.is_grad_enabled() and any(
            isinstance(each, torch.Tensor) and each.requires_grad for each in arguments)
        if not wanted:
            with _below_autograd():
                return registered(*arguments)
        if backward is None:
            raise ContractError("argument-mismatch", f"{name} has no formula of a gradient; "
                                "give backward=, or pass x.detach()")
        return Formula.apply(*arguments)

    return call


__all__: List[str] = ["Backward", "operator", "schema_of"]
