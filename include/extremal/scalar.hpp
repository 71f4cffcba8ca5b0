// Scalars: double, long double and quad (__float128), and the few functions a kernel needs of each.
//
//   auto x = math::sqrt(quad(2));                 // 34 digits
//   Scalar<quad>::epsilon                         // 2^-112
//   to_text(x)                                    // every digit, readable by from_text<quad>
//
// quad is GCC's and clang's __float128 with libquadmath behind it. Its functions are declared here by
// hand because clang does not ship quadmath.h; those of the others are named as compilers do, since <cmath> brings
// 10 000 lines along.
#pragma once

#include <string>
#include <string_view>

extern "C" {
__float128 sqrtq(__float128);
__float128 sinq(__float128);
__float128 cosq(__float128);
__float128 tanq(__float128);
__float128 asinq(__float128);
__float128 acosq(__float128);
__float128 atanq(__float128);
__float128 atan2q(__float128, __float128);
__float128 sinhq(__float128);
__float128 coshq(__float128);
__float128 tanhq(__float128);
__float128 expq(__float128);
__float128 logq(__float128);
__float128 powq(__float128, __float128);
__float128 fabsq(__float128);
int finiteq(__float128);
}

namespace extremal {

using quad = __float128;

template <class S>
struct Scalar;
template <>
struct Scalar<double> {
  static constexpr double epsilon = 0x1p-52;
  static constexpr const char* name = "double";
};
template <>
struct Scalar<long double> {
  static constexpr long double epsilon = 0x1p-63L;
  static constexpr const char* name = "long-double";
};
template <>
struct Scalar<quad> {
  // The product of two exact powers of two: no quad literal, which strict C++ does not have.
  static constexpr quad epsilon = quad(0x1p-56) * quad(0x1p-56);
  static constexpr const char* name = "quad";
};

// All significant digits, so that from_text(to_text(x)) == x; from_text reads a decimal number and
// returns false if the text is anything else.
std::string to_text(double x);
std::string to_text(long double x);
std::string to_text(quad x);
bool from_text(std::string_view text, double& x);
bool from_text(std::string_view text, long double& x);
bool from_text(std::string_view text, quad& x);

// The same names at every scalar, so that templates need neither `using std::sin` nor a branch.
namespace math {
#define EXTREMAL_UNARY(name)                                                \
  inline double name(double x) { return __builtin_##name(x); }              \
  inline long double name(long double x) { return __builtin_##name##l(x); } \
  inline quad name(quad x) { return ::name##q(x); }
EXTREMAL_UNARY(sqrt)
EXTREMAL_UNARY(sin)
EXTREMAL_UNARY(cos)
EXTREMAL_UNARY(tan)
EXTREMAL_UNARY(asin)
EXTREMAL_UNARY(acos)
EXTREMAL_UNARY(atan)
EXTREMAL_UNARY(sinh)
EXTREMAL_UNARY(cosh)
EXTREMAL_UNARY(tanh)
EXTREMAL_UNARY(exp)
EXTREMAL_UNARY(log)
#undef EXTREMAL_UNARY
inline double pow(double x, double y) { return __builtin_pow(x, y); }
inline long double pow(long double x, long double y) { return __builtin_powl(x, y); }
inline quad pow(quad x, quad y) { return ::powq(x, y); }
inline double atan2(double y, double x) { return __builtin_atan2(y, x); }
inline long double atan2(long double y, long double x) { return __builtin_atan2l(y, x); }
inline quad atan2(quad y, quad x) { return ::atan2q(y, x); }
template <class S>
constexpr S abs(S x) {
  return x < S(0) ? -x : x;
}
// The larger one; a NaN if either is one, so that a maximum over errors does not forget it.
template <class S>
constexpr S max(S x, S y) {
  return y <= x ? x : x == x ? y : x;
}
// False for infinities and NaN: both make x - x a NaN.
template <class S>
constexpr bool finite(S x) {
  return x - x == S(0);
}
}  // namespace math

}  // namespace extremal
