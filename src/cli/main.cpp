// The program: reads the command line, and turns every refusal into one line and exit code 2.
#include <dlfcn.h>

#include <algorithm>
#include <iostream>

#include "cli/command.hpp"
#include "cli/stop.hpp"
#include "extremal/error.hpp"
#include "words/grammar.hpp"

namespace {

using namespace extremal;

// What goes to the terminal is one line, whatever the user's arguments contain.
int refused(std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::cerr << "extremal: " << message << "\n";
  return cli::bad_input;
}

// As one would type it again.
std::string command_line(int argc, char** argv) {
  std::string line = "extremal";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain = !word.empty() && word.find_first_of(" \t\n\"'\\\\()*?$&;<>|#~`") == std::string::npos;
    line += plain ? " " + word : " \"" + word + "\"";
  }
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  cli::hear_signals();
  // HDF5 would try to write once more, as the program ends, what a full disk has refused, and crash.
  if (void* found = dlsym(RTLD_DEFAULT, "H5dont_atexit")) reinterpret_cast<int (*)()>(found)();
  cli::Program program("extremal", "Variational integrators of mechanical systems with holonomic constraints.",
                       "extremal " EXTREMAL_VERSION);
  program.footer(
      "Examples:\n"
      "  extremal demo                                     what it is about, in a few seconds\n"
      "  extremal list models\n"
      "  extremal show models/double-four-bar.toml         what a model file means\n"
      "  extremal run pendulum --scheme rattle --step 0.05 --until 100\n"
      "  extremal import robot.urdf > robot.toml           a robot as a model file\n"
      "  extremal settle pendulum --modes                  where it comes to rest, and how it vibrates there\n"
      "  extremal check pendulum --scheme \"spark(3)\"\n"
      "  extremal study orders pendulum --scheme rattle    orders of convergence, measured\n"
      "  extremal compare pendulum rattle \"spark(3)\"       schemes side by side\n"
      "  extremal cite rattle                              what to cite\n"
      "  extremal sweep pendulums.toml                     many runs, on all cores\n"
      "  extremal resume run.nc                            go on with a run that was stopped\n"
      "  extremal bench                                    what steps cost on this machine\n"
      "  extremal report run.nc                            the motion and the plots, as a page for a browser\n"
      "extremal COMMAND --help says more.\n"
      "Exit codes: 0 complete; 1 the run failed or is suspect, or a law does not hold; 2 bad input; 3 interrupted.");
  cli::Invocation invocation{command_line(argc, argv)};
#define EXTREMAL_COMMAND(name) cli::add_##name(program, invocation);
  EXTREMAL_COMMANDS(EXTREMAL_COMMAND)
#undef EXTREMAL_COMMAND

  try {
    if (!program.parse(argc, argv)) return cli::complete;
  } catch (const Refusal& refusal) {
    return refused(refusal.reason);
  } catch (const InputError& error) {
    return refused(error.what());
  } catch (const std::exception& error) {
    std::cerr << "extremal: " << error.what() << "\n";
    return cli::failed;
  }
  std::cout.flush();
  if (!std::cout) return refused("standard output: cannot write; expected a pipe or file with room");
  return invocation.exit_code;
}
