// A quantity of one's own, watched while the run goes on. One learns: a RowSink gets every row of the one time loop,
// and a run needs to keep nothing itself.
#include <algorithm>
#include <extremal/extremal.hpp>
#include <iostream>

// The largest pull in the rod, and when it was there. The force of a constraint that pulls is negative.
struct Largest : extremal::RowSink<double> {
  std::size_t column = 0;
  double force = 0, time = 0;
  void begin(const extremal::Run<double>&, const std::vector<extremal::ColumnInfo>& columns) override {
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (columns[k].name == "force:rod") column = k;
  }
  void row(const std::vector<double>& values) override {
    if (-values[column] <= force) return;
    force = -values[column];
    time = values[0];
  }
};

int main() {
  const extremal::Model m = extremal::model("pendulum");
  Largest largest;
  extremal::run(m.system, "spark(3)", m.start, m.span, {.sinks = {&largest}, .collect = false});
  std::cout << "the rod carries at most " << largest.force << " N, at t = " << largest.time << "\n";
}
