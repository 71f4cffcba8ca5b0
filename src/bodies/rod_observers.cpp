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

}  // namespace

template <class S>
RodLook<S>::RodLook(const RigidStructure& rigid) : dimension_(rigid.dimension) {
  for (const RigidBody& body : rigid.bodies) {
    const quad half = (body.inertia[0] + body.inertia[1] + body.inertia[2]) / 2;
    Weights& own = bodies_.emplace_back();
    own.first = body.first;
    own.inertia[0] = static_cast<S>(body.mass);
    for (int i = 0; body.turns && i < dimension_; ++i)
      own.inertia[sz(i + 1)] = static_cast<S>(half - body.inertia[sz(i)]);
    own.turns = body.turns;
  }
  for (const RigidRod& rod : rigid.rods)
    for (int e = 0; e < static_cast<int>(rod.elements.size()); ++e) {
      const lie::RodElement<quad>& given = rod.elements[sz(e)];
      elements_.push_back({rod.name,
                           e,
                           rigid.bodies[sz(rod.first + e)].first,
                           rigid.bodies[sz(rod.next(e))].first,
                           {static_cast<S>(given.inverse_length), convert<S>(given.force_stiffness),
                            convert<S>(given.moment_stiffness), convert<S>(given.gamma0), convert<S>(given.omega0)}});
    }
}

template <class S>
lie::RodStrain<S> RodLook<S>::strain(const Element& e, const std::vector<S>& q) const {
  const S *a = q.data() + e.first, *b = q.data() + e.next;
  const auto turn = [](const S* x) { return lie::from_columns(lie::Columns<S>{vec(x + 3), vec(x + 6), vec(x + 9)}); };
  return lie::rod_strain(e.data, vec(a), turn(a), vec(b), turn(b));
}

template <class S>
std::vector<SectionForce<S>> RodLook<S>::forces(const std::vector<S>& q) const {
  std::vector<SectionForce<S>> out;
  for (const Element& e : elements_) {
    const lie::RodStress<S> stress = lie::rod_stress(e.data, strain(e, q));
    out.push_back({e.rod,
                   e.index,
                   {stress.force.x, stress.force.y, stress.force.z},
                   {stress.moment.x, stress.moment.y, stress.moment.z}});
  }
  return out;
}

template <class S>
EnergySplit<S> RodLook<S>::energies(const std::vector<S>& q, const std::vector<S>& v) const {
  EnergySplit<S> out;
  for (const Weights& body : bodies_)
    for (int i = 0; i <= (body.turns ? dimension_ : 0); ++i) {
      S& to = i == 0 ? out.translation : out.rotation;
      for (int k = 0; k < dimension_; ++k) {
        const S rate = v[sz(body.first + dimension_ * i + k)];
        to += body.inertia[sz(i)] * rate * rate / S(2);
      }
    }
  for (const Element& e : elements_) {
    const lie::RodEnergy<S> energy = lie::rod_energy(e.data, strain(e, q));
    out.stretching += energy.stretching;
    out.shear += energy.shear;
    out.torsion += energy.torsion;
    out.bending += energy.bending;
  }
  return out;
}

template <class S>
std::vector<SectionForce<S>> Mechanism::sections(const std::vector<S>& q) const {
  return RodLook<S>(*data_->assembly().system.rigid()).forces(q);
}
template <class S>
EnergySplit<S> Mechanism::energies(const std::vector<S>& q, const std::vector<S>& v) const {
  return RodLook<S>(*data_->assembly().system.rigid()).energies(q, v);
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

#define EXTREMAL_RODS(S)                                                                     \
  template class RodLook<S>;                                                                 \
  template std::vector<SectionForce<S>> Mechanism::sections<S>(const std::vector<S>&) const; \
  template EnergySplit<S> Mechanism::energies<S>(const std::vector<S>&, const std::vector<S>&) const;
EXTREMAL_RODS(double)
EXTREMAL_RODS(long double)
EXTREMAL_RODS(quad)
#undef EXTREMAL_RODS

}  // namespace extremal
