#include "scheme/splitting.hpp"

#include <string>

#include "scheme/nearest_root.hpp"

namespace extremal {
namespace {

constexpr std::size_t longest_word = 5;

// Words in A and B up to five letters, the shorter ones first: behind the leading 1 of its number a word has 0 for A
// and 1 for B.
constexpr std::size_t word_count = std::size_t{2} << longest_word;
using Words = std::vector<quad>;  // the coefficient of every word, by its number

std::size_t word_number(const std::string& word) {
  std::size_t n = 1;
  for (const char letter : word) n = 2 * n + (letter == 'B' ? 1 : 0);
  return n;
}

// The series times exp(c X) from the right: a word that ends in k letters X has c^k / k! of the word without them.
void multiply(Words& series, bool kick, quad c) {
  const std::size_t letter = kick ? 1 : 0;
  const Words before = series;
  for (std::size_t word = 1; word < word_count; ++word) {
    std::size_t rest = word;
    quad factor = 1;
    for (int k = 1; rest > 1 && rest % 2 == letter; ++k) {
      rest /= 2;
      factor *= c / k;
      series[word] += factor * before[rest];
    }
  }
}

// The coefficients that a palindrome is known by.
std::vector<quad> halves_of(const Splitting& s) {
  std::vector<quad> half(s.kicks.begin(), s.kicks.begin() + static_cast<std::ptrdiff_t>((s.kicks.size() + 1) / 2));
  half.insert(half.end(), s.drifts.begin(), s.drifts.begin() + static_cast<std::ptrdiff_t>((s.drifts.size() + 1) / 2));
  return half;
}

Splitting from_halves(const std::vector<quad>& half, std::size_t drifts) {
  Splitting s{std::vector<quad>(drifts + 1), std::vector<quad>(drifts)};
  const auto fill = [](std::vector<quad>& list, const quad* from) {
    for (std::size_t i = 0; 2 * i < list.size(); ++i) list[i] = list[list.size() - 1 - i] = from[i];
  };
  fill(s.kicks, half.data());
  fill(s.drifts, half.data() + (drifts + 2) / 2);
  return s;
}

Splitting refined(int order) {
  const Splitting start = blanes_moan_published(order);
  const std::size_t drifts = start.drifts.size();
  const auto defects = [&](const std::vector<quad>& half) { return order_defects(from_halves(half, drifts), order); };
  return from_halves(nearest_root(halves_of(start), defects), drifts);
}

}  // namespace

std::vector<quad> order_defects(const Splitting& splitting, int order) {
  Words series(word_count, quad(0));
  series[1] = 1;
  for (std::size_t i = 0; i < splitting.kicks.size(); ++i) {
    multiply(series, true, splitting.kicks[i]);
    if (i < splitting.drifts.size()) multiply(series, false, splitting.drifts[i]);
  }
  const auto defect = [&](const std::string& word) {
    quad exact = 1;
    for (std::size_t k = 2; k <= word.size(); ++k) exact /= static_cast<int>(k);
    return series[word_number(word)] - exact;
  };
  std::vector<quad> out{defect("A"), defect("B"), defect("AAB"), defect("ABB")};
  if (order > 4) {
    for (const char* word : {"AAAAB", "AAABB", "AABAB"}) out.push_back(defect(word));
    out.push_back(3 * defect("AABBB") + defect("ABABB"));
  }
  return out;
}

Splitting blanes_moan_published(int order) {
  const auto read = [](const char* text) {
    quad x;
    from_text(text, x);
    return x;
  };
  std::vector<quad> half;
  const std::vector<const char*> kicks =
      order == 4 ? std::vector<const char*>{"0.0829844064174052", "0.396309801498368", "-0.0390563049223486"}
                 : std::vector<const char*>{"0.0414649985182624", "0.198128671918067", "-0.0400061921041533",
                                            "0.0752539843015807", "-0.0115113874206879"};
  const std::vector<const char*> drifts =
      order == 4 ? std::vector<const char*>{"0.245298957184271", "0.604872665711080"}
                 : std::vector<const char*>{"0.123229775946271", "0.290553797799558", "-0.127049212625417",
                                            "-0.246331761062075", "0.357208872795928"};
  // The last of both follow from the sums: in the middle of the step there is a kick for order 4, a drift for order 6.
  quad kick = quad(1) / 2, drift = quad(1) / 2;
  for (const char* text : kicks) half.push_back(read(text)), kick -= half.back();
  half.push_back(order == 4 ? 2 * kick : kick);
  for (const char* text : drifts) half.push_back(read(text)), drift -= half.back();
  half.push_back(order == 4 ? drift : 2 * drift);
  return from_halves(half, order == 4 ? 6 : 11);
}

const Splitting& blanes_moan(int order) {
  static const Splitting four = refined(4), six = refined(6);
  return order == 4 ? four : six;
}

}  // namespace extremal
