#include "report/choices.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace extremal::report {
namespace {

constexpr std::size_t most_choices = 1500;      // of one plot
constexpr std::size_t most_values = 1'500'000;  // of all series of a plot
constexpr std::size_t shown_first = 4;

class ChoicePlot {
 public:
  ChoicePlot(const Table& table, std::string id, std::string title)
      : table_(table), id_(std::move(id)), title_(std::move(title)) {}

  // Columns of a variable by their place in it: one, or a vector of which the size is shown.
  void add(const std::string& name, const std::string& unit, const std::string& variable,
           std::vector<std::size_t> columns, bool shown = false) {
    sources_.push_back({name, unit, variable, std::move(columns), shown});
  }

  void write(Choices& out) const {
    if (sources_.empty()) return;
    const std::size_t count = std::min(sources_.size(), most_choices);
    const std::size_t room = std::clamp<std::size_t>(most_values / count / 2, 100, Buckets::count);
    const Buckets buckets(table_.rows(), std::min(Buckets::most_samples, most_values / count), room);
    const std::string axis = buckets.size == Buckets(table_.rows()).size ? "t" : "t_" + id_;
    if (axis != "t") {
      out.axes[axis] = {{"name", "t"}, {"unit", "s"}, {"values", f64(buckets.times(table_.t()))}};
      out.axes[axis]["thinned"] = {{"samples", buckets.samples}, {"bucket", buckets.size}};
    }
    Json plot = {{"id", id_}, {"title", title_}, {"axis", axis}, {"smooth", true}, {"series", Json::array()}};
    if (count > shown_first) plot["choose"] = true;
    const bool any = std::any_of(sources_.begin(), sources_.end(), [](const Source& each) { return each.shown; });
    const std::vector<std::vector<double>> values = thinned(buckets, count);
    for (std::size_t i = 0; i < count; ++i) {
      const Source& source = sources_[i];
      Json series = {{"name", source.name}, {"values", f32(values[i])}};
      if (!source.unit.empty()) series["unit"] = source.unit;
      if (any ? !source.shown : i >= shown_first) series["hidden"] = true;
      plot["series"].push_back(std::move(series));
    }
    if (sources_.size() > count)
      plot["note"] = std::to_string(sources_.size() - count) + " more are in the archive, the last of them " +
                     sources_.back().name + ".";
    out.plots.push_back(std::move(plot));
  }

 private:
  struct Source {
    std::string name, unit, variable;
    std::vector<std::size_t> columns;
    bool shown;
  };

  // Whole variables, some buckets of rows at a time: tables of many bodies are too wide to be read by columns, those of
  // long runs too long to be held.
  std::vector<std::vector<double>> thinned(const Buckets& buckets, std::size_t count) const {
    std::vector<std::vector<double>> all(count);
    std::vector<std::string> variables;
    for (std::size_t i = 0; i < count; ++i)
      if (std::find(variables.begin(), variables.end(), sources_[i].variable) == variables.end())
        variables.push_back(sources_[i].variable);
    const std::size_t rows = buckets.size * std::max<std::size_t>(1, 2000 / buckets.size);
    for (const std::string& variable : variables)
      for (std::size_t first = 0; first < table_.rows(); first += rows) {
        const std::size_t some = std::min(rows, table_.rows() - first);
        const std::vector<double> block = table_.block(variable, first, some);
        const std::size_t width = block.size() / some;
        for (std::size_t i = 0; i < count; ++i)
          if (sources_[i].variable == variable) {
            const std::vector<double> kept = buckets.values(part(block, width, some, sources_[i].columns));
            all[i].insert(all[i].end(), kept.begin(), kept.end());
          }
      }
    return all;
  }

  static std::vector<double> part(const std::vector<double>& block, std::size_t width, std::size_t rows,
                                  const std::vector<std::size_t>& columns) {
    std::vector<double> values(rows);
    for (std::size_t r = 0; r < rows; ++r) {
      if (columns.size() == 1) {
        values[r] = block[r * width + columns[0]];
        continue;
      }
      for (const std::size_t c : columns) values[r] += block[r * width + c] * block[r * width + c];
      values[r] = std::sqrt(values[r]);
    }
    return values;
  }

