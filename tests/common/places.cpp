#include "places.hpp"

namespace places {

const char* const data = EXTREMAL_SOURCES "/tests/data";
const char* const models = EXTREMAL_SOURCES "/models";
const char* const program = EXTREMAL_PROGRAM;
const char* const report = EXTREMAL_SOURCES "/report";
const char* const sources = EXTREMAL_SOURCES;

}  // namespace places
