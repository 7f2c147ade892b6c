"""The types of the vendor's public documents: which a function has on a product, and which modes Cast has."""
import re

PRODUCTS = {"3510": "950", "2201": "910b", "2002": "310p"}
# A block of one product, and what it says of types.
BLOCK = r'<!-- npu="{product}" (id\d+) -->(.*?)<!-- end \1 -->'
LISTED = re.compile("支持(?:的数据类型为)?[:：]?((?:half|float|bfloat|u?int).*)")
# Where the function is described under another name.
RENAMED = {"CompareScalar": "Compares", "Copy": "Copy（UBToUB掩码式高维数据搬运）", "Gatherb": "Gatherb(ISASI)", "PairReduceSum": "ReducePairElem",
           "RepeatReduceSum": "ReduceRepeat",
           **{f"WholeReduce{what}": "ReduceRepeat" for what in ("Sum", "Max", "Min")},
           **{f"BlockReduce{what}": "ReduceDataBlock" for what in ("Sum", "Max", "Min")}}


def section_of_types(text):
    """What stands below the last heading about types."""
    found = re.split(r"^#+ *数据类型.*$", text, flags=re.M)
    return re.split(r"^## ", found[-1], flags=re.M)[0] if len(found) > 1 else ""


def page(checkout, name):
    """The text of a function's page, or nothing."""
    name = RENAMED.get(name, name)
    for file in sorted(checkout.glob(f"docs/zh/api/SIMD-API/基础API/Memory矢量计算/*/{name}.md")):
        return file.read_text(errors="replace")
    return ""


def types_of(checkout, name, arch):
    """The types that the page names for T, with what it says of each in brackets; None if it does not say."""
    for _, block in re.findall(BLOCK.format(product=PRODUCTS[arch]), section_of_types(page(checkout, name)), re.S):
        if "Vector Core" in block:
            continue
        for line in block.splitlines():
            if (found := LISTED.search(line)) and not re.match(r"[\s-]*U支持", line):
                of_type = re.findall(r"(\w+)(（[^）]*）)?", found[1].split("。")[0].replace("\\", ""))
                if of_type:
                    return dict(of_type)
    return None


def casts(checkout, arch):
    """{(from, to): modes} of Cast."""
    found = {}
    for _, block in re.findall(BLOCK.format(product=PRODUCTS[arch]), section_of_types(page(checkout, "Cast")), re.S):
        for source, to, modes in re.findall(r"^\| (\w+) \| (\w+) \| (.*) \|$", block, re.M):
            found[source, to] = re.findall(r"CAST_\w+", modes) or ["any"]
    return found
