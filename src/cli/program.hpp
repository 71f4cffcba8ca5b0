// Program: the command line as its commands declare it. The parser of options stays behind program.cpp, which is the
// only file that pays for compiling it.
//
//   Program program("extremal", "Variational integrators", "extremal 1.0");
//   Command command = program.add_command("cite", "Say what to cite");
//   command.add_option("NAME", names, "Schemes and models").required();
//   command.callback([&] { ... });
//   if (!program.parse(argc, argv)) return 0;
//
// Options write to the variables that they are declared with, which have to outlive parse().
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace extremal::cli {

// A handle, as Command is: copies mean the same option.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option& required(bool yes = true);
  // One value each time that it is given, and all of them count.
  Option& repeated();
  // Besides blanks, as in 25,50,100.
  Option& delimiter(char between);
  Option& one_of(const std::vector<std::string>& values);
  Option& range(int least, int most);
  // A name of a file, say.
  Option& not_empty();
  // The help says what the variable is now.
  Option& show_default();

 private:
  CLI::Option* option_;
};

class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  Command add_command(const std::string& name, const std::string& what);
  // A command that consists of others, one of which has to be given.
  Command add_group(const std::string& name, const std::string& what);

  // "--step", "-o,--output", or "MODEL", which is found by its place.
  Option add_option(const std::string& name, std::string& value, const std::string& help);
  Option add_option(const std::string& name, int& value, const std::string& help);
  Option add_option(const std::string& name, unsigned& value, const std::string& help);
  Option add_option(const std::string& name, double& value, const std::string& help);
  Option add_option(const std::string& name, std::vector<std::string>& values, const std::string& help);
  Option add_option(const std::string& name, std::vector<int>& values, const std::string& help);
  void add_flag(const std::string& name, bool& given, const std::string& help);

  // Below the options in the help.
  void footer(const std::string& text);
  // What the command does, as soon as its options are read.
  void callback(std::function<void()> action);

 private:
  CLI::App* app_;
};

class Program : public Command {
 public:
  Program(const std::string& name, const std::string& what, const std::string& version);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Does what the command line asks for; false if that was the help or the version, which are printed. InputError or
  // Refusal if the line is wrong, and whatever the command throws.
  bool parse(int argc, char** argv);

 private:
  explicit Program(std::unique_ptr<CLI::App> parser);
  std::unique_ptr<CLI::App> parser_;
};

}  // namespace extremal::cli
