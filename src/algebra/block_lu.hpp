// BlockLu: LU factorisation of a matrix whose rows and columns come in blocks, O(N) for chains and trees.
//
// The symbolic part is done once: an order of the blocks of small fill (minimum degree on their graph, a joint after
// its bodies), and the place of every block in one array. The numeric part is dense within blocks, with pivots
// chosen freely inside a block and never across: that is stable because every body's block is regular by itself and a
// joint's becomes so when its bodies are gone. One block is a dense matrix.
//
// Where the entries inside of blocks are known (Units), those of a body's coordinates are stored without the zeros and
// eliminated first, in a fixed order (BodyPlan); a body whose pivots become poor in that order is eliminated as a dense
// block instead, in this factorisation and in memory of its own.
//
// A large matrix does not fit into the cache, and time is what it takes to read it. So the upper parts of all blocks
// are stored apart, one after the other, as substitution backwards reads them; and a body is filled and eliminated in
// memory of its own size before it is written to where it stays.
//
// bench/kkt.cpp measures it against the refactorisation of KLU.
#pragma once

#include <cstddef>
#include <vector>

#include "algebra/array.hpp"
#include "algebra/blocks.hpp"
#include "algebra/body_plan.hpp"

namespace extremal {

// Who fills a matrix block by block, while each is in the cache.
class BlockFill {
 public:
  virtual ~BlockFill() = default;
  // Adds the entries whose home is this block, where BlockLu::local says. False if there are none.
  virtual bool fill(int block, double* out) = 0;
};

// The place of an entry that may differ from zero; a broken invariant, said in every build, where it has none: what is
// written there would be written outside of the matrix.
int needed(int slot);

class BlockLu {
 public:
  explicit BlockLu(int size);  // one block
  // The block of every row and of every column; each block must have as many rows as columns.
  BlockLu(const Blocks& blocks, const std::vector<int>& row_block, const std::vector<int>& column_block);
  // The same, with what is known of the entries: those that are not in the pattern have no slot.
  BlockLu(const Blocks& blocks, const Units& units);

  int size() const { return size_; }
  // The entries, to be filled after clear(); entry (row, column) is at slot(row, column). With one block they are
  // row-major.
  double* data() { return a_.data(); }
  void clear();
  int slot(int row, int column) const;  // -1 if the entry is known to be zero
  int block_count() const { return static_cast<int>(blocks_.size()); }
  int home(int row, int column) const;   // the block that an entry is stored with
  int local(int row, int column) const;  // its place among the entries of that block, or -1
  // The entries of a block in an array like data(), by local().
  template <class T>
  struct Parts {
    T *first, *upper;
    std::ptrdiff_t split;
    T& operator[](std::ptrdiff_t local) const { return local < split ? first[local] : upper[local - split]; }
  };
  template <class T>
  Parts<T> parts(int block, T* data) const {
    const Block& b = blocks_[static_cast<std::size_t>(block)];
    return {data + b.lower, data + b.upper, split(b)};
  }
  // Instead of clear() and filling data(): `fill` is asked when factor() comes to a block.
  void fill_later(BlockFill& fill) { fill_ = &fill; }

  // From now on rows and columns are multiplied by these powers of two while they are factored, and solutions are those
  // of the matrix as it is filled: pivots are chosen and judged without regard to units. Empty: as they are.
  void equilibrate(const std::vector<double>& row, const std::vector<double>& column);

  // Pivots of this column are judged by `size`, if it is larger than what they are made of.
  void refer(int column, double size);

  // Returns -1, or the column at which the matrix was found singular.
  int factor(double tiny) { return factor(tiny, nullptr); }
  // Takes b half of the way to its solution, while the blocks are at hand; finish() does the rest.
  int factor(double tiny, double* b);
  void finish(double* b);
  void solve(double* b);
  // Before factorisation: the largest entry of every row.
  void row_sizes(double* out);

  // Of the last factorisation: the pivots that are smaller than `weak` times what their column was made of, by column.
  static constexpr double weak = 1e-8;
  const std::vector<int>& weak_columns() const { return weak_columns_; }
  // How many are smaller than the root of `weak`: close to dependent.
  int close_count() const { return close_; }
  // The smallest such ratio among the columns that are not weak.
  double smallest_ratio() const { return smallest_; }
  double largest_pivot() const { return largest_; }
  // From the next factorisation on the size of every pivot by its column, but for those of bodies in a fixed order.
  void note_pivots(double* to) { noted_ = to; }
  // How many bodies were eliminated as dense blocks because their fixed order did not suit them.
  int spilled() const { return spilled_; }
  std::size_t entries() const { return a_.size(); }

