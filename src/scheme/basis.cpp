#include "scheme/basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "algebra/lu.hpp"
#include "extremal/error.hpp"
#include "formula/derivative.hpp"
#include "formula/parser.hpp"
#include "formula/tape.hpp"
#include "numbers/index.hpp"
#include "scheme/space.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

const Usage own_usage{"functions(1, ..)", "functions(1, t, exp(-2*t))"};

// A formula of t and its first derivatives.
class OwnFunction {
 public:
  OwnFunction(const std::string& text, int derivatives) : count_(derivatives + 1) {
    Graph graph;
    std::vector<int> rows{parse(text, graph, [&](std::string_view name, bool rate) {
      if (name == "t" && !rate) return graph.time();
      throw NameRefusal{unknown("name", std::string(name) + (rate ? "'" : ""), {"t"}) +
                        ", the time since the start of the step"};
    })};
    constant_ = graph.is_constant(rows.front()) && !graph.is(rows.front(), 0);
    const int t = graph.time();
    for (int k = 0; k < derivatives; ++k) rows.push_back(gradient(graph, {{rows.back(), graph.constant(1)}}, {t})[0]);
    tape_ = Tape(graph, rows, count_);
  }

  bool is_constant() const { return constant_; }
  std::vector<quad> at(quad t) const {
    std::vector<quad> out(sz(count_));
    const Nodes<quad> node{1, 0, nullptr, nullptr, &t, nullptr};
    tape_.run<quad>({&node, nullptr, 1, 0, nullptr, 0}, out.data(), nullptr);
    return out;
  }

 private:
  int count_;
  bool constant_ = false;
  Tape tape_;
};

std::vector<OwnFunction> own_functions(const std::vector<std::string>& texts, int derivatives) {
  std::vector<OwnFunction> all;
  for (const std::string& text : texts) all.emplace_back(text, derivatives);
  return all;
}

// u_i^(j)(0), every row divided by its largest entry; column by column, as solving for combinations of the u_i needs
// it.
Lu<quad> wronskian(const std::vector<OwnFunction>& functions, std::vector<quad>& sizes) {
  const int n = static_cast<int>(functions.size());
  Lu<quad> lu(n);
  for (int i = 0; i < n; ++i) {
    const std::vector<quad> u = functions[sz(i)].at(0);
    quad size = 0;
    for (int j = 0; j < n; ++j) size = math::max(size, math::abs(u[sz(j)]));
    sizes.push_back(size == 0 ? quad(1) : size);
    for (int j = 0; j < n; ++j) lu.row(j)[i] = u[sz(j)] / sizes.back();
  }
  return lu;
}

constexpr double round_off = 1e-20;  // of what is computed in quad, with digits to spare

void require_regular(const std::vector<std::string>& texts, int degree) {
  const auto functions = own_functions(texts, degree);
  for (std::size_t i = 0; i < functions.size(); ++i)
    for (const quad& x : functions[i].at(0))
      if (!math::finite(x))
        refuse(own_usage.form, texts[i], "functions with finite derivatives at t = 0, the start of a step",
               own_usage.example);
  if (std::none_of(functions.begin(), functions.end(), [](const auto& f) { return f.is_constant(); }))
    refuse(own_usage.form, "no constant", "1 among them: what rests must be in the ansatz", own_usage.example);
  std::vector<quad> sizes;
  const int dependent = wronskian(functions, sizes).factor(quad(round_off));
  if (dependent < 0) return;
  refuse(own_usage.form,
         texts[sz(dependent)] + ", whose derivatives at t = 0 up to order " + std::to_string(degree) +
             " depend on those of the functions before it",
         "functions that tend to polynomials of degree " + std::to_string(degree) +
             " as the step gets short: others lose their order, or are dependent",
         own_usage.example);
}

std::vector<int> read_powers(const Call& call, int degree) {
  Usage usage{"powers(0, 1, ..)", "powers(0, 1, 3)"};
  constexpr int most = 62;  // twice the highest degree
  std::vector<int> powers;
  for (const std::string& text : positional(call, sz(degree) + 1, usage))
    powers.push_back(integer(text, "power", powers.empty() ? 0 : powers.back() + 1, most, usage));
  if (powers.front() != 0)
    refuse(usage.form, "a first power of " + std::to_string(powers.front()), "0: the ansatz needs the constant",
           usage.example);
  return powers.back() == degree ? std::vector<int>{} : powers;
}

std::vector<SpaceFunction> span_of(const Basis& basis, int degree, quad h) {
  if (!basis.powers.empty()) return powers(basis.powers);
  // The middle of the step is the middle of its oscillations, so that the sign of h does not matter.
  if (basis.functions.empty()) return with_oscillation(degree, basis.omega.as<quad>() * h);
  std::vector<SpaceFunction> span;
  for (OwnFunction& f : own_functions(basis.functions, 1)) {
    const auto shared = std::make_shared<const OwnFunction>(std::move(f));
    const auto time = [h, back = basis.mirrored](quad x) { return h * (back ? 1 - x : x); };
    const quad rate = basis.mirrored ? -h : h;
    span.push_back({[shared, time](quad x) { return shared->at(time(x))[0]; },
                    [shared, time, rate](quad x) { return rate * shared->at(time(x))[1]; }});
  }
  return span;
}

}  // namespace

