// NetcdfFile: an open netCDF-4 file. Every call that fails throws with the file and netCDF's reason: InputError of a
// file that is read, OutputError of one that is written.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace extremal {

class NetcdfFile {
 public:
  enum class Mode { create, append, read };
  NetcdfFile(std::string path, Mode mode);
  NetcdfFile(NetcdfFile&& other) noexcept;
  NetcdfFile& operator=(NetcdfFile&&) = delete;
  ~NetcdfFile();
  // Errors of writing may come only here.
  void close();

  int id() const { return id_; }
  void check(int result, const std::string& what) const;

  int group(const std::string& name);  // found or made
  int dimension(int group, const std::string& name, std::size_t length);
  // What is in chunks has checksums.
  int variable(int group, const std::string& name, int type, const std::vector<int>& dimensions,
               const std::vector<std::size_t>& chunks = {});
  int find_variable(int group, const std::string& name) const;  // -1 if there is none
  std::size_t length(int group, const std::string& dimension) const;

  // Of the file with variable = NC_GLOBAL (-1).
  void text(int variable, const std::string& name, const std::string& value);
  void number(int variable, const std::string& name, double value);
  void integer(int variable, const std::string& name, long long value);
  std::map<std::string, std::string> attributes(int variable) const;  // numbers as text

  void strings(int variable, const std::vector<std::string>& values);
  std::vector<std::string> strings(int variable, std::size_t count) const;

 private:
  std::string path_;
  Mode mode_;
  int id_ = -1;
};

}  // namespace extremal
