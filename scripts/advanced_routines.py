"""Which library routines try-advanced-api compares: x, y and z are tensors of T, tmp is scratch of bytes."""
import dataclasses
import math

import numpy as np

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
    exact: object = None  # of x and y, in doubles
    why: str = ""  # the vendor's is farther from that than allowed
    ours: float = 4  # how far Belay's may be


def digamma(x):
    result = np.zeros_like(x)
    for _ in range(10):
        result, x = result - 1 / x, x + 1
    s = 1 / (x * x)
    series = s * (1 / 12 - s * (1 / 120 - s * (1 / 252 - s * (1 / 240 - s * (1 / 132 - s * 691 / 32760)))))
    return result + np.log(x) - 0.5 / x - series


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def near(number):
    """The float that a constant of the source becomes."""
    return float(np.float32(number))


def gelu(x):
    return x * sigmoid(near(1.5957691216057308) * (x + near(0.044715) * x**3))


def faster_gelu_v2(x):
    inner = near(-0.1444) * (np.minimum(np.abs(near(0.7071) * x), near(1.769)) - near(1.769)) ** 2 + 0.5
    return x * (np.sign(x) * inner + 0.5)


HALF = "half is computed in half"
REDUCED = "what is left of x - k pi is smaller than the steps that it is computed in"
CANCELS = "cancels near 0: "
EXACT = {
    "Tanh": np.tanh, "Sin": np.sin, "Cos": np.cos, "Tan": np.tan, "Atan": np.arctan, "Sinh": np.sinh, "Cosh": np.cosh,
    "Asinh": np.arcsinh, "Erf": np.vectorize(math.erf), "Erfc": np.vectorize(math.erfc), "Asin": np.arcsin,
    "Acos": np.arccos, "Atanh": np.arctanh, "Acosh": np.arccosh, "Lgamma": np.vectorize(math.lgamma),
    "Digamma": digamma, "Log": np.log, "Log2": np.log2, "Log10": np.log10, "Sigmoid": sigmoid, "Gelu": gelu,
    "FasterGelu": lambda x: x * sigmoid(near(1.702) * x), "FasterGeluV2": faster_gelu_v2, "Silu": lambda x: x * sigmoid(x),
    "Swish": lambda x: x * sigmoid(1.5 * x)}
WHY = {
    "Tanh": CANCELS + "(e^2x - 1) / (e^2x + 1)", "Sinh": CANCELS + "(e^x - e^-x) / 2",
    "Asinh": CANCELS + "ln(x + sqrt(x^2 + 1))", "Atanh": CANCELS + "ln((1 + x) / (1 - x)) / 2", "Cos": REDUCED,
    "Tan": REDUCED, "Atan": "a series that ends with x^9, up to |x| = 0.414: 162 ulp in exact arithmetic",
    "Asin": "a series of 8 terms, up to |x| = 0.707: 929 ulp in exact arithmetic",
    "Acos": "pi / 2 - Asin: 929 ulp in exact arithmetic", "Cosh": "e^(x - ln 2) of a rounded difference",
    "Erf": "a quotient of polynomials, with rounded terms", "Erfc": "e^(-x^2) of a rounded square",
    "Lgamma": "a quotient of polynomials from 3 to 5.8: 490 ulp in exact arithmetic",
    "Digamma": "errors of a sum beside the zero at 1.4616", "Fmod": "x - trunc(x / y) y of a rounded product",
    "Gelu": "e^y of a rounded y of up to 11; " + HALF, "GeGLU": "e^y of a rounded y of up to 11",
    "FasterGelu": HALF, "FasterGeluV2": "0.5 - 0.5 for negative x; " + HALF, "Swish": HALF}

# Both round y = 1.6 (x + 0.045 x^3), and of 0.5 - 0.4999999 both have no digits left.
OURS = {"Gelu": 16, "GeGLU": 16, "FasterGeluV2": 1e5}


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
EXACT_OF_TWO = {"Fmod": np.fmod, "Power": np.power, "GeGLU": lambda x, y: x * gelu(y),
                "SwiGLU": lambda x, y: x * y * sigmoid(1.25 * y)}
for routine in ROUTINES:
    one = EXACT.get(routine.name)
    routine.exact = (lambda x, y, one=one: one(x)) if one else EXACT_OF_TWO.get(routine.name)
    routine.why = WHY.get(routine.name, "")
    routine.ours = OURS.get(routine.name, routine.allowed)
