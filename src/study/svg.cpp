#include "study/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace extremal::study {
namespace {

constexpr std::array<const char*, 8> colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                             "#E69F00", "#56B4E9", "#000000", "#7F7F7F"};
constexpr std::array<const char*, 3> dashes{"", "6 3", "2 2"};

// Of one panel; the legend stands to the right of `right`.
constexpr double height = 460, left = 86, right = 550, top = 40, bottom = 58, legend_row = 18;
constexpr std::size_t legend_rows = 21;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

// One axis: from data to places on the page, and where its ticks are.
class Axis {
 public:
  Axis(bool logarithmic, double from, double to) : log_(logarithmic), from_(from), to_(to) {}

  bool shows(double x) const { return std::isfinite(x) && (!log_ || x > 0); }
  void include(double x) {
    if (!shows(x)) return;
    least_ = std::min(least_, measure(x));
    most_ = std::max(most_, measure(x));
  }
  // Decades on a logarithmic axis, a margin on a linear one.
  void settle() {
    if (!(least_ <= most_)) least_ = 0, most_ = 1;
    if (log_) {
      const double few = most_ - least_;
      least_ = few > 1.5 ? std::floor(least_) : least_ - 0.1;
      most_ = few > 1.5 ? std::ceil(most_) : most_ + 0.1;
    } else {
      const double margin = most_ > least_ ? 0.03 * (most_ - least_) : std::max(1.0, std::fabs(most_)) * 0.5;
      least_ -= margin;
      most_ += margin;
    }
  }
  double extent() const { return most_ - least_; }
  void widen(double extent) {
    const double more = (extent - (most_ - least_)) / 2;
    least_ -= more;
    most_ += more;
  }
  double at(double x) const { return from_ + (to_ - from_) * (measure(x) - least_) / (most_ - least_); }
  double per_unit() const { return (to_ - from_) / (most_ - least_); }

  std::vector<double> ticks() const {
    std::vector<double> all;
    if (log_) {
      const double every = std::max(1.0, std::ceil((most_ - least_) / 9));
      for (double d = std::ceil(least_ - 1e-9); d <= most_ + 1e-9; d += every) all.push_back(std::pow(10.0, d));
      if (all.size() >= 2) return all;
      // Less than two decades: 1, 2, 5 of each.
      all.clear();
      for (double d = std::floor(least_); d <= most_; d += 1)
        for (const double digit : {1.0, 2.0, 5.0})
          if (const double x = std::log10(digit) + d; x >= least_ && x <= most_) all.push_back(std::pow(10.0, x));
      return all;
    }
    const double step = spacing();
    for (double k = std::ceil(least_ / step); k * step <= most_ + 1e-9 * step; ++k) all.push_back(k * step);
    return all;
  }
  std::string label(double x) const {
    if (!log_) {
      // As many digits as tell ticks apart.
      const double size = std::max(std::fabs(least_), std::fabs(most_));
      const int digits = std::clamp(static_cast<int>(std::ceil(std::log10(size / spacing()))) + 1, 4, 15);
      return fmt::format("{:.{}g}", x + 0.0, digits);  // no -0
    }
    const double exponent = std::log10(x);
    if (std::fabs(exponent - std::round(exponent)) > 1e-6 || std::fabs(exponent) < 2.5) return fmt::format("{:.4g}", x);
    return fmt::format("10<tspan dy=\"-5\" font-size=\"9\">{:.0f}</tspan>", exponent);
  }

 private:
  double measure(double x) const { return log_ ? std::log10(x) : x; }
  // Of the ticks of a linear axis.
  double spacing() const {
    const double rough = (most_ - least_) / 6, power = std::pow(10.0, std::floor(std::log10(rough)));
    return power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
  }
  bool log_;
  double from_, to_;
  double least_ = std::numeric_limits<double>::infinity(), most_ = -least_;
};

