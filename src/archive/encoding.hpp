// Scalars as bytes, exactly, and as sums of doubles that other programs can read.
//
// x = high + low + lowest: two doubles hold a long double, three a quad, exactly as long as the last of them is not
// below the smallest normal double.
#pragma once

#include <array>
#include <cstring>
#include <vector>

#include "extremal/scalar.hpp"

namespace extremal {

using Bytes = std::vector<unsigned char>;

template <class S>
struct Encoding;
template <>
struct Encoding<double> {
  static constexpr std::size_t size = 8;
  static constexpr int parts = 1;
};
template <>
struct Encoding<long double> {
  static constexpr std::size_t size = 10;  // the other six bytes are padding
  static constexpr int parts = 2;
};
template <>
struct Encoding<quad> {
  static constexpr std::size_t size = 16;
  static constexpr int parts = 3;
};

template <class S>
void put_bytes(Bytes& out, const S& x) {
  const std::size_t at = out.size();
  out.resize(at + Encoding<S>::size);
  std::memcpy(out.data() + at, &x, Encoding<S>::size);
}

template <class S>
S get_bytes(const unsigned char* from) {
  S x{};
  std::memcpy(&x, from, Encoding<S>::size);
  return x;
}

template <class S>
std::array<double, 3> split(S x) {
  std::array<double, 3> parts{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(Encoding<S>::parts); ++i) {
    parts[i] = static_cast<double>(x);
    x -= S(parts[i]);
    if (!math::finite(x)) break;  // of infinities and NaN, and of what no double holds
  }
  return parts;
}

template <class S>
S join(const std::array<double, 3>& parts) {
  S x(parts[0]);
  for (std::size_t i = 1; i < 3; ++i)
    if (parts[i] < 0 || parts[i] > 0) x += S(parts[i]);  // -0 + 0 would be 0
  return x;
}

}  // namespace extremal
