// Words for what a run may be, and may be asked for.
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

const char* name(Multipliers multipliers) { return multipliers == Multipliers::scheme ? "scheme" : "motion"; }

}  // namespace extremal
