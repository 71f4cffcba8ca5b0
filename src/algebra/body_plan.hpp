// BodyPlan: how the rows of one body are eliminated without touching its zeros.
//
// A row or column belongs to a unit, a coordinate or a constraint, which has as many rows and columns as a step has
// stages. The coordinates of a body have inertia of their own: they go first, in a fixed order of small fill, and of
// their entries only those are stored that may differ from zero. What they leave on the body's own constraints and on
// its joints, G M^-1 G^T, is full, and left to dense elimination with pivots of its own.
//
//   early      for every coordinate: its diagonal, and what it shares with units that are eliminated later
//   rest       diagonal (rows x rows), upper (rows x width), lower (width x rows) of the body's constraints; the panel
//              of `width` columns is that of the joints
//
// All upper parts come last and in the order of elimination: substitution backwards needs no others, and reads them
// from the end to the beginning.
//
// Bodies that look alike share a plan: its indices stay in the cache while the entries of thousands of them pass.
#pragma once

#include <compare>
#include <cstddef>
#include <vector>

namespace extremal {

// The units of one body: first those that go early, then its other ones, then those of the panel.
struct BodyShape {
  int early = 0, own = 0;
  std::vector<int> size;               // rows of every unit
  std::vector<int> place;              // of the other units and those of the panel: where they start there
  std::vector<std::vector<int>> near;  // of every early unit: the later units that it has entries with, ascending
  friend auto operator<=>(const BodyShape&, const BodyShape&) = default;
};

class BodyPlan {
 public:
  static constexpr int most_rows = 8;  // of a unit

  explicit BodyPlan(const BodyShape& shape);

  int early_rows() const { return early_rows_; }
  int rest_rows() const { return rest_rows_; }
  int width() const { return width_; }
  int entries() const { return rest_upper_ + rest_rows_ * width_; }
  int early_diagonals() const { return early_diagonals_; }  // entries; the first ones
  int upper() const { return upper_; }                      // where the upper parts start
  int rest_diagonal() const { return rest_; }
  int rest_lower() const { return rest_ + rest_rows_ * rest_rows_; }
  int rest_upper() const { return rest_upper_; }
  // Where the rows of a unit of the body start.
  int row(int unit) const;
  // Where the entries (row unit, column unit) start, the other stride apart; -1 if they are zero.
  struct Place {
    int to, stride;
  };
  Place find(int row_unit, int column_unit) const;

  // Eliminates the early units; `kept` is a copy of their diagonals. Adds to `panel` (width x width) what is to be
  // subtracted from the joints. False if a pivot is far from what it was before elimination: then the order is not a
  // good one for these entries. `largest` becomes that of the pivots if larger.
  bool eliminate(double* a, const double* kept, double* panel, double& largest) const;
  // y: the rows of the body; panel: of the joints, added to what is to be subtracted from them, or their solution.
  // The entries without the upper parts, and these alone.
  void forward(const double* a, double* y, double* panel) const;
  void backward(const double* upper, double* y, const double* panel) const;
  // Calls visit(first row, first column, rows, columns, entries) for all that is stored of the early units; rows and
  // columns of the panel count from early_rows + rest_rows.
  template <class Visit>
  void each_early(Visit visit) const {
    for (const Unit& u : units_) {
      visit(u.at, u.at, u.size, u.size, u.diagonal);
      for (int e = u.links; e < u.links_end; ++e) {
        const Link& l = links_[static_cast<std::size_t>(e)];
        visit(u.at, l.at, u.size, l.size, l.upper);
        visit(l.at, u.at, l.size, u.size, l.lower);
      }
    }
  }

 private:
  struct Unit {
    int at, size;  // rows
    int diagonal;  // after elimination: its inverse
    int links, links_end;
    int updates, updates_end;
  };
  struct Link {
    int unit, at, size;
    int upper, lower;  // size of the unit x size, and transposed; after elimination the upper one times the inverse
  };
  // to -= lower upper, or += where `to` is a panel.
  struct Update {
    int to, stride, lower, upper;
    int rows, inner, columns;
  };
  void find_updates(const BodyShape& shape);
  template <int Size>
  bool eliminate_equal(double* a, const double* kept, double* panel, double& largest) const;
  template <int Size>
  void forward_equal(const double* a, double* y, double* panel) const;
  template <int Size>
  void backward_equal(const double* upper, double* y, const double* panel) const;
  template <int Size>
  bool eliminate_unit(const Unit& u, double* a, const double* kept, double& largest) const;

  int early_, own_, early_rows_ = 0, rest_rows_ = 0, width_ = 0;
  int equal_ = 0;  // rows of every unit, or 0 if they differ
  int early_diagonals_ = 0, rest_ = 0, upper_ = 0, rest_upper_ = 0;
  std::vector<int> order_of_, size_, place_;  // by units: when it is eliminated; its rows; where it is in rest or panel
  std::vector<Unit> units_;                   // in order
  std::vector<Link> links_;
  std::vector<Update> updates_, rest_updates_, panel_updates_;
};

}  // namespace extremal
