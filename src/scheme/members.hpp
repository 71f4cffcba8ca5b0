// What the readers of members have in common: arguments of calls such as galerkin(3, gauss(3), w=2).
#pragma once

#include <string>
#include <vector>

#include "extremal/scheme.hpp"
#include "scheme/basis.hpp"
#include "scheme/declared.hpp"
#include "scheme/family.hpp"
#include "words/grammar.hpp"

namespace extremal {

// Highest number of nodes of a rule, and the degree whose control points they are.
constexpr int most_nodes = 32, most_degree = most_nodes - 1;

// "gauss(3)", where `kinds` are the rules that fit.
Rule read_rule(const std::string& text, const std::vector<std::string>& kinds);
// projection=on, off.
bool read_projection(const std::string& text);
// Refuses coefficients; and keys, of a member that takes none.
enum class Keys { none, some };
void require_values(const Call& call, const Usage& usage, Keys keys);
// Refuses a key that is there twice or unknown.
void require_keys(const Call& call, const std::vector<std::string>& known, const Usage& usage);
// The one scheme S of a call such as lie(S), read at the next depth.
Scheme inner_scheme(const Call& call, const Usage& usage, int depth);
// Refuses keys and coefficients.
void require_plain(const Call& call, const Usage& usage);

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
