// models/elastic-ring.toml is the ring of [LewMata2016, section 4.2.8] as lewmata2016_ring_test.cpp has it on the rod
// kernel.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "extremal/models.hpp"
#include "places.hpp"

namespace extremal::papers::lewmata_ring_file_test {
namespace {

TEST(ElasticRingFile, KeepsTheEnergyOfTheLoad) {
  const Model m = read_model(std::string(places::models) + "/elastic-ring.toml");
  ASSERT_EQ(m.scheme, "lie(trapezoidal)");
  const auto r = run(m.system, m.scheme, m.start, m.span);
  ASSERT_EQ(r.status, Status::complete) << r.reason;
  double sum = 0, least = 1e300, most = -1e300;
  int count = 0;
  for (std::size_t k = 0; k < r.column("t").size(); ++k) {
    if (r.column("t")[k] < 1.51) continue;
    const double energy = r.column("energy")[k];
    sum += energy, least = std::min(least, energy), most = std::max(most, energy), ++count;
  }
  // Elements of a rod by points are as long as their chords, which makes them shorter than the arcs by (pi/80)^2 / 6,
  // 2.6e-4: the energy differs by less.
  EXPECT_NEAR(sum / count / 7.82896, 1, 2.6e-4);
  EXPECT_LT((most - least) / least, 3e-5);
}

}  // namespace
}  // namespace extremal::papers::lewmata_ring_file_test
