#include "file/joint_formulas.hpp"

#include <algorithm>
#include <array>

#include "bodies/joint_terms.hpp"
#include "bodies/rigid.hpp"
#include "file/fields.hpp"
#include "numbers/index.hpp"
#include "system/grammar.hpp"

namespace extremal {
namespace {

using Value = Document::Value;

// Between texts that are not in the file.
Expanded framed(const std::string& before, const Expanded& formula, const std::string& after) {
  Expanded out{before + formula.text + after, std::vector<std::size_t>(before.size(), 0)};
  out.origin.insert(out.origin.end(), formula.origin.begin(), formula.origin.end());
  out.origin.resize(out.text.size(), formula.origin.empty() ? 0 : formula.origin.back());
  return out;
}

std::string factor(const Number& x) { return "(" + x.text() + ")"; }

std::string memory_name(const std::string& servo) { return servo + ".integral"; }

// "elbow.angle" of joint "elbow" is its angle.
std::string measure(const std::string& coordinate) { return coordinate.substr(coordinate.rfind('.') + 1); }

// The names in a formula, with braces where it repeats; of what is no formula, whatever looks like one.
template <class Found>
void each_name(const std::string& text, const Found& found) {
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '\'') {
      const std::size_t end = text.find('\'', k + 1);
      if (end == std::string::npos) return;
      found(text.substr(k + 1, end - k - 1));
      k = end + 1 < text.size() && text[end + 1] == '\'' ? end + 1 : end;  // the ' of a rate
    } else if (lexical::is_letter(text[k]) || text[k] == '{') {
      const std::size_t first = k;
      while (k < text.size() && (lexical::is_word(text[k]) || text[k] == '{'))
        k = text[k] == '{' ? std::min(text.find('}', k), text.size() - 1) + 1 : k + 1;
      found(text.substr(first, k - first));
      if (k < text.size() && text[k] != '\'') --k;  // and otherwise the ' of a rate
    } else if (lexical::is_digit(text[k])) {
      while (k + 1 < text.size() && lexical::is_word(text[k + 1])) ++k;  // 2e3 has no name in it
    }
  }
}

class Mentioned {
 public:
  Mentioned(const std::unordered_set<std::string>& joints, Mechanism& mechanism)
      : joints_(joints), mechanism_(mechanism) {}

  void walk(const Value& value) {
    if (value.kind == Value::Kind::text) look(value.text);
    for (const Value& item : value.items) walk(item);
    for (const Document::Entry& entry : value.entries) {
      look(entry.key);
      walk(entry.value);
    }
  }

 private:
  void look(const std::string& text) {
    if (text.find('.') == std::string::npos) return;
    each_name(text, [&](const std::string& name) {
      const std::size_t dot = name.rfind('.');
      if (dot == std::string::npos || !seen_.insert(name).second) return;
      const std::string joint = name.substr(0, dot), which = name.substr(dot);
      const std::size_t open = joint.find('{'), close = joint.rfind('}');
      if (open == std::string::npos || close == std::string::npos) return own(joint, which);
      const std::string before = joint.substr(0, open), after = joint.substr(close + 1);
      for (const std::string& each : joints_)
        if (each.size() > before.size() + after.size() && each.starts_with(before) && each.ends_with(after))
          own(each, which);
    });
  }
  // What is no coordinate of the joint is the formulas' to refuse, with its place.
  void own(const std::string& joint, const std::string& which) {
    if (!joints_.contains(joint)) return;
    try {
      mechanism_.own_coordinate(joint + which);
    } catch (const InputError&) {
      return;
    }
  }

  const std::unordered_set<std::string>& joints_;
  Mechanism& mechanism_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

void JointFormulas::motor(const std::string& name, const std::string& joint, const Value& torque, Expanded formula) {
  all_.push_back({name, joint, &torque, std::move(formula), {}});
}

void JointFormulas::servo(const std::string& name, const std::string& joint, const Value& target, Expanded formula,
                          const Gains& gains) {
  const bool remembers = gains.integral.as<quad>() != quad(0);
  // x stands for the coordinate, whatever it measures.
  std::string after = ") - x) - " + factor(gains.damping) + "*x'";
  if (remembers) after += " + " + factor(gains.integral) + "*'" + memory_name(name) + "'";
  Expanded torque = framed(factor(gains.stiffness) + "*((", formula, after);
  all_.push_back({name, joint, &target, std::move(torque), std::move(formula), remembers});
}

void JointFormulas::add_to(Model& model, const Mechanism& mechanism, Scope& scope, Formulas& formulas) const {
  if (all_.empty()) return;
  System& system = model.system;
  auto rigid = std::make_shared<RigidStructure>(*system.rigid());
  for (const One& one : all_)
    Fields::placed_at(scope, *one.at, [&] {
      const int index = mechanism.coordinate(one.joint).index[0];
      const std::string coordinate = system.coordinate_names()[sz(index)], local = measure(coordinate);
      scope.located(*one.at, one.torque.origin, [&] {
        if (one.remembers) {
          // As MemoryTerm has it (bodies/joint_terms.hpp).
          const std::string z = "'" + memory_name(one.name) + "'", x = "'" + coordinate + "'";
          const TimeFunction target = formulas.time_function(one.target.text);
          system.coordinates(memory_name(one.name));
          model.start.q.resize(sz(system.size()), 0);
          model.start.v.resize(sz(system.size()), 0);
          model.start.v.back() =
              Number::exactly(target.at(model.start.t.as<quad>())[0] - model.start.q[sz(index)].as<quad>());
          std::string before = "2^-40*";
          before.append(z).append("'*(").append(z).append("'/2 + ").append(x).append(" - (");
          formulas.add(Role::lagrangian, memory_name(one.name), {framed(before, one.target, "))").text});
        }
        const bool servo = !one.target.text.empty();
        formulas.along(Role::force, one.name, {{coordinate, one.torque.text}}, {{servo ? "x" : local, coordinate}});
        rigid->motors.push_back({one.name, local != "stroke" && local != "x" && local != "y", system.terms().back()});
      });
    });
  system.describe(std::move(rigid));
}

void own_mentioned(const Value& root, const std::unordered_set<std::string>& joints, Mechanism& mechanism) {
  if (joints.empty()) return;
  constexpr std::array others{"title", "citation", "name", "parameters", "start", "run", "observe", "picture"};
  Mentioned mentioned(joints, mechanism);
  for (const Document::Entry& entry : root.entries)
    if (std::find(others.begin(), others.end(), entry.key) == others.end()) mentioned.walk(entry.value);
}

}  // namespace extremal
