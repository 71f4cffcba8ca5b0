#include "model/start_text.hpp"

#include <algorithm>
#include <utility>

#include "file/run_fields.hpp"
#include "numbers/index.hpp"
#include "run/keys.hpp"
#include "run/span.hpp"
#include "words/toml.hpp"

namespace extremal {
namespace {

// As the tables read them: none are zeros.
quad start_value(const std::vector<Number>& list, std::size_t k) {
  return k < list.size() ? list[k].as<quad>() : quad(0);
}

std::string named_values(const System& system, const std::vector<Number>& list, const char* between) {
  std::string all;
  for (std::size_t k = 0; k < list.size() && k < sz(system.size()); ++k)
    all += (k > 0 ? between : "") + toml_text(system.coordinate_names()[k]) + " = " + toml_text(list[k].text());
  return all;
}

// How many rows it keeps, if the file says that rather than how many steps are between them.
bool keeps_outputs(const Model& model) {
  const Span& span = model.span;
  if (span.outputs < 1) return false;
  return !(span.accuracy == Number(0)) || span.pace != Pace::none ||
         span.every == steps_of_outputs(model.start.t, span, span.outputs);
}

std::string key_text(const RunKey& key, const Model& model) {
  std::string scheme = model.scheme, precision = model.precision;
  Span span = model.span;
  return key.text({scheme, span, precision});
}

}  // namespace

std::string run_text(const Model& model) {
  const Model usual{.system = System(), .start = {}, .span = {}, .title = "", .citation = ""};
  std::string out;
  for (const RunKey& key : run_keys()) {
    const std::string text = key_text(key, model);
    const std::string name = key.name;
    if (name == "every" && keeps_outputs(model))
      out += "outputs = " + std::to_string(model.span.outputs) + "\n";
    else if (text != key_text(key, usual) || name == "step" || name == "until")
      out += name + " = " + said_as(key, text) + "\n";
  }
  return "\n[run]\n" + out;
}

std::string other_key(const Model& a, const Model& b) {
  for (const RunKey& key : run_keys()) {
    const std::string x = key_text(key, a), y = key_text(key, b);
    const bool number = key.kind == RunKey::Kind::number;
    if (number ? Number(x).as<quad>() != Number(y).as<quad>() : x != y) return key.name;
  }
  // Without an accuracy or a pace `every` says the same.
  const bool every = b.span.accuracy == Number(0) && b.span.pace == Pace::none;
  return a.span.outputs == b.span.outputs || every ? "" : "outputs";
}

bool same_start(const System& system, const Start& a, const Start& b) {
  if (a.t.as<quad>() != b.t.as<quad>() || a.slack.as<quad>() != b.slack.as<quad>()) return false;
  if (a.next.empty() != b.next.empty() || a.p.empty() != b.p.empty()) return false;
  for (const auto& [x, y] : {std::pair{&a.q, &b.q}, {&a.v, &b.v}, {&a.p, &b.p}, {&a.next, &b.next}})
    for (std::size_t k = 0; k < sz(system.size()); ++k)
      if (start_value(*x, k) != start_value(*y, k)) return false;
  return true;
}

std::string start_text(const Model& model, bool whole) {
  const Start& start = model.start;
  const Mechanism* const parts = model.mechanism.get();
  std::string out;
  if (!(start.t == Number(0))) out += "t = " + toml_text(start.t.text()) + "\n";
  if (parts != nullptr && !whole && same_start(model.system, start, parts->start(start.t))) {
    out += parts->start_text();
    return out.empty() ? out : "\n[start]\n" + out;
  }
  if (!(start.slack == Start().slack)) out += "slack = " + toml_text(start.slack.text()) + "\n";
  if (const std::string q = named_values(model.system, start.q, "\n"); !q.empty()) out += q + "\n";
  for (const auto& [key, list] : {std::pair{"velocity", &start.v}, {"momentum", &start.p}, {"next", &start.next}})
    if (!list->empty()) out += std::string(key) + " = { " + named_values(model.system, *list, ", ") + " }\n";
  // Bodies that were told to move are at rest by saying so.
  if ((parts != nullptr || whole) && start.v.empty() && start.p.empty() && start.next.empty())
    out += std::string(model.system.has(Role::hamiltonian) ? "momentum" : "velocity") + " = { " +
           named_values(model.system, std::vector<Number>(sz(model.system.size())), ", ") + " }\n";
  return out.empty() ? out : "\n[start]\n" + out;
}

}  // namespace extremal
