// The part of SUNDIALS that every program of its kind repeats: a context, a vector, what happens on failure.
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace peers {

struct SundialsContext {
  SUNContext value = nullptr;
  SundialsContext() { SUNContext_Create(nullptr, &value); }
  ~SundialsContext() { SUNContext_Free(&value); }
  SundialsContext(const SundialsContext&) = delete;
  SundialsContext& operator=(const SundialsContext&) = delete;
};

struct FreeVector {
  void operator()(N_Vector v) const { N_VDestroy(v); }
};
using Vector = std::unique_ptr<std::remove_pointer_t<N_Vector>, FreeVector>;

inline Vector vector(int size, const SundialsContext& context) {
  Vector v(N_VNew_Serial(size, context.value));
  N_VConst(0, v.get());
  return v;
}

inline double* data(const Vector& v) { return N_VGetArrayPointer(v.get()); }

inline void require(int code, const char* call) {
  if (code < 0) throw std::runtime_error(std::string(call) + " failed: " + std::to_string(code));
}

}  // namespace peers
