// The commands of the program, one file each. A command declares its options to the parser and leaves its exit
// code: 0 complete, 1 the computation failed or a law does not hold, 2 bad input (thrown as InputError), 3 interrupted
// by the user.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace extremal::cli {

enum ExitCode { complete = 0, failed = 1, bad_input = 2, interrupted = 3 };

void add_list(CLI::App& program, int& exit_code);
void add_show(CLI::App& program, int& exit_code);
void add_run(CLI::App& program, int& exit_code, const std::string& command_line);
void add_sweep(CLI::App& program, int& exit_code, const std::string& command_line);
void add_resume(CLI::App& program, int& exit_code);
void add_report(CLI::App& program, int& exit_code);
void add_check(CLI::App& program, int& exit_code);
void add_study(CLI::App& program, int& exit_code);
void add_compare(CLI::App& program, int& exit_code);
void add_cite(CLI::App& program, int& exit_code);
void add_bench(CLI::App& program, int& exit_code);
void add_demo(CLI::App& program, int& exit_code);

}  // namespace extremal::cli
