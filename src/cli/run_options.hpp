// The keys of [run] (run/keys.hpp) as options of a command.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "run/keys.hpp"

namespace extremal::cli {

class RunKeyOptions {
 public:
  // All of them, or those that sweeps have. The object has to outlive the parsing.
  void declare(Command& command, bool sweep);
  // Those that were given. InputError names the option.
  RunTexts said() const;

 private:
  bool sweep_ = false;
  std::map<std::string, std::string> texts_;
  std::map<std::string, std::vector<std::string>> lists_;
  std::map<std::string, bool> flags_;
};

}  // namespace extremal::cli
