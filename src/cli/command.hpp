// The commands of the program, one file each. A command declares its options to the parser and leaves its exit
// code: 0 complete, 1 the computation failed or a law does not hold, 2 bad input (thrown as InputError), 3 interrupted
// by the user, or because there was no room for the output.
//
// A new one is a source with its function, void add_NAME(Command&, Invocation&), and its name in the list here.
#pragma once

#include <string>

#include "cli/program.hpp"

namespace extremal::cli {

enum ExitCode { complete = 0, failed = 1, bad_input = 2, interrupted = 3 };

// What the program was called with, and what it ends with.
struct Invocation {
  std::string line;
  int exit_code = complete;
};

// In the order in which the help has them.
#define EXTREMAL_COMMANDS(command)                                                                                 \
  command(demo) command(list) command(show) command(run) command(import) command(export) command(sweep)            \
      command(resume) command(report) command(settle) command(check) command(study) command(compare) command(cite) \
          command(bench)

#define EXTREMAL_COMMAND(name) void add_##name(Command& program, Invocation& invocation);
EXTREMAL_COMMANDS(EXTREMAL_COMMAND)
#undef EXTREMAL_COMMAND

}  // namespace extremal::cli
