// ScalarTerm: a Term whose class writes value_at<S>, gradient_at<S> and hessian_at<S> once for all scalars.
//
// Its derivatives are its own; there are no others to compare them with but those of a copy.
#pragma once

#include <memory>

#include "extremal/term.hpp"

namespace extremal {

template <class Own>
class ScalarTerm : public Term {
 public:
  std::unique_ptr<Term> automatic() const override { return std::make_unique<Own>(own()); }

#define EXTREMAL_AT(S)                                                                                          \
  void value(const Nodes<S>& at, S* out) const override { own().template value_at<S>(at, out); }                \
  void gradient(const Nodes<S>& at, S* v, S* out) const override { own().template gradient_at<S>(at, v, out); } \
  void hessian(const Nodes<S>& at, const S* w, S* out) const override { own().template hessian_at<S>(at, w, out); }
  EXTREMAL_AT(double)
  EXTREMAL_AT(long double)
  EXTREMAL_AT(quad)
  // Over Lanes as the doubles, unless the class writes these, too.
  using Term::gradient;
  using Term::hessian;
  using Term::value;
#undef EXTREMAL_AT

 protected:
  using Term::Term;

 private:
  const Own& own() const { return static_cast<const Own&>(*this); }
};

}  // namespace extremal
