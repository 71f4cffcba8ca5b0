#include <gtest/gtest.h>

#include <algorithm>

#include "extremal/scheme.hpp"

namespace extremal::scheme_declared_test {
namespace {

Declared declared(const std::string& name) { return Scheme::named(name).declared; }
Order order(const std::string& name) { return declared(name).order; }
std::string text(int n) { return std::to_string(n); }

bool flagged(const std::string& name, const std::string& start) {
  std::vector<std::string> flags = declared(name).flags;
  return std::any_of(flags.begin(), flags.end(), [&](const std::string& flag) { return flag.starts_with(start); });
}

void expect_order(const std::string& name, int q, int p, int lambda) {
  Order found = order(name);
  EXPECT_EQ(found, (Order{q, p, lambda})) << name << ": " << found.q << "/" << found.p << "/" << found.lambda;
}

// [Wenger2017, tables 1 and 2], aligned by their headers. 'd' is 0.
struct Cell {
  int w, s, q, p, lambda;
};
const std::vector<Cell> table{{1, 1, 2, 2, 2}, {1, 2, 2, 2, 2},  {1, 3, 2, 2, 2},  {1, 6, 2, 2, 2}, {2, 2, 4, 4, 2},
                              {2, 3, 4, 4, 2}, {2, 4, 2, 2, 0},  {2, 5, 2, 2, 0},  {2, 6, 2, 2, 0}, {3, 3, 6, 4, 4},
                              {3, 4, 6, 4, 4}, {3, 5, 4, 2, 2},  {3, 6, 2, 2, 0},  {4, 4, 8, 6, 4}, {4, 5, 8, 6, 4},
                              {4, 6, 6, 4, 2}, {5, 5, 10, 6, 6}, {5, 6, 10, 6, 6}, {6, 6, 12, 8, 6}};

TEST(Declared, OrdersOfWengersTable1) {
  for (const Cell& c : table)
    for (int r = c.s; r <= 6; ++r)
      expect_order("wenger(" + text(c.s) + ", " + text(c.w) + ", gauss(" + text(r) + "))", c.q, c.p, c.lambda);
}

TEST(Declared, OrdersOfWengersTable2) {
  for (const Cell& c : table)
    for (int r = c.s + 1; r <= 7; ++r)
      expect_order("wenger(" + text(c.s) + ", " + text(c.w) + ", lobatto(" + text(r) + "))", c.q, c.p, c.lambda);
  for (const Cell& c : table)  // r = s costs nothing if s > w
    if (c.s > c.w)
      expect_order("wenger(" + text(c.s) + ", " + text(c.w) + ", lobatto(" + text(c.s) + "))", c.q, c.p, c.lambda);
  expect_order("wenger(2, 2, lobatto(2))", 2, 2, 0);
  expect_order("wenger(3, 3, lobatto(3))", 4, 2, 2);
  expect_order("wenger(4, 4, lobatto(4))", 6, 4, 2);
  expect_order("wenger(5, 5, lobatto(5))", 8, 4, 4);
  expect_order("wenger(6, 6, lobatto(6))", 10, 6, 4);
}

TEST(Declared, ProjectionRaisesMomentaAndMultipliersToTheOrderOfQ) {
  for (const Cell& c : table) {
    std::string base = "galerkin(" + text(c.s) + ", gauss(" + text(c.s) + "), w=" + text(c.w);
    expect_order(base + ")", c.q, c.q, c.q);
    Order hidden = order(base + ", closure=hidden)");
    EXPECT_EQ(hidden.q, c.q);
    EXPECT_EQ(hidden.p, c.q);
  }
  expect_order("rattle", 2, 2, 1);
  expect_order("spark(4)", 8, 8, 4);
  expect_order("lobatto(4)", 6, 6, 3);
  expect_order("galerkin(5, gauss(5), w=3, closure=hidden)", 4, 4, 1);
  expect_order("galerkin(4, lobatto(4), closure=hidden)", 6, 6, 2);
}

TEST(Declared, OrdersOfTheOthers) {
  expect_order("rectangle(0)", 1, 1, 1);
  expect_order("alpha(0.3)", 1, 1, 1);
  expect_order("alpha(1/2)", 2, 2, 2);
  expect_order("galerkin(1, ends(0.3), closure=hidden)", 1, 1, 0);
  expect_order("quadratic", 4, 4, 4);
  expect_order("radau_constraint(1)", 2, 2, 2);
  expect_order("radau_constraint(3)", 5, 5, 5);
  expect_order("galerkin(4, gauss(4), constraint=radau(3))", 4, 4, 4);
  expect_order("galerkin(3, radau(3))", 5, 5, 5);
  expect_order("galerkin(3, radau(3), closure=variational)", 5, 3, 3);
  expect_order("galerkin(3, gauss(3), constraint=gauss(3), closure=variational)", 4, 2, 0);
}

TEST(Declared, OrdersOfMansTable3) {
  for (int m = 2; m <= 9; ++m)
    for (const char* rules : {"LL", "GL", "LG", "GG"}) {
      EXPECT_EQ(order("man(L" + std::string(rules) + ", " + text(m) + ")").q, 2 * m - 2);
      EXPECT_EQ(order("man(E" + std::string(rules) + ", " + text(m) + ")").q, m % 2 == 0 ? m : m + 1);
    }
}

TEST(Declared, OrdersWithoutConstraints) {
  for (int s = 1; s <= 5; ++s) {
    EXPECT_EQ(declared("spark(" + text(s) + ")").order_free, 2 * s);
    EXPECT_EQ(declared("galerkin(" + text(s) + ", lobatto(" + text(s + 1) + "))").order_free, 2 * s);
    EXPECT_EQ(declared("galerkin(" + text(s) + ", gauss(" + text(s + 2) + "))").order_free, 2 * s);
    EXPECT_EQ(declared("galerkin(" + text(s) + ", radau(" + text(s) + "))").order_free, 2 * s - 1);
  }
  EXPECT_EQ(declared("lobatto(3)").order_free, 4);
  EXPECT_EQ(declared("rectangle(1)").order_free, 1);
  EXPECT_EQ(declared("alpha(0.5)").order_free, 2);
}

TEST(Declared, SymplecticityOfMansEight) {
  for (int m = 2; m <= 6; ++m)
    for (const char* letters : {"LLL", "LGL", "LLG", "LGG", "ELL", "EGL", "ELG", "EGG"}) {
      std::string name = "man(" + std::string(letters) + ", " + text(m) + ")";
      bool symplectic = letters[2] == 'L' && (letters[0] == 'L' || m <= 3);
      EXPECT_EQ(declared(name).symplectic, symplectic) << name;
      EXPECT_EQ(flagged(name, "not symplectic: "), !symplectic) << name;
      EXPECT_TRUE(declared(name).symplectic_free && declared(name).on_manifold) << name;
      EXPECT_EQ(declared(name).symmetry, Symmetry::full) << name;
    }
}

TEST(Declared, Symmetry) {
  for (const char* name : {"rattle", "spark(3)", "lobatto(3)", "midpoint", "trapezoidal", "alpha(0.5)", "quadratic",
                           "radau_constraint(1)", "kahan_li(8, rattle)"})
    EXPECT_EQ(declared(name).symmetry, Symmetry::full) << name;
  for (const char* name : {"shake", "wenger(3, 2, gauss(3))", "wenger(2, 2, lobatto(3))"})
    EXPECT_EQ(declared(name).symmetry, Symmetry::configuration) << name;
  for (const char* name : {"rectangle(0)", "alpha(0.3)", "radau_constraint(2)", "galerkin(2, radau(2))",
                           "galerkin(1, ends(0.3), closure=variational)"})
    EXPECT_EQ(declared(name).symmetry, Symmetry::none) << name;
}

TEST(Declared, FlagsSayWhatItCosts) {
  const char* gauss = "galerkin(3, gauss(3), constraint=gauss(3), closure=variational)";
  const char* given = "galerkin(3, gauss(3), closure=given_lambda0)";
  EXPECT_TRUE(flagged(gauss, "blows up: "));
  EXPECT_TRUE(flagged(given, "blows up: "));
  EXPECT_TRUE(flagged(given, "not self-starting: "));
  EXPECT_FALSE(declared(gauss).on_manifold || declared(given).on_manifold);
  EXPECT_TRUE(flagged("wenger(4, 2, gauss(4))", "order lost: "));
  EXPECT_TRUE(flagged("galerkin(4, gauss(4), constraint=radau(3))", "order lost: "));
  EXPECT_TRUE(flagged("wenger(3, 3, lobatto(3))", "order lost: "));
  for (const char* name : {"lobatto(4)", "wenger(3, 2, lobatto(3))", "wenger(1, 1, gauss(1))", "wenger(3, 2, gauss(3))",
                           "galerkin(3, lobatto(3), control=equidistant, closure=position)"})
    EXPECT_FALSE(flagged(name, "order lost: ")) << name;
  EXPECT_TRUE(declared("spark(3)").flags.empty());
}

}  // namespace
}  // namespace extremal::scheme_declared_test
