#include "scheme/order_conditions.hpp"

#include <array>
#include <cassert>
#include <string>
#include <utility>

#include "scheme/nearest_root.hpp"

namespace extremal {
namespace {

constexpr int heaviest = 7;

// All words in 1, 3, 5, 7 up to weight 7 (34 of them), the empty word first.
const std::vector<std::string>& words() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list{""};
    std::vector<int> weights{0};
    for (std::size_t i = 0; i < list.size(); ++i)
      for (char letter : {'1', '3', '5', '7'}) {
        int weight = weights[i] + (letter - '0');
        if (weight > heaviest) continue;
        list.push_back(list[i] + letter);
        weights.push_back(weight);
      }
    return list;
  }();
  return all;
}

std::size_t index_of(const std::string& word) {
  std::size_t i = 0;
  while (words()[i] != word) ++i;
  return i;
}

// For every word, its splittings into prefix and suffix, as indices.
const std::vector<std::vector<std::pair<std::size_t, std::size_t>>>& splittings() {
  static const auto all = [] {
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> table;
    for (const std::string& word : words()) {
      table.emplace_back();
      for (std::size_t cut = 0; cut <= word.size(); ++cut)
        table.back().emplace_back(index_of(word.substr(0, cut)), index_of(word.substr(cut)));
    }
    return table;
  }();
  return all;
}

using Series = std::vector<quad>;  // a coefficient for every word

// exp(c Y1 + c^3 Y3 + c^5 Y5 + c^7 Y7): the coefficient of a word is c^weight / length!.
Series exponential(quad c) {
  Series series;
  for (const std::string& word : words()) {
    int weight = 0, factorial = 1;
    for (std::size_t i = 0; i < word.size(); ++i) {
      weight += word[i] - '0';
      factorial *= static_cast<int>(i) + 1;
    }
    quad power = 1;
    for (int i = 0; i < weight; ++i) power *= c;
    series.push_back(power / factorial);
  }
  return series;
}

Series product(const Series& a, const Series& b) {
  Series result(a.size(), quad(0));
  for (std::size_t w = 0; w < a.size(); ++w)
    for (auto [prefix, suffix] : splittings()[w]) result[w] += a[prefix] * b[suffix];
  return result;
}

std::vector<std::string> lyndon_words(int order) {
  std::vector<std::string> list{"1", "3"};
  if (order > 4) list.insert(list.end(), {"5", "113"});
  if (order > 6) list.insert(list.end(), {"7", "115", "133", "11113"});
  return list;
}

std::vector<quad> lyndon_part(const Series& series, int order) {
  std::vector<quad> part;
  for (const std::string& word : lyndon_words(order)) part.push_back(series[index_of(word)]);
  return part;
}

constexpr std::array<const char*, 5> order_six{"0.39216144400731413927925056", "0.33259913678935943859974864",
                                               "-0.70624617255763935980996482", "0.08221359629355080023149045",
                                               "0.79854399093482996339895035"};

constexpr std::array<const char*, 9> order_eight{
    "0.13020248308889008087881763", "0.56116298177510838456196441",  "-0.38947496264484728640807860",
    "0.15884190655515560089621075", "-0.39590389413323757733623154", "0.18453964097831570709183254",
    "0.25837438768632204729397911", "0.29501172360931029887096624",  "-0.60550853383003451169892108"};

std::vector<quad> palindrome(const std::vector<quad>& half) {
  std::vector<quad> all = half;
  all.insert(all.end(), half.rbegin() + 1, half.rend());
  return all;
}

template <std::size_t N>
std::vector<quad> half_of(const std::array<const char*, N>& texts) {
  std::vector<quad> half(N);
  for (std::size_t i = 0; i < N; ++i) from_text(texts[i], half[i]);
  return half;
}

std::vector<quad> published_half(int order) { return order == 6 ? half_of(order_six) : half_of(order_eight); }

std::vector<quad> polished(int order) {
  return palindrome(nearest_root(
      published_half(order), [&](const std::vector<quad>& half) { return order_defects(palindrome(half), order); }));
}

}  // namespace

std::vector<quad> order_defects(const std::vector<quad>& coefficients, int order) {
  Series series = exponential(0);
  for (quad c : coefficients) series = product(series, exponential(c));
  std::vector<quad> defects = lyndon_part(series, order);
  defects.front() -= 1;
  return defects;
}

std::vector<quad> kahan_li_published(int order) {
  assert(order == 6 || order == 8);
  return palindrome(published_half(order));
}

const std::vector<quad>& kahan_li_coefficients(int order) {
  static const std::vector<quad> six = polished(6), eight = polished(8);
  return order == 6 ? six : eight;
}

}  // namespace extremal
