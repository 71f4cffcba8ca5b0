#include "kernel/engine_point.hpp"
#include "kernel/engine_saved.hpp"
#include "kernel/engine_small.hpp"
#include "numbers/instantiate.hpp"

namespace extremal {

template <class S>
std::unique_ptr<StepEngine<S>> make_point_engine(const System& system, const Scheme& scheme) {
  return std::make_unique<PointEngine<S>>(system, scheme);
}

#define EXTREMAL_INSTANTIATE(S) template std::unique_ptr<StepEngine<S>> make_point_engine(const System&, const Scheme&);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
