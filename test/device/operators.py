#!/usr/bin/env python3
"""Compares every operator of the simulated libopapi with PyTorch, through the C
functions, over types, shapes, broadcasts and strides; and asks for refusals.

  operators.py BUILD_FOLDER
"""
import ctypes as c
import os
import sys

import numpy as np
import torch

folder = os.path.join(sys.argv[1], "lib/belay/device")
acl = c.CDLL(os.path.join(folder, "libascendcl.so"), mode=c.RTLD_GLOBAL)
base = c.CDLL(os.path.join(folder, "libnnopbase.so"), mode=c.RTLD_GLOBAL)
ops = c.CDLL(os.path.join(folder, "libopapi.so"))
blas = c.CDLL(os.path.join(folder, "libacl_cblas.so"))
for function in (base.aclCreateTensor, base.aclCreateScalar, base.aclCreateIntArray):
    function.restype = c.c_void_p
acl.aclGetRecentErrMsg.restype = c.c_char_p

TYPES = {
    torch.float32: 0, torch.float16: 1, torch.int8: 2, torch.int32: 3, torch.uint8: 4,
    torch.int16: 6, torch.int64: 9, torch.float64: 11, torch.bool: 12, torch.bfloat16: 27,
}
# What one rounding leaves; sums and transcendental functions may differ in the last bit.
TOLERANCE = {
    torch.float32: (2e-6, 1e-7), torch.float16: (1e-3, 1e-7), torch.bfloat16: (8e-3, 1e-7),
    torch.float64: (1e-12, 1e-15),
}
failures, compared = [], 0


def must(code):
    if code:
        raise RuntimeError(f"{code}: {acl.aclGetRecentErrMsg()}")


def raw(tensor):
    """The bytes of a contiguous tensor; NumPy knows no bfloat16."""
    if tensor.dtype == torch.bfloat16:
        tensor = tensor.contiguous().view(torch.int16)
    return tensor.contiguous().numpy().tobytes()


class Tensor:
    """The same extents and strides as PyTorch's, in device memory."""

    def __init__(self, like):
        self.like = like
        storage = like.new_zeros(0).set_(like.storage()) if like.numel() else like
        self.storage = storage
        data = raw(storage)
        self.bytes = max(len(data), 1)
        self.pointer = c.c_void_p()
        must(acl.aclrtMalloc(c.byref(self.pointer), c.c_size_t(self.bytes), 0))
        if data:
            must(acl.aclrtMemcpy(self.pointer, c.c_size_t(len(data)), data,
                                 c.c_size_t(len(data)), 1))
        extents = (c.c_int64 * like.dim())(*like.shape)
        strides = (c.c_int64 * like.dim())(*like.stride())
        self.handle = c.c_void_p(base.aclCreateTensor(
            extents, c.c_uint64(like.dim()), TYPES[like.dtype], strides,
            c.c_int64(like.storage_offset()), 2, extents, c.c_uint64(like.dim()), self.pointer))

    def read(self):
        if not self.like.numel():
            return self.like
        data = c.create_string_buffer(self.bytes)
        must(acl.aclrtMemcpy(data, c.c_size_t(self.bytes), self.pointer,
                             c.c_size_t(self.bytes), 2))
        storage = torch.frombuffer(bytearray(data.raw), dtype=self.like.dtype,
                                   count=self.storage.numel())
        return torch.as_strided(storage, self.like.shape, self.like.stride(),
                                self.like.storage_offset())

    def free(self):
        must(base.aclDestroyTensor(self.handle))
        must(acl.aclrtFree(self.pointer))


def scalar(value):
    if isinstance(value, float):
        return c.c_void_p(base.aclCreateScalar(c.byref(c.c_double(value)), 11))
    return c.c_void_p(base.aclCreateScalar(c.byref(c.c_int64(value)), 9))


def integers(*values):
    return c.c_void_p(base.aclCreateIntArray((c.c_int64 * len(values))(*values),
                                             c.c_uint64(len(values))))


def prepare(name, arguments):
    bytes_, executor = c.c_uint64(), c.c_void_p()
    handles = [a.handle if isinstance(a, Tensor) else a for a in arguments]
    code = getattr(ops, f"aclnn{name}GetWorkspaceSize")(
        *handles, c.byref(bytes_), c.byref(executor))
    return code, bytes_, executor


def run(name, *arguments):
    code, bytes_, executor = prepare(name, arguments)
    must(code)
    workspace = c.c_void_p()
    if bytes_.value:
        must(acl.aclrtMalloc(c.byref(workspace), bytes_, 0))
    must(getattr(ops, f"aclnn{name}")(workspace, bytes_, executor, stream))
    must(acl.aclrtSynchronizeStream(stream))
    if bytes_.value:
        must(acl.aclrtFree(workspace))


def compare(what, actual, expected):
    global compared
    compared += 1
    if actual.dtype in TOLERANCE:
        rtol, atol = TOLERANCE[actual.dtype]
        good = torch.allclose(actual.double(), expected.double(), rtol, atol, equal_nan=True)
    else:
        good = torch.equal(actual, expected)
    if not good or actual.shape != expected.shape:
        failures.append(f"{what}: {actual} instead of {expected}")


