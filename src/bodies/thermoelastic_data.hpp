// What a ThermoelasticNetwork has been told, and the law of its springs.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "bodies/frame.hpp"
#include "extremal/thermoelastic.hpp"

namespace extremal {

struct MassRecord {
  std::string name;
  MassData given;
  Triple position{};  // when the motion starts
};

struct SupportRecord {
  std::string name;
  std::array<TimeFunction, 3> position;  // in the plane the third is 0
  bool moves = false;
};

// An end of a spring.
struct NetworkEnd {
  bool support = false;
  int index = 0;  // of the mass or of the support
};

struct SpringRecord {
  std::string name;
  NetworkEnd a, b;
  ThermoelasticSpring given;
  quad temperature = 0;                    // when the motion starts
  std::optional<TimeFunction> thermostat;  // if it has one: its temperature at all times
};

struct ThermoelasticData {
  std::string name;
  Space space = Space::spatial;
  std::optional<Numbers> gravity;
  std::vector<MassRecord> masses;
  std::vector<SupportRecord> supports;
  std::vector<SpringRecord> springs;
  std::unordered_map<std::string, NetworkEnd> ends;   // by name: masses and supports
  std::unordered_map<std::string, int> spring_index;  // by name

  int dimension() const { return space == Space::planar ? 2 : 3; }
  // Refusals: "triangle: spring "k1": ...".
  [[noreturn]] void refuse(const std::string& what, const std::string& reason) const;
  void expect_free(const std::string& what, const std::string& label) const;  // a name that nothing has
  quad positive(const std::string& what, const char* property, const Number& given) const;
  Triple triple(const std::string& what, const Numbers& given) const;
  NetworkEnd end(const std::string& what, const std::string& label) const;
  Triple placed(const NetworkEnd& end) const;                    // at t = 0
  int coordinate(int mass) const { return mass * dimension(); }  // the first of a mass
};

// A(e, theta) of one spring and its derivatives, with e = ln(l/l0). From the warmth theta - theta_r, which is phi' with
// all its digits: theta has fewer of them.
template <class S>
struct FreeEnergy {
  S value, e, theta, ee, e_theta, theta_theta;
  FreeEnergy(S strain, S warmth, S mu, S beta, S c, S reference) {
    const S temperature = reference + warmth, logarithm = math::log(temperature / reference);
    value = mu * strain * strain / S(2) - beta * warmth * strain + c * (warmth - temperature * logarithm);
    e = mu * strain - beta * warmth;
    theta = -beta * strain - c * logarithm;
    ee = mu;
    e_theta = -beta;
    theta_theta = -c / temperature;
  }
};

// Springs of one kind as one term: `ends` is how many of a spring's ends are masses. Per spring the coordinates of its
// masses and, without a thermostat, its thermal displacement; and its stiffness, length, coupling and capacity as
// indices of parameters.
struct SpringKind {
  int ends = 2;
  bool thermostat = false, uses_time = false;
  friend bool operator==(const SpringKind&, const SpringKind&) = default;
};
struct SpringSite {
  const SpringRecord* spring = nullptr;
  std::vector<int> coordinates;
  std::array<int, 4> parameters{};
};
std::shared_ptr<const Term> spring_term(const ThermoelasticData& data, const SpringKind& kind,
                                        const std::vector<SpringSite>& springs);

}  // namespace extremal
