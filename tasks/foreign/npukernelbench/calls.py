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


def changes_first(*arguments):
    return Call(arguments, in_place=[0], result=lambda outputs, changed: changed[0])


def with_attributes(*names):
    """One tensor and attributes of these names; the output is like the tensor."""
    return lambda x, *values: Call([x], [empty_like(x)], dict(zip(names, values)))


def foreach_from_scalar(tensors, scalar):
    return Call([scalar.reshape(1), tensors], [[empty_like(t) for t in tensors]])


def foreach_with_scalar(*arguments):
    *lists, scalar = arguments
    return foreach(*lists, scalar.reshape(-1))


def foreach_with_numbers(tensors, scalars):
    # Its binding makes numbers of them, and whole numbers have 64 bits there.
    return foreach(tensors, scalars.long() if scalars.dtype == torch.int32 else scalars)


def foreach_norm(tensors, scalar):
    return Call([tensors, scalar.reshape(1)], [[empty([], t.dtype) for t in tensors]])


def foreach_unscale(grads, found, scale):
    return Call([grads, found, scale], in_place=[0, 1],
                result=lambda outputs, changed: [*changed[0], changed[1]])


def cast(x, kind):
    kinds = {0: FLOAT, 1: torch.float16, 2: torch.int8, 3: torch.int32, 4: torch.uint8,
             6: torch.int16, 9: torch.int64, 12: torch.bool, 27: torch.bfloat16}
    return Call([x], [empty(x.shape, kinds[kind])], {"dst_type": kind})


def strided_copy(x, n, incx, incy):
    return Call([x], [empty([n * incy], x.dtype)], {"n": n, "incx": incx, "incy": incy})


def reduced(x, n, incx):
    return Call([x], [empty([], x.dtype)], {"n": n, "incx": incx})


def scale_in_place(x, alpha, n, incx):
    return Call([x], attrs={"alpha": alpha, "n": n, "incx": incx}, in_place=[0],
                result=lambda outputs, changed: changed[0])


def eye(y, rows, columns, batch, dtype):
    attrs = {"num_rows": rows, "num_columns": columns, "batch_shape": list(batch), "dtype": dtype}
    return Call([y], attrs=attrs, in_place=[0], result=lambda outputs, changed: changed[0])


def fill(dims, value):
    return Call([torch.tensor(list(dims), dtype=torch.int64), value.reshape(1)],
                [empty(dims, value.dtype)], zeroed=[0])


def non_finite(tensors):
    return Call([tensors], [empty([1], FLOAT)], zeroed=[0])


def complex_dot(a, b, m, n):
    return Call([a, b], [empty_like(a)], {"m": m, "n": n})


