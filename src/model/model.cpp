#include "extremal/error.hpp"
#include "extremal/models.hpp"
#include "file/reader.hpp"
#include "model/texts.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

constexpr int largest_size = 10000000;

// What the arguments of "chain(3)" set; base is its name without them.
Settings settings_of(const std::string& text, const std::string& base, const Document& document) {
  const Settings arguments = name_arguments(document);
  const Call call("model" + text.substr(base.size()));  // the grammar's names have no "-"
  if (arguments.empty())
    refuse("model " + quoted(text), "a size", "none: " + base + " has always the same parts", base);
  std::string names, usual;
  for (const auto& [name, value] : arguments) {
    names += (names.empty() ? "" : ",") + name;
    usual += (usual.empty() ? "" : ",") + value.text();
  }
  const Usage usage{base + "(" + names + ")", base + "(" + usual + ")"};
  const std::vector<std::string> values = positional(call, arguments.size(), usage);
  Settings all;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string& name = arguments[k].first;
    all.emplace_back(name, Number(integer(values[k], name, 1, largest_size, usage)));
  }
  return all;
}

Model made(const ModelText& known, const std::string& text, Settings settings) {
  const std::string base(known.name);
  const Document document(std::string(known.text), "models/" + base + ".toml");
  if (text != base) {
    const Settings own = settings_of(text, base, document);
    settings.insert(settings.end(), own.begin(),
                    own.end());  // the first of a name counts
  }
  // The texts are ours: their size is what was asked for.
  const ModelLimits limits{.parts = 20 * largest_size, .evaluated = static_cast<std::size_t>(-1) / 2};
  try {
    Model model = read_document(document, settings, limits);
    model.text = known.text;
    return model;
  } catch (const ModelError& error) {
    throw InputError("model " + text + ": " + error.what());
  }
}

}  // namespace

Model model(std::string_view name, const Settings& settings) {
  try {
    const std::string text = without_blanks(name);
    const std::string base = text.substr(0, text.find('('));
    for (const ModelText& known : model_texts())
      if (known.name == base) return made(known, text, settings);
    refuse_unknown("model", base.empty() ? text : base, model_names());
  } catch (const Refusal& refusal) {
    throw InputError(refusal.reason);
  }
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelText& known : model_texts()) names.emplace_back(known.name);
  return names;
}

}  // namespace extremal
