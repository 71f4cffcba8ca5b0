// What `extremal sweep` is asked to do: a sweep file and the model that it names, with options that go before it.
#pragma once

#include <memory>
#include <string>

#include "archive/sweep_archive.hpp"
#include "cli/run_options.hpp"
#include "sweep/sweep.hpp"

namespace extremal::cli {

struct SweepRequest {
  std::string file;
  RunKeyOptions keys = {};

  struct Read {
    std::shared_ptr<const sweep::Sweep> sweep;
    SweepOrigin origin;
  };
  // InputError with file:line:column of what is wrong.
  Read read() const;
};

// From texts alone, as an archive has them, or another rank.
SweepRequest::Read read_sweep(const SweepOrigin& origin, const std::string& model_text);
SweepRequest::Read archived_sweep(const SweepArchive& archive);

}  // namespace extremal::cli
