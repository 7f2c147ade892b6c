"""Convolutions as sums of products, one for each tap, with images in several layouts."""
import numpy as np

from .families import element, empty, put
from .kernel import part, sizes, windows
from .numbers import Number, Sums
from ..program import Number as Parameter


def seen_by(values, first, count, step):
    """Columns first, first + step, ... of a matrix, 0 outside."""
    found = np.zeros((values.shape[0], count))
    for i in range(count):
        if 0 <= first + i * step < values.shape[1]:
            found[:, i] = values[:, first + i * step]
    return found


def convolution(kernel):
    """Of lines, [image, channel, place] or [image, place, channel], or of images."""
    rng = kernel.rng
    dtype = element(kernel, ("half", "half", "float", "bfloat16", "i8"))
    total = "i32" if dtype == "i8" else "float"
    step, groups = rng.choice([1, 1, 1, 2, 3]), rng.choice([1, 1, 2, 3])
    # Images take ten times as long to prove as lines.
    layout = rng.choice(["lines"] * 5 + ["last"] * 4 + ["images"])
    taps, rows = rng.choice([1, 2, 3, 5]), rng.choice([1, 2, 3]) if layout == "images" else 1
    m, n, c = rng.choice([1, 8, 16, 32]), rng.choice([8, 16, 33, 64]), rng.choice([1, 8, 16, 32])
    turned = rng.random() < 0.3 and not (dtype == "i8" and layout != "last")
    bias, out = rng.random() < 0.5, rng.choice([total, total, "float"])
    if layout == "last":
        m, n, step = n, m, rng.choice([1, 1, 2])
    Layout = {"lines": Lines, "last": Last, "images": Images}[layout]
    shape = Layout(rows, taps, step, groups)
    kernel.view("x", "In", dtype, [None] * shape.rank)
    kernel.view("f", "In", dtype, [groups, rows * taps, None, None])
    if bias:
        kernel.view("bias", "In", "float", [groups, None])
    kernel.view("y", "Out", out, [None] * shape.rank)
    kernel.params += [Parameter("pad", "i64", 2), Parameter("dilation", "i64", 2)]
    outputs, channels = (("f.extent(3)", "f.extent(2)") if turned != (layout == "last")
                         else ("f.extent(2)", "f.extent(3)"))
    kernel.expects = [f"x.extent({shape.channel}) == {channels}", f"y.extent({shape.channel}) == {outputs}",
                      "y.extent(0) == x.extent(0)", "pad >= 0 && pad <= 4096", "dilation >= 1 && dilation <= 4096",
                      *shape.expects]
    if bias:
        kernel.expects.append(f"bias.cols() == {outputs}")
    weights = "f[g][tap].transposed()" if turned else "f[g][tap]"
    zero = f"{dtype}(0)" if dtype == "i8" else f"{dtype}(0.0f)"
    value = "sum" if total == "float" or out == "i32" and not bias else "cast<float>(sum)"
    if bias:
        value += (" + load(bias[g], w.col())" if layout == "last" else " + load_column(bias[g], w.row())")
        out_of = "float"
    else:
        out_of = out if value == "sum" and total == "i32" else "float"
    if out == "i32" and out_of == "float":
        value = f"cast<i32>({value})"
    if out == "i32" and bias:  # bias of whole numbers
        kernel.params = [p if p.name != "bias" else kernel_bias(p) for p in kernel.params]
    kernel.lines = shape.lines(m, n, c, weights, zero, channels, f"zeros<{total}>(w)", value)
    for _ in range(3):
        o, ch = sizes(rng, n if layout == "last" else m, 40), sizes(rng, c, 40)
        images = groups * rng.choice([0, 1, 2])
        pad, dilation = rng.choice([0, 0, 1, 2, 7]), rng.choice([1, 1, 2, 3])
        long, wide = sizes(rng, n if layout != "last" else m), sizes(rng, n if layout != "last" else m)
        extents = shape.extents(images, ch, o, long, wide, rng)
        extents["f"] = (groups, rows * taps, *((o, ch) if outputs == "f.extent(2)" else (ch, o)))
        if bias:
            extents["bias"] = (groups, o)
        kernel.launch(extents, {"pad": pad, "dilation": dilation})

    def reference(arrays, numbers):
        x, y = arrays["x"].v, empty(arrays["y"].v.shape, out)
        pad, dilation = int(numbers["pad"]), int(numbers["dilation"])
        f = arrays["f"].v
        f = f if outputs == "f.extent(2)" else f.transpose(0, 1, 3, 2)  # [group, tap, output, channel]
        for image in range(x.shape[0]):
            g = image % groups
            for line, matrix, target in shape.planes(x, y, image):
                count = target[0].shape[0], target[0].shape[1]  # outputs, places
                for r, cols in windows(count, (m, n) if layout != "last" else (n, m)):
                    sums = Sums((r.stop - r.start, cols.stop - cols.start), total)
                    for tap, seen in shape.taps_of(x, image, line, cols, pad, dilation):
                        for k in range(0, seen.shape[0], c):
                            ks = slice(k, k + c)
                            sums.add(Number(f[g, tap][r, ks], dtype), Number(seen[ks], dtype))
                    t = sums.number()
                    if bias:
                        t = t.cast("float") + part(arrays["bias"], g, r, None)
                    t = t.cast(out)
                    target[0][r, cols], target[1][r, cols] = t.v, t.e
        return {"y": y}

    kernel.reference = reference


