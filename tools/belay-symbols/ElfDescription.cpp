//===- ElfDescription.cpp - What an object says of its kernel -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The structures of abi/Entry.h as they lie in the file. Their pointers are
// what the loader would make of the object's relocations, relative to an object
// that is loaded at 0.
//
//===----------------------------------------------------------------------===//

#include "ElfDescription.h"

#include "abi/Entry.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Object/ELF.h"

#include <cstddef>
#include <cstring>

using namespace llvm;
using belay::sim::Entry;
using belay::sim::Field;
using belay::sim::Param;
using belay::sim::ParamKind;
using belay::sim::TaskKind;
using belay::sim::TaskNote;
using Elf = object::ELFFile<object::ELF64LE>;

namespace {

/// More than any kernel has.
constexpr uint64_t MaxItems = 1 << 16, MaxNameBytes = 1 << 12;
constexpr size_t MaxRelocations = 1 << 22;

Error malformed(const Twine &What) {
  return createStringError("the object is malformed: " + What);
}

/// An object as it would be in memory.
class Image {
public:
  static Expected<Image> create(MemoryBufferRef Object);

  /// Reads a structure, without its pointers.
  template <typename T> Expected<T> read(uint64_t Address) const {
    // Numbers of the file: they need not be values of bool or enumerations.
    static_assert(std::is_trivially_copyable_v<T>);
    Expected<StringRef> From = bytes(Address, sizeof(T));
    if (!From)
      return From.takeError();
    T Value;
    std::memcpy(&Value, From->data(), sizeof(T));
    return Value;
  }
  /// The pointer at an address.
  Expected<uint64_t> pointer(uint64_t Address) const {
    auto Known = Pointers.find(Address);
    if (Known != Pointers.end())
      return Known->second;
    return read<uint64_t>(Address);
  }
  Expected<std::string> text(uint64_t Address) const;
  std::optional<uint64_t> symbol(StringRef Name) const {
    auto Known = Symbols.find(Name);
    return Known == Symbols.end() ? std::nullopt : std::optional(Known->second);
  }
  json::Array undefined() const;

private:
  explicit Image(Elf File) : File(std::move(File)) {}
  Error readSegments();
  Error readSymbols();
  Error readRelocations();
  Error relocate(const Elf::Elf_Rela &Each);
  /// So many bytes at an address, or fails.
  Expected<StringRef> bytes(uint64_t Address, uint64_t Count) const;

