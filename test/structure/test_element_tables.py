"""scripts/check-element-tables: the sources of this tree, and small trees with one table each."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def check(*arguments):
    return subprocess.run([sys.executable, ROOT / "scripts/check-element-tables", *arguments],
                          capture_output=True, text=True, check=False)


class ElementTables(unittest.TestCase):
    def tried(self, text, name="src/model/A.cpp"):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"\n{text}\n")
            return check(folder)

    def test_this_tree(self):
        ran = check()
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_tables(self):
        for text in (
                'ROW(S8, int8_t, 1, "int8_t")\nROW(S16, int16_t, 2, "int16_t")\n'
                'ROW(F16, half, 2, "half")\nROW(BF16, bfloat16_t, 2, "bfloat16_t")',
                'ROW(FLOAT16, 1)\nROW(INT8, 2)\nROW(INT32, 3)\nROW(UINT8, 4)',
                "ACL_FLOAT16 = 1,\nACL_INT8 = 2,\nACL_INT32 = 3,\nACL_BF16 = 27,",
                "Int8 = 0,\nInt16 = 1,\nInt32 = 2,\nFp16 = 3,",
                "type<float> = 0;\ntype<half> = 1;\ntype<int8_t> = 2;\ntype<int32_t> = 3;",
                'Names[] = {"int8", "uint8", "int16", "float16"};',
                '{{"float", 0}, {"float16", 1},\n {"int8", 2}, {"int32", 3}}',
                '{Half, 2, true}, {Int8, 1, false},\n{Int16, 2, false}, {Float, 4, true}',
                'if (T.isF16())\n  return "f16";\nif (T.isBF16())\n  return "bf16";\n'
                'if (T.isInteger(8))\n  return "i8";\nreturn "f32";',
                "case Elem::S8:\n  return 1;\ncase Elem::S16:\n  return 2;\n"
                "case Elem::S32:\n  return 4;\ncase Elem::S64:\n  return 8;"):
            ran = self.tried(text)
            self.assertEqual(ran.returncode, 1, text)
            self.assertIn("src/model/A.cpp:", ran.stdout)

    def test_conversions(self):
        for text in ("Bits += 0x7fff + (Bits >> 16 & 1);", "float Scaled = X * 0x1p112f;",
                     "if (bits < 0x38800000)"):
            self.assertEqual(self.tried(text).returncode, 1, text)
            self.assertEqual(self.tried(text, "include/belay/floats.h").returncode, 0)

    def test_no_tables(self):
        for text in (
                "#define BELAY_ELEMENT_KERNEL(Id, Type, Dump) Id,\n#include \"belay/elements.def\"",
                "isOneOf(T, {Elem::S16, Elem::S32, Elem::F16, Elem::F32})",
                "BELAY_DTYPES(Not, S16 | U16, S16 | U16, S32 | F16, S8 | U64)",
                "BELAY_CAST(2201, F16, S32, R)\nBELAY_CAST(2201, F16, S16, R)\n"
                "BELAY_CAST(2201, S64, F32, R)\nBELAY_CAST(2201, BF16, F32, N)",
                "TypeList<int8_t, int16_t, int32_t, F16, BF16, float>",
                "case Elem::S8:\ncase Elem::S16:\ncase Elem::F16:\ncase Elem::F32:\n  return true;",
                "void f(int8_t a, int16_t b, int32_t c, int64_t d, float e = 1);",
                '// "int8", "int16", "int32", "float16"',
                'if (Name == "half" || Name == "bfloat16")',
                "uint8_t A = 1;\nuint16_t B = 2;\nuint32_t C = 3;\nint64_t D = 4;"):
            ran = self.tried(text)
            self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_the_table_itself(self):
        text = 'ROW(INT8, 2)\nROW(INT16, 6)\nROW(FLOAT16, 1)\nROW(BF16, 27)'
        self.assertEqual(self.tried(text, "include/belay/elements.def").returncode, 0)


if __name__ == "__main__":
    unittest.main()
