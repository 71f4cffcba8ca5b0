#include "archive/archived_model.hpp"

#include <algorithm>
#include <tuple>

#include "extremal/error.hpp"
#include "model/changes.hpp"

namespace extremal {

namespace {

// A file's text as it is: parameters, start and run are archived beside it.
std::string archived_text(const Model& model) {
  if (!model.text.empty()) return model.text;
  try {
    return model_text(model);
  } catch (const InputError&) {
    return {};  // there are runs of what cannot be written, too
  }
}

}  // namespace

Provenance provenance_of(const Case& one, const std::string& name, const std::string& command) {
  Provenance out{.model = name.empty() ? one.model.system.name() : name,
                 .model_text = archived_text(one.model),
                 .scheme = one.scheme.name,
                 .start = one.model.start,
                 .span = one.model.span,
                 .precision = one.precision,
                 .command = command};
  for (const auto& [parameter, value] : parameters(one.model)) {
    out.parameter_names.push_back(parameter);
    out.parameters.push_back(value);
  }
  return out;
}

// Parameters that are computed from others are left to be so, as far as that gives their value: set, they would be
// rounded before they are used and not after.
Model archived_model(const Provenance& provenance) {
  Settings settings;
  const auto read = [&] { return named_model(provenance.model, provenance.model_text, settings); };
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

Case archived_case(const Provenance& provenance) {
  Model model = archived_model(provenance);
  model.start = provenance.start;
  // The rate of a pace is a part of the model, not of what an archive says of its span.
  const Rate rate = std::move(model.span.rate);
  model.span = provenance.span;
  if (model.span.rate == nullptr) model.span.rate = rate;
  model.span.accuracy = 0;  // trials have chosen its step
  model.scheme = provenance.scheme;
  model.precision = provenance.precision;
  return make_case(std::move(model));
}

}  // namespace extremal
