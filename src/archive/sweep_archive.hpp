// The archive of a sweep: one netCDF-4 file with a place for every run, whatever the order in which they are finished.
//
//   SweepWriter writer("pendulums.nc", sweep, {...});      // begins it, or goes on with one that is not finished
//   for (std::uint64_t block : writer.missing()) ...
//   writer.keep(result);                                   // as soon as it is there: the journal has it
//   writer.end();
//
//   SweepArchive archive = SweepArchive::open("pendulums.nc");       // of a sweep that goes on or was killed, too
//
// Like the archive of a run it is a whole file at every moment, and blocks that have not yet come there are in
// FILE.journal. docs/sweep.md has the layout.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "extremal/archive.hpp"
#include "sweep/block.hpp"

namespace extremal {

class SweepArchive {
 public:
  // Whether there is a file that is one.
  static bool is(const std::string& path);
  static SweepArchive open(const std::string& path);
  SweepArchive(SweepArchive&&) noexcept;
  ~SweepArchive();

  const std::map<std::string, std::string>& attributes() const;
  const std::string& attribute(const std::string& name) const;  // empty if there is none
  // complete, interrupted, running, or killed if the program that wrote it is gone.
  const std::string& status() const;
  std::uint64_t size() const;
  const std::vector<std::string>& varied() const;
  const std::vector<std::string>& columns() const;
  std::size_t rows() const;
  // Of every run.
  const std::vector<sweep::Outcome>& outcomes() const;
  std::vector<double> field(sweep::Field field) const;
  const std::map<std::uint64_t, std::string>& messages() const;  // of those that failed
  // As run_block gave them, without messages.
  sweep::BlockResult read(std::uint64_t first, std::uint64_t count) const;

 private:
  struct Data;
  explicit SweepArchive(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

// What the archive tells of where it comes from.
struct SweepOrigin {
  std::string name, text;  // of the sweep file
  std::string options;     // of the command line that go before it, as JSON
  std::string command;
};

class SweepWriter {
 public:
  // InputError if the place is taken by something else than this sweep.
  SweepWriter(const std::string& path, const sweep::Sweep& sweep, const SweepOrigin& origin);
  SweepWriter(SweepWriter&&) noexcept;
  ~SweepWriter();

  // How many bytes the numbers of all runs will be.
  static double bytes(const sweep::Sweep& sweep);

  std::vector<std::uint64_t> missing() const;  // blocks
  std::uint64_t done() const;                  // runs
  std::uint64_t failed() const;                // of them
  void keep(const sweep::BlockResult& result);
  // Everything into the file; complete if nothing is missing. What a sweep that was interrupted has in the journal may
  // stay there if the file is large: whoever stopped it does not wait for a copy of it.
  void end();

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace extremal