def dequant_swiglu(x, weight, activation, bias, scale, offset, group, left, mode):
    outputs = [empty([*x.shape[:-1], x.shape[-1] // 2], torch.int8),
               empty([x.shape[:-1].numel()], FLOAT)]
    return Call([x, weight, activation, bias, scale, offset, group], outputs,
                {"activate_left": left, "quant_mode": mode}, all_outputs)


def ge_glu(x):
    half = [*x.shape[:-1], x.shape[-1] // 2]
    return Call([x], [empty(half, x.dtype), empty(half, x.dtype)],
                {"dim": -1, "approximate": 0, "activate_left": True}, all_outputs)


def gelu_quant(x, scale, offset, approximate, mode):
    outputs = [empty_like(x, dtype=torch.int8), empty([*x.shape[:-1], 1], FLOAT)]
    return Call([x, scale, offset], outputs, {"approximate": approximate, "quant_mode": mode},
                all_outputs, zeroed=[0, 1])


def mul_sigmoid(a, b, *factors):
    return Call([a, b], [empty([a.shape[0], *b.shape[1:]], a.dtype)],
                dict(zip(("t1", "t2", "t3"), factors)))


def swi_glu(x, dim=-1):
    dim %= x.dim()
    shape = list(x.shape)
    shape[dim] //= 2
    return Call([x], [empty(shape, x.dtype)], {"dim": dim})


def cross_entropy_loss_grad(grad, log_prob, target, weight, grad_z, lse, *attrs):
    names = ("reduction", "ignore_index", "label_smoothing", "lse_square_scale_for_zloss")
    return Call([grad, log_prob, target, weight, grad_z, lse], [empty_like(log_prob)],
                dict(zip(names, attrs)), all_outputs)


def mse_loss(predict, label, reduction):
    shape = predict.shape if reduction == "none" else [1]
    return Call([predict, label], [empty(shape, predict.dtype)], {"reduction": reduction})


def add_layer_norm_grad(dy, x1, x2, rstd, mean, gamma, dsum):
    sums = [empty_like(gamma, dtype=FLOAT), empty_like(gamma, dtype=FLOAT)]
    return Call([dy, x1, x2, rstd, mean, gamma, dsum], [empty_like(dy), *sums],
                result=all_outputs)


def rows_of(x, gamma):
    """One number for each row that gamma is as long as."""
    return [*x.shape[: x.dim() - gamma.dim()], *[1] * gamma.dim()]


def add_rms_norm(x1, x2, gamma, epsilon):
    outputs = [empty_like(x1), empty(rows_of(x1, gamma), FLOAT), empty_like(x1)]
    return Call([x1, x2, gamma], outputs, {"epsilon": epsilon}, all_outputs)


def add_rms_norm_quant(x1, x2, gamma, scales1, scales2, zeros1, zeros2, axis=-1, epsilon=1e-5,
                       div_mode=True):
    outputs = [empty_like(x1, dtype=torch.int8), empty_like(x1, dtype=torch.int8), empty_like(x1)]
    return Call([x1, x2, gamma, scales1, scales2, zeros1, zeros2], outputs,
                {"axis": axis, "epsilon": epsilon, "div_mode": div_mode},
                lambda outputs, changed: outputs[:1])


def batch_norm(x, weight, bias, mean, variance, training, momentum, epsilon):
    outputs = [empty_like(x), empty_like(mean), empty_like(variance)]
    return Call([x, weight, bias, mean, variance], outputs,
                {"epsilon": epsilon, "momentum": momentum, "is_training": training},
                all_outputs, in_place=[3, 4])


def deep_norm_grad(dy, x, gx, gamma, mean, rstd, alpha):
    sums = [empty_like(gamma, dtype=FLOAT), empty_like(gamma, dtype=FLOAT)]
    return Call([dy, x, gx, gamma, mean, rstd], [empty_like(x), empty_like(gx), *sums],
                {"alpha": alpha}, all_outputs)


def group_norm_swish(x, gamma, beta, groups, layout, epsilon, activate, scale):
    each = [x.shape[0], groups]
    return Call([x, gamma, beta], [empty_like(x), empty(each, x.dtype), empty(each, x.dtype)],
                {"num_groups": groups, "data_format": layout, "eps": epsilon,
                 "activate_swish": activate, "swish_scale": scale}, all_outputs)


def inplace_add_layer_norm(x1, x2, bias, gamma, beta, epsilon, additional):
    rows = rows_of(x1, gamma)

    def result(outputs, changed):
        return [changed[0], *outputs, changed[1]] if additional else [changed[0]]

    return Call([x1, x2, gamma, beta, bias], [empty(rows, FLOAT), empty(rows, FLOAT)],
                {"epsilon": epsilon, "additional_output": additional}, result, in_place=[0, 1])


def inplace_add_rms_norm(x1, x2, gamma, epsilon):
    return Call([x1, x2, gamma], [empty(rows_of(x1, gamma), FLOAT)], {"epsilon": epsilon},
                lambda outputs, changed: [changed[0], outputs[0], changed[1]], in_place=[0, 1])


def pre_layer_norm(x, y, gamma, beta, epsilon):
    return Call([x, y, gamma, beta], [empty_like(x)], {"epsilon": epsilon})


def rms_norm(x, gamma, epsilon):
    return Call([x, gamma], [empty_like(x), empty(rows_of(x, gamma), FLOAT)],
                {"epsilon": epsilon}, lambda outputs, changed: outputs[:1])


def expand(x, shape):
    return Call([x], [empty(shape, x.dtype)], {"shape": list(shape)})


def feeds_repeat(feeds, times, size):
    return Call([feeds, times], [empty([size, *feeds.shape[1:]], feeds.dtype)],
                {"output_feeds_size": size})


def matmul(a, b, *more):
    """Of types, that of the last tensor is the output's."""
    return Call([a, b, *more], [empty([a.shape[0], b.shape[1]], (more or [a])[-1].dtype)])


def matmul_of_a(a, b, *more):
    return Call([a, b, *more], [empty([a.shape[0], b.shape[1]], a.dtype)])


def batched_matmul(a, b):
    return Call([a, b], [empty([a.shape[0], a.shape[1], b.shape[2]], a.dtype)])


def gemm(a, b, c, alpha, beta):
    return Call([a, b, c], attrs={"alpha": alpha, "beta": beta}, in_place=[2],
                result=lambda outputs, changed: changed[2])


def group_gemm(a, b, c, alpha, beta, m, k, n):
    return Call([a, b, c, alpha, beta], attrs={"mList": list(m), "kList": list(k), "nList": list(n)},
                in_place=[2], result=lambda outputs, changed: changed[2])


def grouped_by_k(a, b, *more):
    kind = more[-2].dtype if len(more) > 1 else a.dtype
    return Call([a, b, *more], [empty([a.shape[0] * b.shape[1] * more[-1].shape[0]], kind)],
                zeroed=[0])


def grouped_by_m(a, b, *more):
    kind = more[-2].dtype if len(more) > 1 else a.dtype
    return Call([a, b, *more], [empty([a.shape[0] * b.shape[2]], kind)], zeroed=[0])


def flash_attention(query, key, value, scale, heads):
    batch, length, _ = query.shape
    sums = [empty([batch, heads, length, 8], FLOAT) for _ in range(2)]
    return Call([query, key, value], [*sums, empty_like(query)],
                {"scale_value": scale, "head_num": heads}, lambda outputs, changed: outputs[2])


def top_k(x, k, dim, largest, is_sorted):
    shape = list(x.shape)
    shape[dim] = k
    # The function that the binding calls makes 64 bits of the operator's 32.
    return Call([x, torch.tensor([k], dtype=torch.int32)],
                [empty(shape, torch.float16), empty(shape, torch.int32)],
                {"sorted": is_sorted, "dim": dim, "largest": largest},
                lambda outputs, changed: [outputs[0], outputs[1].long()])


FOREACH = """Acos Asin Atan Copy Cos Cosh Erf Erfc Exp Expm1 Log10 Log1p Log2 Neg Sigmoid Sign
Sin Sinh Sqrt Tan Tanh MaximumList MinimumList""".split()
FOREACH_WITH_SCALAR = """AddcdivList AddcdivScalarList AddcmulScalarList DivScalar MaximumScalar
MinimumScalar DivScalarList AddcdivScalar AddcmulScalar AddList
AddScalar AddScalarList LerpScalar MulScalar PowScalar RoundOffNumber SubList""".split()


CALLS = {
    **{f"Foreach{name}": foreach for name in FOREACH},
    **{f"Foreach{name}": foreach_with_scalar for name in FOREACH_WITH_SCALAR},
    "AbsMath": elementwise,
    "AddCustom": elementwise,
    "AddLayerNorm": add_layer_norm,
    "AddLayerNormGrad": add_layer_norm_grad,
    "AddRmsNorm": add_rms_norm,
    "AddRmsNormCast": add_rms_norm_cast,
    "AddRmsNormQuant": add_rms_norm_quant,
    "AddSigmoidMulReduceSumD": add_sigmoid_mul_reduce_sum,
    "Addcdiv": addcmul,
    "Addcmul": addcmul,
    "ApplyFusedEmaAdam": ema_adam,
    "Arange": arange,
    "BasicMatmul": matmul,
    "BatchNormV3": batch_norm,
    "BatchedMatmul": batched_matmul,
    "CastMath": cast,
    "Ccopy": strided_copy,
    "ClipByValue": elementwise,
    "CoalesceSparse": coalesce_sparse,
    "ComplexMatDot": complex_dot,
    "CosMath": elementwise,
    "Cross": cross,
    "CrossEntropyLoss": cross_entropy_loss,
    "CrossEntropyLossGrad": cross_entropy_loss_grad,
    "DeepNorm": deep_norm,
    "DeepNormGrad": deep_norm_grad,
    "DequantSwigluQuant": dequant_swiglu,
    "Equal": equal,
    "ExpandV2": expand,
    "Eye": eye,
    "FastGelu": elementwise,
    "FastGeluGrad": elementwise,
    "FeedsRepeat": feeds_repeat,
    "Fill": fill,
    "FlashAttentionScoreWithLargeHeadDim": flash_attention,
    "ForeachAbs": foreach,
    "ForeachAddcmulList": foreach,
    "ForeachDivList": foreach,
    "ForeachLog": foreach,
    "ForeachMulList": foreach,
    "ForeachMulScalarList": foreach_with_numbers,
    "ForeachNonFiniteCheckAndUnscale": foreach_unscale,
    "ForeachNorm": foreach_norm,
    "ForeachPowScalarAndTensor": foreach_from_scalar,
    "ForeachReciprocal": foreach,
    "ForeachSubScalar": foreach_scalar,
    "ForeachSubScalarList": foreach_with_numbers,
    "ForeachZeroInplace": changes_first,
    "GeGluGradV2": ge_glu_grad,
    "GeGluV2": ge_glu,
    "Gelu": elementwise,
    "GeluGrad": gelu_grad,
    "GeluQuant": gelu_quant,
    "Gemm": gemm,
    "GroupGemm": group_gemm,
    "GroupNormSwish": group_norm_swish,
    "GroupNormSwishGrad": group_norm_swish_grad,
    "GroupedMatmulSliceK": grouped_by_k,
    "GroupedMatmulSliceKPerTokenDequant": grouped_by_k,
    "GroupedMatmulSliceM": grouped_by_m,
    "GroupedMatmulSliceMPerTokenDequant": grouped_by_m,
    "Icamax": index_of,
    "Icamin": index_of,
    "InplaceAddLayerNorm": inplace_add_layer_norm,
    "InplaceAddRmsNorm": inplace_add_rms_norm,
    "InplaceAttnSoftmax": changes_first,
    "InplaceFusedMatmulSoftmaxGrad": softmax_grad,
    "IsFinite": is_finite,
    "IsInf": is_finite,
    "Isamax": index_of,
    "Isamin": index_of,
    "LayerNormV4": layer_norm,
    "Lerp": elementwise,
    "Less": equal,
    "LessEqual": equal,
    "MaskedSelectV3": masked_select,
    "MatmulAdd": matmul_of_a,
    "MatmulBias": matmul_of_a,
    "MseLoss": mse_loss,
    "MseLossGradV2": mse_loss_grad,
    "MulMulReduceMeanDTwice": elementwise,
    "MulSigmoid": mul_sigmoid,
    "MulSigmoidMulAddCustom": elementwise,
    "Muls": lambda x, value: Call([x, value.reshape(1).float()], [empty_like(x)]),
    "Neg": elementwise,
    "NonFiniteCheckOp": non_finite,
    "OptimizedMatmul": matmul,
    "PaddingMatmul": matmul,
    "PreLayerNorm": pre_layer_norm,
    "QuantMatmul": matmul,
    "ReverseSequence": reverse_sequence,
    "RmsNorm": rms_norm,
    "RmsNormGrad": rms_norm_grad,
    "Rsqrt": elementwise,
    "Sasum": reduced,
    "ScatterList": scatter_list,
    "SelectReduceMaxDSubExpReduceSumDRealDiv": select_softmax,
    "SinMath": elementwise,
    "Snrm2": reduced,
    "Spence": elementwise,
    "SplitkMatmul": matmul,
    "Sqrt": elementwise,
    "Sscal": scale_in_place,
    "StridedSliceAssignV2": changes_first,
    "StridesliceNegConcatV2": elementwise,
    "SwiGlu": swi_glu,
    "SwiGluGrad": swi_glu_grad,
    "Swish": with_attributes("scale"),
    "TanhMath": elementwise,
    "TopKV3": top_k,
    "Tril": with_attributes("diagonal"),
    "Triu": with_attributes("diagonal"),
    "UnalignAdd": elementwise,
}
