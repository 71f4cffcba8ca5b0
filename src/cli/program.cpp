#include "cli/program.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "extremal/error.hpp"
#include "words/grammar.hpp"

namespace extremal::cli {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// The parser would call a misspelt command an argument that was not expected, and an unknown option a command that is
// missing.
void know_command(const CLI::App& program, const std::string& word) {
  std::vector<std::string> known = {"--help", "--version"};
  for (const std::string& name : command_names(program)) known.push_back(name);
  if (word == "-h" || std::find(known.begin(), known.end(), word) != known.end()) return;
  refuse_unknown("command", word, known);
}

// The same inside of commands, where the parser leaves words over and may complain of what they were to be.
void know_rest(const CLI::App& program) {
  const CLI::App* command = &program;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  const std::vector<std::string> commands = command_names(*command);
  for (const std::string& word : command->remaining()) {
    if (word.starts_with("-")) refuse_unknown("option", word.substr(0, word.find('=')), option_names(*command));
    if (!commands.empty()) refuse_unknown("command", word, commands);
  }
}

}  // namespace

Option& Option::required(bool yes) {
  option_->required(yes);
  return *this;
}

Option& Option::repeated() {
  option_->expected(1)->take_all();
  return *this;
}

Option& Option::delimiter(char between) {
  option_->delimiter(between);
  return *this;
}

Option& Option::one_of(const std::vector<std::string>& values) {
  option_->check(CLI::IsMember(values));
  return *this;
}

Option& Option::range(int least, int most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option& Option::not_empty() {
  option_->check(
      [](const std::string& value) { return value.empty() ? std::string("found no name; expected one") : ""; });
  return *this;
}

Option& Option::show_default() {
  option_->capture_default_str();
  return *this;
}

Command Command::add_command(const std::string& name, const std::string& what) {
  return Command(app_->add_subcommand(name, what));
}

Command Command::add_group(const std::string& name, const std::string& what) {
  CLI::App* group = app_->add_subcommand(name, what);
  group->require_subcommand(1);
  return Command(group);
}

Option Command::add_option(const std::string& name, std::string& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name, int& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name, unsigned& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name, double& value, const std::string& help) {
  return Option(app_->add_option(name, value, help));
}

Option Command::add_option(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  return Option(app_->add_option(name, values, help));
}

Option Command::add_option(const std::string& name, std::vector<int>& values, const std::string& help) {
  return Option(app_->add_option(name, values, help));
}

void Command::add_flag(const std::string& name, bool& given, const std::string& help) {
  app_->add_flag(name, given, help);
}

void Command::footer(const std::string& text) { app_->footer(text); }

void Command::callback(std::function<void()> action) { app_->callback(std::move(action)); }

Program::Program(const std::string& name, const std::string& what, const std::string& version)
    : Program(std::make_unique<CLI::App>(what, name)) {
  parser_->set_version_flag("--version", version);
  parser_->require_subcommand(1);
}

Program::Program(std::unique_ptr<CLI::App> parser) : Command(parser.get()), parser_(std::move(parser)) {}

Program::~Program() = default;

bool Program::parse(int argc, char** argv) {
  if (argc < 2) {
    std::cout << parser_->help();
    return false;
  }
  know_command(*parser_, argv[1]);
  try {
    parser_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      parser_->exit(error);
      return false;
    }
    know_rest(*parser_);
    const auto given = parser_->get_subcommands();
    throw InputError(std::string(error.what()) + "; try " + parser_->get_name() + " " +
                     (given.empty() ? "" : given[0]->get_name() + " ") + "--help");
  }
  return true;
}

}  // namespace extremal::cli
