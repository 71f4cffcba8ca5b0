#include "report/pack.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace extremal::report {
namespace {

std::string base64(const std::vector<unsigned char>& bytes) {
  constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (k < left ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= left ? letters[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

template <class Float, class Bits>
std::string packed(const std::vector<double>& values) {
  std::vector<unsigned char> bytes;
  bytes.reserve(values.size() * sizeof(Float));
  for (const double x : values) {
    const Bits bits = std::bit_cast<Bits>(static_cast<Float>(x));
    for (std::size_t k = 0; k < sizeof(Float); ++k) bytes.push_back(static_cast<unsigned char>(bits >> (8 * k)));
  }
  return base64(bytes);
}

}  // namespace

Json f32(const std::vector<double>& values) { return {{"f32", packed<float, std::uint32_t>(values)}}; }
Json f64(const std::vector<double>& values) { return {{"f64", packed<double, std::uint64_t>(values)}}; }
Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Buckets::Buckets(std::size_t n, std::size_t most, std::size_t buckets)
    : samples(n), size(n <= most ? 1 : (n + buckets - 1) / buckets) {}

std::vector<double> Buckets::values(const std::vector<double>& column) const {
  if (!thins()) return column;
  std::vector<double> kept;
  for (std::size_t from = 0; from < column.size(); from += size) {
    const std::size_t to = std::min(column.size(), from + size), none = column.size();
    std::size_t low = none, high = none;
    for (std::size_t i = from; i < to; ++i) {
      if (std::isnan(column[i])) continue;
      if (low == none || column[i] < column[low]) low = i;
      if (high == none || column[i] > column[high]) high = i;
    }
    for (const std::size_t i : {std::min(low, high), std::max(low, high)})
      kept.push_back(i == none ? std::nan("") : column[i]);
  }
  return kept;
}

std::vector<double> Buckets::times(const std::vector<double>& t) const {
  if (!thins()) return t;
  std::vector<double> kept;
  for (std::size_t from = 0; from < t.size(); from += size) {
    kept.push_back(t[from]);
    kept.push_back(t[std::min(t.size(), from + size) - 1]);
  }
  return kept;
}

std::vector<std::size_t> thin_curve(const std::vector<double>& x, const std::vector<double>& y, std::size_t buckets) {
  const std::size_t size = std::max<std::size_t>(1, (x.size() + buckets - 1) / buckets);
  std::vector<std::size_t> kept;
  for (std::size_t from = 0; from < x.size(); from += size) {
    const std::size_t to = std::min(x.size(), from + size);
    std::array<std::size_t, 5> bounds = {from, from, from, from, from};
    auto& [first, left, right, low, high] = bounds;
    for (std::size_t i = from; i < to; ++i) {
      if (x[i] < x[left]) left = i;
      if (x[i] > x[right]) right = i;
      if (y[i] < y[low]) low = i;
      if (y[i] > y[high]) high = i;
    }
    std::sort(bounds.begin(), bounds.end());
    kept.insert(kept.end(), bounds.begin(), std::unique(bounds.begin(), bounds.end()));
  }
  if (!kept.empty() && kept.back() + 1 != x.size()) kept.push_back(x.size() - 1);
  return kept;
}

}  // namespace extremal::report
