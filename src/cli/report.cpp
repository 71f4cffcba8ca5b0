// extremal report: archives as one HTML file to look at.
#include "extremal/report.hpp"

#include <filesystem>
#include <iostream>

#include "archive/archived_model.hpp"
#include "cli/check_step.hpp"
#include "cli/command.hpp"
#include "cli/kind.hpp"
#include "cli/replaceable.hpp"
#include "extremal/error.hpp"
#include "words/json.hpp"

namespace extremal::cli {
namespace {

struct ReportOptions {
  std::vector<std::string> archives;
  std::string out, title;
  bool check = false, json = false;
};

// Beside the first archive, under its name.
std::string place_of(const ReportOptions& options) {
  if (!options.out.empty()) return options.out;
  return std::filesystem::path(options.archives.front()).replace_extension(".html").string();
}

void add_page(Report& report, const std::string& path, bool with_certificate) {
  expect_run_archive(path);
  const Archive archive = Archive::open(path);
  const Provenance provenance = archive.provenance();
  PageOptions page{.archive = path};
  Model model{.system = System(provenance.model), .start = {}, .span = {}, .title = "", .citation = ""};
  Certificate certificate;
  try {
    model = archived_case(provenance).model;
    if (with_certificate) {
      certificate = check(model.system, Scheme::named(provenance.scheme), model.start, check_options(model));
      page.certificate = &certificate;
    }
  } catch (const InputError& error) {
    // The columns are there all the same.
    page.note = std::string(model.system.size() > 0 ? "not checked: " : "no animation, as the model cannot be read: ") +
                error.what();
  }
  report.add(archive, model, page);
}

void execute(const ReportOptions& options) {
  Report::expect_available();
  const std::string out = place_of(options);
  expect_replaceable("-o", out, "<title>extremal report</title>", false, "a page");
  std::string title = options.title;
  if (title.empty())
    title = options.archives.size() > 1 ? "Runs" : std::filesystem::path(options.archives.front()).stem().string();
  Report report(title);
  for (const std::string& path : options.archives) add_page(report, path, options.check);
  report.write(out);
  if (options.json)
    std::cout << Json{{"report", out}, {"archives", options.archives}}.dump(2) << "\n";
  else
    std::cout << out << "\n";
}

}  // namespace

void add_report(Command& program, Invocation& invocation) {
  auto options = std::make_shared<ReportOptions>();
  Command command = program.add_command("report", "Make a page of archives: the motion, plots, laws");
  command.add_option("ARCHIVE", options->archives, "What extremal run --archive wrote; several make a gallery")
      .required();
  command
      .add_option("-o,--output", options->out,
                  "The HTML file; by default the name of the first archive with .html at its end")
      .not_empty();
  command.add_option("--title", options->title, "Of the page; by default the name of the archive");
  command.add_flag("--check", options->check, "Add the certificate of extremal check for every run");
  command.add_flag("--json", options->json, "Print JSON");
  command.footer(
      "Example:\n"
      "  extremal run double-four-bar --archive bars.nc\n"
      "  extremal report bars.nc                                writes bars.html, which needs no network\n"
      "Prints the path of the page. Runs that failed, were interrupted or killed have pages too.");
  command.callback([options, &invocation] {
    execute(*options);
    invocation.exit_code = complete;
  });
}

}  // namespace extremal::cli
