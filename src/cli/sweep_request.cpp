#include "cli/sweep_request.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/kind.hpp"
#include "cli/request.hpp"
#include "extremal/error.hpp"
#include "words/json.hpp"

namespace extremal::cli {
namespace {

std::string contents(const std::string& path, const std::string& expected) {
  std::error_code error;
  std::ifstream in(path, std::ios::binary);
  if (!std::filesystem::is_regular_file(path, error) || !in)
    throw InputError(path + ": cannot be read; expected " + expected);
  if (std::filesystem::file_size(path, error) > Document::size_limit)
    throw InputError(path + ": found a file of more than " + std::to_string(Document::size_limit) +
                     " bytes; expected less");
  return {std::istreambuf_iterator<char>(in), {}};
}

Json as_json(const RunTexts& said) {
  Json all = Json::object();
  for (const RunKey& key : run_keys())
    if (const auto found = said.find(key.name); found != said.end())
      all[key.name] = key.kind == RunKey::Kind::count ? Json(std::stoi(found->second)) : Json(found->second);
  return all;
}

// Those that are empty, or 0, were not given.
RunTexts from_json(const std::string& text) {
  try {
    RunTexts said;
    const Json all = Json::parse(text);
    for (const RunKey& key : run_keys()) {
      if (!all.contains(key.name)) continue;
      const bool count = key.kind == RunKey::Kind::count;
      const std::string given =
          count ? std::to_string(all.at(key.name).get<int>()) : all.at(key.name).get<std::string>();
      if (!given.empty() && given != "0") said[key.name] = given;
    }
    return said;
  } catch (const InputError& error) {
    throw InputError(std::string("archive: the attribute sweep_options cannot be read (") + error.what() +
                     "); expected what extremal writes");
  }
}

}  // namespace

SweepRequest::Read SweepRequest::read() const {
  const RunTexts options = keys.said();
  expect_sweep_file(file);
  const std::string text = contents(file, "a sweep file (docs/sweep.md)");
  const Document document(text, file);
  sweep::Plan plan = sweep::read_plan(document, options);
  std::string model_text;
  if (is_file(plan.model))
    model_text = contents((std::filesystem::path(file).parent_path() / plan.model).string(),
                          "a model file (docs/models.md) at this place, seen from the sweep file");
  return {.sweep = std::make_shared<const sweep::Sweep>(document, std::move(plan), model_text),
          .origin = {.name = file, .text = text, .options = as_json(options).dump(), .command = {}}};
}

SweepRequest::Read read_sweep(const SweepOrigin& origin, const std::string& model_text) {
  const Document document(origin.text, origin.name);
  sweep::Plan plan = sweep::read_plan(document, from_json(origin.options));
  const std::string own_text = is_file(plan.model) ? model_text : "";
  return {.sweep = std::make_shared<const sweep::Sweep>(document, std::move(plan), own_text), .origin = origin};
}

SweepRequest::Read archived_sweep(const SweepArchive& archive) {
  return read_sweep({.name = archive.attribute("sweep"),
                     .text = archive.attribute("sweep_text"),
                     .options = archive.attribute("sweep_options"),
                     .command = archive.attribute("command")},
                    archive.attribute("model_text"));
}

}  // namespace extremal::cli
