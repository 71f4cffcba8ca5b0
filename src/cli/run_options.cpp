#include "cli/run_options.hpp"

#include <limits>

#include "cli/request.hpp"
#include "extremal/scheme.hpp"

namespace extremal::cli {

void RunKeyOptions::declare(Command& command, bool sweep) {
  using Kind = RunKey::Kind;
  sweep_ = sweep;
  for (const RunKey& key : run_keys()) {
    const char* help = sweep ? key.sweep_help : key.help;
    if (help == nullptr) continue;
    if (key.kind == Kind::flag) {
      command.add_flag(key.option(), flags_[key.name], help);
    } else if (key.kind == Kind::numbers || key.kind == Kind::names) {
      Option option = command.add_option(key.option(), lists_[key.name], help);
      if (!key.words.empty()) option.one_of(key.words);
    } else {
      Option option = command.add_option(key.option(), texts_[key.name], help);
      if (key.kind == Kind::word) option.one_of(key.words);
      if (key.kind == Kind::count) option.range(1, std::numeric_limits<int>::max());
    }
  }
}

RunTexts RunKeyOptions::said() const {
  using Kind = RunKey::Kind;
  RunTexts all;
  for (const RunKey& key : run_keys()) {
    if (const auto flag = flags_.find(key.name); flag != flags_.end() && flag->second) all[key.name] = "1";
    if (const auto list = lists_.find(key.name); list != lists_.end() && !list->second.empty()) {
      if (key.kind == Kind::names) {
        all[key.name] = list_text(list->second);
        continue;
      }
      std::vector<Number> numbers;
      for (const std::string& text : list->second) numbers.push_back(number(key.option(), text));
      all[key.name] = list_text(numbers);
    }
    const auto found = texts_.find(key.name);
    if (found == texts_.end() || found->second.empty()) continue;
    const std::string& text = found->second;
    if (key.kind == Kind::scheme) Scheme::named(text);
    if (key.kind == Kind::number && (sweep_ || !key.is_word(text))) number(key.option(), text);
    all[key.name] = text;
  }
  return all;
}

}  // namespace extremal::cli
