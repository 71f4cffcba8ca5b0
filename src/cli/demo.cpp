// extremal demo: the point of the program in a few seconds.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "archive/archived_model.hpp"
#include "cli/command.hpp"
#include "cli/study.hpp"
#include "cli/table.hpp"
#include "extremal/check.hpp"
#include "extremal/error.hpp"
#include "extremal/report.hpp"

namespace extremal::cli {
namespace {

struct Contrast {
  const char *model, *scheme, *step, *until;
};

// Rows that belong together: the low order and the high order at the same step.
constexpr Contrast contrasts[] = {
    {"pendulum", "rattle", "0.05", "500"},           {"pendulum", "spark(3)", "0.05", "500"},
    {"triple-pendulum", "rattle", "0.1", "400"},     {"triple-pendulum", "spark(3)", "0.1", "400"},
    {"double-pendulum-3d", "rattle", "0.02", "100"}, {"double-pendulum-3d", "spark(3)", "0.02", "100"},
};

// What the report shows.
struct Shown {
  const char *model, *scheme, *step, *until;
  int every;
};
constexpr Shown exhibits[] = {
    {"double-four-bar", "spark(2)", "0.01", "10", 1},
    {"elastic-ring-folding", "lie(trapezoidal)", "0.0015", "4.5", 6},
    {"elastic-ring", "lie(trapezoidal)", "0.0015", "4.5", 12},
    {"pendulum", "spark(3)", "0.05", "20", 1},
    {"bennett", "spark(2)", "0.01", "10", 1},
};

// Archives that are needed for as long as the report is made.
struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "extremal-demo-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw InputError(name + ": cannot be made; expected room for temporary files");
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
};

int write_report(const std::string& out) {
  int exit_code = complete;
  const Folder folder;
  Report report("extremal: a demonstration");
  for (const Shown& s : exhibits) {
    Model m = model(s.model);
    m.scheme = s.scheme;
    m.span = {.step = s.step, .until = s.until, .every = s.every};
    m.precision = Scalar<double>::name;
    const Case one = make_case(std::move(m));
    const std::string command =
        fmt::format("extremal run {} --scheme \"{}\" --step {} --until {} --every {} --archive {}.nc", s.model,
                    s.scheme, s.step, s.until, s.every, s.model);
    const std::string path = (folder.path / (std::string(s.model) + ".nc")).string();
    {
      ArchiveWriter<double> archive(path, provenance_of(one, s.model, command));
      const auto run = extremal::run<double>(one, {.sinks = {&archive}, .collect = false});
      if (run.status != Status::complete) exit_code = failed;
    }
    report.add(Archive::open(path), one.model);
  }
  report.write(out);
  return exit_code;
}

}  // namespace

void add_demo(Command& program, Invocation& invocation) {
  Command command = program.add_command("demo", "See what it is about, in a few seconds");
  auto out = std::make_shared<std::string>("extremal-demo.html");
  command.add_option("-o,--output", *out, "The report, a page for a browser").show_default();
  command.footer("Example:\n  extremal demo");
  command.callback([out, &invocation] {
    invocation.exit_code = complete;
    std::cout << "A variational integrator approximates the action, not the equations of motion. It then keeps\n"
                 "the constraints g = 0 and G v = 0 and the momenta to round-off, and the energy error bounded:\n\n";
    Table table({"model", "scheme", "order", "step", "steps", "energy error", "drift per time", "max |g|", "max |G v|",
                 "momentum error"});
    for (const Contrast& c : contrasts) {
      const Model m = model(c.model);
      const Scheme scheme = Scheme::named(c.scheme);
      const auto run = extremal::run(m.system, scheme, m.start, {.step = c.step, .until = c.until});
      if (run.status != Status::complete) {
        invocation.exit_code = failed;
        std::cout << c.model << ", " << c.scheme << ": " << run.reason << "\n";
      }
      double momentum = 0;
      for (const auto& column : run.momentum_error) momentum = std::max(momentum, column.values.at(0));
      table.row({c.model, c.scheme, std::to_string(scheme.declared.order.q), c.step, std::to_string(run.steps),
                 small(run.energy_max_error),
                 fmt::format("{} +- {}", small(run.drift.slope), small(run.drift.slope_error)),
                 small(run.constraint_max), small(run.hidden_max), run.momentum_error.empty() ? "-" : small(momentum)});
    }
    std::cout << table.text() << "\nNo claim without a measurement; the certificate of one scheme on one model:\n\n";
    const Model m = model("pendulum");
    const Certificate certificate = check(m.system, Scheme::named("spark(2)"), m.start);
    if (!certificate.holds()) invocation.exit_code = failed;
    std::cout << certificate.text()
              << "\nNext:\n"
                 "  extremal list                                               all schemes and models\n"
                 "  extremal run pendulum --scheme rattle --csv -               the motion as a table\n"
                 "  extremal run six-balls --precision quad --json              34 digits, for other programs\n"
                 "  extremal check triple-pendulum --scheme \"man(LGG, 3)\"       a scheme that is not symplectic\n"
                 "  extremal run elastic-ring --every 5 --archive ring.nc       and then extremal report ring.nc\n\n"
              << std::flush;
    if (!Report::available()) {
      std::cout << "No report: the program was built without npm\n";
      return;
    }
    invocation.exit_code = std::max(invocation.exit_code, write_report(*out));
    std::cout << "The motions, for a browser:\n" << *out << "\n";
  });
}

}  // namespace extremal::cli
