// Models as texts of model files.
#include <algorithm>
#include <fstream>

#include "extremal/error.hpp"
#include "extremal/models.hpp"
#include "model/edited_text.hpp"
#include "model/start_text.hpp"
#include "model/term_texts.hpp"
#include "numbers/index.hpp"
#include "words/toml.hpp"

namespace extremal {
namespace {

std::string coordinates_text(const System& system) {
  std::vector<std::vector<std::string>> groups;
  for (std::size_t k = 0; k < sz(system.size()); ++k) {
    if (k == 0 || system.groups()[k] != system.groups()[k - 1]) groups.emplace_back();
    groups.back().push_back(system.coordinate_names()[k]);
  }
  std::vector<std::string> texts;
  for (const auto& group : groups) texts.push_back(toml_list(group, toml_text));
  return texts.size() == 1 ? texts.front() : toml_list(texts, [](const std::string& text) { return text; });
}

std::string parameters_text(const System& system) {
  std::string out = system.parameter_names().empty() ? "" : "\n[parameters]\n";
  for (std::size_t k = 0; k < system.parameter_names().size(); ++k)
    out += toml_text(system.parameter_names()[k]) + " = " + toml_text(system.parameters()[k].text()) + "\n";
  return out;
}

std::string observers_text(const Model& model, TermTexts& terms) {
  std::string out = model.observers.empty() ? "" : "\n[observe]\n";
  for (const Observer& one : model.observers)
    out += toml_text(one.name) + " = " + toml_text(terms.formula(*one.term)) + "\n";
  return out;
}

std::string picture_text(const Picture& picture, TermTexts& terms) {
  if (picture.points.empty()) return {};
  const auto name = [&](int point) { return toml_text(picture.points[sz(point)].name); };
  std::string points;
  for (const Picture::Spot& spot : picture.points)
    points += (points.empty() ? "" : ", ") + toml_text(spot.name) + " = " +
              toml_list(spot.place, [&](const auto& term) { return toml_text(terms.formula(*term)); });
  std::string out = "\n[picture]\npoints = { " + points + " }\n";
  for (const bool spring : {false, true}) {
    std::vector<Picture::Line> lines;
    std::copy_if(picture.lines.begin(), picture.lines.end(), std::back_inserter(lines),
                 [&](const Picture::Line& line) { return line.spring == spring; });
    if (!lines.empty())
      out += std::string(spring ? "springs" : "links") + " = " +
             toml_list(lines,
                       [&](const Picture::Line& line) { return "[" + name(line.from) + ", " + name(line.to) + "]"; }) +
             "\n";
  }
  if (!picture.trails.empty()) out += "trails = " + toml_list(picture.trails, name) + "\n";
  return out;
}

// For a file called `where`, beside which its tables in CSV are.
std::string text_at(const Model& model, const std::string& where) {
  if (!model.text.empty()) return edited_text(model, where);
  const System& system = model.system;
  const Mechanism* const parts = model.mechanism.get();
  if (model.network != nullptr || (parts == nullptr && system.rigid() != nullptr))
    throw InputError(system.name() +
                     ": found bodies, and neither a Mechanism nor the text of a model file; expected one of them");
  if (parts != nullptr && system.size() != parts->system().size())
    throw InputError(system.name() + ": found coordinates besides those of bodies; expected terms of these only");
  TermTexts terms(system);
  // What was added to the system of a mechanism.
  terms.add_terms(parts == nullptr ? 0 : parts->system().terms().size());
  std::string out;
  if (!model.title.empty()) out += "title = " + toml_text(model.title) + "\n";
  if (!model.citation.empty()) out += "citation = " + toml_text(model.citation) + "\n";
  if (parts == nullptr)
    out += "name = " + toml_text(system.name()) + "\ncoordinates = " + coordinates_text(system) + "\n";
  else
    out += parts->text();
  out += terms.tables() + parameters_text(system);
  if (model.span.rate != nullptr) out += "\n[time]\nrate = " + toml_text(terms.formula(*model.span.rate)) + "\n";
  out += observers_text(model, terms) + picture_text(model.picture, terms) + terms.needs();
  return out + start_text(model) + run_text(model);
}

}  // namespace

std::string model_text(const Model& model) { return text_at(model, model.system.name()); }

void save(const Model& model, const std::string& path) {
  const std::string text = text_at(model, path);
  read_model_text(text, path);  // what cannot be read is not written
  std::ofstream out(path, std::ios::binary);
  out << text << std::flush;
  if (!out) throw InputError(path + ": cannot be written; expected a place for a model file");
}

}  // namespace extremal
