"""What a vector call touches, lane by lane: the meaning of masks, repeats and
strides, written down once more and slowly, for tests to compare with."""
import numpy as np

COUNT, MASK, BITS, REGISTER, COUNTER, COUNTER_REGISTER = range(6)
FORMS = {
    "count": COUNT,
    "mask": MASK,
    "bits": BITS,
    "register": REGISTER,
    "counter": COUNTER,
    "counter register": COUNTER_REGISTER,
}


class Call:
    """One call. `n` is a count or the lanes of a mask, `bits` a mask of 128 bits;
    strides are [destination, sources...] in blocks of 32 bytes."""

    def __init__(self, form, n=0, bits=0, repeat=1, block=(1, 1, 1), rep=(8, 8, 8)):
        self.form, self.n, self.bits, self.repeat = form, int(n), int(bits), repeat
        self.block = [int(b) for b in block] + [1] * (3 - len(block))
        self.rep = [int(r) for r in rep] + [8] * (3 - len(rep))

    def lanes(self, size):
        """(repeat, lane) pairs; size is that of the widest element."""
        per_repeat = 256 // size
        if self.form in (COUNT, COUNTER, COUNTER_REGISTER):
            return [divmod(i, per_repeat) for i in range(self.n)]
        if self.form == MASK:
            picked = range(self.n)
        else:
            picked = [i for i in range(min(per_repeat, 128)) if self.bits >> i & 1]
        return [(r, i) for r in range(self.repeat) for i in picked]

    def index(self, operand, where, size):
        """The element of an operand that a lane reads or writes."""
        r, lane = where
        per_block = 32 // size
        blocks = r * self.rep[operand] + lane // per_block * self.block[operand]
        return blocks * per_block + lane % per_block

    def reach(self, operand, size, widest):
        """How many elements an operand needs."""
        places = [self.index(operand, w, size) for w in self.lanes(widest)]
        return max(places, default=-1) + 1

    def words(self):
        """As the test kernels read it: ten numbers and four words of mask."""
        mask = [self.bits >> 32 * i & 0xFFFFFFFF for i in range(4)]
        numbers = [self.form, self.n, self.repeat] + self.block + self.rep
        return np.array(numbers + mask, np.uint32).view(np.int32)


def random_call(rng, form, widest, natural=(8, 8, 8)):
    """A call with random masks and strides; `natural` are the repeat strides that
    leave no gap."""
    per_repeat = 256 // widest
    if form == COUNT:
        return Call(form, n=rng.integers(1, 5 * per_repeat), rep=natural)
    block = rng.integers(1, 4, 3)
    rep = [int(n) * int(b) + int(rng.integers(0, 3)) for n, b in zip(natural, block)]
    if form in (COUNTER, COUNTER_REGISTER):
        return Call(form, rng.integers(1, 3 * per_repeat), 0, 1, block, rep)
    bits = 0
    while not bits:
        bits = int.from_bytes(rng.bytes(16), "little") & ((1 << per_repeat) - 1)
    n = rng.integers(1, per_repeat + 1)
    return Call(form, n, bits, int(rng.integers(1, 5)), block, rep)


def pad(x, value=0, extra=0):
    """To whole blocks of 32 bytes, which DataCopy moves, and some more."""
    per_block = 32 // x.itemsize
    n = -(-(len(x) + extra) // per_block) * per_block
    return np.concatenate([x, np.full(n - len(x), value, x.dtype)])


def evaluate(call, z, sources, function, out_size=None):
    """z after the call: function(old z, *elements) for each lane, in order."""
    sizes = [z.itemsize] + [s.itemsize for s in sources]
    z = z.copy()
    for where in call.lanes(max(sizes)):
        args = [
            s[call.index(k + 1, where, s.itemsize)] for k, s in enumerate(sources)
        ]
        at = call.index(0, where, z.itemsize)
        z[at] = function(z[at], *args)
    return z
