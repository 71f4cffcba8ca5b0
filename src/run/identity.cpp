#include "run/identity.hpp"

#include "run/span.hpp"

namespace extremal {
namespace {

// FNV-1a; every text with its length, so that no two lists are one.
class TextSum {
 public:
  TextSum& add(std::string_view text) {
    std::uint64_t length = text.size();
    for (int k = 0; k < 8; ++k, length >>= 8U) enter(length & 0xffU);
    for (const char c : text) enter(static_cast<unsigned char>(c));
    return *this;
  }
  TextSum& add(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) add(text);
    return add("end");
  }
  TextSum& add(const std::vector<Number>& numbers) {
    for (const Number& x : numbers) add(x.text());
    return add("end");
  }
  double value() const { return static_cast<double>((sum_ ^ (sum_ >> 52U)) & 0xfffffffffffffU); }

 private:
  void enter(std::uint64_t byte) { sum_ = (sum_ ^ byte) * 0x100000001b3U; }
  std::uint64_t sum_ = 0xcbf29ce484222325U;
};

}  // namespace

Identity identity_of(const System& system, const Scheme& scheme, const Start& start, const Span& span) {
  TextSum terms, begin, output;
  terms.add(system.name()).add(system.coordinate_names()).add(system.constraint_names());
  for (const auto& term : system.terms()) terms.add(term->name).add(std::to_string(static_cast<int>(term->role)));
  begin.add(start.t.text()).add(start.q).add(start.v).add(start.p).add(start.next).add(start.slack.text());
  output.add(span.until.text()).add(std::to_string(span.every)).add(span.at).add(span.error_estimate ? "1" : "0");
  output.add(name(span.multipliers)).add(span.extra_columns).add(span.columns);
  if (has_row_times(span)) output.add(std::to_string(span.outputs));
  // A rate that was not read from a text is known by its coordinates only.
  std::vector<std::string> paced;
  if (span.pace != Pace::none) paced.emplace_back(name(span.pace));
  if (span.pace != Pace::none && span.rate != nullptr) {
    paced.push_back(span.rate->formula);
    for (const int i : span.rate->sites) paced.push_back(std::to_string(i));
  }
  return {{{"version of the program", TextSum().add(EXTREMAL_VERSION).value()},
           {"system", terms.value()},
           {"parameter", TextSum().add(system.parameter_names()).add(system.parameters()).value()},
           {"scheme", TextSum().add(scheme.name).value()},
           {"start", begin.value()},
           {"step", TextSum().add(span.step.text()).add(span.pattern).add(paced).value()},
           {"end or output", output.value()}}};
}

}  // namespace extremal
