#include "extremal/run.hpp"

namespace extremal {

const char* name(Status status) {
  switch (status) {
    case Status::complete:
      return "complete";
    case Status::suspect:
      return "suspect";
    case Status::failed:
      return "failed";
    case Status::interrupted:
      return "interrupted";
  }
  return "";
}

}  // namespace extremal
