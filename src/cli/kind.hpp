// What a file is that was given where another kind is expected: the refusal says so, and what to try.
#pragma once

#include <string>

namespace extremal::cli {

// InputError if it is an archive or a folder.
void expect_model(const std::string& name);
// InputError if it is an archive, a folder, or a model.
void expect_sweep_file(const std::string& path);
// InputError if it is the archive of a sweep, or a model file or a model's name.
void expect_run_archive(const std::string& path);

}  // namespace extremal::cli
