"""How a task's Python calls its operator: which of the arguments are the operator's
inputs and attributes, and which tensors the call makes for the outputs.

The benchmark has this as C++ for its devices, one pybind.cpp per task; here it is a
function per operator, which gets the same arguments and returns a Call.
"""
import math

import torch

empty_like = torch.empty_like
FLOAT = torch.float32


def empty(shape, dtype):
    return torch.empty(tuple(shape), dtype=dtype)


class Call:
    """Inputs and outputs are tensors, lists of tensors, or None for what is left out.

    in_place  the inputs that the operator changes, by number
    zeroed    the outputs that it adds to
    result    what the task's Python gets, from the outputs and the changed inputs
    """

    def __init__(self, inputs, outputs=(), attrs=None, result=None, in_place=(), zeroed=()):
        self.inputs, self.outputs = list(inputs), list(outputs)
        self.attrs = attrs or {}
        self.in_place, self.zeroed = set(in_place), set(zeroed)
        self.result = result or first


def first(outputs, changed):
    return outputs[0]


def all_outputs(outputs, changed):
    return list(outputs)


def elementwise(*tensors):
    return Call(tensors, [empty_like(tensors[0])])


def foreach(*arguments):
    return Call(arguments, [[empty_like(t) for t in arguments[0]]])


def foreach_scalar(tensors, scalar):
    return foreach(tensors, scalar.reshape(1))


def equal(a, b):
    return Call([a, b], [empty_like(a, dtype=torch.bool)])


def is_finite(x):
    result = lambda outputs, changed: outputs[0].to(x.dtype)
    return Call([x], [empty_like(x, dtype=torch.bool)], result=result)


def scatter_list(var, indices, updates, mask, reduce, axis):
    # The definition of the operator knows a mask of bytes only.
    mask = None if mask is None else mask.to(torch.uint8)
    return Call([var, indices, updates, mask], attrs={"reduce": reduce, "axis": axis},
                result=lambda outputs, changed: changed[0], in_place=[0])


def addcmul(x, a, b, value):
    return Call([x, a, b, value.reshape(1)], [empty_like(x)])


def index_of(x, n, incx):
    return Call([x], [empty([1], torch.int32)], {"n": n, "incx": incx},
                lambda outputs, changed: [outputs[0].reshape(())])


def arange(start, end, step):
    length = math.ceil((float(end) - float(start)) / float(step))
    return Call([start.reshape(1), end.reshape(1), step.reshape(1)],
                [empty([length], start.dtype)])


def ge_glu_grad(dy, x, gelu, dim, approximate, activate_left):
    attrs = {"dim": dim, "approximate": approximate, "activate_left": activate_left}
    return Call([dy, x, gelu], [empty_like(x)], attrs)


def gelu_grad(dy, x, y):
    return Call([dy, x, y], [empty_like(x)])


def softmax_grad(softmax, grad, values):
    return Call([softmax, grad, values], in_place=[0],
                result=lambda outputs, changed: changed[0])


def swi_glu_grad(grad, x, dim=-1):
    return Call([grad, x], [empty_like(x)], {"dim": dim % x.dim()})


def cross(a, b, dim):
    return Call([a, b], [empty_like(a)], {"dim": dim})


def cross_entropy_loss(x, target, weight, reduction, ignore_index, label_smoothing,
                       lse_square_scale, return_zloss):
    whole = reduction == "none"
    loss = empty_like(target, dtype=x.dtype) if whole else empty([1], x.dtype)
    outputs = [loss, empty_like(x), empty([1], x.dtype), empty([x.shape[0]], x.dtype)]
    attrs = {"reduction": reduction, "ignore_index": ignore_index,
             "label_smoothing": label_smoothing,
             "lse_square_scale_for_zloss": lse_square_scale, "return_zloss": return_zloss}

    def result(outputs, changed):
        loss = outputs[0] if whole else outputs[0].reshape(())
        return [loss, *outputs[1 : 4 if return_zloss else 2]]

    return Call([x, target, weight], outputs, attrs, result)


def mse_loss_grad(grad, x, target, reduction):
    return Call([x, target, grad], [empty_like(grad)], {"reduction": reduction}, all_outputs)


def masked_select(x, mask):
    room = torch.broadcast_shapes(x.shape, mask.shape).numel()
    return Call([x, mask], [empty([room], x.dtype)],
                result=lambda outputs, changed: outputs[0][: int(mask.sum())])


def add_layer_norm(x1, x2, bias, gamma, beta, epsilon, additional):
    rows = list(x1.shape[: x1.dim() - gamma.dim()]) + [1] * gamma.dim()
    outputs = [empty_like(x1), empty(rows, FLOAT), empty(rows, FLOAT), empty_like(x1)]
    return Call([x1, x2, gamma, beta, bias], outputs,
                {"epsilon": epsilon, "additional_output": additional},
                lambda outputs, changed: ([outputs[3]] if additional else []) + [outputs[0]])


