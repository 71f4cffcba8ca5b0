// libFuzzer's way in to the importers of robots; see fuzz/CMakeLists.txt.
#include "robot_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  extremal::fuzz_robot({reinterpret_cast<const char*>(data), size});
  return 0;
}
