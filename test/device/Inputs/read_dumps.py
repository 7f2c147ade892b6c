"""Prints the dumps below a folder, in the order of their names: what their headers say, and floats, halves or bytes."""
import pathlib
import struct
import sys

TYPES = {1: ("float", "f"), 2: ("half", "e")}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """Field numbers and values of a message of protocol buffers."""
    at, found = 0, []
    while at < len(data):
        tag, at = varint(data, at)
        value, at = varint(data, at)
        if tag & 7 == 2:
            value, at = data[at : at + value], at + value
        else:
            assert tag & 7 == 0
        found.append((tag >> 3, value))
    return found


def shape(message):
    data, at, dims = dict(fields(message))[1], 0, []
    while at < len(data):
        dim, at = varint(data, at)
        dims.append(dim)
    return dims


# The size's and the original shape's fields, by role.
ROLES = {"input": (4, 5, 6), "output": (3, 6, 7)}

for path in sorted(pathlib.Path(sys.argv[1]).rglob("*")):
    if not path.is_file():
        continue
    data = path.read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = fields(data[8 : 8 + length])
    at = 8 + length
    print(path.name, "of", bytes(dict(header)[6]).decode())
    for role, (field, size_field, origin_field) in ROLES.items():
        for number, message in header:
            if number != field:
                continue
            tensor = dict(fields(message))
            size = tensor[size_field]
            name, letter = TYPES.get(tensor.get(1, 0), ("bytes", "B"))
            values = struct.unpack_from(f"<{size // struct.calcsize(letter)}{letter}", data, at)
            at += size
            assert shape(tensor[3]) == shape(tensor[origin_field]), path
            print(f"  {role}: {name} {shape(tensor[3])}, format {tensor[2]}: {' '.join(f'{v:g}' for v in values[:6])}")
    for number, message in header:
        if number == 7:
            attribute = dict(fields(message))
            print(f"  {bytes(attribute[1]).decode()} is {bytes(attribute[2]).decode()}")
    assert at == len(data), path
