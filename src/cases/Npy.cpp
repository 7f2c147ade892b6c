//===- Npy.cpp - NumPy's array files --------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/Npy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include <sys/stat.h>

using namespace llvm;
using namespace belay::cases;
using namespace belay::support;

static constexpr StringLiteral Magic = "\x93NUMPY";
/// NumPy itself refuses longer headers by default.
static constexpr uint64_t MaxHeaderBytes = 10000;

namespace {

/// Reads the one Python literal that a header may hold: a dict with the keys
/// descr, fortran_order and shape.
class HeaderParser {
public:
  explicit HeaderParser(StringRef Text) : Rest(Text) {}

  Error parse(NpyHeader &Header) {
    if (!take('{'))
      return fail("a dictionary");
    bool HaveDescr = false, HaveOrder = false, HaveShape = false;
    while (!take('}')) {
      StringRef Key;
      if (!takeString(Key) || !take(':'))
        return fail("a key");
      if (Key == "descr" && !HaveDescr) {
        HaveDescr = true;
        if (Error E = parseDescr(Header))
          return E;
      } else if (Key == "fortran_order" && !HaveOrder) {
        HaveOrder = true;
        if (!takeBool(Fortran))
          return fail("True or False after 'fortran_order'");
      } else if (Key == "shape" && !HaveShape) {
        HaveShape = true;
        if (Error E = parseShape(Header))
          return E;
      } else {
        return createStringError(formatv("unexpected key '{0}'", Key));
      }
      if (take(','))
        continue;
      if (!take('}'))
        return fail("',' or '}'");
      break;
    }
    if (!HaveDescr || !HaveOrder || !HaveShape)
      return fail("descr, fortran_order and shape");
    if (Fortran && count_if(Header.Tensor.Shape,
                            [](uint64_t Extent) { return Extent > 1; }) > 1)
      return createStringError(
          "the array is in Fortran order; save np.ascontiguousarray(x)");
    return Error::success();
  }

private:
  Error fail(const Twine &Wanted) {
    return createStringError("the header does not hold " + Wanted);
  }

  bool take(char C) {
    Rest = Rest.ltrim(" \n\t");
    return Rest.consume_front(StringRef(&C, 1));
  }

  bool takeString(StringRef &Text) {
    Rest = Rest.ltrim(" \n\t");
    if (Rest.empty() || (Rest[0] != '\'' && Rest[0] != '"'))
      return false;
    size_t End = Rest.find(Rest[0], 1);
    if (End == StringRef::npos)
      return false;
    Text = Rest.slice(1, End);
    Rest = Rest.drop_front(End + 1);
    return true;
  }

  bool takeBool(bool &Value) {
    Rest = Rest.ltrim(" \n\t");
    Value = Rest.consume_front("True");
    return Value || Rest.consume_front("False");
  }

  Error parseDescr(NpyHeader &Header) {
    StringRef Descr;
    if (!takeString(Descr))
      return createStringError("structured arrays are not supported");
    if (Descr.starts_with(">"))
      return createStringError(formatv(
          "the elements are big endian ('{0}'); save x.astype(\"<{1}\")", Descr,
          Descr.drop_front()));
    StringRef Code = Descr;
    if (!Code.empty() && StringRef("<|=").contains(Code[0]))
      Code = Code.drop_front();
    Header.MayBeBFloat16 = Code == "u2" || Code == "i2" || Code == "V2";
    if (Code == "V2") {
      Header.Tensor.Type = DataType::BF16;
      return Error::success();
    }
#define BELAY_ELEMENT_CASE(Id, Stored, Text, NumPy)                            \
  if (DataType::Id != DataType::BF16 &&                                        \
      Code == StringRef(NumPy).drop_front()) {                                 \
    Header.Tensor.Type = DataType::Id;                                         \
    return Error::success();                                                   \
  }
#include "belay/elements.def"
    return createStringError(
        formatv("element type '{0}' is not supported", Descr));
  }

  Error parseShape(NpyHeader &Header) {
    if (!take('('))
      return fail("a tuple after 'shape'");
    while (!take(')')) {
      Rest = Rest.ltrim(" \n\t");
      uint64_t Extent = 0;
      if (Rest.consumeInteger(10, Extent))
        return fail("numbers in 'shape'");
      Rest.consume_front("L"); // written by Python 2
      if (Header.Tensor.Shape.size() == 32)
        return createStringError("the array has more than 32 dimensions");
      Header.Tensor.Shape.push_back(Extent);
      if (take(','))
        continue;
      if (!take(')'))
        return fail("',' or ')' in 'shape'");
      break;
    }
    return Error::success();
  }