def check(name, out_type, expected, *arguments, out=None):
    """Runs an operator into a new output, or into one of the arguments."""
    expected = expected.to(out_type)
    tensors = [Tensor(a) if isinstance(a, torch.Tensor) else a for a in arguments]
    # In place if the output is named, else wherever None stands.
    place = out if out is not None else arguments.index(None)
    if out is None:
        tensors[place] = Tensor(torch.zeros(expected.shape, dtype=out_type))
    run(name, *tensors)
    compare(f"{name} of {[a.dtype for a in arguments if isinstance(a, torch.Tensor)]}",
            tensors[place].read(), expected)
    for tensor in tensors:
        if isinstance(tensor, Tensor):
            tensor.free()


def refused(name, *arguments):
    tensors = [Tensor(a) if isinstance(a, torch.Tensor) else a for a in arguments]
    code = prepare(name, tensors)[0]
    if code not in (161001, 161002) or not acl.aclGetRecentErrMsg():
        failures.append(f"{name} was not refused, but returned {code}")
    for tensor in tensors:
        if isinstance(tensor, Tensor):
            tensor.free()


def random(type_, *shape):
    if type_.is_floating_point:
        return torch.randn(shape, dtype=torch.float64).to(type_)
    high = 2 if type_ == torch.bool else 100
    low = 0 if type_ in (torch.bool, torch.uint8) else -100
    return torch.randint(low, high, shape).to(type_)


torch.manual_seed(1)
must(acl.aclInit(None))
must(acl.aclrtSetDevice(0))
stream = c.c_void_p()
must(acl.aclrtCreateStream(c.byref(stream)))

reals = [torch.float32, torch.float16, torch.bfloat16, torch.float64]
whole = [torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8]
binary = {"Mul": torch.mul, "Maximum": torch.maximum, "Minimum": torch.minimum}


def wide(x):
    """What PyTorch computes half precision with."""
    return x.double() if x.is_floating_point() else x


for type_ in reals + whole:
    for a, b in ((3, 5), (3, 5)), ((4, 1, 6), (5, 6)), ((), (7,)), ((2, 0), (2, 1)):
        x, y = random(type_, *a), random(type_, *b)
        for name, function in binary.items():
            check(name, type_, function(wide(x), wide(y)), x, y, None)
        check("Add", type_, wide(x) + 3 * wide(y), x, y, scalar(3), None)
        check("Sub", type_, wide(x) - 2 * wide(y), x, y, scalar(2), None)
        quotient = torch.float32 if type_ in whole else type_
        check("Div", quotient, x.double() / y.double(), x, y, None)
    x = random(type_, 6, 4)
    for turned in x.t(), x[1:5:2, ::3], x[2]:
        check("Muls", type_, wide(turned) * 3, turned, scalar(3), None)
        check("Adds", type_, wide(turned) + 10, turned, scalar(5), scalar(2), None)
        check("Subs", type_, wide(turned) - 5, turned, scalar(5), scalar(1), None)
        quotient = torch.float32 if type_ in whole else type_
        check("Divs", quotient, turned.double() / 4, turned, scalar(4), None)
    y = random(type_, 4)
    check("InplaceAdd", type_, wide(x) + wide(y), x, y, scalar(1), out=0)
    check("InplaceMul", type_, wide(x) * wide(y), x, y, out=0)
    check("InplaceAdds", type_, wide(x) + 7, x, scalar(7), scalar(1), out=0)
    check("InplaceMuls", type_, wide(x) * 7, x, scalar(7), out=0)
    check("InplaceCopy", type_, y.expand(6, 4), x, y, out=0)
    check("Permute", type_, random(type_, 2, 3, 4).zero_().permute(2, 0, 1),
          torch.zeros(2, 3, 4, dtype=type_), integers(2, 0, 1), None)
    cube = random(type_, 2, 3, 4)
    check("Permute", type_, cube.permute(2, 0, 1), cube, integers(2, 0, 1), None)
    for to in reals + whole + [torch.bool]:
        z = random(type_, 3, 3)
        if type_.is_floating_point or to != torch.uint8:
            check("Cast", to, wide(z.abs() if to == torch.uint8 else z).to(to),
                  z.abs() if to == torch.uint8 else z, TYPES[to], None)

