// Order conditions of symmetric compositions, and the Kahan–Li coefficients that meet them to the last bit.
//
// A symmetric step of order 2 is the flow exp(h Y1 + h^3 Y3 + h^5 Y5 + h^7 Y7 + ...) of non-commuting vector
// fields [HairerLubichWanner2006, III.5 and V.3]. The composition with coefficients c_i is
//   prod_i exp(c_i Y1 + c_i^3 Y3 + c_i^5 Y5 + c_i^7 Y7),
// a series of words in the letters 1, 3, 5, 7, where h is absorbed in the weight of a word, the sum of its letters.
// The order is p if it equals exp(Y1) in all words of weight up to p. Both being exponentials of Lie elements, it is
// enough to compare the Lyndon words; and if the coefficients are a palindrome, those of odd weight:
//   1;  3;  5, 113;  7, 115, 133, 11113.
#pragma once

#include <vector>

#include "extremal/scalar.hpp"

namespace extremal {

// Coefficients of the Lyndon words of weight below `order` minus those of exp(Y1); all zero: the order is reached.
// Words of even weight are left out, as palindromes meet them.
std::vector<quad> order_defects(const std::vector<quad>& coefficients, int order);

// The coefficients as they were published, 26 digits [KahanLi1997; HairerLubichWanner2006, V.3.2], for order 6 or 8.
std::vector<quad> kahan_li_published(int order);
// The nearest solution of the order conditions: 26 digits are not enough for quad.
const std::vector<quad>& kahan_li_coefficients(int order);

}  // namespace extremal
