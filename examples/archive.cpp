// A long run in a file that outlives the program. One learns: an archive is a sink; a run that was stopped goes on from
// the checkpoint of its archive, and ends with the same bits as one that was never stopped.
#include <atomic>
#include <cstdio>
#include <extremal/archive.hpp>
#include <extremal/extremal.hpp>
#include <iostream>

using namespace extremal;

// Asks the run to stop in the middle, as Ctrl-C would.
struct Impatient : RowSink<double> {
  std::atomic<bool> stop = false;
  void row(const std::vector<double>& values) override { stop = values[0] > 5; }
};

int main() {
  const Model m = model("pendulum");
  const char* path = "example_archive.nc";
  const auto whole = run(m.system, "spark(3)", m.start, m.span);

  Impatient user;
  {
    ArchiveWriter<double> archive(path, {.model = "pendulum", .scheme = "spark(3)", .start = m.start, .span = m.span});
    run(m.system, "spark(3)", m.start, m.span, {.sinks = {&archive, &user}, .collect = false, .stop = &user.stop});
  }
  const auto half = Archive::open(path);
  std::cout << half.status() << " after " << half.rows() << " rows\n";

  const auto checkpoint = half.checkpoint<double>();
  auto archive = ArchiveWriter<double>::resume(path);
  run(m.system, "spark(3)", m.start, m.span, {.sinks = {&archive}, .collect = false, .from = &checkpoint});
  const auto done = Archive::open(path);
  const bool same = done.column("x") == whole.column("x");
  std::cout << done.status() << " after " << done.rows() << " rows, " << (same ? "the same bits\n" : "other bits\n");
  std::remove(path);
}
