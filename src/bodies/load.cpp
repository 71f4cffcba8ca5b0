#include "bodies/load.hpp"

#include "bodies/load_laws.hpp"

namespace extremal {

template <class Law>
std::shared_ptr<const Term> make_load_term(const std::string& name, int coordinates, const std::vector<int>& sites,
                                           const std::vector<const Load*>& loads);  // load_term.hpp

namespace {

// Calls use(Law{}) with the law of a kind: the only list of them.
template <class Use>
auto with_law(LoadKind kind, Use use) {
  switch (kind) {
    case LoadKind::spring:
      return use(load::Spring{});
    case LoadKind::torsion_spring:
      return use(load::TorsionSpring{});
    case LoadKind::line_damper:
      return use(load::LineDamper{});
    case LoadKind::rotational_damper:
      return use(load::RotationalDamper{});
    case LoadKind::motor:
      return use(load::Motor{});
    case LoadKind::force:
      return use(load::Force{});
    case LoadKind::body_force:
      return use(load::BodyForce<3>{});
    case LoadKind::body_force_planar:
      return use(load::BodyForce<2>{});
    case LoadKind::torque:
      return use(load::Torque<3>{});
    case LoadKind::torque_planar:
      return use(load::Torque<2>{});
    case LoadKind::drag:
      return use(load::Drag<2>{});
    case LoadKind::drag_to_ground:
      break;
  }
  return use(load::Drag<1>{});
}

}  // namespace

int intermediates(LoadKind kind) {
  return with_law(kind, []<class Law>(Law) { return Law::K; });
}

std::shared_ptr<const Term> load_term(LoadKind kind, const std::string& name, int coordinates,
                                      const std::vector<int>& sites, const std::vector<const Load*>& loads) {
  return with_law(kind, [&]<class Law>(Law) -> std::shared_ptr<const Term> {
    return make_load_term<Law>(name, coordinates, sites, loads);
  });
}

}  // namespace extremal
