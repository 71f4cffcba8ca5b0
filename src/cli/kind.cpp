#include "cli/kind.hpp"

#include <algorithm>
#include <filesystem>

#include "archive/seal.hpp"
#include "archive/sweep_archive.hpp"
#include "extremal/error.hpp"
#include "extremal/models.hpp"

namespace extremal::cli {
namespace {

bool is_model(const std::string& name) {
  const std::vector<std::string> known = model_names();
  return std::find(known.begin(), known.end(), name.substr(0, name.find('('))) != known.end();
}

}  // namespace

void expect_model(const std::string& name) {
  std::error_code error;
  if (std::filesystem::is_directory(name, error) && !is_model(name))
    throw InputError(name + ": found a folder; expected a model file; try " +
                     (std::filesystem::path(name) / "").string() + "NAME.toml");
  if (is_netcdf(name))
    throw InputError(name + ": found an archive; expected a model or a model file; try extremal show " + name +
                     ", or " + "extremal report " + name);
}

void expect_sweep_file(const std::string& path) {
  std::error_code error;
  const std::string expected = "; expected a sweep file (docs/sweep.md); try ";
  if (is_netcdf(path)) throw InputError(path + ": found an archive" + expected + "extremal show " + path);
  if (std::filesystem::is_directory(path, error))
    throw InputError(path + ": found a folder" + expected + (std::filesystem::path(path) / "").string() + "NAME.toml");
  if (is_model(path) && !std::filesystem::exists(path, error))
    throw InputError(path + ": found a model" + expected + "a file with model = \"" + path + "\"");
}

void expect_run_archive(const std::string& path) {
  if (SweepArchive::is(path))
    throw InputError(path + ": found the archive of a sweep; expected that of a run; try extremal show " + path);
  if (path.ends_with(".toml") || (is_model(path) && !std::filesystem::exists(path)))
    throw InputError(path + ": found a model; expected an archive of its run; try extremal run " + path +
                     " --archive run.nc, and then extremal report run.nc");
}

}  // namespace extremal::cli
