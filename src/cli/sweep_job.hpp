// SweepJob: how a sweep is computed – where its archive is, on how many threads – for `sweep` and `resume`.
#pragma once

#include <functional>
#include <string>

#include "cli/program.hpp"
#include "cli/sweep_request.hpp"
#include "sweep/work.hpp"

namespace extremal::cli {

struct SweepJob {
  std::string archive;
  unsigned threads = 0;  // 0: all cores, or one on each rank of MPI
  bool json = false;
  double size_limit = 1;  // GB

  void declare(Command& command);
  // Computes what is missing and says how it ended; the exit code. Under mpirun it is for rank 0 to read the sweep and
  // to write the archive, and the others need no file.
  int run(const std::function<SweepRequest::Read()>& read) const;

 private:
  // How many runs were computed.
  void expect_room(const sweep::Sweep& sweep) const;
  std::uint64_t keep(const SweepRequest::Read& what, sweep::Transport* transport) const;
};

}  // namespace extremal::cli
