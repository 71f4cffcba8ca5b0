// Splittings of Runge–Kutta–Nyström kind: the coefficients of kicks and drifts, and the order conditions they meet.
//
// A step is exp(b_1 B) exp(a_1 A) exp(b_2 B) ... exp(a_s A) exp(b_{s+1} B) with the flows of the kinetic energy A and
// of the potential B, where h is absorbed. It is compared with exp(A + B) word by word, a word being a product of the
// letters A and B. For a kinetic energy that is quadratic in the momenta [B, [B, [B, A]]] = 0, and what lies in the
// ideal of this bracket does not count [BlanesMoan2002; HairerLubichWanner2006, III.3 and IV.2.3]. The coefficients
// are palindromes, so that only odd lengths count: the words A, B; AAB, ABB; AAAAB, AAABB, AABAB, and
// 3 AABBB + ABABB, which vanishes on [A, [B, [B, [B, A]]]].
#pragma once

#include <vector>

#include "extremal/scalar.hpp"

namespace extremal {

struct Splitting {
  std::vector<quad> kicks, drifts;  // b_1 .. b_{s+1} and a_1 .. a_s
};

// All zero: the order, 4 or 6, is reached.
std::vector<quad> order_defects(const Splitting& splitting, int order);

// With six drifts for order 4, with eleven for order 6 [BlanesMoan2002]: as published, 15 digits, and the
// nearest solution of the order conditions.
Splitting blanes_moan_published(int order);
const Splitting& blanes_moan(int order);

}  // namespace extremal
