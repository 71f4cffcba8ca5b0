// Numbers and names as model files have them.
#pragma once

#include <string>

#include "bodies/frame.hpp"

namespace extremal::robots {

// As few digits as a double has if these are all there is to it, up to round-off of quad beside `size`.
std::string digits(quad x, quad size = 1);

// Six digits, for messages.
std::string brief(quad x);

template <class List>
std::string digits_of(const List& list, const char* between = ", ", quad size = 0) {
  for (const quad x : list) size = math::max(size, math::abs(x));
  std::string text;
  for (const quad x : list) text += (text.empty() ? "" : between) + digits(x, size);
  return text;
}

template <class List>
std::string in_brackets(const List& list) {
  return "[" + digits_of(list) + "]";
}

// A text of TOML on one line. Braces have a meaning in names of model files.
std::string in_quotes(const std::string& text);

// "key = value" for how something is turned: a matrix if its entries are plain, nothing if it is not turned.
std::string turned_key(const Directors& d);

// w, x, y, z.
std::array<quad, 4> quaternion_of(const Directors& d);

}  // namespace extremal::robots
