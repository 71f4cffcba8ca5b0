// Scheme::named: the only reader of scheme names.
#include "extremal/scheme.hpp"

#include <algorithm>

#include "extremal/error.hpp"
#include "scheme/composition.hpp"
#include "scheme/members.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

constexpr int depth_limit = 20;
constexpr std::size_t message_limit = 1000;

const std::vector<std::string>& all_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list = member_names();
    list.insert(list.end(), {"adjoint", "compose", "kahan_li", "lie", "suzuki"});
    std::sort(list.begin(), list.end());
    return list;
  }();
  return names;
}

void require_plain(const Call& call, const Usage& usage) {
  for (const Argument& a : call.arguments)
    if (!a.key.empty() || !a.coefficient.empty())
      refuse(usage.form, quoted(a.key + a.coefficient), "neither keys nor coefficients", usage.example);
}

Scheme read(const std::string& text, int depth) {
  if (depth > depth_limit)
    refuse("nesting", "more than " + std::to_string(depth_limit) + " levels", "fewer", "suzuki(6, spark(2))");
  Call call(text);
  if (call.name == "adjoint") {
    Usage usage{"adjoint(S)", "adjoint(alpha(0.3))"};
    require_plain(call, usage);
    return adjoint_of(read(positional(call, 1, usage)[0], depth + 1));
  }
  if (call.name == "lie") {
    require_plain(call, lie_usage());
    return lie_member(read(positional(call, 1, lie_usage())[0], depth + 1));
  }
  if (call.name == "suzuki" || call.name == "kahan_li") {
    bool five = call.name == "suzuki";
    Usage usage{call.name + "(p, S)", five ? "suzuki(4, rattle)" : "kahan_li(8, rattle)"};
    require_plain(call, usage);
    std::vector<std::string> values = positional(call, 2, usage);
    int order = integer(values[0], "p", five ? 4 : 6, five ? 64 : 8, usage);
    Scheme base = read(values[1], depth + 1);
    return five ? suzuki(order, base) : kahan_li(order, base);
  }
  if (call.name == "compose") {
    Usage usage{"compose(c1:S1, c2:S2, ...)", "compose(0.5:rectangle(0), 0.5:rectangle(1))"};
    std::vector<Part> parts;
    for (const Argument& a : call.arguments) {
      if (a.coefficient.empty() || !a.key.empty())
        refuse(usage.form, quoted(a.value), "coefficient:scheme", usage.example);
      parts.push_back({Number(a.coefficient), read(a.value, depth + 1)});
    }
    return composed(parts);
  }
  if (std::find(all_names().begin(), all_names().end(), call.name) == all_names().end())
    refuse_unknown("name", call.name, all_names());
  return member(call);
}

}  // namespace

Scheme Scheme::named(std::string_view text) {
  std::string where = "scheme " + quoted(text) + ": ";
  try {
    return read(without_blanks(text), 1);
  } catch (const Refusal& refusal) {
    throw InputError(where + one_line(refusal.reason, message_limit));
  } catch (const InputError& error) {  // of a Number within
    throw InputError(where + error.what());
  }
}

}  // namespace extremal
