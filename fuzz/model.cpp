// libFuzzer's way in to the reader of model files; see fuzz/CMakeLists.txt.
#include "model_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  extremal::fuzz_model({reinterpret_cast<const char*>(data), size});
  return 0;
}
