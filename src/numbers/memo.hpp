// Memo: what was computed for a key is kept and shared, so that many systems with one scheme compute it once.
//
//   static Memo<Galerkin, Tables<double>> memo;
//   std::shared_ptr<const Tables<double>> all = memo.of(galerkin, [&] { return exact(galerkin); });
//
// Some recent keys are remembered; threads share them.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace extremal {

template <class Key, class Value>
class Memo {
 public:
  template <class Make>
  std::shared_ptr<const Value> of(const Key& key, Make make) {
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [known, value] : entries_)
        if (known == key) return value;
    }
    std::shared_ptr<const Value> value = std::make_shared<const Value>(make());
    const std::lock_guard lock(mutex_);
    if (entries_.size() < most)
      entries_.emplace_back(key, value);
    else
      entries_[next_++ % most] = {key, value};
    return value;
  }

 private:
  static constexpr std::size_t most = 16;
  std::mutex mutex_;
  std::vector<std::pair<Key, std::shared_ptr<const Value>>> entries_;
  std::size_t next_ = 0;
};

}  // namespace extremal
