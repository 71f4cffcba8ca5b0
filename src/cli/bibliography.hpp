// Bibliography: the entries of docs/references.bib, which the program carries with it.
//
//   for (const Reference* r : cited("Andersen1983, Wenger2017")) std::cout << r->text << "\n" << r->bibtex << "\n";
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace extremal::cli {

struct Reference {
  std::string key;
  std::string text;    // authors, title, where, year: one line of UTF-8
  std::string bibtex;  // the entry as it stands in the file
};

// The file itself; CMake writes its definition.
extern const std::string_view references;

const std::vector<Reference>& bibliography();
// The entries of a citation, keys separated by commas; a key without an entry is a broken invariant of ours.
std::vector<const Reference*> cited(const std::string& citation);

}  // namespace extremal::cli
