// Linear and angular momenta of a mechanism, as symmetries of its System where they are.
//
// Translations q' = e_k act on the centres, rotations on all vectors of a body alike: r' = e_k x r, d_i' = e_k x d_i.
// The kinetic energy always allows them; every other term is asked at one point in general position.
#include <cmath>

#include "bodies/mechanism_data.hpp"

namespace extremal {
namespace {

std::size_t sz(int i) { return static_cast<std::size_t>(i); }

std::shared_ptr<const Term> translation(const MechanismData& data, int k) {
  std::vector<int> sites;
  for (const BodyRecord& body : data.bodies) sites.push_back(body.first + k);
  return std::make_shared<PolynomialTerm>(Role::symmetry, std::string("along ") + "xyz"[k], 1, 1, sites,
                                          std::vector<Quadratic>(sites.size(), Quadratic(1)));
}

std::shared_ptr<const Term> rotation_about(const MechanismData& data, int k) {
  const int D = data.dimension();
  std::vector<int> sites;
  std::vector<Quadratic> rows;
  for (const BodyRecord& body : data.bodies)
    for (int i = 0; i <= (body.rigid ? D : 0); ++i) {
      const int x = body.first + D * i + (k + 1) % 3, y = body.first + D * i + (k + 2) % 3;
      sites.insert(sites.end(), {x, y});
      rows.push_back(Quadratic(-1) * Quadratic::variable(y));
      rows.push_back(Quadratic::variable(x));
    }
  return std::make_shared<PolynomialTerm>(Role::symmetry, std::string("about ") + "xyz"[k], 2, 2, sites, rows);
}

struct Sample {
  std::vector<double> q, v;
  double t = 0.73;
  Nodes<double> nodes() const { return {1, static_cast<int>(q.size()), q.data(), v.data(), &t, nullptr}; }
};

// Any numbers without a pattern.
Sample sample(int n) {
  Sample s;
  for (int i = 0; i < n; ++i) {
    s.q.push_back(std::sin(1.0 + 12.9898 * i));
    s.v.push_back(std::cos(2.0 + 78.233 * i));
  }
  return s;
}

// Sums that should vanish, against what they are summed from.
struct Balance {
  double sum = 0, size = 0;
  void add(double x) { sum += x, size += std::fabs(x); }
  bool holds() const { return std::fabs(sum) <= 1e-10 * size; }
};

class Probe {
 public:
  Probe(const System& system, const Sample& sample) : sample_(sample) {
    for (const auto& term : system.terms()) {
      if (term->role == Role::kinetic || term->role == Role::symmetry) continue;
      const auto rows = sz(term->site_count()) * sz(term->row_count);
      Slopes s{term.get(), std::vector<double>(rows), std::vector<double>(rows * sz(term->variables))};
      term->at<double>().gradient(sample.nodes(), s.value.data(), s.slope.data());
      slopes_.push_back(std::move(s));
    }
  }
  bool allows(const Term& symmetry) const {
    std::vector<double> local(symmetry.sites.size()), field(sample_.q.size());
    symmetry.at<double>().value(sample_.nodes(), local.data());
    for (std::size_t e = 0; e < local.size(); ++e) field[sz(symmetry.sites[e])] += local[e];
    for (const Slopes& s : slopes_)
      if (!unchanged(s, field)) return false;
    return true;
  }

 private:
  struct Slopes {
    const Term* term;
    std::vector<double> value, slope;
  };
  static bool unchanged(const Slopes& s, const std::vector<double>& field) {
    const Term& term = *s.term;
    const int N = term.coordinates, rows = term.row_count;
    Balance all;
    for (int site = 0; site < term.site_count(); ++site) {
      const int* i = term.sites.data() + static_cast<std::ptrdiff_t>(site) * N;
      if (term.role == Role::force) {
        for (int c = 0; c < N; ++c) all.add(s.value[sz(site) * sz(N) + sz(c)] * field[sz(i[c])]);
        continue;
      }
      for (int r = 0; r < rows; ++r) {
        Balance one;
        const double* slope = s.slope.data() + (sz(site) * sz(rows) + sz(r)) * sz(term.variables);
        for (int c = 0; c < N; ++c) (term.role == Role::constraint ? one : all).add(slope[c] * field[sz(i[c])]);
        if (!one.holds()) return false;
      }
    }
    return all.holds();
  }

  const Sample& sample_;
  std::vector<Slopes> slopes_;
};

}  // namespace

void add_symmetries(const MechanismData& data, System& system) {
  if (data.bodies.empty()) return;
  const int D = data.dimension();
  std::vector<std::shared_ptr<const Term>> found;
  const Sample at = sample(system.size());
  const Probe probe(system, at);
  for (int k = 0; k < D; ++k)
    if (auto term = translation(data, k); probe.allows(*term)) found.push_back(std::move(term));
  for (int k = D == 2 ? 2 : 0; k < 3; ++k)
    if (auto term = rotation_about(data, k); probe.allows(*term)) found.push_back(std::move(term));
  for (auto& term : found) system.add_term(std::move(term));
}

}  // namespace extremal
