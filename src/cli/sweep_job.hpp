// SweepJob: how a sweep is computed – where its archive is, on how many threads – for `sweep` and `resume`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/sweep_request.hpp"
#include "sweep/work.hpp"

namespace extremal::cli {

struct SweepJob {
  std::string archive;
  unsigned threads = 0;  // 0: all cores, or one on each rank of MPI
  bool json = false;

  void declare(CLI::App& command);
  // Computes what is missing and says how it ended; the exit code.
  int run(const SweepRequest::Read& what) const;
};

}  // namespace extremal::cli
