#include "kernel/engine_look.hpp"
#include "kernel/engine_start.hpp"
#include "kernel/engine_trace.hpp"
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
