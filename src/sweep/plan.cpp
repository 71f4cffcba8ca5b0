// read_plan: a sweep file from its first line to its last.
#include <algorithm>

#include "extremal/scheme.hpp"
#include "file/run_fields.hpp"
#include "sweep/sweep.hpp"
#include "words/grammar.hpp"

namespace extremal::sweep {
namespace {

using Value = Document::Value;
using Kind = Value::Kind;

constexpr int most_points = 1000000000;

std::vector<Number> two_numbers(Scope& scope, const Value& value, const std::string& expected) {
  if (value.kind != Kind::list || value.items.size() != 2)
    scope.refuse(value, "found " + value.words() + "; expected " + expected);
  return scope.numbers(value);
}

void read_grid(Fields& fields, Axis& axis) {
  Scope& scope = fields.scope();
  axis.kind = Axis::Kind::grid;
  axis.values = {fields.number("from"), fields.number("to")};
  axis.count = static_cast<std::uint64_t>(scope.integer(fields.need("count"), 1, most_points));
  const bool distinct = axis.values[0].as<quad>() != axis.values[1].as<quad>();
  if (axis.count == 1 && distinct)
    scope.refuse(fields.need("count"), "found a grid of one point with two ends; expected count = 2 or more");
  axis.logarithmic = fields.one_of("spacing", {"linear", "log"}, false) == 1;
  if (axis.logarithmic && !(axis.values[0].as<quad>() / axis.values[1].as<quad>() > quad(0)))
    scope.refuse(fields.need("spacing"), "found \"log\" from " + axis.values[0].text() + " to " +
                                             axis.values[1].text() + "; expected ends of the same sign, neither 0");
}

void read_list(Scope& scope, const Value& list, Axis& axis) {
  axis.kind = Axis::Kind::list;
  if (list.items.empty()) scope.refuse(list, "found an empty list; expected at least one value");
  for (const Value& item : list.items) {
    if (axis.name != "scheme") {
      axis.values.push_back(scope.number(item));
      continue;
    }
    axis.schemes.push_back(Fields::placed_at(scope, item, [&] { return Scheme::named(scope.text(item)).name; }));
    axis.values.emplace_back(static_cast<int>(axis.values.size()));
  }
  axis.count = axis.values.size();
}

Axis read_varied(Scope& scope, const Document::Entry& entry) {
  Axis axis{.name = entry.key, .place = entry.place};
  const Value& value = entry.value;
  if (value.kind == Kind::list) {
    read_list(scope, value, axis);
  } else if (value.kind == Kind::table && entry.key != "scheme") {
    Fields fields(scope, value, "[vary] " + entry.key);
    for (const char* random : {"uniform", "normal"})
      if (fields.has(random)) fields.refuse("found random numbers in [vary]; expected them in [sample]");
    read_grid(fields, axis);
    fields.finish();
  } else {
    scope.refuse(value, "found " + value.words() + "; expected a list" +
                            (entry.key == "scheme" ? ": [\"rattle\", \"spark(3)\"]"
                                                   : ", or a grid: { from = 0, to = 1, count = 11 }"));
  }
  return axis;
}

Axis read_sampled(Scope& scope, const Document::Entry& entry) {
  Axis axis{.name = entry.key, .place = entry.place};
  const std::string expected = "{ uniform = [0, 1] }, or { normal = [0, 0.1] } by mean and standard deviation";
  if (entry.value.kind != Kind::table)
    scope.refuse(entry.value, "found " + entry.value.words() + "; expected " + expected);
  Fields fields(scope, entry.value, "[sample] " + entry.key);
  const Value *uniform = fields.find("uniform"), *normal = fields.find("normal");
  if ((uniform == nullptr) == (normal == nullptr))
    fields.refuse(std::string("found ") + (uniform == nullptr ? "no distribution" : "two distributions") +
                  "; expected " + expected);
  axis.kind = uniform != nullptr ? Axis::Kind::uniform : Axis::Kind::normal;
  axis.values = uniform != nullptr ? two_numbers(scope, *uniform, "the least and the largest number")
                                   : two_numbers(scope, *normal, "mean and standard deviation");
  const bool fits = uniform != nullptr ? axis.values[0].as<quad>() <= axis.values[1].as<quad>()
                                       : axis.values[1].as<quad>() >= quad(0);
  if (!fits)
    fields.refuse(uniform != nullptr ? "found a range whose end is before its begin; expected [least, largest]"
                                     : "found a negative standard deviation; expected 0 or more");
  fields.finish();
  if (axis.name == "scheme" || axis.name == "step" || axis.name == "until")
    scope.refuse(entry.value, "found random numbers for " + axis.name + "; expected a list in [vary]");
  return axis;
}

// zip = [["x", "y"]]: their values go together, first with first.
void read_grid_order(Fields& top, Plan& plan) {
  Scope& scope = top.scope();
  std::vector<std::size_t> group(plan.axes.size());
  for (std::size_t k = 0; k < group.size(); ++k) group[k] = k;
  const auto axis_of = [&](const Value& name) {
    std::vector<std::string> known;
    for (std::size_t k = 0; k < plan.axes.size(); ++k) {
      if (plan.axes[k].random()) continue;
      known.push_back(plan.axes[k].name);
      if (name.kind == Kind::text && name.text == known.back()) return k;
    }
    scope.refuse(name, unknown("name of [vary]", name.text, known));
  };
  if (const Value* zip = top.find("zip")) {
    const std::string expected = "lists of names that go together: [[\"x\", \"y\"]]";
    if (zip->kind != Kind::list) scope.refuse(*zip, "found " + zip->words() + "; expected " + expected);
    for (const Value& names : zip->items) {
      if (names.kind != Kind::list || names.items.size() < 2)
        scope.refuse(names, "found " + names.words() + "; expected " + expected);
      const std::size_t first = axis_of(names.items[0]);
      for (const Value& name : names.items) {
        const std::size_t k = axis_of(name);
        if (group[k] != k || (k != first && std::count(group.begin(), group.end(), k) > 1))
          scope.refuse(name, "found " + quoted(name.text) + " twice; expected it once");
        if (plan.axes[k].count != plan.axes[first].count)
          scope.refuse(name, "found " + std::to_string(plan.axes[k].count) + " values of " + quoted(name.text) +
                                 "; expected " + std::to_string(plan.axes[first].count) + ", as many as of " +
                                 quoted(plan.axes[first].name));
        group[k] = first;
      }
    }
  }
  for (std::size_t k = 0; k < group.size(); ++k) {
    if (plan.axes[k].random() || group[k] != k) continue;
    plan.grid.emplace_back();
    for (std::size_t j = 0; j < group.size(); ++j)
      if (group[j] == k) plan.grid.back().push_back(j);
  }
}

Settings read_settings(Fields& top, const char* key) {
  Settings all;
  if (const Value* table = top.find(key)) {
    Fields fields(top.scope(), *table, std::string("[") + key + "]");
    for (const Document::Entry& entry : table->entries) all.emplace_back(entry.key, top.scope().number(entry.value));
  }
  return all;
}

void read_sample(Fields& top, Plan& plan) {
  const Value* table = top.find("sample");
  if (table == nullptr) return;
  Scope& scope = top.scope();
  Fields fields(scope, *table, "[sample]");
  plan.samples = static_cast<std::uint64_t>(scope.integer(fields.need("count"), 1, most_points));
  plan.seed = static_cast<std::uint64_t>(fields.integer("seed", 0, 2000000000, 0));
  for (const Document::Entry& entry : table->entries)
    if (entry.key != "count" && entry.key != "seed") plan.axes.push_back(read_sampled(scope, entry));
  if (plan.axes.empty() || !plan.axes.back().random())
    fields.refuse("found no random numbers in [sample]; expected some; e.g. g = { uniform = [9.7, 9.9] }");
}

void check_names(const Document& file, const Plan& plan) {
  for (std::size_t k = 0; k < plan.axes.size(); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (plan.axes[j].name == plan.axes[k].name)
        file.refuse(plan.axes[k].place, "found " + quoted(plan.axes[k].name) + " in [vary] and in [sample]; expected " +
                                            "it in one of them");
}

}  // namespace

Plan read_plan(const Document& file, const RunTexts& options) {
  Scope scope(file, {});
  scope.no_index();
  Fields top(scope, file.root(), "the sweep");
  Plan plan{.model = top.text("model")};
  for (const RunKey& key : run_keys()) {
    if (key.sweep_help == nullptr) continue;
    if (const auto text = said_in(top, key, true)) plan.run[key.name] = *text;
  }
  plan.outputs = top.integer("outputs", 1, most_points, 0);
  if (plan.says("every") && plan.outputs > 0)
    scope.refuse(top.need("outputs"), "found outputs and every; expected one of them");
  for (const auto& [key, text] : options) plan.run[key] = text;
  if (options.contains("every")) plan.outputs = 0;
  plan.watches_steps = top.one_of("watch", {"rows", "steps"}, false) == 1;
  plan.set = read_settings(top, "set");
  plan.start = read_settings(top, "start");
  if (const Value* keep = top.find("keep")) {
    if (keep->kind != Kind::list || keep->items.empty())
      scope.refuse(*keep, "found " + keep->words() + "; expected a list of variables: [\"q\", \"energy\"]");
    for (const Value& item : keep->items) plan.keep.push_back(scope.text(item));
  }
  if (const Value* vary = top.find("vary")) {
    Fields fields(scope, *vary, "[vary]");
    for (const Document::Entry& entry : vary->entries) plan.axes.push_back(read_varied(scope, entry));
  }
  read_sample(top, plan);
  if (plan.axes.empty()) top.refuse("found nothing in [vary] and no [sample]; expected one of them");
  check_names(file, plan);
  read_grid_order(top, plan);
  top.finish();
  for (const Axis& axis : plan.axes) {
    const bool of_run = axis.name == "scheme" || axis.name == "step" || axis.name == "until";
    if (of_run && plan.says(axis.name))
      file.refuse(axis.place, "found " + axis.name + " varied and fixed; expected one of them");
  }
  return plan;
}

}  // namespace extremal::sweep
