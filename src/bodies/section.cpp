// Cross-sections of rods by material and shape.
#include <string>

#include "extremal/error.hpp"
#include "extremal/rod.hpp"

namespace extremal {
namespace {

const quad pi = 4 * math::atan(quad(1));

quad positive(const char* what, const Number& given) {
  const quad x = given.as<quad>();
  if (!(x > 0)) throw InputError(std::string("section: ") + what + " " + given.text() + "; expected a positive one");
  return x;
}

// A: area, I2 and I3: second moments of area, J: torsion constant, k: shear correction.
Section of(const Section::Material& material, quad A, quad I2, quad I3, quad J, quad k) {
  const quad E = positive("E", material.E), G = positive("G", material.G), rho = positive("density", material.density);
  const auto number = [](quad x) { return Number::exactly(x); };
  return {.EA = number(E * A),
          .GA2 = number(k * G * A),
          .GA3 = number(k * G * A),
          .GJ = number(G * J),
          .EI2 = number(E * I2),
          .EI3 = number(E * I3),
          .mass = number(rho * A),
          .inertia2 = number(rho * I2),
          .inertia3 = number(rho * I3)};
}

// Saint-Venant's series for a >= b: a b^3 / 3 (1 - 192 b / (pi^5 a) sum tanh(n pi a / (2 b)) / n^5, n odd). The sum of
// 1 / n^5 is 31/32 zeta(5); what tanh lacks to 1 is summed.
quad torsion_constant(quad a, quad b) {
  if (a < b) return torsion_constant(b, a);
  quad sum = quad(31) / 32 * Number("1.0369277551433699263313654864570341680570809195019").as<quad>();
  for (int n = 1; n < 60; n += 2) {
    const quad m = n, power = m * m * m * m * m;
    sum -= 2 / (math::exp(m * pi * a / b) + 1) / power;
  }
  return a * b * b * b / 3 * (1 - 192 * b / (pi * pi * pi * pi * pi * a) * sum);
}

}  // namespace

Section Section::rectangle(const Material& material, const Number& width, const Number& height) {
  const quad w = positive("width", width), h = positive("height", height);
  return of(material, w * h, w * h * h * h / 12, h * w * w * w / 12, torsion_constant(w, h), quad(5) / 6);
}

Section Section::circle(const Material& material, const Number& radius) {
  const quad r = positive("radius", radius), I = pi * r * r * r * r / 4;
  return of(material, pi * r * r, I, I, 2 * I, quad(9) / 10);
}

Section Section::tube(const Material& material, const Number& outer, const Number& inner) {
  const quad R = positive("outer radius", outer), r = positive("inner radius", inner);
  if (!(r < R))
    throw InputError("section: inner radius " + inner.text() + "; expected one below the outer radius " + outer.text());
  const quad I = pi * (R * R * R * R - r * r * r * r) / 4;
  return of(material, pi * (R * R - r * r), I, I, 2 * I, quad(1) / 2);
}

}  // namespace extremal