Basis read_basis(const std::string& text, int degree, const std::vector<std::string>& kinds) {
  const Call call(text);
  Basis basis;
  if (std::find(kinds.begin(), kinds.end(), call.name) == kinds.end()) refuse_unknown("basis", call.name, kinds);
  if (call.name == "polynomial") {
    positional(call, 0, {"polynomial", "polynomial"});
  } else if (call.name == "powers") {
    basis.powers = read_powers(call, degree);
  } else if (call.name == "functions") {
    basis.functions = positional(call, sz(degree) + 1, own_usage);
    require_regular(basis.functions, degree);
  } else {
    Usage usage{"fourier(omega)", "fourier(2*pi)"};
    basis.omega = Number(positional(call, 1, usage)[0]);
    if (!(basis.omega.as<quad>() > 0))
      refuse(usage.form, "omega = " + basis.omega.text(), "omega > 0, an angular frequency", usage.example);
    if (degree < 2)
      refuse("basis=fourier", "degree " + std::to_string(degree),
             "at least degree 2: 1, cos and sin are three functions", "phase_space(3, basis=fourier(2*pi))");
  }
  return basis;
}

std::string to_text(const Basis& basis) {
  std::string list;
  const auto append = [&](const std::string& item) { list += (list.empty() ? "" : ", ") + item; };
  for (const int power : basis.powers) append(std::to_string(power));
  for (const std::string& function : basis.functions) append(function);
  if (!basis.powers.empty()) return "powers(" + list + ")";
  if (!basis.functions.empty()) return "functions(" + list + ")";
  return basis == Basis{} ? "polynomial" : "fourier(" + basis.omega.text() + ")";
}

Basis mirrored(const Basis& basis) {
  Basis result = basis;
  result.mirrored = !symmetric(basis) && !basis.mirrored;
  return result;
}

bool symmetric(const Basis& basis) { return basis.functions.empty(); }

bool has_length(const Basis& basis) { return basis.omega.as<quad>() != 0 || !basis.functions.empty(); }

// The combination of the functions that has the derivatives of u' at 0 is u' everywhere, or nothing is.
bool is_complete(const Basis& basis) {
  if (!basis.powers.empty()) return false;
  const int n = static_cast<int>(basis.functions.size());
  if (n == 0) return true;
  const auto functions = own_functions(basis.functions, n);
  std::vector<quad> sizes;
  Lu<quad> lu = wronskian(functions, sizes);
  if (lu.factor(quad(round_off)) >= 0) return false;
  for (const OwnFunction& f : functions) {
    const std::vector<quad> u = f.at(0);
    std::vector<quad> c(u.begin() + 1, u.end());
    lu.solve(c.data());
    for (const double t : {0.0625, 0.125, 0.25}) {
      quad sum = 0, size = 0;
      for (int i = 0; i < n; ++i) {
        const quad part = c[sz(i)] / sizes[sz(i)] * functions[sz(i)].at(quad(t))[0];
        sum += part;
        size += math::abs(part);
      }
      const quad slope = f.at(quad(t))[1];
      if (!(math::abs(sum - slope) <= quad(round_off) * (size + math::abs(slope)))) return false;
    }
  }
  return true;
}

// What is smooth is its interpolation at 64 Chebyshev points: of analytic functions the error falls like a power, of
// what has a jump not at all, of a kink like 1/64. The functions that a step of a few nodes can follow are far below.
void require_smooth(const Basis& basis, quad h) {
  constexpr int count = 64;
  constexpr double enough = 1e-3;
  const auto length = static_cast<double>(math::abs(h));
  for (const std::string& text : basis.functions) {
    const OwnFunction function(text, 0);
    const auto value = [&](double x) { return static_cast<double>(function.at(quad(length) * quad(x))[0]); };
    std::vector<double> x, f, weight;
    double size = 0;
    for (int k = 0; k < count; ++k) {
      const double angle = std::numbers::pi * (2 * k + 1) / (2 * count);
      x.push_back((1 - std::cos(angle)) / 2);
      f.push_back(value(x.back()));
      weight.push_back((k % 2 == 0 ? 1 : -1) * std::sin(angle));
      size = std::max(size, std::fabs(f.back()));
    }
    double worst = 0;
    bool finite = std::isfinite(size);
    for (int k = 0; k <= count; ++k) {
      const double at = k == 0 ? 0 : k == count ? 1 : (x[sz(k - 1)] + x[sz(k)]) / 2, own = value(at);
      double sum = 0, total = 0;
      for (int j = 0; j < count; ++j) {
        const double part = weight[sz(j)] / (at - x[sz(j)]);
        sum += part * f[sz(j)];
        total += part;
      }
      finite = finite && std::isfinite(own);
      worst = std::max(worst, std::fabs(sum / total - own));
    }
    if (!finite || !(worst <= enough * size))
      throw InputError(
          fmt::format("basis: {} has a pole, a jump or a kink in a step of {:.4g}, or changes too fast for "
                      "one; try other functions, or a shorter step",
                      text, length));
  }
}

BasisTable basis_table(const Basis& basis, int degree, quad h, const std::vector<quad>& points,
                       const std::vector<quad>& x) {
  if (basis == Basis{}) return lagrange_basis(points, x);
  return cardinal_basis(span_of(basis, degree, math::abs(h)), points, x);
}

}  // namespace extremal
