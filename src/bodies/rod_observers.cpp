// Pure functions of the state of rods: section forces and moments, energies by their kind, the step bound.
#include "bodies/mechanism_data.hpp"

#include "numbers/index.hpp"

namespace extremal {
namespace {

using lie::Vec3;

template <class S>
Vec3<S> vec(const S* x) {
  return {x[0], x[1], x[2]};
}
template <class S>
Vec3<S> convert(const Vec3<quad>& x) {
  return {static_cast<S>(x.x), static_cast<S>(x.y), static_cast<S>(x.z)};
}

template <class S>
struct Strained {
  lie::RodElement<S> element;
  lie::RodStrain<S> strain;
};

template <class S>
Strained<S> strained(const RigidStructure& data, const RigidRod& rod, int e, const std::vector<S>& q) {
  const lie::RodElement<quad>& given = rod.elements[sz(e)];
  const lie::RodElement<S> element{static_cast<S>(given.inverse_length), convert<S>(given.force_stiffness),
                                   convert<S>(given.moment_stiffness), convert<S>(given.gamma0),
                                   convert<S>(given.omega0)};
  const S *a = q.data() + data.bodies[sz(rod.first + e)].first, *b = q.data() + data.bodies[sz(rod.next(e))].first;
  const auto turn = [](const S* x) { return lie::from_columns(lie::Columns<S>{vec(x + 3), vec(x + 6), vec(x + 9)}); };
  return {element, lie::rod_strain(element, vec(a), turn(a), vec(b), turn(b))};
}

}  // namespace

template <class S>
std::vector<SectionForce<S>> section_forces(const RigidStructure& rigid, const std::vector<S>& q) {
  std::vector<SectionForce<S>> out;
  for (const RigidRod& rod : rigid.rods)
    for (int e = 0; e < static_cast<int>(rod.elements.size()); ++e) {
      const Strained<S> s = strained(rigid, rod, e, q);
      const lie::RodStress<S> stress = lie::rod_stress(s.element, s.strain);
      out.push_back({rod.name,
                     e,
                     {stress.force.x, stress.force.y, stress.force.z},
                     {stress.moment.x, stress.moment.y, stress.moment.z}});
    }
  return out;
}

template <class S>
EnergySplit<S> energy_split(const RigidStructure& rigid, const std::vector<S>& q, const std::vector<S>& v) {
  EnergySplit<S> out;
  const int D = rigid.dimension;
  for (const RigidBody& body : rigid.bodies) {
    const quad half = (body.inertia[0] + body.inertia[1] + body.inertia[2]) / 2;
    for (int i = 0; i <= (body.turns ? D : 0); ++i) {
      const S inertia = static_cast<S>(i == 0 ? body.mass : half - body.inertia[sz(i - 1)]);
      S& to = i == 0 ? out.translation : out.rotation;
      for (int k = 0; k < D; ++k) {
        const S rate = v[sz(body.first + D * i + k)];
        to += inertia * rate * rate / S(2);
      }
    }
  }
  for (const RigidRod& rod : rigid.rods)
    for (int e = 0; e < static_cast<int>(rod.elements.size()); ++e) {
      const Strained<S> s = strained(rigid, rod, e, q);
      const lie::RodEnergy<S> energy = lie::rod_energy(s.element, s.strain);
      out.stretching += energy.stretching;
      out.shear += energy.shear;
      out.torsion += energy.torsion;
      out.bending += energy.bending;
    }
  return out;
}

template <class S>
std::vector<SectionForce<S>> Mechanism::sections(const std::vector<S>& q) const {
  return section_forces(*data_->assembly().system.rigid(), q);
}
template <class S>
EnergySplit<S> Mechanism::energies(const std::vector<S>& q, const std::vector<S>& v) const {
  return energy_split(*data_->assembly().system.rigid(), q, v);
}

quad step_bound(const std::vector<RigidRod>& rods) {
  quad least = 0;
  const auto larger = [](quad x, quad y) { return x < y ? y : x; };
  for (const RigidRod& rod : rods)
    for (const auto& e : rod.elements) {
      const quad k = 4 * e.inverse_length * e.inverse_length, J1 = rod.inertia2 + rod.inertia3;
      const Vec3<quad>&f = e.force_stiffness, &m = e.moment_stiffness;
      quad square = larger(k * f.x / rod.mass, k * m.x / J1);
      square = larger(square, larger(f.y * (k / rod.mass + 1 / rod.inertia3), f.z * (k / rod.mass + 1 / rod.inertia2)));
      square = larger(square, larger(k * m.y / rod.inertia2, k * m.z / rod.inertia3));
      const quad bound = 2 / math::sqrt(square);
      if (least == quad(0) || bound < least) least = bound;
    }
  return least;
}

Number Mechanism::step_bound() const { return Number::exactly(extremal::step_bound(data_->rods)); }

#define EXTREMAL_RODS(S)                                                                                     \
  template EnergySplit<S> energy_split(const RigidStructure&, const std::vector<S>&, const std::vector<S>&); \
  template std::vector<SectionForce<S>> section_forces(const RigidStructure&, const std::vector<S>&);        \
  template std::vector<SectionForce<S>> Mechanism::sections<S>(const std::vector<S>&) const;                 \
  template EnergySplit<S> Mechanism::energies<S>(const std::vector<S>&, const std::vector<S>&) const;
EXTREMAL_RODS(double)
EXTREMAL_RODS(long double)
EXTREMAL_RODS(quad)
#undef EXTREMAL_RODS

}  // namespace extremal
