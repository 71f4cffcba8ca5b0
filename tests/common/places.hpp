// Where the tests find what they read. The places are known to one source only, so that every other source of the tests
// compiles to the same object wherever the project lies, and ccache finds it in a new clone.
#pragma once

namespace places {

extern const char* const data;     // tests/data
extern const char* const models;   // models
extern const char* const program;  // the program as it was built
extern const char* const report;   // the sources of the page
extern const char* const sources;  // the root of the project

}  // namespace places
