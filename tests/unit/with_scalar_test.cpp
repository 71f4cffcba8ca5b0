// with_scalar: the one way from the name of a precision to its scalar.
#include "numbers/with_scalar.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace extremal::with_scalar_test {
namespace {

std::size_t digits(std::string_view precision) {
  return with_scalar(precision, []<class S>(S) { return to_text(S(1) / S(3)).size(); });
}

TEST(WithScalar, CallsWithTheScalarOfThatName) {
  EXPECT_LT(digits("double"), digits("long-double"));
  EXPECT_LT(digits("long-double"), digits("quad"));
  EXPECT_EQ(epsilon_of("double"), quad(0x1p-52));
  EXPECT_EQ(epsilon_of("quad"), Scalar<quad>::epsilon);
}

TEST(WithScalar, RefusesOtherNames) {
  try {
    digits("quadd");
    FAIL() << "a precision that does not exist was taken";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("unknown precision"));
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean \"quad\""));
  }
}

}  // namespace
}  // namespace extremal::with_scalar_test
