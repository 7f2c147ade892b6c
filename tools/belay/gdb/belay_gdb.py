"""Shows tensors and tiles in gdb by their elements.

`belay run --gdb` loads it. For host twins: gdb -iex 'source SHARE/gdb/belay_gdb.py' program,
where SHARE is PREFIX/share/belay.
"""
import os
import signal
import struct

import gdb
import gdb.printing

MOST = 16  # elements in a line; (gdb) set print elements N asks for others


def take_terminal():
    """belay run starts its children in groups of their own, which do not have the terminal."""
    if os.isatty(0) and os.tcgetpgrp(0) != os.getpgrp():
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        os.tcsetpgrp(0, os.getpgrp())


def most_elements():
    wanted = gdb.parameter("print elements")
    return min(wanted, MOST) if wanted == 200 else wanted or 1 << 20


def read_element(kind, address):
    """One element at an address, as Python has it. Floats of 16 bits may be classes in C++."""
    kind = kind.strip_typedefs().unqualified()
    data = bytes(gdb.selected_inferior().read_memory(address, kind.sizeof))
    if kind.code not in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_ENUM):
        if kind.sizeof == 2 and "bf" in str(kind):  # the upper half of 32 bits
            data = bytes(2) + data
        form = {2: "<e", 4: "<f", 8: "<d"}.get(len(data))
        return struct.unpack(form, data)[0] if form else data.hex()  # no number in Python
    if kind.code == gdb.TYPE_CODE_BOOL:
        return any(data)
    return int.from_bytes(data, "little", signed="unsigned" not in str(kind))


def shown(value):
    return f"{value:.6g}" if isinstance(value, float) else str(value).lower() if isinstance(value, bool) else str(value)


def elements(kind, address, count, stride=1):
    """"{1, 2, 3, ... 1024 in all}"."""
    number = min(count, most_elements())
    try:
        words = [shown(read_element(kind, address + i * stride * kind.sizeof)) for i in range(number)]
    except gdb.MemoryError:
        return "{not mapped}"
    if number < count:
        words.append(f"... {count} in all")
    return "{" + ", ".join(words) + "}"


class LocalTensor:
    """AscendC's LocalTensor: where it is, and what is there now."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        kind = self.value.type.strip_typedefs().template_argument(0)
        where = self.value["address_"]
        address = int(where["absAddr"])
        if not address:
            return f"LocalTensor<{kind}> of no buffer"
        count = int(where["dataLen"]) // kind.sizeof
        position = str(where["logicPos"]).rsplit("::", 1)[-1]
        return f"LocalTensor<{kind}> {position}+{int(where['bufferAddr'])} {elements(kind, address, count)}"


class GlobalTensor:
    """AscendC's GlobalTensor. Without a size, its first elements."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        kind = self.value.type.strip_typedefs().template_argument(0)
        address = int(self.value["address_"])
        if not address:
            return f"GlobalTensor<{kind}> of no buffer"
        size = int(self.value["bufferSize_"])
        if size:
            return f"GlobalTensor<{kind}> {elements(kind, address, size)}"
        return f"GlobalTensor<{kind}> from {address:#x}"


class Tile:
    """A tile of the host twin, by rows."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        kind = self.value.type.strip_typedefs()
        columns, element = int(kind.template_argument(1)), kind.template_argument(2)
        rows, cols = int(self.value["rows_"]), int(self.value["cols_"])
        head = f"Tile<{element}> {rows} x {cols}"
        place = self.value["data_"].address
        if place is None:  # a value that is in no memory
            return head
        # A unique_ptr has nothing but its pointer, whatever the library calls it.
        address = int(place.cast(gdb.lookup_type("unsigned long").pointer()).dereference())
        if not address:
            return head + ", moved"
        lines = [elements(element, address + row * columns * element.sizeof, cols) for row in range(min(rows, MOST))]
        if rows > MOST:
            lines.append(f"... {rows} rows in all")
        return head + (" " + lines[0] if len(lines) == 1 else "".join("\n  " + line for line in lines))


def printers():
    made = gdb.printing.RegexpCollectionPrettyPrinter("belay")
    made.add_printer("LocalTensor", r"^AscendC::LocalTensor<.*>$", LocalTensor)
    made.add_printer("GlobalTensor", r"^AscendC::GlobalTensor<.*>$", GlobalTensor)
    made.add_printer("Tile", r"^belay::Tile<.*>$", Tile)
    return made


take_terminal()
gdb.printing.register_pretty_printer(None, printers(), replace=True)
# What ends a kernel that runs too long is of no interest here.
gdb.execute("handle SIGUSR1 nostop noprint pass", to_string=True)
gdb.execute("set print thread-events off")
gdb.execute("set debuginfod enabled off")
