// Request: what `run` and `check` are asked to do – a model, by its name or its file, changed by --set and --start, and
// a scheme.
//
//   --set NAME=VALUE      a parameter of the model
//   --start NAME=VALUE    a coordinate x, its velocity v:x, its momentum p:x, or the time t
// A VALUE is a constant expression (number.hpp): 0.6, -1e-3, sqrt(2)/2.
#pragma once

#include <string>
#include <vector>

#include "cli/program.hpp"
#include "extremal/models.hpp"

namespace extremal::cli {

struct Request {
  std::string model_name, scheme_name, slack;
  std::vector<std::string> settings, starts;
  bool json = false;

  void declare(Command& command);
  // Without --scheme: what `extremal show` needs. Returns the option MODEL.
  Option declare_model(Command& command);
  // The model with all changes applied. InputError names the option and the text that is wrong.
  Model model() const;
  // The one that was asked for, that of the model file, or one that suits the model.
  Scheme scheme(const Model& model) const;
};

// What does not look like a file is a name.
bool is_file(const std::string& name);

std::vector<std::string> symmetries(const System& system);

// A Number from an option's text; InputError names the option.
Number number(const std::string& option, const std::string& text);

}  // namespace extremal::cli
