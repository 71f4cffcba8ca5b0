#include "extremal/number.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <limits>
#include <random>

#include "extremal/error.hpp"

namespace extremal::number_test {
namespace {

std::string message(const std::string& text) {
  try {
    Number number(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

template <class S>
void expect_round_trip(S x) {
  S back = 0;
  EXPECT_TRUE(from_text(to_text(x), back)) << to_text(x);
  EXPECT_TRUE(back == x) << to_text(x);
}

// Mantissas of random bits at random powers of two.
template <class S>
void expect_round_trips(int exponents) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    S x = static_cast<S>(random());
    x = x * static_cast<S>(0x1p64) + static_cast<S>(random());
    int exponent = static_cast<int>(random() % static_cast<unsigned>(2 * exponents)) - exponents;
    for (int k = 0; k < exponent; ++k) x *= 2;
    for (int k = 0; k > exponent; --k) x /= 2;
    expect_round_trip(random() % 2 ? x : -x);
  }
}

TEST(Scalar, TextRoundTripsAtEveryScalar) {
  expect_round_trips<double>(800);
  expect_round_trips<long double>(3000);
  expect_round_trips<quad>(3000);
  expect_round_trip(std::numeric_limits<double>::denorm_min());
  expect_round_trip(std::numeric_limits<double>::max());
  expect_round_trip(std::numeric_limits<long double>::denorm_min());
  expect_round_trip(std::numeric_limits<long double>::max());
}

TEST(Scalar, TextIsShort) {
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(0.1L), "0.1");
  EXPECT_EQ(to_text(quad(1) / 10), "0.1");
  EXPECT_EQ(to_text(quad(0)), "0");
  EXPECT_EQ(to_text(quad(-2)), "-2");
  EXPECT_EQ(to_text(quad(1200)), "1200");
  EXPECT_EQ(to_text(quad(1) / 1024), "0.0009765625");
  EXPECT_EQ(to_text(quad(1e30)), "1.000000000000000019884624838656e30");
}

TEST(Scalar, ReadsDecimalsAndNothingElse) {
  double x = 0;
  for (const char* text : {"1", "+1", "1.", "1.0", "01", "10e-1", ".1e1", "0.1E+1"}) {
    EXPECT_TRUE(from_text(text, x)) << text;
    EXPECT_EQ(x, 1) << text;
  }
  quad y = 0;
  for (const char* text :
       {"", "+", "-", ".", "e1", "1e", "1e+", "1 ", " 1", "1,5", "0x1", "nan", "inf", "1.2.3", "1e5x"}) {
    EXPECT_FALSE(from_text(text, x)) << text;
    EXPECT_FALSE(from_text(text, y)) << text;
  }
}

TEST(Scalar, OverflowIsNoNumberAndUnderflowIsZero) {
  double x = 1;
  long double y = 1;
  quad z = 1;
  EXPECT_FALSE(from_text("1e400", x));
  EXPECT_TRUE(from_text("1e400", y));
  EXPECT_FALSE(from_text("1e5000", y));
  EXPECT_FALSE(from_text("-1e5000", z));
  EXPECT_FALSE(from_text("1e99999999999999999999", z));
  EXPECT_TRUE(from_text("1e-400", x) && x == 0);
  EXPECT_TRUE(from_text("1e-99999999999999999999", z) && z == 0);
  EXPECT_TRUE(from_text("0e99999999999999999999", z) && z == 0);
}

TEST(Scalar, TextDoesNotDependOnTheLocale) {
  std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* locale : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"}) std::setlocale(LC_ALL, locale);
  EXPECT_EQ(to_text(quad(3) / 2), "1.5");
  quad x = 0;
  EXPECT_TRUE(from_text("1.5", x) && x == quad(3) / 2);
  std::setlocale(LC_ALL, before.c_str());
}

TEST(Number, RoundsDecimalsOnceAtTheScalarThatAsks) {
  Number g = "9.81";
  EXPECT_EQ(g.as<double>(), 9.81);
  EXPECT_EQ(g.as<long double>(), 9.81L);
  EXPECT_TRUE(g.as<quad>() == quad(981) / 100);
  EXPECT_FALSE(g.as<quad>() == quad(9.81));
  EXPECT_EQ(g.text(), "9.81");
}

TEST(Number, OfADoubleIsItsShortestDecimal) {
  EXPECT_EQ(Number(0.05).text(), "0.05");
  EXPECT_TRUE(Number(0.05).as<quad>() == quad(1) / 20);
  EXPECT_EQ(Number(3).text(), "3");
  EXPECT_EQ(Number(-0.5), Number("-0.5"));
  EXPECT_EQ(Number::exactly(quad(1) / 3).as<quad>() == quad(1) / 3, true);
}

TEST(Number, EvaluatesConstantExpressions) {
  auto expect = [](const char* text, quad value) {
    EXPECT_LE(static_cast<double>(math::abs(Number(text).as<quad>() - value)), 1e-33) << text;
  };
  expect("1 + 2*3", 7);
  expect("(1+2)*3", 9);
  expect("8/4/2", 1);
  expect("1-2-3", -4);
  expect("-2^2", -4);
  expect("2^-1", quad(1) / 2);
  expect("2^3^2", 512);
  expect("--1", 1);
  expect("+1", 1);
  expect("2*-3", -6);
  expect("1e-3*2e3", 2);
  expect("sqrt(2)^2", 2);
  expect("4*abs(-1/3)", quad(4) / 3);
  expect("sin(pi/6)", quad(1) / 2);
  expect("cos(0) + tan(0)", 1);
  expect("log(exp(2))", 2);
  expect("4*atan2(-1, -1)/3 + pi", 0);
  expect("asin(1) + acos(0) + 4*atan(1)", 2 * 4 * math::atan(quad(1)));
  expect("cosh(1)^2 - sinh(1)^2 + tanh(0) + ln(1)", 1);
  expect("pow(2, -1)", quad(1) / 2);
  expect("1/(4-4^(1/3))", 1 / (4 - math::pow(quad(4), quad(1) / 3)));
  EXPECT_EQ(Number("1/3").as<double>(), 1.0 / 3);
  EXPECT_EQ(Number("sqrt(2)/2").as<double>(), 0.70710678118654752440);
}

TEST(Number, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(message("2*(3"), "number \"2*(3\": at position 5: found the end; expected \")\"; e.g. sqrt(2)/2");
  EXPECT_EQ(
      message("2 ** 3"),
      "number \"2 ** 3\": at position 4: found \"*\"; expected a number, pi, a function or \"(\"; e.g. sqrt(2)/2");
  EXPECT_EQ(message("2 3"),
            "number \"2 3\": at position 3: found \"3\"; expected an operator or the end; e.g. sqrt(2)/2");
  EXPECT_EQ(message("1+sine(1)"),
            "number \"1+sine(1)\": at position 3: found \"sine\"; expected pi, sqrt, sin, cos, tan, asin, acos, atan, "
            "atan2, sinh, cosh, tanh, exp, log, ln, abs, pow, floor, mod, min, max, sign, if; e.g. sqrt(2)/2");
  EXPECT_EQ(message("1/0"), "number \"1/0\": found inf; expected a finite number below 1.8e308 in size");
  EXPECT_EQ(message("1e400"), "number \"1e400\": found 1e400; expected a finite number below 1.8e308 in size");
  for (const char* text : {"", "nan", "inf", "sqrt(-1)", "log(0)", "0/0", "1e", "pi2", "sin 1", "sin()", "1,5", "\n",
                           "x", "pi'", "sin(1, 2)", "pow(2)", "\xc3\xa9", "\xff"})
    EXPECT_NE(message(text), "") << text;
  EXPECT_EQ(message("1\n2").find('\n'), std::string::npos);
  EXPECT_THROW(Number{std::numeric_limits<double>::infinity()}, InputError);
  EXPECT_THROW(Number{std::numeric_limits<double>::quiet_NaN()}, InputError);
  EXPECT_THROW(Number(static_cast<const char*>(nullptr)), InputError);
}

TEST(Number, LimitsTheDepthOfNesting) {
  auto nested = [](std::size_t depth) { return std::string(depth, '(') + "1" + std::string(depth, ')'); };
  EXPECT_EQ(message(nested(90)), "");
  EXPECT_NE(message(nested(200)).find("levels of nesting"), std::string::npos);
  EXPECT_NE(message(std::string(100000, '(')).find("levels of nesting"), std::string::npos);
  std::string tower = "1";
  for (int i = 0; i < 200; ++i) tower = "1^" + tower;
  EXPECT_NE(message(tower), "");
  EXPECT_EQ(message(std::string(100000, '-') + "1"), "");
}

}  // namespace
}  // namespace extremal::number_test
