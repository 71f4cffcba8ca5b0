#include "cli/archived_model.hpp"

namespace extremal::cli {

Provenance provenance_of(const Model& model, const std::string& name, const Scheme& scheme,
                         const std::string& precision, const std::string& command) {
  Provenance out{.model = name,
                 .model_text = model.text,
                 .scheme = scheme.name,
                 .parameter_names = model.system.parameter_names(),
                 .parameters = model.system.parameters(),
                 .start = model.start,
                 .span = model.span,
                 .precision = precision,
                 .command = command};
  if (model.text.empty()) return out;
  // Those of a file are more: bodies and starts follow them too.
  out.parameter_names.clear();
  out.parameters.clear();
  for (const auto& [parameter, value] : model.parameters) {
    out.parameter_names.push_back(parameter);
    out.parameters.push_back(value);
  }
  return out;
}

Model archived_model(const Provenance& provenance) {
  Settings settings;
  for (std::size_t i = 0; i < provenance.parameters.size(); ++i)
    settings.emplace_back(provenance.parameter_names[i], provenance.parameters[i]);
  if (!provenance.model_text.empty()) return read_model_text(provenance.model_text, provenance.model, settings);
  Model found = model(provenance.model);
  for (const auto& [name, value] : settings) found.system = found.system.with(name, value);
  return found;
}

}  // namespace extremal::cli
