// Linear and angular momenta of a mechanism, as symmetries of its System where they are.
//
// Translations q' = e_k act on the centres, rotations on all vectors of a body alike: r' = e_k x r, d_i' = e_k x d_i.
// The kinetic energy and the rigidity always allow them; every load and joint is asked at one point in general
// position. A rotation turns the rows of a joint into each other, as it does with the gap between two points: what has
// to stay is the sum of their squares, for then it takes closed joints to closed ones.
#include <cmath>

#include "bodies/mechanism_data.hpp"

#include "numbers/index.hpp"

namespace extremal {
namespace {

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

// Any numbers without a pattern, but for directors, which are orthonormal: joints are open, bodies are rigid.
Sample sample(const MechanismData& data, int n) {
  Sample s;
  for (int i = 0; i < n; ++i) {
    s.q.push_back(std::sin(1.0 + 12.9898 * i));
    s.v.push_back(std::cos(2.0 + 78.233 * i));
  }
  const int D = data.dimension();
  for (const BodyRecord& body : data.bodies) {
    if (!body.rigid) continue;
    double* d = s.q.data() + body.first + D;
    const double a = d[0], b = D == 3 ? d[1] : 0, c = D == 3 ? d[2] : 0;
    // Cayley's rotation of (b, c, a): I + 2 (skew + skew^2) / (1 + |.|^2)
    const double f = 2 / (1 + a * a + b * b + c * c), x[3] = {b, c, a};
    for (int i = 0; i < D; ++i)
      for (int k = 0; k < D; ++k) {
        double entry = f * x[i] * x[k];
        if (i == k)
          entry += 1 - f * (a * a + b * b + c * c);
        else
          entry += f * ((k - i + 3) % 3 == 1 ? 1 : -1) * x[3 - i - k];
        d[D * i + k] = entry;
      }
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
  Probe(const Assembly& assembly, const Sample& sample) : assembly_(assembly), sample_(sample) {
    for (const auto& term : assembly.system.terms()) {
      // A coordinate of a joint stays as it is, and so must the angle or stroke that it stands for.
      if (term->role != Role::potential && term->role != Role::force && term->name != own_coordinate_term) continue;
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
    std::vector<double> slope(field.size());
    for (std::size_t j = 0; j + 1 < assembly_.first.size(); ++j)
      if (!closed(assembly_.first[j], assembly_.first[j + 1], field, slope)) return false;
    return true;
  }

 private:
  struct Slopes {
    const Term* term;
    std::vector<double> value, slope;
  };
  static bool unchanged(const Slopes& s, const std::vector<double>& field) {
    const Term& term = *s.term;
    Balance all;
    for (int site = 0; site < term.site_count(); ++site)
      for (int c = 0; c < term.coordinates; ++c) {
        const auto e = sz(site) * sz(term.coordinates) + sz(c);
        const double f = term.role == Role::force ? s.value[e] : s.slope[sz(site) * sz(term.variables) + sz(c)];
        all.add(f * field[sz(term.sites[e])]);
      }
    return all.holds();
  }
  // `slope` is zero before and after.
  bool closed(int first, int end, const std::vector<double>& field, std::vector<double>& slope) const {
    Balance all;
    std::vector<int> used;
    for (int r = first; r < end; ++r) {
      const Quadratic& g = assembly_.rows[sz(r)].g;
      const double value = g.value(sample_.q.data());
      g.add_gradient(sample_.q.data(), 1.0, slope.data());
      used.clear();
      g.collect(used);
      for (const int i : used) {
        all.add(value * slope[sz(i)] * field[sz(i)]);
        slope[sz(i)] = 0;
      }
    }
    return all.holds();
  }

  const Assembly& assembly_;
  const Sample& sample_;
  std::vector<Slopes> slopes_;
};

}  // namespace

void add_symmetries(const MechanismData& data, Assembly& assembly) {
  if (data.bodies.empty() || !data.drives.empty()) return;  // a drive takes every momentum
  const int D = data.dimension();
  std::vector<std::shared_ptr<const Term>> found;
  const Sample at = sample(data, assembly.system.size());
  const Probe probe(assembly, at);
  for (int k = 0; k < D; ++k)
    if (auto term = translation(data, k); probe.allows(*term)) found.push_back(std::move(term));
  for (int k = D == 2 ? 2 : 0; k < 3; ++k)
    if (auto term = rotation_about(data, k); probe.allows(*term)) found.push_back(std::move(term));
  for (auto& term : found) assembly.system.add_term(std::move(term));
}

}  // namespace extremal
