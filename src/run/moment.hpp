// Moment: a signal that the program sends itself at a known point of its work, so that tests can stop, kill or hold it
// there however fast the machine is.
//
//   EXTREMAL_TEST_AT="begin 1 TERM"      a run is about to be set up
//   EXTREMAL_TEST_AT="step 1000 INT"     after step 1000 of a run, as Ctrl-C would
//   EXTREMAL_TEST_AT="record 3 KILL"     with half of the third record of a journal written
//   EXTREMAL_TEST_AT="publish 2 KILL"    the archive is written a second time, and not yet in its place
//   EXTREMAL_TEST_AT="block 2 HOLD"      the thread that finished the second block of a sweep waits for ever
//
// Otherwise a Moment never comes. Each is INT, TERM, HUP, KILL or HOLD.
#pragma once

#include <string_view>

namespace extremal {

class Moment {
 public:
  explicit Moment(std::string_view event);  // InputError if the variable cannot be read

  bool is(long long count) const { return count == count_; }
  void act() const;
  void pass(long long count) const {
    if (is(count)) [[unlikely]]
      act();
  }

 private:
  long long count_ = -1;
  int signal_ = 0;
};

}  // namespace extremal