def kernel_bias(view):
    """Whole numbers, so that sums of them are cast exactly."""
    from ..bounds import Bounds

    view.bounds = Bounds(4, 0.0, 0)
    return view


class Lines:
    """[image, channel, place]; a tile is outputs by places."""

    rank, channel = 3, 1

    def __init__(self, rows, taps, step, groups):
        self.rows, self.taps, self.step, self.groups = rows, taps, step, groups
        self.expects = [] if step == 1 else [f"x.extent({self.rank - 1}) >= {step - 1}"]

    def seen_text(self, line, n, zero):
        """What a tap sees of a matrix of channels by places."""
        if self.step == 1:
            return f"load_or({line}, c, span<{n}>(w.col().begin + t * dilation - pad, w.col().size), {zero})"
        s = self.step
        return (f"load_or(strided<1>({line}, (t * dilation + pad * {s - 1}) % {s}, {s}), c, "
                f"span<{n}>(w.col().begin + (t * dilation + pad * {s - 1}) / {s} - pad, w.col().size), {zero})")

    def lines(self, m, n, c, weights, zero, channels, zeros, value):
        return [f"for (auto w : my_tiles<{m}, {n}>(y)) {{", f"i64 g = w.plane() % {self.groups};",
                f"auto sum = {zeros};", f"for (i64 t = 0; t < {self.taps}; ++t) {{", "i64 tap = t;",
                f"for (auto c : tiles<{c}>({channels})) {{",
                f"sum += dot(load({weights}, w.row(), c), {self.seen_text('x[w.plane()]', n, zero)});",
                "}", "}", f"store(w, {value});", "}"]

    def extents(self, images, channels, outputs, long, wide, rng):
        longer = max(0, long * self.step + rng.choice([-2, 0, 3]))
        return {"x": (images, channels, max(longer, self.step - 1)), "y": (images, outputs, long)}

    def planes(self, x, y, image):
        yield None, x[image], (y.v[image], y.e[image])

    def taps_of(self, x, image, line, cols, pad, dilation):
        for t in range(self.taps):
            first = cols.start * self.step + t * dilation - pad
            yield t, seen_by(x[image], first, cols.stop - cols.start, self.step)


