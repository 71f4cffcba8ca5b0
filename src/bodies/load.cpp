#include "bodies/load.hpp"

namespace extremal {

const std::vector<LoadLaw>& load_laws() {
  static const std::vector<LoadLaw> all = [] {
    std::vector<LoadLaw> laws;
    for (const std::vector<LoadLaw>& some : {spring_laws(), force_laws(), torque_laws()})
      laws.insert(laws.end(), some.begin(), some.end());
    return laws;
  }();
  return all;
}

}  // namespace extremal
