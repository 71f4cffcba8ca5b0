// How a Tape is evaluated.
#include <algorithm>
#include <array>
#include <memory>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "formula/tape.hpp"
#include "system/vectorised.hpp"

namespace extremal {
namespace {

// L lanes of a slot. For double, pairs that every x86-64 computes at once; written as plain loops, whether they are
// would depend on what the compiler can prove about slots that overlap.
template <class S, int L>
struct Pack {
  using Part = S;
  static constexpr int parts = L;
};
#if defined(__SSE2__)
template <int L>
  requires(L % 2 == 0)
struct Pack<double, L> {
  using Part = double __attribute__((vector_size(16), may_alias));
  static constexpr int parts = L / 2;
};
#endif

template <class S, class Part>
Part root(const Part& x) {
  if constexpr (std::is_same_v<Part, S>) return math::sqrt(x);
#if defined(__SSE2__)
  else
    return _mm_sqrt_pd(x);
#endif
}

// One slot after the other part by part: the result may be in the place of an operand.
template <class S, int L>
struct Slots {
  using Part = typename Pack<S, L>::Part;
  S* frame;

  S* at(int slot) const { return frame + static_cast<std::ptrdiff_t>(slot) * L; }
  // out = f(operands)
  template <class F, class... Operand>
  [[gnu::always_inline]] void each(int out, F f, Operand... operand) const {
    const auto part = [this](int slot, int i) { return reinterpret_cast<const Part*>(at(slot))[i]; };
#pragma GCC unroll 8
    for (int i = 0; i < Pack<S, L>::parts; ++i) reinterpret_cast<Part*>(at(out))[i] = f(part(operand, i)...);
  }
  // A function of the library, for the lanes that are in use only; the others get numbers that do no harm.
  template <class F>
  [[gnu::always_inline]] void each_lane(int active, int out, F f, int a, int b) const {
    const S *x = at(a), *y = at(b);
    S* to = at(out);
    for (int l = 0; l < active; ++l) to[l] = f(x[l], y[l]);
    for (int l = active; l < L; ++l) to[l] = S(1);
  }
  [[gnu::always_inline]] void sine_cosine(int active, int sine, int cosine, int a) const {
    const S* x = at(a);
    S *s = at(sine), *c = at(cosine);
    for (int l = 0; l < active; ++l) {
      const S angle = x[l];  // one of the results may take its place
      s[l] = math::sin(angle);
      c[l] = math::cos(angle);
    }
    for (int l = active; l < L; ++l) s[l] = c[l] = S(1);
  }
};

template <class S, int L>
void execute(const std::vector<Tape::Instruction>& program, S* frame, int active) {
  const Slots<S, L> slots{frame};
  for (const Tape::Instruction& i : program) {
    switch (i.operation) {
      case Operation::add:
        slots.each(i.out, [](const auto& x, const auto& y) { return x + y; }, i.a, i.b);
        break;
      case Operation::subtract:
        slots.each(i.out, [](const auto& x, const auto& y) { return x - y; }, i.a, i.b);
        break;
      case Operation::multiply:
        slots.each(i.out, [](const auto& x, const auto& y) { return x * y; }, i.a, i.b);
        break;
      case Operation::multiply_add:
        slots.each(i.out, [](const auto& x, const auto& y, const auto& z) { return x * y + z; }, i.a, i.b, i.c);
        break;
      case Operation::subtract_product:
        slots.each(i.out, [](const auto& x, const auto& y, const auto& z) { return z - x * y; }, i.a, i.b, i.c);
        break;
      case Operation::divide:
        slots.each(i.out, [](const auto& x, const auto& y) { return x / y; }, i.a, i.b);
        break;
      case Operation::negate:
        slots.each(i.out, [](const auto& x) { return -x; }, i.a);
        break;
      case Operation::inverse:
        slots.each(i.out, [](const auto& x) { return S(1) / x; }, i.a);
        break;
      case Operation::sqrt:
        slots.each(i.out, [](const auto& x) { return root<S>(x); }, i.a);
        break;
      case Operation::sine_cosine:
        slots.sine_cosine(active, i.out, i.c, i.a);
        break;
      case Operation::sin:
        slots.each_lane(active, i.out, [](const S& x, const S&) { return math::sin(x); }, i.a, i.a);
        break;
      case Operation::cos:
        slots.each_lane(active, i.out, [](const S& x, const S&) { return math::cos(x); }, i.a, i.a);
        break;
      default:
        slots.each_lane(active, i.out, [&](const S& x, const S& y) { return apply(i.operation, x, y); }, i.a, i.b);
    }
  }
}

// Memory for frames. Most tapes fit on the stack; others share one piece per thread, which grows at the first call.
template <class S>
class Frame {
 public:
  explicit Frame(std::size_t size) : data_(stack_) {
    if (size <= std::size(stack_)) return;
    thread_local std::unique_ptr<S[]> memory;
    thread_local std::size_t room = 0;
    if (size > room) {
      memory = std::make_unique_for_overwrite<S[]>(size);
      room = size;
    }
    data_ = memory.get();
  }
  S* data() { return data_; }

 private:
  static constexpr std::size_t alignment = std::max<std::size_t>(16, alignof(S));  // of a part
  static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= 16);
  alignas(alignment) S stack_[1536 / Single<S>::count];
  S* data_;
};

}  // namespace

