#include "extremal/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "extremal/error.hpp"
#include "report/page_template.hpp"
#include "report/plots.hpp"
#include "report/scene.hpp"
#include "report/summary.hpp"

namespace extremal::report {
namespace {

constexpr std::string_view mark = "@EXTREMAL_DATA@";

Json scheme_of(const Scheme& scheme, bool constrained) {
  const Declared& d = scheme.declared;
  Json properties = Json::array();
  if (constrained ? d.symplectic : d.symplectic_free) properties.push_back("symplectic");
  if (d.symmetry != Symmetry::none)
    properties.push_back(d.symmetry == Symmetry::full || !constrained ? "reversible" : "reversible in q");
  if (constrained && d.on_manifold) properties.push_back("on the manifold");
  const std::string order = !constrained             ? std::to_string(d.order_free)
                            : d.order.q == d.order.p ? std::to_string(d.order.q)
                                                     : fmt::format("{} in q, {} in p", d.order.q, d.order.p);
  Json out = {{"name", scheme.name}, {"order", order}, {"properties", properties}};
  if (!d.citation.empty()) out["citation"] = d.citation;
  return out;
}

// The page knows how a run can end; a program that is gone or still at work has not said.
std::pair<std::string, std::string> status_of(const Archive& archive, const std::string& path) {
  const std::string& status = archive.status();
  const std::string resume = "; extremal resume " + path + " goes on";
  if (status == "killed") return {"interrupted", "the program was killed; this is what it had written" + resume};
  if (status == "running") return {"interrupted", "the run was still going on when this page was made"};
  return {status, archive.attribute("reason") + (status == "interrupted" ? resume : "")};
}

std::string id_of(const std::string& name, const Json& pages) {
  std::string id;
  for (const char c : std::filesystem::path(name).stem().string())
    id += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-' ? c : '-';
  while (!id.empty() && id.back() == '-') id.pop_back();
  if (id.empty()) id = "run";
  const auto taken = [&](const std::string& candidate) {
    return std::any_of(pages.begin(), pages.end(),
                       [&](const Json& page) { return page.at("id").get<std::string>() == candidate; });
  };
  std::string unique = id;
  for (int k = 2; taken(unique); ++k) unique = id + "-" + std::to_string(k);
  return unique;
}

Json meta_of(const Archive& archive, const Model& model, const Scheme& scheme, const PageOptions& options,
             const std::vector<std::string>& notes) {
  const Provenance provenance = archive.provenance();
  const std::string name = model.system.size() > 0 ? model.system.name() : provenance.model;
  Json about = {{"name", name}};
  const std::string text = provenance.model_text.empty() ? model.text : provenance.model_text;
  if (!text.empty()) about["text"] = text;
  if (provenance.model.ends_with(".toml")) about["file"] = provenance.model;
  const auto [status, reason] = status_of(archive, options.archive);
  Json meta = {{"title", name},
               {"model", about},
               {"scheme", scheme_of(scheme, model.system.constraint_count() > 0)},
               {"step", provenance.span.step.text()},
               {"until", provenance.span.until.text()},
               {"precision", provenance.precision},
               {"version", archive.attribute("version")},
               {"machine", archive.attribute("machine") + ", compiler " + archive.attribute("compiler")},
               {"command", provenance.command},
               {"status", status}};
  if (!options.archive.empty()) meta["archive"] = options.archive;
  if (!model.title.empty()) {
    std::string title = model.title;
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    meta["description"] = title + (model.citation.empty() ? "" : " [" + model.citation + "]");
  }
  if (const std::string& steps = archive.attribute("steps"); !steps.empty()) meta["steps"] = std::stoll(steps);
  if (status != "complete") meta["reason"] = reason;
  if (!notes.empty()) meta["notes"] = notes;
  return meta;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    all.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return all;
}

}  // namespace

}  // namespace extremal::report

namespace extremal {

struct Report::Pages {
  std::string title;
  Json pages = Json::array();
};

Report::Report(std::string title) : pages_(std::make_unique<Pages>(Pages{.title = std::move(title)})) {}
Report::~Report() = default;
Report::Report(Report&&) noexcept = default;
Report& Report::operator=(Report&&) noexcept = default;

bool Report::available() { return report::page_template().find(report::mark) != std::string_view::npos; }

void Report::expect_available() {
  if (!available())
    throw InputError(
        "report: this program was built without the page of reports, which needs npm; expected npm where it is built; "
        "try installing npm, configuring and building again");
}

void Report::add(const Archive& archive, const Model& model, const PageOptions& options) {
  using namespace report;
  const Table table(archive);
  const Scheme scheme = Scheme::named(archive.attribute("scheme"));
  std::vector<std::string> notes = lines(archive.attribute("notes"));
  if (!options.note.empty()) notes.push_back(options.note);
  Json summary = summary_of(model, scheme, table, notes);
  if (options.certificate != nullptr)
    for (const Law& law : options.certificate->laws)
      summary["laws"].push_back({{"name", law.name},
                                 {"declared", law.measurable ? law.declared : "-"},
                                 {"measured", law.measured},
                                 {"defect", number(law.defect).is_null() ? Json("none") : number(law.defect)},
                                 {"floor", number(law.floor).is_null() ? Json("none") : number(law.floor)},
                                 {"holds", law.holds}});
  std::optional<Scene> scene = scene_of(model, table);
  if (scene) notes.insert(notes.end(), scene->notes.begin(), scene->notes.end());
  Json frames = scene ? framed(std::move(*scene), table, notes) : Json();
  Json plots = plots_of(model, table);
  Json page = {{"id", id_of(model.system.size() > 0 ? model.system.name() : archive.attribute("model"), pages_->pages)},
               {"meta", meta_of(archive, model, scheme, options, notes)},
               {"summary", std::move(summary)}};
  if (scene) page["scene"] = std::move(frames);
  page["axes"] = std::move(plots["axes"]);
  page["plots"] = std::move(plots["plots"]);
  pages_->pages.push_back(std::move(page));
}

void Report::write(const std::string& path) const {
  expect_available();
  const Json data = {{"format", "extremal-report"},
                     {"version", 1},
                     {"title", pages_->title},
                     {"generator", "extremal " EXTREMAL_VERSION},
                     {"pages", pages_->pages}};
  const std::string_view page = report::page_template();
  const std::size_t at = page.find(report::mark);
  std::ofstream out(path, std::ios::binary);
  out << page.substr(0, at);
  // In JSON "<" occurs in texts only, where the escape means the same; no text of a model can end the script element.
  // Bytes that are no UTF-8 are replaced: a comment of a model file may have them.
  for (const char c : data.dump(Json::one_line, Json::BadText::replaced)) {
    if (c == '<')
      out << "\\u003c";
    else
      out << c;
  }
  out << page.substr(at + report::mark.size());
  out.flush();
  if (!out) throw InputError(path + ": cannot be written; expected a file in a folder that exists, and room for it");
}

}  // namespace extremal
