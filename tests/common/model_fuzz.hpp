// Any text as a model file: read within small limits, whatever it is.
//
// The only thing that may happen is an error that begins with the file, the line and the column and is of bounded
// length; a text that is a model is one again with other values of its parameters, or is refused so.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

#include "extremal/error.hpp"
#include "file/reader.hpp"

namespace extremal {

inline bool has_place(std::string_view message, std::string_view file) {
  if (!message.starts_with(file)) return false;
  std::size_t at = file.size();
  for (int part = 0; part < 2; ++part) {
    if (at >= message.size() || message[at] != ':') return false;
    const std::size_t begin = ++at;
    while (at < message.size() && message[at] >= '0' && message[at] <= '9') ++at;
    if (at == begin) return false;
  }
  return message.substr(at).starts_with(": ");
}

inline void fuzz_model(std::string_view text) {
  const ModelLimits limits{
      .parameters = 50,
      .parts = 200,
      .evaluated = 20000,
      .formulas = {.operations = 2000, .all_operations = 5000, .coordinates = 16, .rows = 16, .all_text = 20000}};
  const auto attempt = [&](auto action) {
    try {
      action();
    } catch (const InputError& error) {
      const std::string_view message = error.what();
      if (message.size() > 6000 || !has_place(message, "fuzz.toml")) std::abort();
    }
  };
  attempt([&] {
    const Model model = read_model_within(text, "fuzz.toml", {}, limits);
    if (model.start.q.size() != static_cast<std::size_t>(model.system.size())) std::abort();
    Settings settings;
    for (const auto& [name, value] : model.parameters) settings.emplace_back(name, value);
    const Model again = read_model_within(text, "fuzz.toml", settings, limits);
    if (again.system.coordinate_names() != model.system.coordinate_names()) std::abort();
  });
}

}  // namespace extremal
