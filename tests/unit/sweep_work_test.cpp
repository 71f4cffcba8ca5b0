// How the blocks of a sweep are taken, computed, handed over and kept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <latch>
#include <set>

#include "archive/sweep_archive.hpp"
#include "refusal.hpp"
#include "sweep/crew.hpp"
#include "sweep/queue.hpp"
#include "sweep/work.hpp"

namespace extremal::sweep::sweep_work_test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;

Sweep small(const std::string& more = "") {
  const Document document("model = \"pendulum\"\nscheme = \"rattle\"\nuntil = 1\n" + more +
                              "[vary]\nm = { from = 1, to = 2, count = 20 }\nstep = [0.05, 0.3]\n"
                              "[sample]\ncount = 8\ng = { normal = [9.81, 0.1] }\n",
                          "s.toml");
  return {document, read_plan(document, {}), ""};
}

TEST(StealingQueue, GivesEveryNumberOnce) {
  for (const std::uint32_t threads : {1U, 2U, 7U}) {
    StealingQueue queue(10000, threads);
    std::vector<std::vector<std::uint32_t>> taken(threads);
    std::vector<std::thread> all;
    for (std::uint32_t k = 0; k < threads; ++k)
      all.emplace_back([&, k] {
        while (const auto next = queue.take(k)) taken[k].push_back(*next);
      });
    for (std::thread& thread : all) thread.join();
    std::set<std::uint32_t> numbers;
    std::size_t count = 0;
    for (const auto& list : taken) numbers.insert(list.begin(), list.end()), count += list.size();
    EXPECT_EQ(count, 10000u);
    EXPECT_EQ(numbers.size(), 10000u);
  }
}

TEST(StealingQueue, LetsIdleThreadsStealTheSecondHalf) {
  StealingQueue queue(8, 2);
  for (std::uint32_t k = 4; k < 8; ++k) EXPECT_EQ(queue.take(1), k);  // its own
  EXPECT_EQ(queue.steals(), 0u);
  EXPECT_EQ(queue.take(1), 2u);  // of 0, 1, 2, 3
  EXPECT_EQ(queue.steals(), 1u);
  EXPECT_EQ(queue.take(0), 0u);
  EXPECT_EQ(queue.take(1), 3u);
  EXPECT_EQ(queue.take(1), 1u);
  EXPECT_EQ(queue.take(0), std::nullopt);
  EXPECT_EQ(queue.take(1), std::nullopt);
  EXPECT_EQ(StealingQueue(0, 3).take(2), std::nullopt);
}

// One thread sits in a block until all others are done: they have to have taken its blocks.
TEST(StealingQueue, LeavesNoBlockBehindASlowThread) {
  constexpr std::uint32_t count = 64;
  StealingQueue queue(count, 2);
  std::latch others(count - 1);
  Crew crew(
      2, [&](unsigned thread) { return queue.take(thread); },
      [&](std::uint64_t block, BlockResult& result) {
        result.first = block;
        if (block == 0)
          others.wait();
        else
          others.count_down();
        return true;
      });
  std::set<std::uint64_t> done;
  while (!crew.finished())
    if (const auto result = crew.next(100ms)) done.insert(result->first);
  EXPECT_EQ(done.size(), count);
  EXPECT_GE(queue.steals(), 1u);
}

TEST(Crew, HandsOverWhatIsDoneAndThenWhatWasThrown) {
  StealingQueue queue(100, 2);
  Crew crew(
      2, [&](unsigned thread) { return queue.take(thread); },
      [&](std::uint64_t block, BlockResult& result) {
        if (block == 30) throw std::runtime_error("block 30");
        result.first = block;
        return true;
      });
  std::size_t results = 0;
  EXPECT_EQ(([&] {
              try {
                while (!crew.finished())
                  if (crew.next(100ms)) ++results;
              } catch (const std::runtime_error& error) {
                return std::string(error.what());
              }
              return std::string("nothing");
            }()),
            "block 30");
  EXPECT_GE(results, 30u);
  EXPECT_LT(results, 100u);
}

