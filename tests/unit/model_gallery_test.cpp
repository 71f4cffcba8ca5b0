// Every file of models/ is the built-in model of the same name.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>

#include "extremal/models.hpp"

namespace extremal {
namespace {

std::vector<std::string> files() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(EXTREMAL_MODELS)) names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

bool built_in(const std::string& name) {
  const auto known = model_names();
  return std::find(known.begin(), known.end(), name) != known.end();
}

std::string path(const std::string& name) { return std::string(EXTREMAL_MODELS) + "/" + name + ".toml"; }

class Gallery : public testing::TestWithParam<std::string> {};

// Where each name of `from` stands in `to`; a file may name bodies in another order.
std::vector<std::size_t> places(const std::vector<std::string>& from, const std::vector<std::string>& to) {
  std::map<std::string, std::size_t> index;
  for (std::size_t k = 0; k < to.size(); ++k) index[to[k]] = k;
  std::vector<std::size_t> result;
  for (const std::string& name : from) {
    EXPECT_TRUE(index.contains(name)) << name;
    result.push_back(index[name]);
  }
  return result;
}

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> symmetries(const System& system) {
  std::vector<std::string> names;
  for (const auto& term : system.terms())
    if (term->role == Role::symmetry) names.push_back(term->name);
  return sorted(names);
}

void expect_same(const std::vector<Number>& file, const std::vector<Number>& stock,
                 const std::vector<std::size_t>& place, const char* what) {
  for (std::size_t k = 0; k < place.size(); ++k) {
    const quad x = file.empty() ? quad(0) : file[k].as<quad>(),
               y = stock.empty() ? quad(0) : stock[place[k]].as<quad>();
    const quad size = math::max(quad(1), math::abs(y));
    EXPECT_LE(static_cast<double>(math::abs(x - y) / size), 1e-31) << what << " " << k;
  }
}

// The sum of the values of all terms of a role; rows of constraints by name.
std::map<std::string, quad> values(const System& system, const std::vector<quad>& q, const std::vector<quad>& v) {
  std::map<std::string, quad> result;
  std::vector<quad> parameters;
  for (const Number& x : system.parameters()) parameters.push_back(x.as<quad>());
  const quad t = quad(3) / quad(8);
  const Nodes<quad> at{1, system.size(), q.data(), v.data(), &t, parameters.data()};
  std::size_t row = 0;
  for (const auto& term : system.terms()) {
    std::vector<quad> out(static_cast<std::size_t>(term->site_count() * term->row_count));
    term->at<quad>().value(at, out.data());
    std::size_t k = 0;
    for (int site = 0; site < term->site_count(); ++site)
      for (int r = 0; r < term->row_count; ++r, ++k) {
        const auto coordinate = [&] {
          return system.coordinate_names()[static_cast<std::size_t>(
              term->sites[static_cast<std::size_t>(site * term->coordinates + r)])];
        };
        switch (term->role) {
          case Role::constraint:
            result["g " + system.constraint_names()[row++]] = out[k];
            break;
          case Role::force:
            result["f " + coordinate()] += out[k];
            break;
          case Role::symmetry:
            result["a " + term->name + " " + coordinate()] += out[k];
            break;
          case Role::potential:
            result["L"] -= out[k];
            break;
          default:
            result["L"] += out[k];
        }
      }
  }
  return result;
}

TEST_P(Gallery, IsTheBuiltInModel) {
  const Model file = read_model(path(GetParam())), stock = model(GetParam());
  EXPECT_EQ(file.system.name(), stock.system.name());
  EXPECT_EQ(file.title, stock.title);
  EXPECT_EQ(file.citation, stock.citation);
  EXPECT_EQ(file.span.step.as<quad>(), stock.span.step.as<quad>());
  EXPECT_EQ(file.span.until.as<quad>(), stock.span.until.as<quad>());
  ASSERT_EQ(sorted(file.system.coordinate_names()), sorted(stock.system.coordinate_names()));
  ASSERT_EQ(sorted(file.system.constraint_names()), sorted(stock.system.constraint_names()));
  EXPECT_EQ(symmetries(file.system), symmetries(stock.system));
  EXPECT_EQ(file.system.parameter_names(), stock.system.parameter_names());

  const auto place = places(file.system.coordinate_names(), stock.system.coordinate_names());
  expect_same(file.start.q, stock.start.q, place, "q");
  expect_same(file.start.v, stock.start.v, place, "v");
  expect_same(file.start.p, stock.start.p, place, "p");
  EXPECT_EQ(file.start.t.as<quad>(), stock.start.t.as<quad>());
  expect_same({file.start.tolerance}, {stock.start.tolerance}, {0}, "tolerance");

  // L, g, forces and symmetries at random points.
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int trial = 0; trial < 3; ++trial) {
    std::vector<quad> q, v, stock_q(place.size()), stock_v(place.size());
    for (std::size_t k = 0; k < place.size(); ++k) {
      q.push_back(any(random)), v.push_back(any(random));
      stock_q[place[k]] = q[k], stock_v[place[k]] = v[k];
    }
    const auto a = values(file.system, q, v), b = values(stock.system, stock_q, stock_v);
    quad size = 1;
    for (const auto& [name, x] : b) size = math::max(size, math::abs(x));
    for (const auto& [name, x] : b) {
      const quad other = a.contains(name) ? a.at(name) : quad(0);
      EXPECT_LE(static_cast<double>(math::abs(x - other) / size), 1e-29) << name;
    }
    for (const auto& [name, x] : a) EXPECT_TRUE(b.contains(name) || x == quad(0)) << name;
  }
}

