"""Which library routines try-advanced-api compares: x, y and z are tensors of T, tmp is scratch of bytes."""
import dataclasses

LENGTHS = (64, 1000, 2048)  # of which one is no multiple of a repeat
SHORT = {"half": "f16", "float": "f32", "int16_t": "i16", "uint16_t": "u16", "int32_t": "i32"}
FLOATS = ("half", "float")


@dataclasses.dataclass
class Routine:
    name: str
    header: str  # below include/adv_api
    call: str
    types: tuple = FLOATS
    low: float = -4
    high: float = 4
    allowed: float = 4  # in units of the last place


def unary(names, low, high, folder="math", allowed=4):
    return [Routine(name, f"{folder}/{name.lower()}.h", f"{name}(z, x, tmp, n)", low=low, high=high, allowed=allowed)
            for name in names.split()]


ROUTINES = [
    *unary("Tanh Sin Cos Tan Atan Sinh Cosh Asinh Erf Erfc Ceil Floor Round Trunc Frac Sign", -4, 4),
    *unary("Asin Acos Atanh", -0.95, 0.95),
    *unary("Acosh", 1.05, 9),
    *unary("Lgamma Digamma", 0.5, 9),
    Routine("Log", "math/log.h", "Log(z, x, n)", low=0.1, high=9),
    Routine("Log2", "math/log.h", "Log2(z, x, tmp, n)", low=0.1, high=9),
    Routine("Log10", "math/log.h", "Log10(z, x, n)", low=0.1, high=9),
    Routine("Power", "math/power.h", "Power(z, x, y, tmp, n)", low=0.3, high=3),
    Routine("Fmod", "math/fmod.h", "Fmod(z, x, y, tmp, n)", low=0.5, high=9),
    Routine("Xor", "math/xor.h", "Xor(z, x, y, tmp, n)", types=("int16_t", "uint16_t"), low=0, high=100, allowed=0),
    Routine("ClampMax", "math/clamp.h", "ClampMax(z, x, tmp, static_cast<T>(1), n)", allowed=0),
    Routine("ClampMin", "math/clamp.h", "ClampMin(z, x, tmp, static_cast<T>(1), n)", allowed=0),
    *unary("Sigmoid", -8, 8, "activation"),
    Routine("Gelu", "activation/gelu.h", "Gelu(z, x, tmp, n)"),
    Routine("FasterGelu", "activation/gelu.h", "FasterGelu(z, x, tmp, n)"),
    Routine("FasterGeluV2", "activation/gelu.h", "FasterGeluV2(z, x, tmp, n)"),
    Routine("Silu", "activation/silu.h", "Silu(z, x, n)"),
    Routine("Swish", "activation/swish.h", "Swish(z, x, n, static_cast<T>(1.5f))"),
    Routine("ReGlu", "activation/reglu.h", "ReGlu(z, x, y, tmp, n)"),
    Routine("GeGLU", "activation/geglu.h", "GeGLU(z, x, y, tmp, n)"),
    Routine("SwiGLU", "activation/swiglu.h", "float beta = 1.25f; SwiGLU(z, x, y, beta, tmp, n)"),
]
