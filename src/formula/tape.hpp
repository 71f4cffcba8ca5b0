// Tape: nodes of a Graph as a flat list of instructions, evaluated over nodes x sites at every scalar.
//
// A frame has one slot per value: constants, parameters and what is computed from them alone come first and are
// computed once per call; the inputs of a site and what varies with them follow, and slots that are no longer needed
// are used again. In double a slot has 8 (or 4) lanes, so that as many sites share the cost of looking at an
// instruction; the result of a site does not depend on the lanes. Over Lanes a slot is one site of all motions.
#pragma once

#include <tuple>
#include <vector>

#include "extremal/term.hpp"
#include "formula/graph.hpp"

namespace extremal {

// What a site's variables are: the coordinates of sites in q and v, and the weights of its rows.
template <class S>
struct TapeInputs {
  const Nodes<S>* at;
  const int* sites;  // site x coordinates indices into q
  int site_count, coordinates;
  const S* weights;  // [node][site][row], or null
  int rows;
};

class Tape {
 public:
  Tape() = default;
  // The outputs of a site are written to two arrays: the first `first` of them and the others. The graph gets the
  // nodes of powers that are written out as products.
  Tape(Graph& graph, const std::vector<int>& outputs, int first);

  template <class S>
  void run(const TapeInputs<S>& inputs, S* first, S* others) const;

  int instruction_count() const { return static_cast<int>(shared_.size() + program_.size()); }
  int slot_count() const { return slots_; }

  struct Instruction {
    Operation operation;
    int out, a, b, c;  // slots; c is the second result of sine_cosine
  };

 private:
  struct Call;
  template <class S>
  void all_calls(const TapeInputs<S>& inputs, S* first, S* others) const;
  template <class S, int L>
  void gather(const TapeInputs<S>& inputs, const Call& call, int active, S* to) const;
  template <class S, int L>
  void lanes(const TapeInputs<S>& inputs, const Call& call, int active, S* frame, S* first, S* others) const;
  template <class S>
  const auto& constants() const {
    return std::get<std::vector<typename Single<S>::type>>(constants_);
  }

  std::tuple<std::vector<double>, std::vector<long double>, std::vector<quad>> constants_;  // slots 0, 1, ...
  std::vector<int> parameters_;                                                             // then these parameters
  std::vector<Instruction> shared_;                                                         // then their results, ...
  int shared_slots_ = 0;                                                                    // ... so many in all
  std::vector<int> broadcast_;        // those that the program or the outputs use
  std::vector<int> q_, v_, weights_;  // inputs: local indices, in this order, then t
  bool time_ = false;
  std::vector<Instruction> program_;
  int slots_ = 0;
  std::vector<int> outputs_;
  int first_ = 0;
};

}  // namespace extremal
