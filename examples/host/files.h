// Numbers in files, as NumPy's tofile and fromfile have them.
#ifndef EXAMPLES_HOST_FILES_H
#define EXAMPLES_HOST_FILES_H

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

template <class T> std::vector<T> read_numbers(const std::string &path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file)
    throw std::runtime_error(path + " cannot be read");
  std::vector<T> numbers(static_cast<std::size_t>(file.tellg()) / sizeof(T));
  file.seekg(0);
  file.read(reinterpret_cast<char *>(numbers.data()),
            static_cast<std::streamsize>(numbers.size() * sizeof(T)));
  return numbers;
}

template <class T>
void write_numbers(const std::string &path, const std::vector<T> &numbers) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char *>(numbers.data()),
             static_cast<std::streamsize>(numbers.size() * sizeof(T)));
  if (!file)
    throw std::runtime_error(path + " cannot be written");
}

#endif
