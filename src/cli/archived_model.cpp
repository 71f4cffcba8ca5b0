#include "cli/archived_model.hpp"

#include <algorithm>
#include <tuple>

#include "cli/request.hpp"

namespace extremal::cli {

Provenance provenance_of(const Model& model, const std::string& name, const Scheme& scheme,
                         const std::string& precision, const std::string& command) {
  Provenance out{.model = name,
                 .model_text = model.text,
                 .scheme = scheme.name,
                 .start = model.start,
                 .span = model.span,
                 .precision = precision,
                 .command = command};
  for (const auto& [parameter, value] : parameters(model)) {
    out.parameter_names.push_back(parameter);
    out.parameters.push_back(value);
  }
  return out;
}

// Parameters that are computed from others are left to be so, as far as that gives their value: set, they would be
// rounded before they are used and not after.
Model archived_model(const Provenance& provenance) {
  Settings settings;
  const auto read = [&] {
    return provenance.model_text.empty() ? model(provenance.model, settings)
                                         : read_model_text(provenance.model_text, provenance.model, settings);
  };
  Model found = read();
  for (const bool free : {true, false}) {
    const auto& own = found.system.parameter_names();
    for (std::size_t i = 0; i < provenance.parameters.size(); ++i) {
      const auto& [name, value] = std::tie(provenance.parameter_names[i], provenance.parameters[i]);
      const bool of_system = std::find(own.begin(), own.end(), name) != own.end();
      const auto known = std::find_if(found.parameters.begin(), found.parameters.end(),
                                      [&name = name](const auto& parameter) { return parameter.first == name; });
      if (known != found.parameters.end() && known->second.as<quad>() != value.as<quad>() && (of_system || !free))
        settings.emplace_back(name, value);
    }
    found = read();
  }
  for (std::size_t i = 0; i < provenance.parameters.size(); ++i) {
    const std::string& name = provenance.parameter_names[i];
    if (std::none_of(found.parameters.begin(), found.parameters.end(),
                     [&](const auto& parameter) { return parameter.first == name; }))
      found.system = found.system.with(name, provenance.parameters[i]);
  }
  return found;
}

}  // namespace extremal::cli
