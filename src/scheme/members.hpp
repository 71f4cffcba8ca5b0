// Members by name: what a call such as spark(3), galerkin(3, gauss(3), w=2) phase_space(2, pg=1) or ggl(2) means.
#pragma once

#include <string>
#include <vector>

#include "extremal/scheme.hpp"
#include "scheme/declared.hpp"
#include "words/grammar.hpp"

namespace extremal {

const std::vector<std::string>& member_names();
// The scheme with its canonical name and declarations; refuses wrong arguments and inadmissible combinations.
Scheme member(const Call& call);
// The same for phase_space(k, ...), whose usage this is.
Usage phase_usage();
Scheme phase_member(const Call& call);
// The livens family: ggl, ggl(p) and energy_momentum.
const std::vector<std::string>& livens_names();
Usage livens_usage(const std::string& name);
Scheme livens_member(const Call& call);
// lie(S), with S a member of the hamilton family whose rule has its nodes at the ends.
Usage lie_usage();
Scheme lie_member(const Scheme& base);

// Highest number of nodes of a rule, and the degree whose control points they are.
constexpr int most_nodes = 32, most_degree = most_nodes - 1;

// "gauss(3)", where `kinds` are the rules that fit; "polynomial" or "fourier(omega)".
Rule read_rule(const std::string& text, const std::vector<std::string>& kinds);
Fourier read_basis(const std::string& text);
// Refuses a key that is there twice or unknown.
void require_keys(const Call& call, const std::vector<std::string>& known, const Usage& usage);

template <class Enum>
Enum read_word(const std::string& what, const std::string& text, const std::vector<Enum>& choices) {
  std::vector<std::string> known;
  for (Enum choice : choices) {
    if (text == to_text(choice)) return choice;
    known.push_back(to_text(choice));
  }
  refuse_unknown(what, text, known);
}

}  // namespace extremal