// There is always another block: a Crew that wanted to finish them would never end.
TEST(Crew, IsNotWaitedForWhenItsResultsCannotBeKept) {
  std::atomic<std::uint64_t> taken = 0;
  std::latch got(1);
  Crew crew(
      2, [&](unsigned) -> std::optional<std::uint64_t> { return taken++; },
      [&](std::uint64_t block, BlockResult&) {
        if (block > 0) got.wait();
        return true;
      });
  while (!crew.next(1000ms)) {
  }
  got.count_down();
}

using Numbers = std::vector<double>;

bool same_bits(const Numbers& a, const Numbers& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

Numbers all_numbers(const Sweep& sweep) {
  BlockResult all;
  run_block(sweep, 0, sweep.size(), nullptr, all);
  return all.numbers;
}

std::vector<std::uint64_t> all_blocks(const Sweep& sweep) {
  std::vector<std::uint64_t> blocks(block_count(sweep));
  for (std::uint64_t k = 0; k < blocks.size(); ++k) blocks[k] = k;
  return blocks;
}

// Collects in the order of the runs.
struct Table {
  explicit Table(const Sweep& sweep) : width(run_width(sweep)), numbers(sweep.size() * width, -1) {}
  void put(const BlockResult& block) {
    std::copy(block.numbers.begin(), block.numbers.end(),
              numbers.begin() + static_cast<std::ptrdiff_t>(block.first * width));
    ++blocks;
  }
  std::size_t width, blocks = 0;
  Numbers numbers;
};

TEST(SweepWork, HasTheSameBitsOnAnyNumberOfThreads) {
  const Sweep sweep = small();
  ASSERT_EQ(sweep.size(), 320u);
  ASSERT_EQ(block_size(sweep), 8u);
  const Numbers expected = all_numbers(sweep);
  for (const unsigned threads : {1U, 2U, 5U}) {
    Table table(sweep);
    work_here({.sweep = &sweep, .blocks = all_blocks(sweep), .threads = threads, .keep = [&](const BlockResult& block) {
                 table.put(block);
               }});
    EXPECT_TRUE(same_bits(table.numbers, expected)) << threads;
  }
}

// Ranks as threads of this program.
class Post {
 public:
  explicit Post(int size) : boxes_(static_cast<std::size_t>(size)) {}
  struct Box {
    std::mutex mutex = {};
    std::deque<Transport::Message> messages = {};
  };
  std::deque<Box> boxes_;
};
class Letters final : public Transport {
 public:
  Letters(Post& post, int rank) : post_(post), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(post_.boxes_.size()); }
  void send(int to, const Bytes& bytes) override {
    Post::Box& box = post_.boxes_[static_cast<std::size_t>(to)];
    const std::lock_guard lock(box.mutex);
    box.messages.push_back({rank_, bytes});
  }
  std::optional<Message> receive() override {
    Post::Box& box = post_.boxes_[static_cast<std::size_t>(rank_)];
    const std::lock_guard lock(box.mutex);
    if (box.messages.empty()) return {};
    Message first = box.messages.front();
    box.messages.pop_front();
    return first;
  }
  void finish() override {}
  [[noreturn]] void abort(int) override { std::abort(); }

 private:
  Post& post_;
  int rank_;
};

TEST(SweepWork, HasTheSameBitsOnAnyNumberOfRanks) {
  const Sweep sweep = small();
  const Numbers expected = all_numbers(sweep);
  for (const int ranks : {1, 2, 4}) {
    Post post(ranks);
    Table table(sweep);
    std::vector<std::thread> others;
    for (int rank = 1; rank < ranks; ++rank)
      others.emplace_back([&, rank] {
        Letters letters(post, rank);
        follow({.sweep = &sweep, .blocks = {}, .threads = static_cast<unsigned>(rank), .keep = {}}, letters);
      });
    Letters letters(post, 0);
    lead({.sweep = &sweep,
          .blocks = all_blocks(sweep),
          .threads = 1,
          .keep = [&](const BlockResult& block) { table.put(block); }},
         letters);
    for (std::thread& thread : others) thread.join();
    EXPECT_EQ(table.blocks, block_count(sweep));
    EXPECT_TRUE(same_bits(table.numbers, expected)) << ranks;
  }
}

struct Place {
  std::string path = (fs::temp_directory_path() / ("extremal_sweep_" + std::to_string(getpid()) + ".nc")).string();
  Place() { clear(); }
  ~Place() { clear(); }
  void clear() const {
    for (const char* end : {"", ".journal", ".part"}) fs::remove(path + end);
  }
};