// 20 steps to round-off.
TEST_P(Gallery, MovesAsTheBuiltInModel) {
  const Model file = read_model(path(GetParam())), stock = model(GetParam());
  const Scheme scheme = Scheme::named(!stock.scheme.empty()                            ? stock.scheme
                                      : stock.system.has(Role::hamiltonian)            ? "phase_space(2)"
                                      : stock.system.has(Role::force) || stock.network ? "midpoint"
                                                                                       : "rattle");
  Span span = stock.span;
  span.until = Number("20*(" + span.step.text() + ")");
  const auto a = run(file.system, scheme, file.start, span), b = run(stock.system, scheme, stock.start, span);
  ASSERT_EQ(a.status, Status::complete) << a.reason;
  ASSERT_EQ(b.status, Status::complete) << b.reason;
  for (const std::string& name : stock.system.coordinate_names()) {
    double size = 1;
    for (const double x : b.column("v:" + name)) size = std::max(size, std::abs(x));
    EXPECT_NEAR(a.column(name).back(), b.column(name).back(), 1e-11) << name;
    EXPECT_NEAR(a.column("v:" + name).back(), b.column("v:" + name).back(), 1e-10 * size) << name;
  }
}

std::vector<std::string> both() {
  std::vector<std::string> names = files();
  std::erase_if(names, [](const std::string& name) { return !built_in(name); });
  return names;
}

INSTANTIATE_TEST_SUITE_P(Models, Gallery, testing::ValuesIn(both()), [](const auto& model) {
  std::string name = model.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// The comparison can fail: 1e-20 of gravity is seen.
TEST(GalleryFiles, ComparisonSeesASmallDifference) {
  const Model file = read_model(path("pendulum"), {{"g", Number("9.81000000000000000001")}}), stock = model("pendulum");
  const std::vector<quad> q = {quad(0.5), quad(-0.25)};
  const quad difference = values(file.system, q, q)["L"] - values(stock.system, q, q)["L"];
  EXPECT_NEAR(static_cast<double>(difference) * 1e20, 0.25, 1e-6);
}

TEST(GalleryFiles, HasAFileForEveryBuiltInModel) { EXPECT_EQ(files(), sorted(model_names())); }

}  // namespace
}  // namespace extremal