  struct Segment {
    uint64_t Address;
    StringRef Bytes;
  };
  struct Symbol {
    uint64_t Value;
    bool Defined, Weak;
    StringRef Name;
  };
  Elf File;
  std::vector<Segment> Segments;
  std::vector<Symbol> Table; // as the file numbers them
  StringMap<uint64_t> Symbols;
  DenseMap<uint64_t, uint64_t> Pointers;
};

Expected<Image> Image::create(MemoryBufferRef Object) {
  Expected<Elf> File = Elf::create(Object.getBuffer());
  if (!File)
    return File.takeError();
  Image Made(std::move(*File));
  if (Error E = Made.readSegments())
    return E;
  if (Error E = Made.readSymbols())
    return E;
  if (Error E = Made.readRelocations())
    return E;
  return Made;
}

Error Image::readSegments() {
  auto Headers = File.program_headers();
  if (!Headers)
    return Headers.takeError();
  StringRef All(reinterpret_cast<const char *>(File.base()), File.getBufSize());
  for (const Elf::Elf_Phdr &Each : *Headers) {
    if (Each.p_type != ELF::PT_LOAD)
      continue;
    if (Each.p_offset > All.size() ||
        Each.p_filesz > All.size() - Each.p_offset)
      return malformed("a segment outside of the file");
    Segments.push_back(
        {Each.p_vaddr, All.substr(Each.p_offset, Each.p_filesz)});
  }
  return Error::success();
}

Error Image::readSymbols() {
  auto Sections = File.sections();
  if (!Sections)
    return Sections.takeError();
  for (const Elf::Elf_Shdr &Section : *Sections) {
    if (Section.sh_type != ELF::SHT_DYNSYM)
      continue;
    auto List = File.symbols(&Section);
    if (!List)
      return List.takeError();
    auto Names = File.getStringTableForSymtab(Section);
    if (!Names)
      return Names.takeError();
    for (const Elf::Elf_Sym &Each : *List) {
      Expected<StringRef> Name = Each.getName(*Names);
      if (!Name)
        return Name.takeError();
      bool Defined = Each.st_shndx != ELF::SHN_UNDEF;
      Table.push_back(
          {Each.st_value, Defined, Each.getBinding() == ELF::STB_WEAK, *Name});
      if (Defined)
        Symbols.try_emplace(*Name, Each.st_value);
    }
    return Error::success();
  }
  return malformed("no dynamic symbols");
}

Error Image::readRelocations() {
  auto Sections = File.sections();
  if (!Sections)
    return Sections.takeError();
  for (const Elf::Elf_Shdr &Section : *Sections) {
    if (Section.sh_type != ELF::SHT_RELA ||
        !(Section.sh_flags & ELF::SHF_ALLOC))
      continue;
    auto List = File.relas(Section);
    if (!List)
      return List.takeError();
    if (List->size() > MaxRelocations)
      return malformed("too many relocations");
    for (const Elf::Elf_Rela &Each : *List)
      if (Error E = relocate(Each))
        return E;
  }
  return Error::success();
}

Error Image::relocate(const Elf::Elf_Rela &Each) {
  bool X86 = File.getHeader().e_machine == ELF::EM_X86_64;
  uint32_t Type = Each.getType(/*isMips64EL=*/false);
  auto Addend = static_cast<uint64_t>(Each.r_addend);
  uint64_t Address = Each.r_offset;
  // DenseMap keeps two keys for itself.
  if (Address >= DenseMapInfo<uint64_t>::getTombstoneKey())
    return malformed("a relocation outside of the object");
  uint32_t Relative = ELF::R_AARCH64_RELATIVE, Absolute = ELF::R_AARCH64_ABS64;
  if (X86) {
    Relative = ELF::R_X86_64_RELATIVE;
    Absolute = ELF::R_X86_64_64;
  }
  if (Type == Relative) {
    Pointers[Address] = Addend;
  } else if (Type == Absolute) {
    uint32_t Index = Each.getSymbol(/*isMips64EL=*/false);
    if (Index >= Table.size())
      return malformed("a relocation with a symbol that there is not");
    if (Table[Index].Defined)
      Pointers[Address] = Table[Index].Value + Addend;
  }
  return Error::success();
}

Expected<StringRef> Image::bytes(uint64_t Address, uint64_t Count) const {
  for (const Segment &Each : Segments) {
    uint64_t Offset = Address - Each.Address;
    if (Address >= Each.Address && Offset <= Each.Bytes.size() &&
        Count <= Each.Bytes.size() - Offset)
      return Each.Bytes.substr(Offset, Count);
  }
  return malformed("an address outside of its segments");
}

Expected<std::string> Image::text(uint64_t Address) const {
  for (const Segment &Each : Segments) {
    uint64_t Offset = Address - Each.Address;
    if (Address < Each.Address || Offset >= Each.Bytes.size())
      continue;
    StringRef Rest = Each.Bytes.substr(Offset, MaxNameBytes);
    size_t End = Rest.find('\0');
    if (End == StringRef::npos)
      break;
    return json::fixUTF8(Rest.take_front(End));
  }
  return malformed("a name outside of its segments");
}

json::Array Image::undefined() const {
  json::Array Names;
  for (const Symbol &Each : Table)
    if (!Each.Defined && !Each.Weak && !Each.Name.empty())
      Names.push_back(json::fixUTF8(Each.Name));
  return Names;
}

/// Bytes of the file where a value of an enumeration should be.
template <typename T> unsigned numberOf(const T &Member) {
  unsigned char Byte;
  static_assert(sizeof(T) == 1);
  std::memcpy(&Byte, &Member, 1);
  return Byte;
}

Expected<StringRef> nameOf(const ParamKind &Kind) {
  constexpr StringLiteral Names[] = {"pointer", "integer", "float",
                                     "aggregate"};
  unsigned Number = numberOf(Kind);
  if (Number >= std::size(Names))
    return malformed("a kind of parameter");
  return Names[Number];
}

Expected<StringRef> nameOf(const TaskKind &Kind) {
  constexpr StringLiteral Names[] = {"unset", "vector", "cube",
                                     "mix11", "mix12",  "coupled"};
  unsigned Number = numberOf(Kind);
  if (Number >= std::size(Names))
    return malformed("a kind of task");
  return Names[Number];
}

Expected<json::Array> paramsOf(const Image &From, uint64_t At, uint32_t Count) {
  json::Array All;
  for (uint32_t N = 0; N < Count; ++N) {
    auto P = From.read<Param>(At + N * sizeof(Param));
    if (!P)
      return P.takeError();
    auto Kind = nameOf(P->Kind);
    if (!Kind)
      return Kind.takeError();
    All.push_back(json::Object{
        {"kind", *Kind}, {"bytes", P->Bytes}, {"align", P->Alignment}});
  }
  return All;
}

Expected<json::Array> fieldsOf(const Image &From, uint64_t At, uint32_t Count) {
  json::Array All;
  for (uint32_t N = 0; N < Count; ++N) {
    uint64_t Here = At + N * sizeof(Field);
    auto F = From.read<Field>(Here);
    if (!F)
      return F.takeError();
    auto Where = From.pointer(Here + offsetof(Field, Name));
    if (!Where)
      return Where.takeError();
    auto Name = From.text(*Where);
    if (!Name)
      return Name.takeError();
    auto Kind = nameOf(F->Kind);
    if (!Kind)
      return Kind.takeError();
    All.push_back(json::Object{{"name", *Name},
                               {"offset", F->Offset},
                               {"elementBytes", F->ElementBytes},
                               {"count", F->Count},
                               {"kind", *Kind},
                               {"signed", numberOf(F->Signed) != 0}});
  }
  return All;
}

Expected<json::Object> taskOf(const Image &From, uint64_t At) {
  auto T = From.read<TaskNote>(At);
  if (!T)
    return T.takeError();
  auto Where = From.pointer(At + offsetof(TaskNote, Function));
  if (!Where)
    return Where.takeError();
  auto Function = From.text(*Where);
  if (!Function)
    return Function.takeError();
  auto Kind = nameOf(T->Kind);
  if (!Kind)
    return Kind.takeError();
  json::Value Key = nullptr;
  if (!numberOf(T->AnyKey))
    Key = T->TilingKey;
  return json::Object{{"function", *Function}, {"key", Key}, {"kind", *Kind}};
}

/// Two variables hold the bounds of the section.
Expected<json::Array> tasksOf(const Image &From) {
  json::Array All;
  std::optional<uint64_t> First = From.symbol("belay_tasks_begin"),
                          Last = From.symbol("belay_tasks_end");
  if (!First || !Last)
    return All;
  auto Begin = From.pointer(*First);
  if (!Begin)
    return Begin.takeError();
  auto End = From.pointer(*Last);
  if (!End)
    return End.takeError();
  if (*End < *Begin || *End - *Begin > MaxItems * sizeof(TaskNote) ||
      (*End - *Begin) % sizeof(TaskNote))
    return malformed("notes of tasks");
  for (uint64_t At = *Begin; At < *End; At += sizeof(TaskNote)) {
    auto Task = taskOf(From, At);
    if (!Task)
      return Task.takeError();
    All.push_back(std::move(*Task));
  }
  return All;
}

} // namespace

