"""A validator for the part of JSON Schema that docs/launch.schema.json uses."""
import re

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
}
KNOWN = {
    "$schema", "title", "description", "$defs", "$ref", "type", "properties", "required",
    "additionalProperties", "items", "minItems", "maxItems", "enum", "const", "oneOf",
    "minimum", "maximum", "pattern",
}  # fmt: skip


def mistakes(value, schema, root=None, where="$"):
    """What is wrong with a value, one line each. A keyword that this does not
    know is a mistake too: it would not be checked."""
    root = root or schema
    for key in set(schema) - KNOWN:
        yield f"{where}: the schema has '{key}', which is not checked"
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        yield from mistakes(value, target, root, where)
    if "oneOf" in schema:
        fits = [not list(mistakes(value, option, root, where)) for option in schema["oneOf"]]
        if sum(fits) != 1:
            yield f"{where}: {value!r} fits {sum(fits)} of the alternatives"
    if "const" in schema and (value != schema["const"] or type(value) is not type(schema["const"])):
        yield f"{where}: {value!r} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is none of {schema['enum']}"
    if "type" in schema:
        wrong = not isinstance(value, TYPES[schema["type"]])
        if wrong or (isinstance(value, bool) and schema["type"] != "boolean"):
            yield f"{where}: {value!r} is no {schema['type']}"
            return
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{where}: {value!r} does not match {schema['pattern']}"
    if value is not None and not isinstance(value, (str, list, dict)):
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            yield f"{where}: {value} is out of range"
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{where}: has {len(value)} items"
        for index, item in enumerate(value):
            yield from mistakes(item, schema.get("items", {}), root, f"{where}[{index}]")
    if isinstance(value, dict):
        for key in schema.get("required", []):
            if key not in value:
                yield f"{where}: has no '{key}'"
        for key, item in value.items():
            if key in schema.get("properties", {}):
                yield from mistakes(item, schema["properties"][key], root, f"{where}.{key}")
            elif schema.get("additionalProperties") is False:
                yield f"{where}: '{key}' does not belong here"
