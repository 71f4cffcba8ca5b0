#include "import/moments.hpp"

#include <algorithm>

#include "import/xml.hpp"

namespace extremal::robots {

Moments mend_moments(Tensor& inertia, quad place) {
  PrincipalAxes own = principal_axes(inertia);
  Triple& J = own.moments;
  const quad most = math::max(J[0], math::max(J[1], J[2]));
  const quad allowed = math::max(quad(1e-4) * most, quad(1.5) * place);
  quad missing = 0;
  for (quad& moment : J)
    if (moment < 0) missing = math::max(missing, -moment), moment = 0;
  const auto largest = std::max_element(J.begin(), J.end());
  const quad excess = 2 * *largest - (J[0] + J[1] + J[2]);
  missing = math::max(missing, excess);
  if (!(missing > 0)) return Moments::possible;
  if (!(missing <= allowed)) return Moments::impossible;
  if (excess > 0)
    for (auto moment = J.begin(); moment != J.end(); ++moment) *moment += (moment == largest ? -1 : 1) * (excess / 3);
  inertia = turned({J[0], J[1], J[2], 0, 0, 0}, own.axes);
  return missing > quad(1e-12) * most ? Moments::mended : Moments::possible;
}

quad coarsest_place(std::string_view numbers) {
  constexpr const char* blanks = " \t\r\n";
  quad coarsest = 0;
  for (;;) {
    numbers.remove_prefix(std::min(numbers.find_first_not_of(blanks), numbers.size()));
    if (numbers.empty()) return coarsest;
    const std::string_view word = numbers.substr(0, numbers.find_first_of(blanks));
    if (word.find_first_of("123456789") < word.find_first_of("eE"))  // 0.0 is 0, and not rounded
      coarsest = math::max(coarsest, last_place(word));
    numbers.remove_prefix(word.size());
  }
}

}  // namespace extremal::robots