class Last(Lines):
    """[image, place, channel]; a tile is places by outputs."""

    channel = 2

    def __init__(self, rows, taps, step, groups):
        super().__init__(rows, taps, step, groups)
        self.expects = [] if step == 1 else [f"x.extent(1) >= {step - 1}"]

    def lines(self, m, n, c, weights, zero, channels, zeros, value):
        s = self.step
        seen = f"load_or(x[w.plane()], span<{m}>(w.row().begin + t * dilation - pad, w.row().size), c, {zero})"
        if s > 1:
            seen = (f"load_or(strided<0>(x[w.plane()], (t * dilation + pad * {s - 1}) % {s}, {s}), "
                    f"span<{m}>(w.row().begin + (t * dilation + pad * {s - 1}) / {s} - pad, w.row().size), c, {zero})")
        return [f"for (auto w : my_tiles<{m}, {n}>(y)) {{", f"i64 g = w.plane() % {self.groups};",
                f"auto sum = {zeros};", f"for (i64 t = 0; t < {self.taps}; ++t) {{", "i64 tap = t;",
                f"for (auto c : tiles<{c}>({channels})) {{",
                f"sum += dot({seen}, load({weights}, c, w.col()));", "}", "}", f"store(w, {value});", "}"]

    def extents(self, images, channels, outputs, long, wide, rng):
        longer = max(0, long * self.step + rng.choice([-2, 0, 3]))
        return {"x": (images, max(longer, self.step - 1), channels), "y": (images, long, outputs)}

    def planes(self, x, y, image):
        yield None, x[image].T, (y.v[image].T, y.e[image].T)

    def taps_of(self, x, image, line, cols, pad, dilation):
        for t in range(self.taps):
            first = cols.start * self.step + t * dilation - pad
            yield t, seen_by(x[image].T, first, cols.stop - cols.start, self.step)


class Images(Lines):
    """[image, channel, row, column]; a tile is the outputs of a row of pixels."""

    rank = 4

    def __init__(self, rows, taps, step, groups):
        super().__init__(rows, taps, step, groups)
        self.expects.append("x.extent(2) >= 1")

    def lines(self, m, n, c, weights, zero, channels, zeros, value):
        return [f"for (auto w : my_tiles<{m}, {n}>(y.permuted<0, 2, 1, 3>())) {{",
                f"i64 g = w.plane(0) % {self.groups}, height = x.extent(2);", f"auto sum = {zeros};",
                f"for (i64 r = 0; r < {self.rows}; ++r) {{",
                f"i64 row = w.plane(1) * {self.step} + r * dilation - pad;",
                "bool is_inside = row >= 0 && row < height;",
                "auto line = x[w.plane(0)].slice<1>(max(min(row, height - 1), 0));",
                f"for (i64 t = 0; t < {self.taps}; ++t) {{", f"i64 tap = r * {self.taps} + t;",
                f"for (auto c : tiles<{c}>(is_inside ? {channels} : 0)) {{",
                f"sum += dot(load({weights}, w.row(), c), {self.seen_text('line', n, zero)});",
                "}", "}", "}", f"store(w, {value});", "}"]

    def extents(self, images, channels, outputs, long, wide, rng):
        high = rng.choice([0, 1, 2, 4])
        longer = max(self.step - 1, long * self.step + rng.choice([-2, 0, 3]))
        return {"x": (images, channels, max(1, high * self.step + rng.choice([-1, 0, 2])), longer),
                "y": (images, outputs, high, long)}

    def planes(self, x, y, image):
        for row in range(y.v.shape[2]):
            yield row, None, (y.v[image, :, row], y.e[image, :, row])

    def taps_of(self, x, image, line, cols, pad, dilation):
        for r in range(self.rows):
            row = line * self.step + r * dilation - pad
            if not 0 <= row < x.shape[2]:
                continue
            for t in range(self.taps):
                first = cols.start * self.step + t * dilation - pad
                yield r * self.taps + t, seen_by(x[image, :, row], first, cols.stop - cols.start, self.step)