std::string marker(std::size_t kind, double x, double y, const char* colour) {
  const auto shape = [&](const std::string& points) {
    return fmt::format("<polygon points=\"{}\" fill=\"{}\"/>\n", points, colour);
  };
  switch (kind % 6) {
    case 0:
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"/>\n", x, y, colour);
    case 1:
      return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"6.4\" height=\"6.4\" fill=\"{}\"/>\n", x - 3.2,
                         y - 3.2, colour);
    case 2:
      return shape(fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}", x, y - 4.4, x + 4, y + 3, x - 4, y + 3));
    case 3:
      return shape(fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}", x, y - 4.6, x + 4.6, y, x,
                               y + 4.6, x - 4.6, y));
    case 4:
      return shape(fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}", x, y + 4.4, x + 4, y - 3, x - 4, y - 3));
    default:
      return fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.2\" fill=\"#fff\" stroke=\"{}\" stroke-width=\"1.6\"/>\n", x, y,
          colour);
  }
}

std::string text(double x, double y, const std::string& anchor, const std::string& content,
                 const std::string& more = {}) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more, content);
}

std::string grid(const Axis& x, const Axis& y) {
  std::string out;
  for (const double tick : x.ticks())
    out += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"#ddd\"/>\n",
                       x.at(tick), top, height - bottom) +
           text(x.at(tick), height - bottom + 16, "middle", x.label(tick));
  for (const double tick : y.ticks())
    out += fmt::format("<line x1=\"{1:.1f}\" y1=\"{0:.1f}\" x2=\"{2:.1f}\" y2=\"{0:.1f}\" stroke=\"#ddd\"/>\n",
                       y.at(tick), left, right) +
           text(left - 6, y.at(tick) + 4, "end", y.label(tick));
  return out;
}

double row_of_legend(std::size_t index) { return top + 8 + legend_row * static_cast<double>(index); }

struct Point {
  double x, y;
};

// Without what nobody sees: of consecutive points in one column of pixels the first, the lowest, the highest and the
// last stay, and of the boundary of an area those a pixel apart.
std::vector<Point> thinned(const std::vector<Point>& all, bool closed) {
  std::vector<Point> out;
  for (std::size_t begin = 0, end; begin < all.size(); begin = end) {
    std::size_t low = begin, high = begin;
    for (end = begin + 1; end < all.size(); ++end) {
      if (closed ? std::hypot(all[end].x - all[begin].x, all[end].y - all[begin].y) > 1
                 : std::floor(all[end].x) != std::floor(all[begin].x))
        break;
      if (all[end].y < all[low].y) low = end;
      if (all[end].y > all[high].y) high = end;
    }
    for (const std::size_t i : closed ? std::set{begin} : std::set{begin, low, high, end - 1}) out.push_back(all[i]);
  }
  return out;
}

std::string drawn(const Curve& curve, std::size_t index, const Axis& x, const Axis& y) {
  if (curve.like >= 0) index = static_cast<std::size_t>(curve.like);
  const char* colour = colours[index % colours.size()];
  const std::string dash = dashes[index / colours.size() % dashes.size()];
  const std::string stroke = fmt::format("stroke=\"{}\" stroke-width=\"1.5\"{}", colour,
                                         dash.empty() ? "" : " stroke-dasharray=\"" + dash + "\"");
  std::string points, marks;
  std::vector<Point> seen;
  for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
    if (!x.shows(curve.x[i]) || !y.shows(curve.y[i])) continue;
    seen.push_back({x.at(curve.x[i]), y.at(curve.y[i])});
    if (curve.markers) marks += marker(index, seen.back().x, seen.back().y, colour);
  }
  for (const Point& at : curve.markers ? seen : thinned(seen, curve.filled))
    points += fmt::format("{:.1f},{:.1f} ", at.x, at.y);
  const double row = row_of_legend(index), beside = right + 14;
  std::string line = curve.filled ? fmt::format("<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"0.12\" {}/>\n",
                                                points, colour, stroke)
                                  : fmt::format("<polyline points=\"{}\" fill=\"none\" {}/>\n", points, stroke) + marks;
  if (curve.like >= 0 || index >= legend_rows) return line;
  return line +
         fmt::format("<polyline points=\"{:.1f},{:.1f} {:.1f},{:.1f}\" {}/>\n", beside, row, beside + 26, row, stroke) +
         (curve.markers ? marker(index, beside + 13, row, colour) : "") +
         text(beside + 32, row + 4, "start", escaped(curve.name));
}

