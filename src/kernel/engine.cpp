#include "kernel/engine_point.hpp"
#include "kernel/engine_saved.hpp"
#include "kernel/engine_small.hpp"

namespace extremal {

template <class S>
std::unique_ptr<StepEngine<S>> make_point_engine(const System& system, const Scheme& scheme) {
  return std::make_unique<PointEngine<S>>(system, scheme);
}

template std::unique_ptr<StepEngine<double>> make_point_engine(const System&, const Scheme&);
template std::unique_ptr<StepEngine<long double>> make_point_engine(const System&, const Scheme&);
template std::unique_ptr<StepEngine<quad>> make_point_engine(const System&, const Scheme&);

}  // namespace extremal
