// Transport: what a sweep needs of an engine that runs one program many times. MPI is one, in a module of its own, so
// that the program needs it only where it is used.
#pragma once

#include <optional>
#include <vector>

namespace extremal::sweep {

class Transport {
 public:
  using Bytes = std::vector<unsigned char>;
  struct Message {
    int from = 0;
    Bytes bytes = {};
  };
  virtual ~Transport() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void send(int to, const Bytes& bytes) = 0;
  // One that has come, without waiting.
  virtual std::optional<Message> receive() = 0;
  // Waits for all; none of the others is called after it.
  virtual void finish() = 0;
  // Ends all of them.
  [[noreturn]] virtual void abort(int exit_code) = 0;
};

}  // namespace extremal::sweep
