"""scipy.special.spence, for machines without SciPy: the integral of ln(t) / (1 - t) from 1 to z."""
import math

import numpy as np

TERMS = 60  # of a series in at most 1/2


def series(x):
    """Li2(x), the sum of x^k / k^2, for |x| <= 1/2."""
    total, power = np.zeros_like(x), np.ones_like(x)
    for k in range(1, TERMS):
        power = power * x
        total += power / (k * k)
    return total


def spence(z):
    """NaN for negative numbers; single precision for what has no more, as SciPy has it."""
    values = np.asarray(z, dtype=np.float64)
    with np.errstate(all="ignore"):
        # Li2(1 - z): near 1 as it is, below by reflection, above by inversion.
        near = series(np.where(np.abs(1 - values) <= 0.5, 1 - values, 0))
        below = math.pi**2 / 6 - np.log(values) * np.log1p(-values) - series(np.where(values < 0.5, values, 0))
        small = 1 / values
        above = -np.log(values) ** 2 / 2 - np.where(
            values > 2, math.pi**2 / 6 - np.log(small) * np.log1p(-small) - series(np.where(values > 2, small, 0)),
            series(np.where((values > 1.5) & (values <= 2), 1 - small, 0)))
        result = np.where(values < 0.5, below, np.where(values > 1.5, above, near))
        result = np.where(values == 0, math.pi**2 / 6, np.where(values < 0, np.nan, result))
    return result.astype(np.float32 if np.asarray(z).dtype in (np.float16, np.float32) else np.float64)
