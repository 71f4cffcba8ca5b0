// P1a and P1b: extremal, the Cartesian pendulum written with lambdas as in the README.
#include <extremal/extremal.hpp>

#include "measure.hpp"
#include "pendulum.hpp"

namespace {

using namespace peers;

extremal::System pendulum_system() {
  extremal::System s;
  const auto ball = s.coordinates("x", "y");
  s.kinetic(ball, [](auto q, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  const auto g = s.parameter("g", "9.81");
  s.potential(ball, [](auto q, auto g) { return g * q[1]; }, g);
  s.constraint("rod", ball, [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });
  return s;
}

const extremal::Start start{.q = {1, 0}, .v = {0, 0}};

// What the peers are given, for comparison: the angle from the bottom.
extremal::System angle_system() {
  extremal::System s;
  const auto a = s.coordinates("a");
  s.kinetic(a, [](auto q, auto v) { return 0.5 * v[0] * v[0]; });
  const auto g = s.parameter("g", "9.81");
  s.potential(a, [](auto q, auto g) { return -g * cos(q[0]); }, g);
  return s;
}

void per_step(const extremal::System& system, const char* scheme, const char* method, double h) {
  extremal::Stepper<double> stepper(system, extremal::Scheme::named(scheme));
  stepper.start(start);
  const double ns = ns_per_step([&] { stepper.step(h); }, 5000);
  print({.workload = "P1a", .contestant = "extremal", .method = method, .setting = text("h = %g", h), .value = ns});
}

// To T = 1000 with n steps: (error, seconds). One coordinate is the angle.
std::pair<double, double> to_the_end(const extremal::System& system, const char* scheme, int n) {
  extremal::Stepper<double> stepper(system, extremal::Scheme::named(scheme));
  pendulum::LastPeriod last;
  const double h = pendulum::until / n;
  bool converged = true;
  const double time = least_seconds([&] {
    stepper.start(system.size() == 1 ? extremal::Start{.q = {"pi/2"}} : start);
    last.clear();
    for (int k = 1; k <= n && converged; ++k) {
      converged = stepper.step(h).converged;
      if (!last.covers(k * h)) continue;
      const std::vector<double>& q = stepper.state().q;
      if (q.size() == 1)
        last.add(k * h, std::sin(q[0]), -std::cos(q[0]));
      else
        last.add(k * h, q[0], q[1]);
    }
  });
  return {converged ? last.error() : INFINITY, time};
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv);
  const extremal::System system = pendulum_system();
  if (options.wanted("P1a"))
    for (const double h : {1e-3, 1e-2}) {
      per_step(system, "rattle", "RATTLE", h);
      per_step(system, "lobatto(3)", "Lobatto(3)", h);
    }
  if (options.wanted("P1b")) {
    const extremal::System angle = angle_system();
    struct Candidate {
      const char* scheme;
      double coarse;
      bool in_angle = false;
    };
    for (const auto& [scheme, coarse, in_angle] :
         {Candidate{"spark(4)", 0.12}, Candidate{"spark(5)", 0.25}, Candidate{"spark(6)", 0.3},
          Candidate{"spark(7)", 0.4}, Candidate{"spark(8)", 0.5}, Candidate{"lobatto(6)", 0.2},
          Candidate{"lobatto(7)", 0.3}, Candidate{"kahan_li(8, rattle)", 0.12}, Candidate{"spark(6)", 0.3, true},
          Candidate{"kahan_li(8, rattle)", 0.12, true}})
      climb(24, 1e-9, options.quick ? 0.2 : 0.4, [&](int k) {
        const int n = static_cast<int>(std::ceil(pendulum::until / coarse * std::pow(1.2, k)));
        const auto result = to_the_end(in_angle ? angle : system, scheme, n);
        print({.workload = "P1b",
               .contestant = in_angle ? "extremal in the angle" : "extremal",
               .method = scheme,
               .setting = text("h = %.4g", pendulum::until / n),
               .value = result.second,
               .error = result.first});
        return result;
      });
  }
}