// The number of a call among nodes x sites. Counted, since a division costs as much as a small formula.
struct Tape::Call {
  int index = 0, node = 0, site = 0;
  void advance(int calls, int site_count) {
    index += calls;
    for (site += calls; site >= site_count; ++node) site -= site_count;
  }
};

// The inputs of `active` calls; lanes beyond repeat the last.
template <class S, int L>
void Tape::gather(const TapeInputs<S>& in, const Call& call, int active, S* to) const {
  const Nodes<S>& at = *in.at;
  const int N = in.coordinates;
  if (L == 1 || (active == L && call.site + L <= in.site_count)) {  // one node and sites that follow each other
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(call.node) * at.n;
    const int* const sites = in.sites + static_cast<std::ptrdiff_t>(call.site) * N;
    const auto from = [&](const S* x, int i) {
      const int* site = sites + i;
#pragma GCC unroll 8
      for (int l = 0; l < L; ++l, site += N) to[l] = x[row + *site];
      to += L;
    };
    for (const int i : q_) from(at.q, i);
    for (const int i : v_) from(at.v, i);
    for (const int i : weights_) {
      const S* weight = in.weights + static_cast<std::ptrdiff_t>(call.index) * in.rows + i;
#pragma GCC unroll 8
      for (int l = 0; l < L; ++l) to[l] = weight[static_cast<std::ptrdiff_t>(l) * in.rows];
      to += L;
    }
    if (time_)
      for (int l = 0; l < L; ++l) to[l] = at.t[call.node];
    return;
  }
  Call here = call;
  for (int l = 0; l < L; ++l) {
    const int* site = in.sites + static_cast<std::ptrdiff_t>(here.site) * N;
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(here.node) * at.n;
    S* lane = to + l;
    for (const int i : q_) *lane = at.q[row + site[i]], lane += L;
    for (const int i : v_) *lane = at.v[row + site[i]], lane += L;
    for (const int i : weights_) *lane = in.weights[static_cast<std::ptrdiff_t>(here.index) * in.rows + i], lane += L;
    if (time_) *lane = at.t[here.node];
    if (l + 1 < active) here.advance(1, in.site_count);
  }
}

template <class S, int L>
void Tape::lanes(const TapeInputs<S>& in, const Call& call, int active, S* frame, S* first, S* others) const {
  gather<S, L>(in, call, active, frame + static_cast<std::ptrdiff_t>(shared_slots_) * L);
  execute<S, L>(program_, frame, active);

  const auto scatter = [&](const int* slot, int count, S* out) {
    out += static_cast<std::ptrdiff_t>(call.index) * count;
    for (int e = 0; e < count; ++e, ++out) {
      const S* from = frame + static_cast<std::ptrdiff_t>(slot[e]) * L;
      if (active == L) {
        S* lane = out;
#pragma GCC unroll 8
        for (int l = 0; l < L; ++l, lane += count) *lane = from[l];
        continue;
      }
      for (int l = 0; l < active; ++l) out[static_cast<std::ptrdiff_t>(l) * count] = from[l];
    }
  };
  scatter(outputs_.data(), first_, first);
  scatter(outputs_.data() + first_, static_cast<int>(outputs_.size()) - first_, others);
}

template <class S>
void Tape::run(const TapeInputs<S>& in, S* first, S* others) const {
  vectorised<S>([&] { all_calls<S>(in, first, others); });
}

template <class S>
void Tape::all_calls(const TapeInputs<S>& in, S* first, S* others) const {
  const int calls = in.at->count * in.site_count;
  constexpr int most = std::is_same_v<S, double> ? 8 : 1;
  // The frame of single sites, whose first slots are those that all sites share, then the frame of lanes.
  const auto single = static_cast<std::size_t>((slots_ + 7) / 8 * 8);
  const bool wide = most > 1 && calls > 2;
  Frame<S> memory(single + (wide ? static_cast<std::size_t>(slots_) * most : 0));
  S* const frame = memory.data();
  S* to = frame;
  for (const auto& c : constants<S>()) *to++ = S(c);
  for (const int p : parameters_) *to++ = in.at->parameters[p];
  if (!shared_.empty()) execute<S, 1>(shared_, frame, 1);
  Call call;
  if constexpr (most > 1) {
    if (wide) {
      S* const lanes_frame = frame + single;
      const auto batch = [&]<int L>(std::integral_constant<int, L>) {
        if (call.index == 0 || L != most)
          for (const int s : broadcast_) std::fill_n(lanes_frame + static_cast<std::ptrdiff_t>(s) * L, L, frame[s]);
        const int active = std::min(L, calls - call.index);
        lanes<S, L>(in, call, active, lanes_frame, first, others);
        call.advance(active, in.site_count);
      };
      while (calls - call.index > most / 2) batch(std::integral_constant<int, most>{});
      if (calls - call.index > 2) batch(std::integral_constant<int, most / 2>{});
    }
  }
  for (; call.index < calls; call.advance(1, in.site_count)) lanes<S, 1>(in, call, 1, frame, first, others);
}

template void Tape::run(const TapeInputs<double>&, double*, double*) const;
template void Tape::run(const TapeInputs<long double>&, long double*, long double*) const;
template void Tape::run(const TapeInputs<quad>&, quad*, quad*) const;
template void Tape::run(const TapeInputs<Lanes>&, Lanes*, Lanes*) const;

}  // namespace extremal