// One decade of x wide, or less, so that it is no higher than a third of the panel.
std::string triangle(int slope, std::size_t index, const Axis& x, const Axis& y) {
  const double room = (height - top - bottom) / 3, decade_x = x.per_unit(), decade_y = -y.per_unit() * slope;
  const double part = std::min({0.5, room / decade_y, 60 / decade_x});
  const double x1 = right - 24 - 76 * static_cast<double>(index), y1 = height - bottom - 12;
  const double x0 = x1 - part * decade_x, y0 = y1 - part * decade_y;
  return fmt::format("<polygon points=\"{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}\" fill=\"none\" stroke=\"#444\"/>\n",
                     x0, y1, x1, y1, x1, y0) +
         text(x1 + 4, (y0 + y1) / 2 + 4, "start", std::to_string(slope));
}

// Long series of small extent are drawn over those of a large one, which would hide them.
std::vector<std::size_t> drawing_order(const std::vector<Curve>& curves) {
  std::vector<std::size_t> order;
  std::vector<double> extent;
  for (const Curve& curve : curves) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const double y : curve.y)
      if (std::isfinite(y)) least = std::min(least, y), most = std::max(most, y);
    order.push_back(order.size());
    extent.push_back(curve.markers || curve.filled || !(most > least) ? 0 : most - least);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return extent[a] > extent[b]; });
  return order;
}

std::string panel(const Plot& plot, double offset) {
  Axis x(plot.log_x, left, right), y(plot.log_y, height - bottom, top);
  for (const Curve& curve : plot.curves)
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i)
      if (x.shows(curve.x[i]) && y.shows(curve.y[i])) x.include(curve.x[i]), y.include(curve.y[i]);
  x.settle();
  y.settle();
  if (plot.square) {
    const double shape = (right - left) / (height - top - bottom);
    if (x.extent() < shape * y.extent())
      x.widen(shape * y.extent());
    else
      y.widen(x.extent() / shape);
  }
  std::string out = fmt::format("<g transform=\"translate(0 {:.0f})\">\n", offset);
  out += text(left, top - 14, "start", escaped(plot.title), " font-weight=\"bold\"") + grid(x, y);
  out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#000\"/>\n", left, top,
                     right - left, height - top - bottom);
  out += text((left + right) / 2, height - 18, "middle", escaped(plot.x_label));
  out += text(0, 0, "middle", escaped(plot.y_label),
              fmt::format(" transform=\"translate(18 {:.0f}) rotate(-90)\"", (top + height - bottom) / 2));
  for (std::size_t i = 0; i < plot.slopes.size() && plot.log_x && plot.log_y; ++i)
    if (plot.slopes[i] > 0) out += triangle(plot.slopes[i], i, x, y);
  for (const std::size_t i : drawing_order(plot.curves)) out += drawn(plot.curves[i], i, x, y);
  if (plot.curves.size() > legend_rows)
    out += text(right + 46, row_of_legend(legend_rows) + 4, "start",
                fmt::format("and {} more", plot.curves.size() - legend_rows));
  return out + "</g>\n";
}

}  // namespace

std::string svg(const std::vector<Plot>& panels) {
  std::size_t longest = 20;
  for (const Plot& plot : panels)
    for (const Curve& curve : plot.curves) longest = std::max(longest, curve.name.size());
  const double width = right + 60 + 7 * static_cast<double>(longest);
  const double all = height * static_cast<double>(std::max<std::size_t>(1, panels.size()));
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#fff\"/>\n",
      width, all);
  for (std::size_t i = 0; i < panels.size(); ++i) out += panel(panels[i], height * static_cast<double>(i));
  return out + "</svg>\n";
}

}  // namespace extremal::study
