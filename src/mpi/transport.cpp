// MPI as a Transport: a module that the program loads where mpirun has started it. All calls come from one thread.
#include <mpi.h>

#include "sweep/transport.hpp"

namespace extremal::sweep {
namespace {

class MpiTransport final : public Transport {
 public:
  MpiTransport() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void send(int to, const Bytes& bytes) override {
    MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, 0, MPI_COMM_WORLD);
  }
  std::optional<Message> receive() override {
    int there = 0, length = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return {};
    MPI_Get_count(&status, MPI_BYTE, &length);
    Message message{status.MPI_SOURCE, Bytes(static_cast<std::size_t>(length))};
    MPI_Recv(message.bytes.data(), length, MPI_BYTE, message.from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return message;
  }
  void finish() override { MPI_Finalize(); }
  [[noreturn]] void abort(int exit_code) override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    __builtin_unreachable();
  }

 private:
  int rank_ = 0, size_ = 1;
};

}  // namespace
}  // namespace extremal::sweep

// The one that the program asks for, which lives as long as it does.
extern "C" __attribute__((visibility("default"))) extremal::sweep::Transport* extremal_transport() {
  static extremal::sweep::MpiTransport transport;
  return &transport;
}
