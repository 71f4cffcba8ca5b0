// What the program may write over: files of the same kind that it has written itself, as `--archive` replaces archives.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "extremal/error.hpp"

namespace extremal::cli {

// A file that begins so, or has that among its first 4000 characters, is ours. InputError if it is another's.
inline void expect_replaceable(const std::string& option, const std::string& path, const std::string& mark,
                               bool at_begin, const std::string& what) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw InputError(option + " " + path + ": found a folder; expected the name of a file");
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) == 0) return;
  std::string head(4000, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  if (at_begin ? head.starts_with(mark) : head.find(mark) != std::string::npos) return;
  throw InputError(option + " " + path + ": found a file that is not " + what +
                   " of extremal; expected a new name, or such a file to replace");
}

}  // namespace extremal::cli