  const Table& table_;
  std::string id_, title_;
  std::vector<Source> sources_;
};

// "joint:elbow:angle" as "elbow angle", "v:joint:elbow:angle" as "elbow angle rate".
std::string joint_words(std::string column) {
  const bool rate = column.starts_with("v:");
  column.erase(0, column.find("joint:") + 6);
  std::replace(column.begin(), column.end(), ':', ' ');
  return rate ? column + " rate" : column;
}

std::string coordinate_unit(const Model& model, const std::string& name) {
  if (model.mechanism == nullptr) return {};
  if (name.ends_with(".angle")) return "rad";
  return is_director(model, name) ? "1" : "m";
}

std::string per_second(const std::string& unit) { return unit.empty() ? unit : unit == "1" ? "1/s" : unit + "/s"; }

void add_coordinates(const Model& model, const Table& table, const std::vector<std::string>& moving, Choices& out) {
  ChoicePlot plot(table, "coordinates", "Coordinates");
  // Joints that laws act on go before: their coordinates are among those of the system.
  const std::vector<std::string> all = table.names("q");
  const std::set<std::string> known(all.begin(), all.end());
  const auto acted_on = [&](std::string column) {
    column.erase(0, column.find("joint:") + 6);
    std::replace(column.begin(), column.end(), ':', '.');
    return known.contains(column);
  };
  bool laws = false;
  for (const char* variable : {"joint_angle_position", "joint_length_position"})
    for (const std::string& name : table.names(variable)) laws = laws || acted_on(name);
  std::size_t joints = 0, first = 0;
  for (const bool rates : {false, true})
    for (const char* kind : {"joint_angle", "joint_length"}) {
      const std::string variable = std::string(kind) + (rates ? "_velocity" : "_position");
      const std::string unit = kind == std::string_view("joint_angle") ? "rad" : "m";
      const std::vector<std::string> names = table.names(variable);
      for (std::size_t i = 0; i < names.size(); ++i, ++joints) {
        const bool shown = first < shown_first && (!laws || (!rates && acted_on(names[i])));
        first += shown ? 1 : 0;
        plot.add(joint_words(names[i]), rates ? unit + "/s" : unit, variable, {i}, shown);
      }
    }
  const auto rank = [&](const std::string& name) {
    return std::find(moving.begin(), moving.end(), name) != moving.end() ? 0 : is_director(model, name) ? 2 : 1;
  };
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::vector<int> ranks;
  for (const std::string& name : all) ranks.push_back(rank(name));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ranks[a] < ranks[b]; });
  // Of many bodies their places are enough.
  const bool many = all.size() > 600;
  const bool has_rates = !table.names("v").empty();
  for (const bool rates : {false, true})
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::size_t i = order[k];
      if (rates ? ranks[i] == 2 || !has_rates : many && ranks[i] == 2) continue;
      const std::string unit = coordinate_unit(model, all[i]);
      if (rates)
        plot.add(all[i] + "'", per_second(unit), "v", {i});
      else
        plot.add(all[i], unit, "q", {i}, joints == 0 && ranks[i] == 0 && k < shown_first);
    }
  plot.write(out);
}

// Motors and reactions.
void add_forces(const Model& model, const Table& table, Choices& out) {
  if (model.mechanism == nullptr) return;
  ChoicePlot plot(table, "force", "Motors and reactions");
  std::map<std::string, std::size_t> motors;  // columns of each variable so far
  for (const ColumnInfo& info : table.archive().columns())
    if (info.variable.starts_with("motor"))
      plot.add(info.member.empty() ? info.name : info.member, info.unit, info.variable, {motors[info.variable]++},
               true);
  const auto joint_of = [](const std::string& name) { return name.substr(9, name.rfind(':') - 9); };
  for (const bool sizes : {true, false})
    for (const bool torque : {false, true}) {
      const std::string variable = torque ? "reaction_torque" : "reaction_force", unit = torque ? "N m" : "N";
      const std::vector<std::string> names = table.names(variable);
      for (std::size_t i = 0; i < names.size();) {
        const std::string joint = joint_of(names[i]);
        std::vector<std::size_t> columns;
        while (i < names.size() && joint_of(names[i]) == joint) columns.push_back(i++);
        if (sizes) {
          if (columns.size() > 1) plot.add(std::string(torque ? "|t| " : "|f| ") + joint, unit, variable, columns);
          continue;
        }
        for (const std::size_t c : columns)
          plot.add(names[c].substr(names[c].rfind(':') + 1) + " " + joint, unit, variable, {c});
      }
    }
  plot.write(out);
}

}  // namespace

bool is_director(const Model& model, const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return model.mechanism != nullptr && dot != std::string::npos && name.size() == dot + 4 && name[dot + 1] == 'd' &&
         name[dot + 2] >= '1' && name[dot + 2] <= '3';
}

Choices choices_of(const Model& model, const Table& table, const std::vector<std::string>& moving) {
  Choices out;
  add_coordinates(model, table, moving, out);
  add_forces(model, table, out);
  return out;
}

}  // namespace extremal::report
