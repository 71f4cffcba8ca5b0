// The files of models/ and the models of the library are the same, and move as they always did:
// tests/data/model-end-states.json has q and p after 20 steps in quad, of models that were written in C++ before there
// were files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "extremal/models.hpp"
#include "places.hpp"
#include "refusal.hpp"

namespace extremal::model_gallery_test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

const json& end_states() {
  static const json all = json::parse(std::ifstream(std::string(places::data) + "/model-end-states.json"));
  return all;
}

std::string path(const std::string& name) { return std::string(places::models) + "/" + name + ".toml"; }

template <class S>
Stepper<S> after_its_steps(const Model& model, const json& reference) {
  const S h = Number(reference["step"].get<std::string>()).as<S>();
  Stepper<S> stepper(model.system, Scheme::named(reference["scheme"].get<std::string>()));
  stepper.start(model.start, h);
  for (int k = 0; k < reference["steps"].get<int>(); ++k) EXPECT_TRUE(stepper.step(h).converged);
  return stepper;
}

// The largest difference of q and of p, relative to the largest of each, and of the energy.
template <class S>
double distance(const Model& model, const json& reference) {
  Stepper<S> stepper = after_its_steps<S>(model, reference);
  const auto& names = model.system.coordinate_names();
  const auto as = [](const json& text) { return Number(text.get<std::string>()).as<S>(); };
  S scale[2] = {S(1), S(1)}, worst[2] = {S(0), S(0)};
  for (const auto& [name, state] : reference["states"].items()) {
    const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    EXPECT_LT(at, names.size()) << name;
    if (at >= names.size()) continue;
    const S values[2] = {stepper.state().q[at], stepper.state().p[at]};
    for (std::size_t k = 0; k < 2; ++k) {
      scale[k] = math::max(scale[k], math::abs(as(state[k])));
      worst[k] = math::max(worst[k], math::abs(values[k] - as(state[k])));
    }
  }
  const S energy = as(reference["energy"]);
  const S missed = math::abs(stepper.observe().energy() - energy) / math::max(S(1), math::abs(energy));
  return static_cast<double>(math::max(missed, math::max(worst[0] / scale[0], worst[1] / scale[1])));
}

class Gallery : public testing::TestWithParam<std::string> {};

// Round-off of 20 steps in quad; a number that was rounded to double anywhere would be 1e-17 away. Most of it is that
// of bend-45: places of size 100 that are subtracted and multiplied by EA = 1e7.
TEST_P(Gallery, MovesAsItAlwaysDid) {
  const Model m = model(GetParam());
  EXPECT_EQ(m.system.name(), GetParam());
  EXPECT_LE(distance<quad>(m, end_states()[GetParam()]), 1e-28);
  EXPECT_LE(distance<double>(m, end_states()[GetParam()]), 1e-10);
}

std::vector<std::string> names_with_states() {
  std::vector<std::string> names;
  for (const auto& [name, reference] : end_states().items()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Models, Gallery, testing::ValuesIn(names_with_states()), [](const auto& model) {
  std::string name = model.param;
  for (char& c : name)
    if (c == '-' || c == '(') c = '_';
  std::erase(name, ')');
  return name;
});

TEST(GalleryFiles, ComparisonSeesASmallDifference) {
  const Model m = model("pendulum", {{"g", Number("9.81000000000000000001")}});
  const double seen = distance<quad>(m, end_states()["pendulum"]);
  EXPECT_GT(seen, 1e-22);
  EXPECT_LT(seen, 1e-18);
}

TEST(GalleryFiles, AreTheModelsOfTheLibrary) {
  std::vector<std::string> files, names = model_names();
  for (const auto& entry : std::filesystem::directory_iterator(places::models))
    if (entry.path().extension() == ".toml") files.push_back(entry.path().stem());
  std::sort(files.begin(), files.end());
  EXPECT_EQ(names.front(), "pendulum");  // what a newcomer sees first
  std::sort(names.begin(), names.end());
  EXPECT_EQ(files, names);
  for (const std::string& name : names) {
    const Model m = model(name), file = read_model(path(name));
    EXPECT_EQ(m.text, file.text) << name;
    EXPECT_EQ(m.system.name(), name);
    EXPECT_EQ(m.system.coordinate_names(), file.system.coordinate_names());
    EXPECT_EQ(m.start.q, file.start.q);
    EXPECT_EQ(m.scheme, file.scheme);
    EXPECT_EQ(m.span.step, file.span.step);
    for (const auto& argument : m.arguments)
      EXPECT_TRUE(std::any_of(m.parameters.begin(), m.parameters.end(),
                              [&](const auto& parameter) { return parameter.first == argument; }));
  }
}

TEST(GalleryFiles, HaveTheSizeThatWasAskedFor) {
  const Model by_name = model("chain(3)"), by_setting = model("chain", {{"n", 3}}),
              file = read_model(path("chain"), {{"n", 3}});
  for (const Model* m : {&by_name, &by_setting, &file}) {
    EXPECT_EQ(m->system.name(), "chain(3)");
    EXPECT_EQ(m->system.size(), 18);
    EXPECT_EQ(m->parameters.at(0).second, Number(3));
  }
  EXPECT_EQ(model("chain(3)", {{"n", 4}}).system.name(), "chain(4)");  // a setting goes before
  EXPECT_EQ(model("chain").arguments, std::vector<std::string>{"n"});
  EXPECT_THAT(refusal([] { model("pendulum", {{"gg", 1}}); }),
              AllOf(HasSubstr("models/pendulum.toml"), HasSubstr("did you mean \"g\"")));
}

// Rods say themselves how long a step may be, at every size.
TEST(GalleryFiles, HaveStepsThatAreStable) {
  for (const std::string name : {"elastic-ring", "elastic-ring-folding", "cantilever", "roll-up", "bend-45"})
    for (const char* size : {"(4)", "(10)", "(40)", "(90)"}) {
      const Model m = model(name + size);
      const double bound = m.mechanism->step_bound().as<double>(), h = m.span.step.as<double>();
      EXPECT_LT(h, 0.9 * bound) << name << size;
      EXPECT_GT(h, 0.2 * bound) << name << size;
      const double steps = m.span.until.as<double>() / h;
      // Where the step is chosen there are as many as are asked for, otherwise about as many.
      const bool given = name.starts_with("elastic");
      EXPECT_NEAR(steps / m.span.every, given ? 50 : 200, given ? 4 : 1e-9) << name << size;
    }
}

}  // namespace
}  // namespace extremal::model_gallery_test
