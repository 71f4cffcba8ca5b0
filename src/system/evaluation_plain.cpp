// Polynomials of degree two are expanded once, and then evaluated without calling their terms.
#include <algorithm>
#include <span>

#include "system/evaluation.hpp"

#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"
#include "system/settable.hpp"

namespace extremal {

namespace {

// Items by the group that each belongs to, in their order.
template <class T>
class Grouped {
 public:
  template <class GroupOf, class Item>
  Grouped(int groups, std::size_t count, GroupOf group_of, Item item) : start_(sz(groups) + 1, 0) {
    for (std::size_t e = 0; e < count; ++e) ++start_[sz(group_of(e)) + 1];
    for (std::size_t k = 1; k < start_.size(); ++k) start_[k] += start_[k - 1];
    std::vector<int> at(start_.begin(), start_.end() - 1);
    items_.resize(count);
    for (std::size_t e = 0; e < count; ++e) items_[sz(at[sz(group_of(e))]++)] = item(e);
  }
  std::span<const T> operator[](int group) const {
    return {items_.data() + start_[sz(group)], items_.data() + start_[sz(group) + 1]};
  }

 private:
  std::vector<int> start_;
  std::vector<T> items_;
};

// Whether y is x with all columns shifted by `step`, which is found if it is `anywhere`.
template <class T>
bool shifted(std::span<const T> x, std::span<const T> y, int& step) {
  if (x.size() != y.size()) return false;
  for (std::size_t e = 0; e < x.size(); ++e) {
    if (step == anywhere) step = y[e].of - x[e].of;
    if (!all(equal(x[e].value, y[e].value)) || y[e].of - x[e].of != step) return false;
  }
  return true;
}

}  // namespace

template <class S>
void Evaluation<S>::expand_energies() {
  const std::vector<S> zero(sz(n_), S(0));
  const S t0(0);
  const Nodes<S> origin = nodes(1, zero.data(), zero.data(), &t0);
  plain_L_ = S(0);
  plain_Lq_.assign(sz(n_), S(0));
  for (const Entry& entry : energy_) {
    if (!entry.plain()) continue;
    const Term& term = *entry.term;
    const S s = sign(term);
    entry.at->gradient(origin, value_.data(), gradient_.data());
    for (int site = 0; site < term.site_count(); ++site) {
      plain_L_ += s * value_[sz(site)];
      // Kinetic energies have no linear part.
      for (int c = 0; c < term.coordinates; ++c)
        plain_Lq_[sz(term.sites[sz(site * term.coordinates + c)])] += s * gradient_[sz(site * term.variables + c)];
    }
  }
  gradient_tables_.clear();
  gradient_constants_.clear();
  of_velocities_.clear();
  of_positions_.clear();
  tabulate_gradient();
}

template <class S>
void Evaluation<S>::expand() {
  const std::vector<S> zero(sz(n_), S(0));
  const S t0(0);
  const Nodes<S> origin = nodes(1, zero.data(), zero.data(), &t0);
  expand_energies();
  constraint_tables_.clear();
  bends_.clear();
  for (auto* numbers : {&constants_, &slope_constants_}) numbers->clear();
  for (auto* indices : {&slope_columns_, &row_ends_}) indices->clear();
  std::vector<int> plain_rows;
  std::vector<S> g(sz(m_), S(0)), G(sz(jacobian_.size()), S(0));
  for (Entry& entry : constraint_) {
    if (!entry.plain()) continue;
    const Term& term = *entry.term;
    const int rows = term.site_count() * term.row_count;
    entry.at->gradient(origin, value_.data(), gradient_.data());
    std::copy_n(value_.begin(), rows, g.begin() + entry.first_row);
    for (const Place& p : entry.jacobian) G[sz(p.to)] = gradient_[sz(p.from)];
    for (int e = 0; e < rows; ++e) plain_rows.push_back(entry.first_row + e);
    if (!is_settable(n_, m_)) entry.jacobian = {};
  }
  std::sort(plain_rows.begin(), plain_rows.end());
  tabulate_constraints(plain_rows, g, G);
  size_scratch(false);
}

// Terms that are expanded, or constant, are asked for derivatives when tables are made only.
template <class S>
void Evaluation<S>::size_scratch(bool everything) {
  std::size_t gradients = 1, hessians = 1;
  for (const auto* list : {&energy_, &force_, &constraint_, &symmetry_})
    for (const Entry& entry : *list) {
      const std::size_t sites = sz(entry.term->site_count()), variables = sz(entry.term->variables);
      const std::size_t packed = sites * variables * (variables + 1) / 2;
      const std::size_t slopes = sites * sz(entry.term->row_count) * variables;
      if (!entry.plain()) gradients = std::max(gradients, batch_ * slopes);
      if (!entry.fixed) hessians = std::max(hessians, batch_ * packed);
      if (everything) gradients = std::max(gradients, slopes);
      if (everything) hessians = std::max(hessians, packed);
    }
  std::vector<S>(gradients).swap(gradient_);
  std::vector<S>(hessians).swap(packed_);
}

template <class S>
void Evaluation<S>::tabulate_gradient() {
  // Two rows per coordinate, of Lv and of Lq.
  const auto row_of = [](const Fixed& f) { return 2 * f.i + (f.block == Block::D ? 0 : 1); };
  const Grouped<Multiple> parts(
      2 * n_, fixed_plain_, [&](std::size_t e) { return row_of(fixed_[e]); },
      [&](std::size_t e) { return Multiple{fixed_[e].value, fixed_[e].j}; });
  const auto shift = [&](int i, int j) -> std::optional<int> {
    int step = anywhere;
    if (!all(equal(plain_Lq_[sz(i)], plain_Lq_[sz(j)]))) return std::nullopt;
    for (const int part : {0, 1})
      if (!shifted(parts[2 * i + part], parts[2 * j + part], step)) return std::nullopt;
    return step;
  };
  const auto size = [](const auto& table) { return static_cast<int>(table.size()); };
  for (const Repeat& run : find_repeats(n_, shift)) {
    Table table{run, size(gradient_constants_), size(of_velocities_), 0, size(of_positions_), 0};
    for (int i = 0; i < run.period; ++i) {
      gradient_constants_.push_back(plain_Lq_[sz(run.first + i)]);
      for (const Multiple& part : parts[2 * (run.first + i)]) of_velocities_.push_back({part.value, i, part.of});
      for (const Multiple& part : parts[2 * (run.first + i) + 1]) of_positions_.push_back({part.value, i, part.of});
    }
    table.first_end = size(of_velocities_);
    table.second_end = size(of_positions_);
    gradient_tables_.push_back(table);
  }
}

// rows: those of the expanded constraints, ascending; g and G at zero.
template <class S>
void Evaluation<S>::tabulate_constraints(const std::vector<int>& rows, const std::vector<S>& g,
                                         const std::vector<S>& G) {
  plain_rows_ = static_cast<int>(rows.size());
  const Grouped<Multiple> bends(
      jacobian_.size(), curves_.size(), [&](std::size_t e) { return curves_[e].slope; },
      [&](std::size_t e) { return Multiple{curves_[e].value, curves_[e].j}; });
  const auto shift = [&](int i, int j) -> std::optional<int> {
    const std::size_t x = sz(rows[sz(i)]), y = sz(rows[sz(j)]);
    int from = jacobian_.start[x], to = jacobian_.start[y], step = anywhere;
    const int count = jacobian_.start[x + 1] - from;
    // The places in g and G must repeat with the rows.
    if (static_cast<int>(y - x) != j - i || !all(equal(g[x], g[y])) || jacobian_.start[y + 1] - to != count)
      return std::nullopt;
    for (int e = 0; e < count; ++e, ++from, ++to) {
      const int apart = jacobian_.column[sz(to)] - jacobian_.column[sz(from)];
      if (step == anywhere) step = apart;
      if (apart != step || !all(equal(G[sz(from)], G[sz(to)])) || !shifted(bends[from], bends[to], step))
        return std::nullopt;
    }
    return step;
  };
  const auto size = [](const auto& table) { return static_cast<int>(table.size()); };
  for (Repeat run : find_repeats(plain_rows_, shift)) {
    // Rows that do not repeat are not next to each other where other terms have rows between them.
    for (int i = run.first, end = i + run.period; i < end; i += run.period) {
      run.period = 1;
      while (i + run.period < end && rows[sz(i + run.period)] == rows[sz(i)] + run.period) ++run.period;
      run.first = rows[sz(i)];
      Table table{run, size(constants_), size(bends_), 0, size(slope_columns_), 0};
      const int from = jacobian_.start[sz(run.first)], to = jacobian_.start[sz(run.first + run.period)];
      for (int row = run.first; row < run.first + run.period; ++row) {
        constants_.push_back(g[sz(row)]);
        row_ends_.push_back(jacobian_.start[sz(row) + 1] - from);
      }
      for (int e = from; e < to; ++e) {
        for (const Multiple& bend : bends[e]) bends_.push_back({bend.value, e - from, bend.of});
        slope_columns_.push_back(jacobian_.column[sz(e)]);
        slope_constants_.push_back(G[sz(e)]);
      }
      table.first_end = size(bends_);
      table.second_end = size(slope_columns_);
      table.ends = size(row_ends_) - run.period;
      constraint_tables_.push_back(table);
      scratch_G_.resize(std::max(scratch_G_.size(), sz(to - from)));
    }
  }
}

// L = L0 + Lq0 . q + q . A q / 2 + v . D v / 2 with the gradient Lq0 + A q, D v.
template <class S>
void Evaluation<S>::plain_gradient(int count, const S* q, const S* v, S* L, S* Lq, S* Lv) const {
  for (int k = 0; k < count; ++k, q += n_, v += n_, Lq += n_, Lv += n_) {
    S sum(0);
    for (const Table& table : gradient_tables_) {
      const Repeat& run = table.run;
      const S* constant = gradient_constants_.data() + table.constants;
      for (int period = 0; period < run.count; ++period) {
        const std::ptrdiff_t shift = static_cast<std::ptrdiff_t>(period) * run.step;
        const int i = run.first + period * run.period;
        S *slope = Lq + i, *momentum = Lv + i;
        for (int r = 0; r < run.period; ++r) slope[r] = constant[r];
        for (int r = 0; r < run.period; ++r) momentum[r] = S(0);
        for (int e = table.first; e < table.first_end; ++e)
          momentum[of_velocities_[sz(e)].to] += of_velocities_[sz(e)].value * v[of_velocities_[sz(e)].of + shift];
        for (int e = table.second; e < table.second_end; ++e)
          slope[of_positions_[sz(e)].to] += of_positions_[sz(e)].value * q[of_positions_[sz(e)].of + shift];
        if (L == nullptr) continue;
        for (int r = 0; r < run.period; ++r) sum += q[i + r] * (slope[r] + constant[r]) + v[i + r] * momentum[r];
      }
    }
    if (L != nullptr) L[k] = plain_L_ + sum / S(2);
  }
}

// g = g0 + G0 q + q . D2g q / 2 with the gradient G = G0 + D2g q.
template <class S>
void Evaluation<S>::plain_constraints(int count, const S* q, S* g, S* G) {
  for (int k = 0; k < count; ++k, q += n_, g += m_) {
    for (const Table& table : constraint_tables_) {
      const Repeat& run = table.run;
      const int slopes = table.second_end - table.second;
      const S *constant = constants_.data() + table.constants, *level = slope_constants_.data() + table.second;
      const int *column = slope_columns_.data() + table.second, *ends = row_ends_.data() + table.ends;
      S* slope = G != nullptr ? G + static_cast<std::ptrdiff_t>(k) * jacobian_.size() + jacobian_.start[sz(run.first)]
                              : scratch_G_.data();
      S* value = g + run.first;
      for (int period = 0; period < run.count; ++period) {
        const S* at = q + static_cast<std::ptrdiff_t>(period) * run.step;
        std::copy_n(level, slopes, slope);
        for (int e = table.first; e < table.first_end; ++e)
          slope[bends_[sz(e)].to] += bends_[sz(e)].value * at[bends_[sz(e)].of];
        for (int r = 0, e = 0; r < run.period; ++r) {
          S sum(0);
          for (; e < ends[r]; ++e) sum += (slope[e] + level[e]) * at[column[e]];
          *value++ = constant[r] + sum / S(2);
        }
        if (G != nullptr) slope += slopes;
      }
    }
  }
}

#define EXTREMAL_INSTANTIATE(S)                                                                     \
  template void Evaluation<S>::expand();                                                            \
  template void Evaluation<S>::expand_energies();                                                   \
  template void Evaluation<S>::size_scratch(bool);                                                  \
  template void Evaluation<S>::tabulate_gradient();                                                 \
  template void Evaluation<S>::tabulate_constraints(const std::vector<int>&, const std::vector<S>&, \
                                                    const std::vector<S>&);                         \
  template void Evaluation<S>::plain_gradient(int, const S*, const S*, S*, S*, S*) const;           \
  template void Evaluation<S>::plain_constraints(int, const S*, S*, S*);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