void compute(const Sweep& sweep, SweepWriter& writer, const std::vector<std::uint64_t>& blocks) {
  for (const std::uint64_t block : blocks) {
    BlockResult result;
    const std::uint64_t first = block * block_size(sweep);
    run_block(sweep, first, std::min(block_size(sweep), sweep.size() - first), nullptr, result);
    writer.keep(result);
  }
}

TEST(SweepArchive, KeepsEveryBitAndMessage) {
  const Place place;
  for (const char* rows : {"", "every = 4\n"}) {
    place.clear();
    const Sweep sweep = small(rows);
    SweepWriter writer(place.path, sweep, {.name = "s.toml", .text = "", .options = "{}", .command = ""});
    auto blocks = all_blocks(sweep);
    std::reverse(blocks.begin(), blocks.end());
    compute(sweep, writer, blocks);
    EXPECT_EQ(SweepArchive::open(place.path).status(), "running");
    EXPECT_TRUE(same_bits(SweepArchive::open(place.path).read(0, sweep.size()).numbers, all_numbers(sweep)));
    writer.end();
    EXPECT_FALSE(fs::exists(place.path + ".journal"));
    const SweepArchive archive = SweepArchive::open(place.path);
    EXPECT_EQ(archive.status(), "complete");
    EXPECT_EQ(archive.rows(), *rows == '\0' ? 1u : 6u);
    EXPECT_TRUE(same_bits(archive.read(0, sweep.size()).numbers, all_numbers(sweep)));
    EXPECT_EQ(archive.messages().size(), 160u);
    EXPECT_THAT(archive.messages().at(8), HasSubstr("expected a whole number"));
    EXPECT_THAT(archive.varied(), testing::ElementsAre("m", "step", "g"));
  }
}

TEST(SweepArchive, GoesOnWithWhatIsMissing) {
  const Place place;
  const Sweep sweep = small();
  {
    SweepWriter writer(place.path, sweep, {.name = "s.toml", .text = "", .options = "{}", .command = ""});
    EXPECT_EQ(writer.missing().size(), 40u);
    compute(sweep, writer, {39, 3, 17});
    // Killed here, in the middle of a record.
  }
  fs::resize_file(place.path + ".journal", fs::file_size(place.path + ".journal") - 5);
  EXPECT_EQ(SweepArchive::open(place.path).status(), "killed");
  {
    SweepWriter writer(place.path, sweep, {.name = "s.toml", .text = "", .options = "{}", .command = ""});
    const auto missing = writer.missing();
    EXPECT_EQ(missing.size(), 38u);
    EXPECT_TRUE(std::find(missing.begin(), missing.end(), 17) != missing.end());
    EXPECT_EQ(writer.done(), 16u);
    compute(sweep, writer, {0, 17});
    writer.end();
  }
  EXPECT_EQ(SweepArchive::open(place.path).status(), "interrupted");
  {
    SweepWriter writer(place.path, sweep, {.name = "s.toml", .text = "", .options = "{}", .command = ""});
    EXPECT_EQ(writer.missing().size(), 36u);
    compute(sweep, writer, writer.missing());
    writer.end();
  }
  EXPECT_EQ(SweepArchive::open(place.path).status(), "complete");
  EXPECT_TRUE(same_bits(SweepArchive::open(place.path).read(0, sweep.size()).numbers, all_numbers(sweep)));
}

TEST(SweepArchive, IsNotOverwrittenByAnotherSweep) {
  const Place place;
  const Sweep sweep = small(), other = small("every = 4\n");
  const SweepOrigin origin{.name = "s.toml", .text = "", .options = "{}", .command = ""};
  {
    SweepWriter writer(place.path, sweep, origin);
    EXPECT_THAT(refusal([&] { SweepWriter(place.path, sweep, origin); }), HasSubstr("another program is writing"));
    writer.end();
  }
  EXPECT_THAT(refusal([&] { SweepWriter(place.path, other, origin); }), HasSubstr("found another sweep"));
  EXPECT_FALSE(fs::exists(place.path + ".journal"));
  EXPECT_THAT(refusal([&] { Archive::open(place.path); }), HasSubstr("no archive"));
}

}  // namespace
}  // namespace extremal::sweep::sweep_work_test
