#include "cli/sweep_job.hpp"

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <thread>

#include "cli/command.hpp"
#include "cli/mpi.hpp"
#include "cli/progress.hpp"
#include "cli/stop.hpp"
#include "cli/sweep_report.hpp"
#include "extremal/error.hpp"
#include "extremal/output_error.hpp"
#include "words/json.hpp"

namespace extremal::cli {
namespace {

std::string sweep_line(std::uint64_t before, const SweepWriter& writer, std::uint64_t size, double seconds) {
  constexpr std::size_t width = 24;
  const auto done = writer.done();
  const std::size_t full = static_cast<std::size_t>(done * width / size);
  const double rate = static_cast<double>(done - before) / seconds;
  return fmt::format("[{}{}] {:3.0f} %  {} of {} runs{}  {:.3g} runs/s  {} left", std::string(full, '#'),
                     std::string(width - full, '.'),
                     std::floor(100.0 * static_cast<double>(done) / static_cast<double>(size)), done, size,
                     writer.failed() > 0 ? fmt::format(", {} failed", writer.failed()) : "", rate,
                     rate > 0 ? duration(static_cast<double>(size - done) / rate) : "?");
}

// The line on the terminal.
class SweepBar {
 public:
  SweepBar(const SweepWriter& writer, std::uint64_t size) : writer_(writer), size_(size), before_(writer.done()) {}
  ~SweepBar() {
    if (visible_) std::cerr << "\r\033[K" << std::flush;
  }
  SweepBar(const SweepBar&) = delete;
  SweepBar& operator=(const SweepBar&) = delete;
  void show() {
    const auto now = Clock::now();
    if (!terminal_ || now - shown_ < std::chrono::milliseconds(250)) return;
    shown_ = now;
    visible_ = true;
    std::cerr << "\r" << sweep_line(before_, writer_, size_, std::chrono::duration<double>(now - begin_).count())
              << "\033[K" << std::flush;
  }

 private:
  const SweepWriter& writer_;
  const std::uint64_t size_, before_;
  const bool terminal_ = isatty(STDERR_FILENO) != 0;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point shown_ = begin_;
  bool visible_ = false;
};

// The sweep as a message from rank 0 to the others.
void tell(sweep::Transport& transport, const SweepRequest::Read& what) {
  const Json texts = {what.origin.name, what.origin.text, what.origin.options, what.sweep->model_text()};
  const std::string text = texts.dump();
  for (int rank = 1; rank < transport.size(); ++rank) transport.send(rank, {text.begin(), text.end()});
}

SweepRequest::Read told(sweep::Transport& transport) {
  for (;;) {
    if (const auto message = transport.receive()) {
      const std::string text(message->bytes.begin(), message->bytes.end());
      const auto texts = Json::parse(text).get<std::vector<std::string>>();
      return read_sweep({.name = texts.at(0), .text = texts.at(1), .options = texts.at(2), .command = {}}, texts.at(3));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

void SweepJob::declare(Command& command) {
  command.add_option("--threads", threads, "Of a sweep: by default as many as there are cores, or one on each rank")
      .range(1, 4096);
  command
      .add_option("--size-limit", size_limit, "Of a sweep: larger archives, in GB, are refused before they are begun")
      .show_default();
  command.add_flag("--json", json, "Print JSON");
}

// How much room a sweep takes is known before it begins.
void SweepJob::expect_room(const sweep::Sweep& sweep) const {
  const double giga = 1e9, bytes = SweepWriter::bytes(sweep);
  const std::string size =
      fmt::format("{} runs of {} numbers each are {:.3g} GB", sweep.size(), sweep::run_width(sweep), bytes / giga);
  if (bytes > size_limit * giga)
    throw InputError(
        fmt::format("{}: {}; expected at most {:g} GB; try --size-limit {:.0f}, or fewer runs, rows or "
                    "columns (keep)",
                    archive, size, size_limit, std::ceil(bytes / giga)));
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::path(archive).parent_path();
  const auto space = std::filesystem::space(folder.empty() ? "." : folder, error);
  if (!error && bytes > static_cast<double>(space.available) && !std::filesystem::exists(archive, error))
    throw InputError(fmt::format("{}: {}; expected that there is room for them: {:.3g} GB are free", archive, size,
                                 static_cast<double>(space.available) / giga));
  if (bytes > 0.1 * giga) std::cerr << "extremal: " << archive << ": " << size << "\n";
}

std::uint64_t SweepJob::keep(const SweepRequest::Read& what, sweep::Transport* transport) const {
  expect_room(*what.sweep);
  SweepWriter writer(archive, *what.sweep, what.origin);
  const std::uint64_t before = writer.done();
  SweepBar bar(writer, what.sweep->size());
  const sweep::Work work{.sweep = what.sweep.get(),
                         .blocks = writer.missing(),
                         .threads = threads > 0            ? threads
                                    : transport != nullptr ? 1
                                                           : std::max(1U, std::thread::hardware_concurrency()),
                         .stop = &stop_requested(),
                         .keep = [&](const sweep::BlockResult& result) { writer.keep(result); },
                         .tick = [&] { bar.show(); }};
  if (transport != nullptr) {
    tell(*transport, what);
    sweep::lead(work, *transport);
  } else {
    sweep::work_here(work);
  }
  writer.end();
  return writer.done() - before;
}

int SweepJob::run(const std::function<SweepRequest::Read()>& read) const {
  sweep::Transport* transport = mpi();
  if (transport == nullptr) {
    try {
      const std::uint64_t computed = keep(read(), nullptr);
      return report_sweep(archive, {.json = json, .computed = computed});
    } catch (const OutputError& error) {
      // What was kept before is in the archive and its journal.
      std::cerr << "extremal: " << error.what() << "\n";
      return SweepArchive::is(archive) ? report_sweep(archive, {.json = json}) : failed;
    }
  }
  if (transport->rank() > 0) {
    const SweepRequest::Read what = told(*transport);
    sweep::follow({.sweep = what.sweep.get(),
                   .blocks = {},
                   .threads = std::max(1U, threads),
                   .stop = &stop_requested(),
                   .keep = {}},
                  *transport);
    transport->finish();
    return complete;
  }
  int exit_code = complete;
  try {
    const std::uint64_t computed = keep(read(), transport);
    exit_code = report_sweep(archive, {.json = json, .computed = computed});
    std::cout.flush();
  } catch (const std::exception& error) {
    std::cerr << "extremal: " << error.what() << std::endl;
    transport->abort(bad_input);
  }
  // The others may be gone, or compute what nobody waits for.
  if (exit_code == interrupted) transport->abort(exit_code);
  transport->finish();
  return exit_code;
}

}  // namespace extremal::cli
