// Archive: a run in a netCDF-4 file that can be read while it is written and after the program was killed.
//
//   const Case one = make_case(m);                                     // a model, of a file or of your own
//   extremal::ArchiveWriter<double> archive("run.nc", provenance_of(one));
//   extremal::run<double>(one, {.sinks = {&archive}, .collect = false});
//
//   auto a = extremal::Archive::open("run.nc");
//   a.status();            // complete, failed, interrupted, running or killed
//   a.column("v:x");       // all rows, those of the journal too
//
// FILE is at every moment a whole netCDF file: rows are appended to a copy that takes its place at once. In between
// they are in FILE.journal, with a checkpoint for every second or so. docs/archives.md has the layout.
//
// These need libnetcdf: link extremal::archive.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "extremal/run.hpp"

namespace extremal {

// What a Run does not know of itself and needs to be repeated.
struct Provenance {
  std::string model;       // the name under which it is found again, as "chain(100)"
  std::string model_text;  // of a model file, otherwise empty
  std::string scheme;      // as it was asked for
  std::vector<std::string> parameter_names = {};
  std::vector<Number> parameters = {};
  Start start = {};
  Span span = {};
  std::string precision = "double";
  std::string command = {};  // the command line
  // How the step was found, as Accuracy::json() tells it, if it was not said. What goes on takes the step as it is.
  std::string trials = {};
};

struct Case;
// Of a case (case.hpp), whose model is written as the text of a file if it has none, as far as it can be. `name` is
// that under which the model was found; without one, that of its system.
Provenance provenance_of(const Case& one, const std::string& name = {}, const std::string& command = {});

class Archive {
 public:
  // InputError if there is no such file, it is no archive, or it is not as it was written: every bit of it is checked.
  static Archive open(const std::string& path);
  Archive(Archive&&) noexcept;
  Archive& operator=(Archive&&) noexcept;
  ~Archive();

  const std::vector<ColumnInfo>& columns() const;
  std::size_t rows() const;
  // InputError with the names there are.
  std::vector<double> column(std::string_view name) const;
  // With all digits of a run in long double or quad.
  template <class S>
  std::vector<S> exact(std::string_view name) const;
  // Some rows of all columns of a variable, as "q": one value per column, row by row. For tables that are too wide to
  // be read column by column. Empty if there is no such variable.
  std::vector<double> block(std::string_view variable, std::size_t first, std::size_t count) const;

  // Everything that is not a table, as text: model, scheme, step, version, machine, ...
  const std::map<std::string, std::string>& attributes() const;
  const std::string& attribute(const std::string& name) const;  // empty if there is none
  Provenance provenance() const;
  // complete, failed, interrupted; running if a program is writing it, killed if that program is gone.
  const std::string& status() const;
  bool unfinished() const;  // interrupted or killed: resume goes on

  // The last one, with which the rows end. S is the run's.
  template <class S>
  Checkpoint<S> checkpoint() const;

 private:
  struct Data;
  explicit Archive(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

// When rows go to the disk. Shorter times cost more, longer ones lose more when the program is killed.
struct FlushPolicy {
  double seconds = 1;             // the journal gets rows and a checkpoint at least so often
  std::size_t bytes = 4UL << 20;  // or when so much waits
  double publish_share = 0.01;    // of the time may go into bringing FILE up to date, which happens after a flush

  // Every so many seconds, and FILE in proportion. InputError if that is no positive time.
  static FlushPolicy every(double seconds);
};

template <class S>
class ArchiveWriter : public RowSink<S> {
 public:
  // A new archive. An archive at this place is replaced, unless it is unfinished: InputError.
  ArchiveWriter(const std::string& path, Provenance provenance, FlushPolicy policy = {});
  // Goes on with an unfinished one: rows are appended. InputError if another version of the program began it; a run
  // with another scheme, step, end or start than it was begun with is refused as it begins.
  static ArchiveWriter resume(const std::string& path, FlushPolicy policy = {});
  // What a reader of an archive that was gone on with should know, as that the machine is another one.
  const std::vector<std::string>& notes() const;
  const std::string& journal() const;  // its path
  ArchiveWriter(ArchiveWriter&&) noexcept;
  ~ArchiveWriter() override;

  void begin(const Run<S>& run, const std::vector<ColumnInfo>& columns) override;
  void row(const std::vector<S>& values) override;
  bool pulse(const Progress& progress) override;
  void checkpoint(const Checkpoint<S>& here) override;
  void end(const Run<S>& run) override;

 private:
  struct Data;
  explicit ArchiveWriter(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
};

extern template class ArchiveWriter<double>;
extern template class ArchiveWriter<long double>;
extern template class ArchiveWriter<quad>;

}  // namespace extremal