  StringRef Rest;
  bool Fortran = false;
};

} // namespace

Expected<NpyHeader> belay::cases::parseNpyHeader(StringRef Bytes) {
  if (!Bytes.starts_with(Magic) || Bytes.size() < 12)
    return createStringError("this is not a .npy file");
  unsigned Version = static_cast<uint8_t>(Bytes[6]);
  if (Version < 1 || Version > 3)
    return createStringError(formatv("unknown .npy version {0}", Version));
  uint64_t LengthBytes = Version == 1 ? 2 : 4;
  uint64_t Length = Version == 1
                        ? llvm::support::endian::read16le(Bytes.data() + 8)
                        : llvm::support::endian::read32le(Bytes.data() + 8);
  NpyHeader Header;
  Header.DataOffset = 8 + LengthBytes + Length;
  if (Length > MaxHeaderBytes)
    return createStringError(
        formatv("the header claims {0} bytes; NumPy writes no more than {1}",
                Length, MaxHeaderBytes));
  if (Header.DataOffset > Bytes.size())
    return createStringError("the file ends inside its header");
  HeaderParser Parser(Bytes.substr(8 + LengthBytes, Length));
  if (Error E = Parser.parse(Header))
    return E;
  std::optional<uint64_t> Count = countElements(Header.Tensor.Shape);
  if (!Count || *Count > MaxBufferBytes / bytesOf(Header.Tensor.Type))
    return createStringError("the array is larger than 1 TiB");
  return Header;
}

std::string belay::cases::formatNpyHeader(const TensorType &Tensor) {
  StringRef Descr;
  switch (Tensor.Type) {
#define BELAY_ELEMENT_CASE(Id, Stored, Text, NumPy)                            \
  case DataType::Id:                                                           \
    Descr = NumPy;                                                             \
    break;
#include "belay/elements.def"
  }
  std::string Shape;
  for (uint64_t Extent : Tensor.Shape)
    Shape += std::to_string(Extent) + ", ";
  if (Tensor.Shape.size() > 1)
    Shape.resize(Shape.size() - 2);
  else if (Tensor.Shape.size() == 1)
    Shape.pop_back(); // "(3,)"
  std::string Dict =
      formatv("{{'descr': '{0}', 'fortran_order': False, 'shape': ({1}), }",
              Descr, Shape)
          .str();
  // Magic, version and length take 10 bytes; the elements begin on 64.
  uint64_t Total = alignTo(10 + Dict.size() + 1, 64);
  Dict.resize(Total - 10 - 1, ' ');
  Dict += '\n';
  std::string Header = (Magic + StringRef("\1\0", 2)).str();
  Header += static_cast<char>(Dict.size() & 0xff);
  Header += static_cast<char>(Dict.size() >> 8);
  return Header + Dict;
}

Expected<NpyFile> NpyFile::open(StringRef Path) {
  Expected<Descriptor> File = openRegularFile(Path);
  if (!File)
    return File.takeError();
  struct stat Status;
  if (::fstat(File->get(), &Status) != 0)
    return errorFromErrno(Path);
  auto Size = static_cast<uint64_t>(Status.st_size);

  std::string Start(std::min<uint64_t>(Size, MaxHeaderBytes + 12), '\0');
  if (Error E = readAt(File->get(), 0, toMutableBytes(Start), Path))
    return E;
  Expected<NpyHeader> Header = parseNpyHeader(Start);
  if (!Header)
    return createStringError(Path + ": " + toString(Header.takeError()));
  uint64_t Wanted = Header->DataOffset + Header->Tensor.bytes();
  if (Size < Wanted)
    return createStringError(
        formatv("{0}: {1} needs {2} bytes, but the file has {3}", Path,
                Header->Tensor.str(), Wanted, Size));
  return NpyFile(Path.str(), std::move(*Header), std::move(*File));
}

Error NpyFile::read(MutableArrayRef<uint8_t> Bytes) const {
  assert(Bytes.size() == Header.Tensor.bytes() && "one buffer, one array");
  return readAt(File.get(), Header.DataOffset, Bytes, Path);
}

bool NpyFile::holds(DataType Type) const {
  return Header.Tensor.Type == Type ||
         (Type == DataType::BF16 && Header.MayBeBFloat16);
}

Error belay::cases::writeNpy(StringRef Path, const TensorType &Tensor,
                             ArrayRef<uint8_t> Bytes) {
  std::string Header = formatNpyHeader(Tensor);
  return writeFile(Path, {toBytes(Header), Bytes});
}
