// libFuzzer's way in to the formula reader; see fuzz/CMakeLists.txt.
#include "formula_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  extremal::fuzz_formula({reinterpret_cast<const char*>(data), size});
  return 0;
}
