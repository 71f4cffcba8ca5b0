// A Term over Lanes by its doubles.
#include "extremal/term.hpp"

#include "extremal/error.hpp"

namespace extremal {
namespace {

// Doubles of one lane at a time, in memory of the thread that grows at the first calls: a step allocates nothing.
class OneLane {
 public:
  OneLane(const Nodes<Lanes>& at, std::ptrdiff_t weights, std::ptrdiff_t results) : at_(at) {
    const std::ptrdiff_t q = static_cast<std::ptrdiff_t>(at.count) * at.n;
    const std::ptrdiff_t size = 2 * q + at.count + at.parameter_count + weights + results;
    thread_local std::vector<double> memory;
    if (memory.size() < static_cast<std::size_t>(size)) memory.resize(static_cast<std::size_t>(size));
    q_ = memory.data();
    v_ = q_ + q;
    t_ = v_ + q;
    parameters_ = t_ + at.count;
    weights_ = parameters_ + at.parameter_count;
    results_ = weights_ + weights;
  }

  Nodes<double> nodes(int lane) const {
    const std::ptrdiff_t q = v_ - q_;
    gather(at_.q, q, lane, q_);
    if (at_.v != nullptr) gather(at_.v, q, lane, v_);
    gather(at_.t, at_.count, lane, t_);
    gather(at_.parameters, at_.parameter_count, lane, parameters_);
    return {at_.count, at_.n, q_, at_.v != nullptr ? v_ : nullptr, t_, parameters_, at_.parameter_count};
  }
  static void gather(const Lanes* from, std::ptrdiff_t count, int lane, double* to) {
    for (std::ptrdiff_t i = 0; i < count; ++i) to[i] = from[i][lane];
  }
  static void scatter(const double* from, std::ptrdiff_t count, int lane, Lanes* to) {
    for (std::ptrdiff_t i = 0; i < count; ++i) to[i][lane] = from[i];
  }
  double* weights() const { return weights_; }
  double* results() const { return results_; }

 private:
  const Nodes<Lanes>& at_;
  double *q_, *v_, *t_, *parameters_, *weights_, *results_;
};

}  // namespace

Term::Term(Role r, std::string label) : role(r), name(std::move(label)) {}
Term::Term(const Term&) = default;
Term::~Term() = default;

Degree::Follower::~Follower() = default;

Degree Degree::leaf(From kind, int index) const {
  Degree out = *this;
  if (Follower* const one = follower()) out.node = one->leaf(kind, index);
  return out;
}

Degree Degree::told(Did what, const Degree& x, const Degree& y) const {
  Follower& to = *follower();
  const auto number = [&](const Degree& d) { return d.node >= 0 ? d.node : to.constant(d.a); };
  Degree out = *this;
  const int first = number(x);
  out.node = to.operation(what, first, number(y));
  return out;
}

bool Term::rows_of_degrees(Degree* /*out*/) const { return false; }

void Term::set_depends_on(const int* begin, const int* end) {
  for (; begin != end; ++begin)
    if (*begin >= 0) depends_on.push_back(*begin);
}

void Degree::refuse_index(int i, int n) {
  throw InputError("a term uses component " + std::to_string(i) + " of its coordinates; it was given " +
                   std::to_string(n) + " (0 to " + std::to_string(n - 1) + ")");
}

void Term::value(const Nodes<Lanes>& at, Lanes* out) const {
  const std::ptrdiff_t values = static_cast<std::ptrdiff_t>(at.count) * site_count() * row_count;
  const OneLane one(at, 0, values);
  for (int l = 0; l < Lanes::count; ++l) {
    this->at<double>().value(one.nodes(l), one.results());
    OneLane::scatter(one.results(), values, l, out);
  }
}

void Term::gradient(const Nodes<Lanes>& at, Lanes* value, Lanes* out) const {
  const std::ptrdiff_t values = static_cast<std::ptrdiff_t>(at.count) * site_count() * row_count;
  const OneLane one(at, 0, values * (1 + variables));
  double* const slopes = one.results() + values;
  for (int l = 0; l < Lanes::count; ++l) {
    this->at<double>().gradient(one.nodes(l), one.results(), slopes);
    OneLane::scatter(one.results(), values, l, value);
    OneLane::scatter(slopes, values * variables, l, out);
  }
}

void Term::hessian(const Nodes<Lanes>& at, const Lanes* weights, Lanes* out) const {
  const std::ptrdiff_t calls = static_cast<std::ptrdiff_t>(at.count) * site_count();
  const std::ptrdiff_t entries = calls * (variables * (variables + 1) / 2);
  const OneLane one(at, calls * row_count, entries);
  for (int l = 0; l < Lanes::count; ++l) {
    OneLane::gather(weights, calls * row_count, l, one.weights());
    this->at<double>().hessian(one.nodes(l), one.weights(), one.results());
    OneLane::scatter(one.results(), entries, l, out);
  }
}

}  // namespace extremal
