// A run, its archive and a page of it, by the installed libraries.
#include <extremal/extremal.hpp>
#include <extremal/report.hpp>
#include <fstream>
#include <iostream>

int main() {
  using namespace extremal;
  const Model m = model("pendulum");
  {
    ArchiveWriter<double> archive("page.nc",
                                  {.model = "pendulum", .scheme = "rattle", .start = m.start, .span = m.span});
    run(m.system, "rattle", m.start, m.span, {.sinks = {&archive}, .collect = false});
  }
  Report report("a pendulum");
  report.add(Archive::open("page.nc"), m);
  if (!Report::available()) {
    std::cout << "no page: the library was built without npm\n";
    return 0;
  }
  report.write("page.html");
  std::cout << (std::ifstream("page.html").seekg(0, std::ios::end).tellg() > 10000 ? "a page\n" : "nothing\n");
}
