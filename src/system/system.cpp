#include "extremal/system.hpp"

#include <algorithm>
#include <unordered_set>

#include "extremal/error.hpp"

namespace extremal {

System::System(std::string name) : name_(std::move(name)) {}
System::System(const System&) = default;
System::System(System&&) noexcept = default;
System& System::operator=(const System&) = default;
System& System::operator=(System&&) noexcept = default;
System::~System() = default;

struct System::Names {
  std::unordered_set<std::string> all;
};

// Copies of a system that adds nothing share its names, which may be many.
bool System::take_name(const std::string& name) {
  if (known_ == nullptr)
    known_ = std::make_shared<Names>();
  else if (known_.use_count() > 1)
    known_ = std::make_shared<Names>(*known_);
  return known_->all.insert(name).second;
}

std::vector<int> System::list(const int* begin, const int* end) { return {begin, end}; }

void System::add_owned(std::unique_ptr<Term> term, bool slow) {
  term->slow = slow;
  add_term(std::move(term));
}

int System::add_coordinate(std::string_view label) {
  const std::string name(label);
  if (name.empty()) throw InputError(name_ + ": a coordinate has no name; expected a non-empty name");
  if (!take_name("q " + name))
    throw InputError(name_ + ": coordinate \"" + name + "\" exists already; expected distinct names");
  coordinate_names_.push_back(name);
  groups_.push_back(group_count_ - 1);
  return size() - 1;
}

void System::coordinates(const std::vector<std::string>& names) {
  ++group_count_;
  for (const std::string& name : names) add_coordinate(name);
}

Parameter System::parameter(const std::string& name, Number value) {
  if (std::find(parameter_names_.begin(), parameter_names_.end(), name) != parameter_names_.end())
    throw InputError(name_ + ": parameter \"" + name + "\" exists already; expected distinct names");
  parameter_names_.push_back(name);
  parameters_.push_back(std::move(value));
  return {static_cast<int>(parameters_.size()) - 1};
}

System System::with(std::string_view parameter, Number value) const {
  const auto found = std::find(parameter_names_.begin(), parameter_names_.end(), parameter);
  if (found == parameter_names_.end()) {
    std::string known;
    for (const auto& n : parameter_names_) known += (known.empty() ? "" : ", ") + n;
    throw InputError(name_ + ": no parameter \"" + std::string(parameter) + "\"; the parameters are " +
                     (known.empty() ? "none" : known));
  }
  System copy = *this;
  copy.parameters_[static_cast<std::size_t>(found - parameter_names_.begin())] = std::move(value);
  return copy;
}

void System::set(Parameter parameter, Number value) {
  parameters_[static_cast<std::size_t>(parameter.index)] = std::move(value);
}

bool System::has(Role role) const {
  return std::any_of(terms_.begin(), terms_.end(), [&](const auto& term) { return term->role == role; });
}

bool System::has_slow() const {
  return std::any_of(terms_.begin(), terms_.end(), [](const auto& term) { return term->slow; });
}

System System::fast() const {
  System part = *this;
  std::erase_if(part.terms_, [](const auto& term) { return term->slow; });
  return part;
}

System System::slow() const {
  System part = *this;
  std::erase_if(part.terms_, [](const auto& term) { return !term->slow; });
  part.constraint_names_.clear();
  part.rigid_.reset();
  return part;
}

void System::add_term(std::shared_ptr<const Term> term) {
  const std::string where = name_ + ": term \"" + term->name + "\"";
  if (term->sites.empty()) throw InputError(where + " has no site; expected at least one");
  for (int site = 0; site < term->site_count(); ++site)
    for (int c = 0; c < term->coordinates; ++c) {
      const auto first = term->sites.begin() + static_cast<std::ptrdiff_t>(site) * term->coordinates;
      if (first[c] < 0 || first[c] >= size())
        throw InputError(where + " names a coordinate of another system; expected coordinates of this one");
      if (std::find(first, first + c, first[c]) != first + c)
        throw InputError(where + " names coordinate \"" + coordinate_names_[static_cast<std::size_t>(first[c])] +
                         "\" twice at one site; expected distinct coordinates");
    }
  if (std::any_of(term->depends_on.begin(), term->depends_on.end(),
                  [&](int index) { return index >= static_cast<int>(parameters_.size()); }))
    throw InputError(where + " names a parameter of another system; expected parameters of this one");
  if (term->role == Role::constraint) {
    for (int site = 0; site < term->site_count(); ++site)
      for (int row = 0; row < term->row_count; ++row) {
        const bool named = !term->site_names.empty();
        std::string label = named ? term->site_names[static_cast<std::size_t>(site)] : term->name;
        if (!named && term->site_count() > 1) label += "[" + std::to_string(site) + "]";
        if (term->row_count > 1) label += "." + std::to_string(row);
        if (!take_name("g " + label))
          throw InputError(name_ + ": constraint \"" + label + "\" exists already; expected distinct names");
        constraint_names_.push_back(label);
      }
  }
  terms_.push_back(std::move(term));
}

}  // namespace extremal