def add_rms_norm_cast(x1, x2, gamma, epsilon):
    outputs = [empty(x1.shape, FLOAT), empty_like(x1), empty([*x1.shape[:-1], 1], FLOAT),
               empty_like(x1)]
    return Call([x1, x2, gamma], outputs, {"epsilon": epsilon}, all_outputs)


def deep_norm(x, gx, beta, gamma, alpha, epsilon):
    rows = [*x.shape[:-1], 1]
    outputs = [empty(rows, FLOAT), empty(rows, FLOAT), empty_like(x)]
    return Call([x, gx, beta, gamma], outputs, {"alpha": alpha, "epsilon": epsilon},
                all_outputs)


def group_norm_swish_grad(dy, mean, rstd, x, gamma, beta, groups, data_format, scale,
                          want_dgamma, want_dbeta):
    attrs = {"num_groups": groups, "data_format": data_format, "swish_scale": scale,
             "dgamma_is_require": want_dgamma, "dbeta_is_require": want_dbeta}
    wanted = [True, want_dgamma, want_dbeta]
    return Call([dy, mean, rstd, x, gamma, beta],
                [empty_like(x), empty_like(gamma), empty_like(beta)], attrs,
                lambda outputs, changed: [o for o, w in zip(outputs, wanted) if w])


def layer_norm(x, normalized_shape, weight, bias, epsilon):
    inner = len(normalized_shape)
    rows = list(x.shape[: x.dim() - inner]) + [1] * inner
    shape = torch.tensor(list(normalized_shape), dtype=torch.int32)
    return Call([x, shape, weight, bias],
                [empty_like(x), empty(rows, FLOAT), empty(rows, FLOAT)],
                {"epsilon": epsilon}, all_outputs)


def rms_norm_grad(dy, x, rstd, gamma):
    return Call([dy, x, rstd, gamma], [empty_like(x), empty_like(gamma, dtype=FLOAT)],
                result=all_outputs)


def ema_adam(grad, var, m, v, s, step, *attrs):
    names = ("lr", "ema_decay", "beta1", "beta2", "eps", "mode", "bias_correction",
             "weight_decay")
    return Call([grad, var, m, v, s, step], attrs=dict(zip(names, attrs)),
                result=lambda outputs, changed: [changed[i] for i in (1, 2, 3, 4)],
                in_place=[1, 2, 3, 4])


def add_sigmoid_mul_reduce_sum(*tensors):
    x = tensors[0]
    return Call(tensors, [empty([x.shape[0], x.shape[2]], x.dtype)])


def select_softmax(selector, a, b):
    return Call([selector, a, b], [empty_like(a)])


def coalesce_sparse(unique_len, unique_indices, indices, values):
    count = unique_len.numel()
    outputs = [empty([count, indices.shape[1]], indices.dtype),
               empty([count, *values.shape[1:]], values.dtype)]
    return Call([unique_len, unique_indices, indices, values], outputs,
                result=all_outputs, zeroed=[1])


def reverse_sequence(x, lengths, seq_dim, batch_dim):
    return Call([x, lengths], [empty_like(x)], {"seq_dim": seq_dim, "batch_dim": batch_dim})


CALLS = {
    "AbsMath": elementwise,
    "AddLayerNorm": add_layer_norm,
    "AddRmsNormCast": add_rms_norm_cast,
    "AddSigmoidMulReduceSumD": add_sigmoid_mul_reduce_sum,
    "Addcmul": addcmul,
    "ApplyFusedEmaAdam": ema_adam,
    "Arange": arange,
    "ClipByValue": elementwise,
    "CoalesceSparse": coalesce_sparse,
    "Cross": cross,
    "CrossEntropyLoss": cross_entropy_loss,
    "DeepNorm": deep_norm,
    "Equal": equal,
    "FastGelu": elementwise,
    "ForeachAbs": foreach,
    "ForeachAddcmulList": foreach,
    "ForeachDivList": foreach,
    "ForeachLog": foreach,
    "ForeachMulList": foreach,
    "ForeachReciprocal": foreach,
    "ForeachSubScalar": foreach_scalar,
    "GeGluGradV2": ge_glu_grad,
    "GeluGrad": gelu_grad,
    "GroupNormSwishGrad": group_norm_swish_grad,
    "Icamax": index_of,
    "InplaceFusedMatmulSoftmaxGrad": softmax_grad,
    "IsFinite": is_finite,
    "Isamin": index_of,
    "LayerNormV4": layer_norm,
    "MaskedSelectV3": masked_select,
    "MseLossGradV2": mse_loss_grad,
    "Neg": elementwise,
    "ReverseSequence": reverse_sequence,
    "RmsNormGrad": rms_norm_grad,
    "ScatterList": scatter_list,
    "SelectReduceMaxDSubExpReduceSumDRealDiv": select_softmax,
    "SinMath": elementwise,
    "Sqrt": elementwise,
    "SwiGluGrad": swi_glu_grad,
    "TanhMath": elementwise,
}
