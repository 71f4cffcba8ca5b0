#include "system/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "extremal/error.hpp"
#include "numbers/index.hpp"

namespace extremal {
namespace {

const char* kind_of(Role role) {
  switch (role) {
    case Role::kinetic:
      return "kinetic energy";
    case Role::potential:
      return "potential";
    case Role::lagrangian:
      return "Lagrangian";
    case Role::hamiltonian:
      return "Hamiltonian";
    case Role::constraint:
      return "constraint";
    case Role::force:
      return "force";
    case Role::symmetry:
      break;
  }
  return "symmetry";
}

// A term without a name of its own is called by its formula, if it has one.
std::string name_of(const System& system, const Term& term, int site, int row) {
  const std::string kind = kind_of(term.role);
  if (term.role == Role::constraint) {
    int first = 0;
    for (const auto& other : system.terms()) {
      if (other.get() == &term) break;
      if (other->role == Role::constraint) first += other->site_count() * other->row_count;
    }
    return kind + " \"" + system.constraint_names()[sz(first + site * term.row_count + row)] + "\"";
  }
  if (!term.site_names.empty()) return kind + " \"" + term.site_names[sz(site)] + "\"";
  const bool usual = term.name == "kinetic" || term.name == "potential" || term.name == "lagrangian" ||
                     term.name == "hamiltonian" || term.name.empty();
  const std::string& name = usual ? term.formula : term.name;
  return name.empty() ? kind : kind + " \"" + name + "\"";
}

template <class S>
std::string place_of(const System& system, const Term& term, int site, const EvaluationPoint<S>& at) {
  constexpr int most = 6;
  const int* i = term.sites.data() + static_cast<std::ptrdiff_t>(site) * term.coordinates;
  std::string out;
  const auto put = [&](const std::string& name, const S& x) {
    out += fmt::format("{}{} = {:.8g}", out.empty() ? "" : ", ", name, static_cast<double>(x));
  };
  if (term.uses_time) put("t", at.t);
  const auto list = [&](const char* prefix, const S* x) {
    for (int c = 0; c < std::min(term.coordinates, most); ++c)
      put(prefix + system.coordinate_names()[sz(i[c])], x[i[c]]);
    if (term.coordinates > most) out += ", ..";
  };
  list("", at.q);
  if (term.role == Role::hamiltonian)
    list("p:", at.p);
  else if (term.velocity() && term.degree.v > 0)
    list("v:", at.v);
  return out;
}

// The first entry that is not finite, or -1.
template <class S>
std::ptrdiff_t first_bad(const std::vector<S>& x) {
  const auto found = std::find_if(x.begin(), x.end(), [](const S& y) { return !math::finite(y); });
  return found == x.end() ? -1 : found - x.begin();
}

template <class S>
std::vector<S> rounded_parameters(const System& system) {
  std::vector<S> out;
  for (const Number& p : system.parameters()) out.push_back(p.as<S>());
  return out;
}

[[noreturn]] void refuse_number(const std::string& name, const std::string& text) {
  throw InputError("start: " + name + " = " + text + "; expected a finite number");
}

}  // namespace

template <class S>
std::string find_not_finite(const System& system, const EvaluationPoint<S>& at, Derivatives most,
                            const char* if_infinite) {
  return find_not_finite(system, rounded_parameters<S>(system), at, most, if_infinite);
}

template <class S>
std::string find_not_finite(const System& system, const std::vector<S>& parameters, const EvaluationPoint<S>& at,
                            Derivatives most, const char* if_infinite) {
  std::vector<S> value, slope, weights;
  for (const Derivatives level : {Derivatives::none, Derivatives::first, Derivatives::second}) {
    if (level > most) break;
    for (const auto& term : system.terms()) {
      const S* second = term->role == Role::hamiltonian ? at.p : at.v;
      if (term->role == Role::symmetry || (term->velocity() && second == nullptr)) continue;
      const Nodes<S> nodes{
          1, system.size(), at.q, second, &at.t, parameters.data(), static_cast<int>(parameters.size())};
      const int rows = term->site_count() * term->row_count;
      value.assign(sz(rows), S(0));
      std::ptrdiff_t per_site = term->row_count;
      if (level == Derivatives::none) {
        term->at<S>().value(nodes, value.data());
      } else if (level == Derivatives::first) {
        slope.assign(sz(rows) * sz(term->variables), S(0));
        term->at<S>().gradient(nodes, value.data(), slope.data());
        value.swap(slope);
        per_site *= term->variables;
      } else {
        weights.assign(sz(rows), S(1));
        per_site = static_cast<std::ptrdiff_t>(term->variables) * (term->variables + 1) / 2;
        value.assign(sz(term->site_count()) * static_cast<std::size_t>(per_site), S(0));
        term->at<S>().hessian(nodes, weights.data(), value.data());
      }
      const std::ptrdiff_t bad = first_bad(value);
      if (bad < 0) continue;
      const int site = static_cast<int>(bad / per_site), within = static_cast<int>(bad % per_site);
      const int row = level == Derivatives::none ? within : level == Derivatives::first ? within / term->variables : 0;
      const S& x = value[static_cast<std::size_t>(bad)];
      static constexpr const char* parts[] = {" is ", " has a derivative that is ",
                                              " has a second derivative that is "};
      return name_of(system, *term, site, row) + parts[static_cast<int>(level)] +
             (x == x ? "infinite at " : "not a number at ") + place_of(system, *term, site, at) +
             (x == x ? if_infinite : "");
    }
  }
  return "";
}

template <class S>
void refuse_not_finite(const System& system, const Start& start) {
  // As they were given.
  const auto refuse = [&](const char* prefix, const std::vector<Number>& given) {
    for (std::size_t i = 0; i < given.size() && given.size() == sz(system.size()); ++i)
      if (!math::finite(given[i].as<S>())) refuse_number(prefix + system.coordinate_names()[i], given[i].text());
  };
  if (!math::finite(start.t.as<S>())) refuse_number("t", start.t.text());
  refuse("", start.q);
  refuse("p:", start.p);
  refuse("next ", start.next);
  refuse("v:", start.v);
  refuse_not_finite(system, rounded_parameters<S>(system), StartNumbers<S>(start));
}

template <class S>
void refuse_not_finite(const System& system, const std::vector<S>& parameters, const StartNumbers<S>& start) {
  const std::size_t n = sz(system.size());
  const auto refuse = [&](const char* prefix, const std::vector<S>& given) {
    // Lists of another length are refused elsewhere, with more to say.
    if (const std::ptrdiff_t bad = given.size() == n ? first_bad(given) : -1; bad >= 0)
      refuse_number(prefix + system.coordinate_names()[static_cast<std::size_t>(bad)],
                    to_text(given[static_cast<std::size_t>(bad)]));
  };
  if (!math::finite(start.t)) refuse_number("t", to_text(start.t));
  refuse("", start.q);
  refuse("p:", start.p);
  refuse("next ", start.next);
  refuse("v:", start.v);
  if (start.q.size() != n || (!start.v.empty() && start.v.size() != n) || (!start.p.empty() && start.p.size() != n))
    return;
  const std::vector<S> rest(start.v.empty() ? n : 0, S(0));
  const S* v = start.v.empty() ? rest.data() : start.v.data();
  const bool known = start.p.empty() && start.next.empty();
  const std::string found = find_not_finite<S>(
      system, parameters, {start.t, start.q.data(), known ? v : nullptr, start.p.empty() ? nullptr : start.p.data()},
      Derivatives::first);
  if (!found.empty())
    throw InputError("start: " + found + "; expected a start at which all terms and their derivatives are finite");
}

#define EXTREMAL_INSTANTIATE(S)                                                                                      \
  template std::string find_not_finite(const System&, const EvaluationPoint<S>&, Derivatives, const char*);          \
  template std::string find_not_finite(const System&, const std::vector<S>&, const EvaluationPoint<S>&, Derivatives, \
                                       const char*);                                                                 \
  template void refuse_not_finite<S>(const System&, const Start&);                                                   \
  template void refuse_not_finite<S>(const System&, const std::vector<S>&, const StartNumbers<S>&);
EXTREMAL_INSTANTIATE(double)
EXTREMAL_INSTANTIATE(long double)
EXTREMAL_INSTANTIATE(quad)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
