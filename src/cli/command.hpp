// The commands of the program, one file each. A command declares its options to the parser and leaves its exit
// code: 0 complete, 1 the computation failed or a law does not hold, 2 bad input (thrown as InputError), 3 interrupted
// by the user, or because there was no room for the output.
#pragma once

#include <string>

#include "cli/program.hpp"

namespace extremal::cli {

enum ExitCode { complete = 0, failed = 1, bad_input = 2, interrupted = 3 };

void add_list(Command& program, int& exit_code);
void add_show(Command& program, int& exit_code);
void add_run(Command& program, int& exit_code, const std::string& command_line);
void add_sweep(Command& program, int& exit_code, const std::string& command_line);
void add_resume(Command& program, int& exit_code);
void add_report(Command& program, int& exit_code);
void add_settle(Command& program, int& exit_code);
void add_check(Command& program, int& exit_code);
void add_study(Command& program, int& exit_code);
void add_compare(Command& program, int& exit_code);
void add_cite(Command& program, int& exit_code);
void add_bench(Command& program, int& exit_code);
void add_export(Command& program, int& exit_code);
void add_import(Command& program, int& exit_code);
void add_demo(Command& program, int& exit_code);

}  // namespace extremal::cli
