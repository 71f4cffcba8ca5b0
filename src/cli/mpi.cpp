#include "cli/mpi.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "extremal/error.hpp"

namespace extremal::cli {
namespace {

// Open MPI; MPICH and its relatives; what speaks PMIx, as srun.
bool started_by_mpi() {
  const auto set = [](const char* name) { return std::getenv(name) != nullptr; };
  return set("OMPI_COMM_WORLD_SIZE") || set("PMI_SIZE") || set("PMIX_RANK");
}

}  // namespace

sweep::Transport* mpi() {
  if (!started_by_mpi()) return nullptr;
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& folder : {here, here / EXTREMAL_MODULES}) {
    const fs::path module = folder / "extremal_mpi.so";
    if (!fs::exists(module, error)) continue;
    void* loaded = dlopen(module.c_str(), RTLD_NOW | RTLD_GLOBAL);  // Open MPI's own modules look for its symbols
    if (loaded == nullptr) throw InputError(std::string("MPI: ") + dlerror() + "; expected its libraries");
    const auto make = reinterpret_cast<sweep::Transport* (*)()>(dlsym(loaded, "extremal_transport"));
    if (make != nullptr) return make();
  }
  throw InputError(
      "MPI: found ranks and a program that was built without it; expected one built where MPI is installed; try "
      "without "
      "mpirun");
}

}  // namespace extremal::cli
