#include "sweep/work.hpp"

#include <cstring>

#include "run/moment.hpp"
#include "sweep/crew.hpp"
#include "sweep/queue.hpp"

namespace extremal::sweep {
namespace {

using namespace std::chrono_literals;
using Bytes = Transport::Bytes;

bool stopped(const Work& work) { return work.stop != nullptr && work.stop->load(std::memory_order_relaxed); }

Crew::Work compute(const Work& work) {
  return [&work, moment = Moment("block")](std::uint64_t block, BlockResult& result) {
    const std::uint64_t size = block_size(*work.sweep), first = block * size;
    if (!run_block(*work.sweep, first, std::min(size, work.sweep->size() - first), work.stop, result)) return false;
    static std::atomic<long long> blocks = 0;
    moment.pass(++blocks);
    return true;
  };
}

// Messages between ranks: what it is, numbers, and the rest.
enum class Message : std::uint64_t { wish, blocks, result, leave };

Bytes message(Message kind, const std::vector<std::uint64_t>& numbers) {
  std::vector<std::uint64_t> all = {static_cast<std::uint64_t>(kind)};
  all.insert(all.end(), numbers.begin(), numbers.end());
  Bytes bytes(all.size() * sizeof(std::uint64_t));
  std::memcpy(bytes.data(), all.data(), bytes.size());
  return bytes;
}

std::vector<std::uint64_t> numbers_of(const Bytes& bytes) {
  std::vector<std::uint64_t> all(bytes.size() / sizeof(std::uint64_t));
  std::memcpy(all.data(), bytes.data(), all.size() * sizeof(std::uint64_t));
  return all;
}

Bytes message(const BlockResult& result) {
  Bytes bytes = message(Message::result, {result.first, result.count, result.numbers.size()});
  const std::size_t head = bytes.size(), middle = head + result.numbers.size() * sizeof(double);
  bytes.resize(middle + result.messages.size());
  std::memcpy(bytes.data() + head, result.numbers.data(), middle - head);
  std::memcpy(bytes.data() + middle, result.messages.data(), result.messages.size());
  return bytes;
}

BlockResult result_of(const Bytes& bytes) {
  std::uint64_t head[4];
  std::memcpy(head, bytes.data(), sizeof head);
  BlockResult result{.first = head[1], .count = head[2]};
  result.numbers.resize(head[3]);
  const std::size_t middle = sizeof head + head[3] * sizeof(double);
  std::memcpy(result.numbers.data(), bytes.data() + sizeof head, middle - sizeof head);
  result.messages.assign(bytes.begin() + static_cast<std::ptrdiff_t>(middle), bytes.end());
  return result;
}

// The blocks of a rank: those that it has got and not yet taken.
class Stock {
 public:
  void add(const std::uint64_t* from, const std::uint64_t* to) {
    {
      const std::lock_guard lock(mutex_);
      blocks_.insert(blocks_.end(), from, to);
    }
    changed_.notify_all();
  }
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }
  std::size_t size() {
    const std::lock_guard lock(mutex_);
    return blocks_.size();
  }
  // Waits.
  std::optional<std::uint64_t> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !blocks_.empty(); });
    if (blocks_.empty()) return {};
    const std::uint64_t first = blocks_.front();
    blocks_.pop_front();
    return first;
  }
  // As many as there are, and not more than asked for.
  std::vector<std::uint64_t> take(std::uint64_t count) {
    const std::lock_guard lock(mutex_);
    const auto end = blocks_.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(count, blocks_.size()));
    std::vector<std::uint64_t> some(blocks_.begin(), end);
    blocks_.erase(blocks_.begin(), end);
    return some;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::uint64_t> blocks_;
  bool closed_ = false;
};

}  // namespace

void work_here(const Work& work) {
  StealingQueue queue(static_cast<std::uint32_t>(work.blocks.size()), work.threads);
  const auto take = [&](unsigned thread) -> std::optional<std::uint64_t> {
    const auto next = stopped(work) ? std::nullopt : queue.take(thread);
    return next ? std::optional(work.blocks[*next]) : std::nullopt;
  };
  Crew crew(work.threads, take, compute(work));
  while (!crew.finished()) {
    if (const auto result = crew.next(100ms)) work.keep(*result);
    work.tick();
  }
}

void lead(const Work& work, Transport& transport) {
  Stock stock;
  stock.add(work.blocks.data(), work.blocks.data() + work.blocks.size());
  stock.close();
  const auto take = [&](unsigned) { return stopped(work) ? std::nullopt : stock.take(); };
  Crew crew(work.threads, take, compute(work));
  int others = transport.size() - 1;
  // After Ctrl-C the others may be gone: nobody waits for them.
  while (!crew.finished() || (others > 0 && !stopped(work))) {
    if (const auto result = crew.next(1ms)) work.keep(*result);
    while (const auto got = transport.receive()) {
      const auto numbers = numbers_of(got->bytes);
      switch (static_cast<Message>(numbers.at(0))) {
        case Message::wish:
          transport.send(got->from, message(Message::blocks, stock.take(numbers.at(1))));
          break;
        case Message::result:
          work.keep(result_of(got->bytes));
          break;
        case Message::leave:
          --others;
          break;
        case Message::blocks:
          break;
      }
    }
    work.tick();
  }
}

void follow(const Work& work, Transport& transport) {
  Stock stock;
  const auto take = [&](unsigned) { return stopped(work) ? std::nullopt : stock.take(); };
  // Enough that no thread waits for an answer.
  const std::uint64_t enough = 2 * static_cast<std::uint64_t>(work.threads);
  bool asked = false, closed = false;
  Crew crew(work.threads, take, compute(work));
  const struct Ending {
    Stock& stock;
    ~Ending() { stock.close(); }
  } ending{stock};  // also if something is thrown, so that no thread waits for ever
  while (!crew.finished()) {
    if (const auto result = crew.next(1ms)) transport.send(0, message(*result));
    while (const auto got = transport.receive()) {
      const auto numbers = numbers_of(got->bytes);
      asked = false;
      closed = closed || numbers.size() == 1;
      stock.add(numbers.data() + 1, numbers.data() + numbers.size());
    }
    if (const std::uint64_t have = stock.size(); !asked && !closed && have < enough) {
      transport.send(0, message(Message::wish, {enough - have}));
      asked = true;
    }
    if (stopped(work)) closed = true;
    if (closed) stock.close();
  }
  transport.send(0, message(Message::leave, {}));
}

}  // namespace extremal::sweep