single = {
    "Exp": torch.exp, "Sigmoid": torch.sigmoid, "Silu": torch.nn.functional.silu,
    "Tanh": torch.tanh, "Gelu": torch.nn.functional.gelu, "Erf": torch.erf,
    "Sin": torch.sin, "Cos": torch.cos, "Reciprocal": torch.reciprocal,
    "Abs": torch.abs, "Neg": torch.neg, "Relu": torch.relu,
}
for type_ in reals:
    x = random(type_, 5, 7)
    for name, function in single.items():
        check(name, type_, function(x.double()), x, None)
    for name, function in ("Log", torch.log), ("Sqrt", torch.sqrt), ("Rsqrt", torch.rsqrt):
        check(name, type_, function(x.double().abs()), x.abs(), None)
    for dim in 0, 1, -1:
        check("Softmax", type_, torch.softmax(x.double(), dim), x, c.c_int64(dim), None)
        check("LogSoftmax", type_, torch.log_softmax(x.double(), dim), x, c.c_int64(dim), None)
    z = random(type_, 3, 4, 5)
    for dims in (0,), (1, -1), ():
        for keep in True, False:
            along = dims or (0, 1, 2)
            for name, function in ("ReduceSum", torch.sum), ("Mean", torch.mean):
                check(name, type_, function(z.double(), along, keepdim=keep), z, integers(*dims),
                      keep, TYPES[type_], None)
    a, b = random(type_, 9, 17), random(type_, 17, 5)
    check("Mm", type_, a.double() @ b.double(), a, b, None, c.c_int8(0))
    b = random(type_, 5, 17)
    check("Matmul", type_, a.double() @ b.double().t(), a, b.t(), None, c.c_int8(0))
    a, b = random(type_, 3, 4, 6), random(type_, 3, 6, 5)
    check("BatchMatMul", type_, a.double() @ b.double(), a, b, None, c.c_int8(0))
    check("Matmul", type_, a.double() @ b[:1].double(), a, b[0], None, c.c_int8(0))
for type_ in whole:
    x = random(type_, 6)
    check("Relu", type_, torch.clamp(x, min=0), x, None)
    check("ReduceSum", torch.int64, x.long().sum(), x, integers(0), False, 9, None)
    check("Sqrt", torch.float32, torch.sqrt(x.double()), x, None)

# Mixed types are promoted as by PyTorch.
every = reals + whole
for a in every:
    for b in every:
        x, y = random(a, 4), random(b, 4)
        type_ = torch.promote_types(a, b)
        check("Add", type_, wide(x.to(type_)) + wide(y.to(type_)), x, y, scalar(1), None)

f = torch.zeros
refused("Add", f(3), f(4), scalar(1), f(3))
refused("Add", f(3), f(3), scalar(1), f(1, 3))
refused("Add", f(3), f(3), scalar(1), torch.zeros(3, dtype=torch.int32))
refused("Add", f(3), None, scalar(1), f(3))
refused("Add", f(3), f(3), None, f(3))
refused("Softmax", f(3, 3), c.c_int64(2), f(3, 3))
refused("Matmul", f(3, 4), f(5, 3), f(3, 3), c.c_int8(0))
refused("BatchMatMul", f(3, 4), f(4, 3), f(3, 3), c.c_int8(0))
refused("Permute", f(3, 4), integers(0, 0), f(3, 3))
refused("Cast", f(3), 1, f(3))

# BLAS: factors on the host and on the device.
half_one, half_two = c.c_uint16(0x3C00), c.c_uint16(0x4000)
a, b = random(torch.float16, 5, 7), random(torch.float16, 7, 3)
start = random(torch.float16, 5, 3)
for host in True, False:
    x, y, z = Tensor(a), Tensor(b), Tensor(start)
    factors = Tensor(torch.tensor([2.0, 1.0], dtype=torch.float16))
    alpha = c.byref(half_two) if host else factors.pointer
    beta = c.byref(half_one) if host else c.c_void_p(factors.pointer.value + 2)
    must(blas.aclblasGemmEx(0, 0, 0, 5, 3, 7, alpha, x.pointer, -1, 1, y.pointer, -1, 1, beta,
                            z.pointer, -1, 1, 0, stream))
    must(acl.aclrtSynchronizeStream(stream))
    compare("gemm", z.read(), (2 * a.double() @ b.double() + start.double()).half())
    for each in x, y, z, factors:
        each.free()
a, b = random(torch.int8, 4, 6), random(torch.int8, 3, 6)
x, y, z = Tensor(a), Tensor(b), Tensor(torch.zeros(4, 3, dtype=torch.int32))
must(blas.aclblasS8gemm(0, 1, 0, 4, 3, 6, c.byref(c.c_int32(1)), x.pointer, -1, y.pointer, -1,
                        c.byref(c.c_int32(0)), z.pointer, -1, 0, stream))
must(acl.aclrtSynchronizeStream(stream))
compare("s8gemm", z.read(), a.int() @ b.int().t())
if blas.aclblasGemmEx(0, 0, 0, 4, 3, 6, c.byref(c.c_int32(1)), x.pointer, 9, 2, y.pointer, -1, 2,
                      c.byref(c.c_int32(0)), z.pointer, -1, 3, 0, stream) != 100000:
    failures.append("a wrong leading dimension was not refused")
for each in x, y, z:
    each.free()

must(acl.aclrtDestroyStream(stream))
must(acl.aclrtResetDevice(0))
must(acl.aclFinalize())
for failure in failures[:20]:
    print(failure)
print(f"{compared} compared, {len(failures)} wrong")
sys.exit(bool(failures))