Expected<json::Object> describeElf(MemoryBufferRef Object) {
  Expected<Image> From = Image::create(Object);
  if (!From)
    return From.takeError();
  std::optional<uint64_t> At = From->symbol("belay_entry");
  if (!At)
    return malformed("no belay_entry");
  auto E = From->read<Entry>(*At);
  if (!E)
    return E.takeError();
  if (E->Version != belay::sim::EntryVersion || E->NumParams > MaxItems ||
      E->NumFields > MaxItems)
    return malformed("not a kernel of this version");
  auto NameAt = From->pointer(*At + offsetof(Entry, Name));
  auto ParamsAt = From->pointer(*At + offsetof(Entry, Params));
  auto FieldsAt = From->pointer(*At + offsetof(Entry, Fields));
  if (Error Bad =
          joinErrors(joinErrors(NameAt.takeError(), ParamsAt.takeError()),
                     FieldsAt.takeError()))
    return Bad;
  auto Name = From->text(*NameAt);
  auto Params = paramsOf(*From, *ParamsAt, E->NumParams);
  auto Fields = fieldsOf(*From, *FieldsAt, E->NumFields);
  auto Tasks = tasksOf(*From);
  if (Error Bad = joinErrors(joinErrors(Name.takeError(), Params.takeError()),
                             joinErrors(Fields.takeError(), Tasks.takeError())))
    return Bad;
  return json::Object{{"name", *Name},
                      {"params", std::move(*Params)},
                      {"tiling", json::Object{{"bytes", E->TilingBytes},
                                              {"fields", std::move(*Fields)}}},
                      {"tasks", std::move(*Tasks)},
                      {"undefined", From->undefined()}};
}