 private:
  struct Block {
    int size = 0, first = 0;  // rows; where they start in block order
    int rank = 0;             // when it is eliminated
    int width = 0;            // of the panel: the rows of all later neighbours
    // Where its entries are: those of its plan, or size x size and width x size, and apart from them size x width.
    std::ptrdiff_t lower = 0, upper = 0;
    int neighbours = 0, count = 0;  // those that are eliminated later: where they start in neighbours_, how many
    int plan = -1;                  // in plans_
    bool reached = false;           // whether earlier blocks take something off it,
    bool covered = false;           // and off all of its entries
    std::ptrdiff_t spill = -1;      // where the dense block is in spill_, if it has become one
  };
  struct Neighbour {
    int block, first, size;  // as of the block
    int place;               // where it starts in the panel
    int unit;                // the number of its first unit in the panel
    bool fresh;              // nothing has been taken off it before
  };
  // Where the product of two panels goes.
  struct Target {
    std::ptrdiff_t to;
    int stride;
    bool fresh;  // nothing has been taken off it before
  };
  // A dense part of the matrix with its panels; `first` as of a block.
  struct Dense {
    double *diagonal, *upper, *lower;
    int size, first;
  };
  std::vector<std::vector<int>> order(const Blocks& blocks);  // returns the later neighbours of every block
  void build(const Blocks& blocks, const Units* units);
  void plan_bodies(const Units& units);
  void place_entries();
  void place_rows(const Units* units);
  void find_targets(const std::vector<std::vector<int>>& later);
  Target target(int row_block, int column_block) const;
  std::ptrdiff_t split(const Block& b) const {
    if (b.plan >= 0) return plans_[static_cast<std::size_t>(b.plan)].upper();
    return static_cast<std::ptrdiff_t>(b.size) * (b.size + b.width);
  }
  std::ptrdiff_t entries(const Block& b) const {
    if (b.plan >= 0) return plans_[static_cast<std::size_t>(b.plan)].entries();
    return static_cast<std::ptrdiff_t>(b.size) * (b.size + 2 * b.width);
  }
  // All of a block, or what is left of it when its early units are gone; of a body its parts may be elsewhere.
  Dense dense(const Block& block) { return dense(block, a_.data() + block.lower, a_.data() + block.upper); }
  Dense dense(const Block& block, double* lower, double* upper);
  void load(int block, BlockFill* fill);  // into body_
  void scale_body(int block);
  void scale_given();
  void add_entries(int block, BlockFill& fill, bool scaled);
  void fill_all();
  void forward(const Block& block, double* lower, const double* right);
  bool eliminate(const Dense& d, int width, double tiny, bool note_sizes, int& singular);
  bool eliminate_body(int block, BlockFill* fill, double tiny, int& singular);
  void spill(Block& block);
  void subtract(const Block& block, const Dense& d, const Target* targets, const double* early, bool given);

  int size_;
  std::vector<int> order_;
  Array<Block> blocks_;
  Array<Neighbour> neighbours_;
  std::vector<BodyPlan> plans_;
  Array<Target> targets_;          // of every block in order: later x later
  Array<int> row_at_, column_at_;  // of every row and column: its place in block order
  Array<int> row_of_, column_of_;  // and the other way round
  std::vector<int> row_block_, column_block_;
  std::vector<int> row_unit_, column_unit_, unit_at_,
      unit_index_;  // of every unit: its first row, its number in the block
  Array<int> pivot_;
  std::vector<int> weak_columns_;
  Array<double> a_, reference_, scale_, work_;
  std::vector<double> panel_row_, panel_, product_, body_, kept_, zero_, spill_;
  // Of equilibrate: by row and column in block order, and of every entry of a_.
  std::vector<double> row_scale_, column_scale_, factor_;
  BlockFill* fill_ = nullptr;
  double* noted_ = nullptr;
  double smallest_ = 1;
  double largest_ = 0;
  int close_ = 0, spilled_ = 0;
};

}  // namespace extremal
